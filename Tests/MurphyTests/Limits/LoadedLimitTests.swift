import Foundation
import Murphy
import MurphyModel
import Synchronization
import Testing
import WildServer

/// `murphy limits` on limits that a sequence of equal requests does not show: costs, requests in flight, and requests
/// outside of the contract.
@Suite(.timed) struct LoadedLimitTests {
  /// Limits each device, and answers after the time that a request takes.
  private final class DeviceAPI: Sendable {
    struct Counter: Sendable {
      var begin = ContinuousClock.now
      var used = 0
      var inFlight = 0
    }

    /// The cost of a window of one second; nil for no limit.
    let quota: Int?
    /// The requests at the same time; nil for no limit.
    let atOnce: Int?
    /// True if a request counts its cost, and not one.
    let weighs: Bool
    private let counters = Mutex<[String: Counter]>([:])

    init(quota: Int? = nil, atOnce: Int? = nil, weighs: Bool = true) {
      (self.quota, self.atOnce, self.weighs) = (quota, atOnce, weighs)
    }

    func answer(_ request: WildRequest, _ connection: WildConnection) {
      let device = request.header("x-device-id") ?? ""
      let tokens = try? JSONDecoder().decode([String: Int].self, from: Data(request.body))["max_tokens"]
      let cost = weighs ? tokens ?? 1 : 1
      let isAdmitted = counters.withLock { counters in
        var counter = counters[device] ?? Counter()
        if counter.begin.duration(to: .now) >= .seconds(1) { (counter.begin, counter.used) = (.now, 0) }
        let isAdmitted = counter.used + cost <= quota ?? .max && counter.inFlight < atOnce ?? .max
        if isAdmitted {
          counter.used += cost
          counter.inFlight += 1
        }
        counters[device] = counter
        return isAdmitted
      }
      guard isAdmitted else { return connection.answer(429) }
      if atOnce != nil { Thread.sleep(forTimeInterval: 0.1) }
      counters.withLock { $0[device]?.inFlight -= 1 }
      connection.answer()
    }
  }

  private static let contract = """
    openapi: 3.1.0
    info: { title: Tokens, version: "1" }
    paths:
      /complete:
        post:
          operationId: complete
          requestBody: { content: { application/json: { schema: {} } } }
          responses:
            "200": { description: text, content: { application/json: { schema: { type: object } } } }
            "429": { description: slower, content: { application/json: { schema: { type: object } } } }
    """

  private static func limits(
    _ api: DeviceAPI, step: String, limit: String
  ) async throws -> LimitsResult {
    let server = try WildServer { api.answer($0, $1) }
    defer { server.stop() }
    let scenario = """
      name: Costs
      contract: tokens.yaml
      target: \(server.url)
      client: { headers: { X-Device-ID: "${uuid()}" } }
      sessions: { visit: { steps: [\(step)] } }
      load: [{ hold: 1/s, for: 1s }]
      expect: { limits: { tokens: { key: X-Device-ID, \(limit) } } }
      """
    return try await withTemporaryFolder { folder in
      try contract.write(toFile: folder + "/tokens.yaml", atomically: true, encoding: .utf8)
      try scenario.write(toFile: folder + "/scenario.yaml", atomically: true, encoding: .utf8)
      return try await Gate.load(folder + "/scenario.yaml", environment: [:]).probeLimits()
    }
  }

  private static func atOnce(_ api: DeviceAPI, declared: Int) async throws -> LimitsResult {
    try await limits(
      api, step: "{ call: complete, body: {} }", limit: "operations: [complete], concurrent: \(declared)")
  }

  @Test func `requests in flight are probed`() async throws {
    let right = try await Self.atOnce(DeviceAPI(atOnce: 3), declared: 3)
    #expect(right.verdict == .pass, "\(right.reasons)")
    let wrong = try await Self.atOnce(DeviceAPI(atOnce: 3), declared: 5)
    #expect(wrong.verdict == .fail, "\(wrong.reasons)")
    #expect(try await Self.atOnce(DeviceAPI(), declared: 3).verdict != .pass)
  }

  private static func costs(_ api: DeviceAPI) async throws -> LimitsResult {
    try await limits(
      api, step: #"{ call: complete, body: { max_tokens: "${int(1, 30)}" } }"#,
      limit: "operations: [complete], allow: 300, per: 1s, algorithm: fixed, tick: 1ms, cost: \"${body.max_tokens}\"")
  }

  @Test func `a limit on costs is probed`() async throws {
    let right = try await Self.costs(DeviceAPI(quota: 300))
    #expect(right.verdict == .pass, "\(right.reasons)")
    let uncounted = try await Self.costs(DeviceAPI(quota: 300, weighs: false))
    #expect(uncounted.verdict == .fail, "\(uncounted.reasons)")
    let lower = try await Self.costs(DeviceAPI(quota: 240))
    #expect(lower.verdict == .fail, "\(lower.reasons)")
  }

  @Test func `a limit on a request outside of the contract is probed`() async throws {
    let step = #"{ call: { method: POST, url: "/raw/thing" }, body: { max_tokens: 1 } }"#
    func limits(_ count: Int) async throws -> LimitsResult {
      try await Self.limits(
        DeviceAPI(quota: 5), step: step,
        limit: #"operations: ["POST /raw/thing"], allow: \#(count), per: 1s, algorithm: fixed"#)
    }
    let right = try await limits(5)
    #expect(right.verdict == .pass, "\(right.reasons)")
    #expect(try await limits(7).verdict == .fail)
  }
}
