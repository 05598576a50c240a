import MurphyServer
import Testing

/// The limiter faults, four votes to a window: of a minute, which no test sees the end of, or of eight seconds for those
/// that are about its end.
@Suite struct LimitFaultTests {
  private func limit(_ fault: String) -> [(String, String)] {
    switch fault {
    case "limit-window-short", "limit-window-long", "limit-never-resets", "limit-counts-refused":
      [("limit", "votes=4/8s")]
    default: [("limit", "votes=4/60s")]
    }
  }

  @Test(arguments: Fault.all.filter { $0.family == .limits }.map(\.name))
  func `a limiter fault shows in what is refused and how, and only in a server that has it`(fault: String) async throws
  {
    var isShown = false
    // A machine that is busy for seconds can hide what happens within a window, but not time after time.
    for _ in 0..<3 where !isShown {
      isShown = try await withServer(limit(fault) + [("fault", fault)]) { try await shows(fault, $0) }
    }
    #expect(isShown)
    #expect(try await !withServer(limit(fault)) { try await shows(fault, $0) })
  }

  private func shows(_ fault: String, _ client: WireClient) async throws -> Bool {
    switch fault {
    case "limit-plus-one": return try await admitted(of: 8, client) == 5
    case "limit-minus-one": return try await admitted(of: 8, client) == 3
    case "limit-unlimited": return try await admitted(of: 8, client) == 8
    case "limit-per-process": return try await admitted(of: 12, client) == 8
    case "limit-fresh-refused": return try await admitted(of: 2, client.with(device: "new")) == 0
    case "limit-key-path": return try await admitted(of: 8, client, law: { $0 + 1 }) == 8
    case "limit-silent": return try await admitted(of: 8, client) == 8
    case "limit-race":
      return try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<20 { group.addTask { try await client.vote("up", on: 1).status == 200 ? 1 : 0 } }
        return try await group.reduce(0, +) > 4
      }
    case "limit-key-global": return try await isShared(by: client, client.from("127.0.0.2").with(device: "b"))
    case "limit-key-address": return try await isShared(by: client, client.with(device: "b"))
    case "limit-spoofable":
      return try await admitted(of: 8, client, headers: { ["X-Forwarded-For": "10.0.0.\($0)"] }) == 8
    case "limit-window-short": return try await isAdmitted(after: .milliseconds(6500), client)
    case "limit-window-long", "limit-never-resets": return try await !isAdmitted(after: .seconds(8), client)
    case "limit-counts-refused": return try await !isAdmitted(after: .seconds(8), asking: .seconds(4), client)
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
    default: return try await shows(fault, in: refusal(client))
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

  /// Whether a request is admitted so long after the first answer of a window that was used up, with another try
  /// `asking` before that.
  private func isAdmitted(after pause: Duration, asking: Duration? = nil, _ client: WireClient) async throws -> Bool {
    _ = try await client.vote("up", on: 1)
    let start = ContinuousClock.now
    _ = try await admitted(of: 4, client)
    if let asking {
      try await Task.sleep(until: start + asking)
      _ = try await client.vote("up", on: 1)
    }
    try await Task.sleep(until: start + pause)
    return try await client.vote("up", on: 1).status == 200
  }

  /// A refusal whose honest wait is more than a second shorter than the window.
  private func refusal(_ client: WireClient) async throws -> Exchange {
    _ = try await admitted(of: 4, client)
    try await Task.sleep(for: .milliseconds(1200))
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
