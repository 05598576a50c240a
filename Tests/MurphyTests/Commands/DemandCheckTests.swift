import Murphy
import MurphyModel
import Testing

/// `check` says which budgets a plan cannot decide, before an hour of load has shown it.
@Suite struct DemandCheckTests {
  private func warnings(_ budgets: String) async throws -> [String] {
    try await withScenario(
      """
      name: Demand
      contract: CONTRACT
      target: embedded:murphys-laws
      sessions:
        read: { steps: [{ call: listLaws }] }
      load: [{ hold: 12/s, for: 10s }]
      expect: { budgets: { \(budgets) } }
      """
    ) { try FileCheck.check($0).diagnostics.map(\.message) }
  }

  @Test func `a budget that the plan cannot decide is said`() async throws {
    #expect(
      try await warnings("listLaws: { p99: 300ms }") == [
        "p99 of listLaws needs 299 samples; the plan has about 120. Hold the load 2.5 times as long, or choose a "
          + "lower percentile"
      ])
    #expect(try await warnings("listLaws: { p95: 300ms, mean: 1s, max: 2s, errors: 1% }") == [])
  }

  @Test(arguments: [(20, 1), (5, 0)]) func `a step that comes after the end of the load is said`(
    pause: Int, count: Int
  ) async throws {
    let warnings = try await withScenario(
      """
      name: Demand
      contract: CONTRACT
      target: embedded:murphys-laws
      sessions:
        read: { steps: [{ call: listLaws }, { think: \(pause)s }, { call: listCategories }] }
      load: [{ hold: 1/s, for: 3s }]
      """
    ) { try FileCheck.check($0).diagnostics.map(\.message) }
    #expect(warnings.count == count, "\(warnings)")
    #expect(
      warnings.allSatisfy {
        $0.hasPrefix("no session calls listCategories: its earliest call is due at 20 s, and the load with its grace ")
      }, "\(warnings)")
  }

  private func limitWarnings(_ limit: String, requests: Int, pause: String = "") async throws -> [String] {
    try await withScenario(
      """
      name: Demand
      contract: CONTRACT
      target: embedded:murphys-laws
      client: { headers: { X-Device-ID: "${uuid()}" } }
      sessions:
        read: { steps: [{ burst: \(requests), over: 1s, steps: [{ call: listLaws }] }\(pause)] }
      load: [{ hold: 1/s, for: 10s }]
      expect: { limits: { listLaws: \(limit) } }
      """
    ) { try FileCheck.check($0).diagnostics.map(\.message) }
  }

  @Test func `a limit that nobody reaches in the plan is said`() async throws {
    let limit = "{ allow: 60, per: 60s, algorithm: fixed, key: X-Device-ID"
    let warnings = try await limitWarnings(limit + " }", requests: 22)
    #expect(warnings.count == 1)
    #expect(
      warnings.first?.hasPrefix(
        "listLaws allows 60 in 60 s, but in the plan no x-device-id sends more than 22 requests in that time, so no "
          + "request would be rejected. To reach the limit, send 61 requests of one client within 60 s") == true)
    #expect(try await limitWarnings(limit + ", tested: [allowance] }", requests: 61) == [])
    #expect(try await limitWarnings(limit + ", tested: [] }", requests: 2) == [])
  }

  @Test func `a window that nobody outlasts in the plan is said`() async throws {
    let limit = "{ allow: 60, per: 60s, algorithm: fixed, key: X-Device-ID }"
    let warnings = try await limitWarnings(limit, requests: 61)
    #expect(warnings.count == 1)
    let start = "a window of listLaws lasts 60 s, but in the plan no x-device-id sends requests"
    #expect(warnings.first?.hasPrefix(start) == true)
    #expect(try await limitWarnings(limit, requests: 61, pause: ", { think: 61s }, { call: listLaws }") == [])
  }

  @Test func `a strength that the plan cannot reach is said`() async throws {
    let text = """
      name: Demand
      contract: CONTRACT
      target: embedded:murphys-laws
      sessions:
        read: { steps: [{ call: listLaws }] }
      load: [{ hold: 12/s, for: 10s }]
      expect: { strength: { contract: 1%, errors: 5% } }
      """
    let warnings = try await withScenario(text) { try FileCheck.check($0).diagnostics.map(\.message) }
    #expect(
      warnings == [
        "`contract: 1%` needs 299 responses of listLaws; the plan has about 120. Hold the load 2.5 times as long, or "
          + "require less"
      ])
  }
}
