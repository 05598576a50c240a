import Foundation
import Murphy
import MurphyModel
import TestSupport
import Testing
import WildServer

/// `--max-seconds` holds whatever a target does.
@Suite(.serialized, .timed) struct TimeBoundTests {
  private static let scenario = """
    name: Silence
    contract: CONTRACT
    sessions:
      look: { steps: [ { call: listLaws } ] }
    load:
      - { hold: 5/s, for: 3s }
    expect: { budgets: { "*": { p95: 100ms } } }
    """

  /// Seconds more than the option says: those in which a run ends, and what a busy machine adds.
  private static let slack = 10.0

  private static func run(_ arguments: [String], seconds: Double) async throws -> Program.Outcome {
    let start = Instant.now
    let outcome = try await Program().run(arguments + ["--max-seconds", "\(Int(seconds))"])
    let took = Double(Instant.now - start) / 1e9
    #expect(took < seconds + slack, "\(took) s: \(outcome.output)\(outcome.errors)")
    return outcome
  }

  @Test func `comparisons and searches of a silent server end`() async throws {
    // It responses at first, so that the first window is good.
    let silence = Instant.now + 4_000_000_000
    let server = try WildServer { _, connection in
      guard .now > silence else { return connection.answer(200, body: #"{"data":[],"total":0,"limit":5,"offset":0}"#) }
      _ = connection.waitForClose(atMost: 60)
    }
    defer { server.stop() }
    try await withScenario(Self.scenario) { file in
      let folder = (file as NSString).deletingLastPathComponent
      let searched = try await Self.run(
        ["capacity", file, "--target", server.url, "--window", "2s", "--report", folder + "/capacity"], seconds: 8)
      #expect(searched.status != 0, "\(searched.output)")
      let compared = try await Self.run(
        [
          "compare", file, "--base", server.url, "--candidate", server.url, "--slice", "1s", "--report",
          folder + "/compare",
        ], seconds: 6)
      #expect(compared.status == 5, "\(compared.output)\(compared.errors)")
      #expect(compared.output.contains("0 groups fit into 6 s"), "\(compared.output)")
    }
  }
}
