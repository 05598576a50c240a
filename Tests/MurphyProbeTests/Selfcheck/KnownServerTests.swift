import Foundation
import MurphyModel
import MurphyProbe
import TestSupport
import Testing

/// The server that knows the truth, asked by a client that is not murphy's.
@Suite struct KnownServerTests {
  private func get(_ url: String, key: String = "a") async throws -> (status: Int, body: String, retryAfter: String?) {
    let text = try await Command(Tool.curl.path, ["-s", "-i", "-H", "X-Key: \(key)", url]).run().output
    let lines = text.components(separatedBy: "\r\n")
    let retry = lines.first { $0.hasPrefix("Retry-After: ") }.map { String($0.dropFirst(13)) }
    return (Int(lines[0].split(separator: " ").dropFirst().first ?? "") ?? 0, lines.last ?? "", retry)
  }

  @Test(.requires(.curl)) func `it admits as many as its limit says, for each key`() async throws {
    let server = try CalibrationServer(["/limit": .limit(admitted: 2, window: .seconds(60))], seed: 1)
    defer { server.stop() }
    for expected in [200, 200, 429] { #expect(try await get(server.url + "/limit").status == expected) }
    let refused = try await get(server.url + "/limit")
    #expect((1...60).contains(Int(refused.retryAfter ?? "") ?? 0))
    #expect(try await get(server.url + "/limit", key: "b").status == 200)
    #expect(server.log.admitted == 3 && server.log.refused == 2)
  }

  @Test(.requires(.curl)) func `it breaks the schema of one response in so many, and counts them`() async throws {
    let server = try CalibrationServer(["/schema": .breakSchema(oneIn: 3)], seed: 1)
    defer { server.stop() }
    var bodies: [String] = []
    for _ in 0..<6 { bodies.append(try await get(server.url + "/schema").body) }
    #expect(bodies.map { $0.contains("yes") } == [false, false, true, false, false, true])
    #expect(server.log.broken == 2)
    #expect(try await get(server.url + "/other").status == 404)
  }

  @Test(.requires(.curl)) func `it records what it imposed, which is never less than what it drew`() async throws {
    let server = try CalibrationServer(["/slow": .delay(.constant(.milliseconds(30)))], seed: 1)
    defer { server.stop() }
    for _ in 0..<3 { _ = try await get(server.url + "/slow") }
    let imposed = server.log.imposed["/slow"] ?? []
    #expect(imposed.count == 3 && imposed.allSatisfy { $0 >= 30_000_000 }, "\(imposed)")
  }

  @Test(.requires(.curl)) func `a freeze holds up whatever comes, and its log says for how long`() async throws {
    let server = try CalibrationServer(["/": .delay(.constant(.zero))], seed: 1)
    defer { server.stop() }
    server.freeze(for: .milliseconds(300))
    #expect(try await get(server.url + "/").status == 200)
    let freeze = try #require(server.log.freezes.first)
    #expect(freeze.upperBound - freeze.lowerBound >= 300_000_000)
    #expect(
      server.log.frozen(at: freeze.lowerBound + 100_000_000) == freeze.upperBound - freeze.lowerBound - 100_000_000)
    #expect(server.log.frozen(at: freeze.upperBound + 1) == 0)
  }

  /// Means and shares of 20,000 draws, each within four standard errors.
  @Test func `delays are drawn from the distributions that they name`() {
    func draws(_ distribution: DelayDistribution) -> [Double] {
      var random = RandomSource(seed: 42)
      return (0..<20_000).map { _ in Double(distribution.draw(&random)) / 1e6 }
    }
    #expect(Set(draws(.constant(.milliseconds(5)))) == [5])
    let two = draws(.bimodal(fast: .milliseconds(2), slow: .milliseconds(40), share: 0.1))
    #expect(Set(two) == [2, 40])
    #expect(abs(Double(two.count { $0 == 40 }) / 20_000 - 0.1) < 4 * (0.09 / 20_000).squareRoot())
    let logs = draws(.logNormal(median: .milliseconds(5), deviation: 0.7)).map { log($0 / 5) }
    #expect(abs(logs.reduce(0, +) / 20_000) < 4 * 0.7 / 20_000.0.squareRoot())
    let tail = draws(.heavyTail(shortest: .milliseconds(1), shape: 1.5, longest: .seconds(10)))
    let share = Double(tail.count { $0 > 4 }) / 20_000
    #expect(abs(share - 0.125) < 4 * (0.125 * 0.875 / 20_000).squareRoot())
    #expect(tail.allSatisfy { $0 >= 1 && $0 <= 10_000 })
  }
}
