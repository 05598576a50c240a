import Murphy
import TestSupport
import Testing

/// An operation of the reference API that slows under load is told with the load from which on it does.
@Suite(.timed) struct DriftTests {
  private static let scenario = """
    name: Lists under load
    contract: CONTRACT
    target: embedded:murphys-laws
    client: { headers: { X-Device-ID: "${uuid()}" } }
    sessions:
      list:
        steps:
          - call: listLaws
            query: { limit: 5 }
    load:
      - { hold: 5/s, for: 12s }
      - { hold: 20/s, for: 10s }
      - { hold: 5/s, for: 10s }
    """

  @Test func `a list that is slow only when it is busy is told with its load`() async throws {
    let result = try await ContractFaultTests.result(fault: "busy-list", scenario: Self.scenario)
    let finding = try #require(result.findings.first { $0.kind == .budgetLoadDrift }, "\(result.findings)")
    print("fault busy-list -> \(finding.headline)")
    #expect(finding.severity == .note && finding.operation == "listLaws")
    let drift = try #require(finding.drift)
    #expect(drift.axis == .requests && drift.measure == .latency && !drift.isAmbiguous)
    #expect((4...12).contains(drift.threshold) && drift.high >= 700_000 && drift.low < 300_000)
    // A note decides nothing.
    #expect(result.verdict != .fail, "\(result.reasons)")
  }
}
