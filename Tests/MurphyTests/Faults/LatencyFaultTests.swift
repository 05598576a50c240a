import Murphy
import Testing

@Suite(.serialized) struct LatencyFaultTests {
  /// Seconds that a fault needs to show, and the operation whose budget it breaks.
  static let shownBy: [(fault: String, seconds: Int, operation: String)] = [
    ("slow-list", 3, "listLaws"), ("slow-vote", 3, "voteLaw"), ("serial-votes", 3, "voteLaw"), ("stall", 11, "*"),
    ("growing-delay", 11, "*"), ("slow-tail", 4, "*"), ("slow-start", 3, "*"), ("slow-429", 3, "voteLaw"),
    ("busy-list", 3, "listLaws"),
  ]

  @Test func `the list holds every latency fault`() {
    #expect(
      Set(ReferenceAPI.murphysLaws.faults.filter { $0.family == .latency }.map(\.name))
        == Set(Self.shownBy.map(\.fault)))
  }

  @Test(arguments: shownBy.map(\.fault)) func `a latency fault breaks a budget`(fault: String) async throws {
    let shown = try #require(Self.shownBy.first { $0.fault == fault })
    // The list is busy from nine a second on: far enough below the load that a late machine shows it too.
    let arrivals = fault == "busy-list" ? "25/s" : "10/s"
    let scenario = EveryOperation.scenario(arrivals: arrivals, for: "\(shown.seconds)s")
    let result = try await ContractFaultTests.result(fault: fault, scenario: scenario)
    let broken = result.budgets.filter { $0.verdict == .fail }
    print("fault \(fault) -> \(broken.map { "\($0.operation) \($0.metric.name) \($0.observedText ?? "")" })")
    #expect(broken.contains { $0.operation == shown.operation }, "\(result.budgets)")
    // Where this machine itself was too late to judge by, there is no verdict; the broken budget is seen all the same.
    #expect(
      result.verdict == .fail || result.verdict == .invalid && !result.generator.doubts.isEmpty, "\(result.reasons)")
    #expect(result.findings.allSatisfy { $0.severity == .note || $0.kind.family != .contract })
  }
}
