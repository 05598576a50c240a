import MurphyServer
import TestSupport
import Testing

/// The limiter faults, four votes to a window, on a clock that the test moves.
@Suite(.timed) struct LimitFaultTests {
  @Test(arguments: ReferenceAPI.murphysLaws.faults.filter { $0.family == .limits }.map(\.name))
  func `a limiter fault shows in what is rejected and how, and only in a server that has it`(fault: String) async throws
  {
    #expect(try await isShown(fault, [("fault", fault)]))
    #expect(try await !isShown(fault, []))
  }

  private func isShown(_ fault: String, _ settings: [(String, String)]) async throws -> Bool {
    let clock = HandClock()
    return try await withServer([("limit", "votes=4/60s")] + settings, clock: clock.limits) { client in
      try await shows(fault, client, clock)
    }
  }

  private func shows(_ fault: String, _ client: WireClient, _ clock: HandClock) async throws -> Bool {
    switch fault {
    case "limit-plus-one": return try await admitted(of: 8, client) == 5
    case "limit-minus-one": return try await admitted(of: 8, client) == 3
    case "limit-unlimited": return try await admitted(of: 8, client) == 8
    case "limit-per-process": return try await admitted(of: 12, client) == 8
    case "limit-fresh-refused": return try await admitted(of: 2, client.with(device: "new")) == 0
    case "limit-key-path": return try await admitted(of: 8, client, law: { $0 + 1 }) == 8
    case "limit-silent": return try await admitted(of: 8, client) == 8
    // Each request has a connection of its own.
    case "limit-per-connection": return try await admitted(of: 8, client) == 8
    case "limit-race":
      return try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<20 { group.addTask { try await client.vote("up", on: 1).status == 200 ? 1 : 0 } }
        return try await group.reduce(0, +) > 4
      }
    case "limit-key-global": return try await isShared(by: client, client.from("127.0.0.2").with(device: "b"))
    case "limit-key-address": return try await isShared(by: client, client.with(device: "b"))
    case "limit-spoofable":
      return try await admitted(of: 8, client, headers: { ["X-Forwarded-For": "10.0.0.\($0)"] }) == 8
    case "limit-window-short": return try await isAdmitted(after: .seconds(50), client, clock)
    case "limit-window-long", "limit-never-resets": return try await !isAdmitted(after: .seconds(60), client, clock)
    case "limit-counts-refused": return try await !isAdmitted(after: .seconds(60), asking: .seconds(30), client, clock)
    case "limit-counts-failed":
      for _ in 0..<4 { _ = try await client.vote("sideways", on: 1) }
      return try await client.vote("up", on: 1).status == 429
    case "limit-slows-neighbours":
      _ = try await admitted(of: 5, client)
      return try await client.with(device: "b").vote("up", on: 1).elapsed >= .milliseconds(400)
    case "rate-headers-limit": return try await client.vote("up", on: 1).headers["x-ratelimit-limit"] == "8"
    case "rate-headers-remaining":
      let first = try await client.vote("up", on: 1).headers["x-ratelimit-remaining"]
      let second = try await client.vote("up", on: 1).headers["x-ratelimit-remaining"]
      return first == "2" && second == "2"
    case "rate-headers-reset":
      return try await client.vote("up", on: 1).headers["x-ratelimit-reset"].flatMap { Int($0) } ?? 0 > 1000
    default: return try await shows(fault, in: refusal(client, clock))
    }
  }

  private func shows(_ fault: String, in refusal: Exchange) throws -> Bool {
    let header = refusal.headers["retry-after"]
    let seconds = header.flatMap { Int($0) } ?? -1
    switch fault {
    case "limit-html": return refusal.status == 429 && refusal.headers["content-type"]?.hasPrefix("text/html") == true
    case "limit-503": return refusal.status == 503
    case "retry-after-short": return 1...30 ~= seconds
    case "retry-after-long": return seconds > 60
    case "retry-after-constant": return seconds == 60
    case "retry-after-milliseconds": return seconds > 1000
    case "retry-after-missing": return header == nil
    case "retry-after-fraction": return header?.hasSuffix(".5") == true
    case "retry-after-mismatch": return refusal.json["retry_after"].int != seconds
    default:
      Issue.record("nothing shows \(fault)")
      return false
    }
  }

  private func admitted(
    of count: Int, _ client: WireClient, law: (Int) -> Int = { _ in 1 },
    headers: (Int) -> [String: String] = { _ in [:] }
  ) async throws -> Int {
    var admitted = 0
    for index in 0..<count {
      let answer = try await client.vote("up", on: law(index), headers: headers(index))
      admitted += answer.status == 200 ? 1 : 0
    }
    return admitted
  }

  private func isShared(by first: WireClient, _ second: WireClient) async throws -> Bool {
    _ = try await admitted(of: 5, first)
    return try await second.vote("up", on: 1).status == 429
  }

  /// Whether a request is admitted so long after a window was used up, with another try `asking` before that.
  private func isAdmitted(
    after pause: Duration, asking: Duration = .zero, _ client: WireClient, _ clock: HandClock
  ) async throws -> Bool {
    _ = try await admitted(of: 5, client)
    if asking > .zero {
      clock.pass(asking)
      _ = try await client.vote("up", on: 1)
    }
    clock.pass(pause - asking)
    return try await client.vote("up", on: 1).status == 200
  }

  /// A refusal whose honest wait is more than a second shorter than the window.
  private func refusal(_ client: WireClient, _ clock: HandClock) async throws -> Exchange {
    _ = try await admitted(of: 4, client)
    clock.pass(.milliseconds(1200))
    return try await client.vote("up", on: 1)
  }
}

extension WireClient {
  fileprivate func from(_ source: String) -> WireClient {
    var client = self
    client.source = source
    return client
  }
}
