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

  @Test func aBudgetThatThePlanCannotDecideIsSaid() async throws {
    #expect(
      try await warnings("listLaws: { p99: 300ms }") == [
        "p99 of listLaws needs 299 samples; the plan brings about 120. Hold the load 2.5 times as long, or promise a "
          + "lower percentile"
      ])
    #expect(try await warnings("listLaws: { p95: 300ms, mean: 1s, max: 2s, errors: 1% }") == [])
  }
}
