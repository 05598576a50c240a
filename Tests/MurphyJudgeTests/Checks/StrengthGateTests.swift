import MurphyContract
import MurphyJudge
import MurphyModel
import MurphyScenario
import Testing

/// `expect: strength:` leaves what was tested too weakly without a verdict, with the load that would do.
@Suite struct StrengthGateTests {
  /// 300 responses of 0.1 s over 30 seconds, one of 20 of them 0.15 s.
  private static func record() -> RunRecord {
    let seconds = (0..<30).map { second in (0..<10).map { ($0 + second) % 20 == 0 ? 0.15 : 0.1 } }
    var record = BudgetStrengthTests.record(seconds, BudgetStrengthTests.budget(0.2))
    record.operations[0].conformance = Conformance(conformant: 300)
    record.operations[0].outcomes.ok = 300
    record.operations[0].succeeded = 300
    for index in 0..<300 { record.operations[0].checked.count("/laws", second: index / 10) }
    (record.ledger.planned, record.ledger.sent) = (300, 300)
    (record.ledger.answered, record.ledger.conformant) = (300, 300)
    record.info.duration = .seconds(30)
    return record
  }

  private static func result(_ change: (inout StrengthExpectation) -> Void) throws -> RunResult {
    let text = """
      name: Strength
      contract: openapi.yaml
      sessions: { read: { steps: [{ think: 1s }] } }
      load: [{ hold: 1/s, for: 1s }]
      """
    var scenario = try Scenario.parse(text: text, file: "strength.yaml", operations: nil)
    scenario.expectations.traffic.completed = nil
    scenario.expectations.traffic.called = .off
    scenario.expectations.traffic.sessions = .off
    scenario.expectations.budgets = [BudgetStrengthTests.budget(0.2)]
    change(&scenario.expectations.strength)
    return FinishedRun(record(), scenario, try Contract.parse(Self.contract, file: "/openapi.yaml")).result()
  }

  private static let contract = """
    openapi: 3.1.0
    info: { title: Laws, version: "1" }
    paths: { /laws: { get: { operationId: listLaws, responses: { "200": { description: all } } } } }
    """

  @Test func `nothing is asked by default, and the strength is stated`() throws {
    let result = try Self.result { _ in }
    #expect(result.verdict == .pass)
    #expect(result.operations[0].strength?.responses.seen == 300)
    #expect(result.budgets[0].strength?.inThisRun != nil)
  }

  @Test func `too few responses for the share that is asked are no data`() throws {
    let result = try Self.result { $0.contract = 0.005 }
    #expect(result.verdict == .noData)
    #expect(
      result.reasons == [
        "listLaws: 300 responses, but 598 are needed to detect a fault in 0.5% of them, as `expect: strength:` requires."
      ])
    #expect(try Self.result { $0.contract = 0.01 }.verdict == .pass)
  }

  @Test func `a budget on errors that excludes too little is no data`() throws {
    let result = try Self.result { $0.errors = 0.005 }
    #expect(result.verdict == .noData)
    let row = try #require(result.budgets.first { $0.metric == .errors })
    #expect(row.undecided?.cause == .tooWeak)
    #expect(row.undecided?.sentence.hasSuffix("598 requests without an error are needed") == true)
    #expect(try Self.result { $0.errors = 0.01 }.verdict == .pass)
  }

  @Test func `a percentile that only a large slowdown breaks is no data`() throws {
    let stated = try #require(Self.result { _ in }.budgets[0].strength?.likely)
    let result = try Self.result { $0.latency = stated.share / 2 }
    #expect(result.budgets[0].undecided?.cause == .tooWeak)
    #expect(result.verdict == .noData)
    #expect(try Self.result { $0.latency = stated.share * 1.01 }.verdict == .pass)
  }

  @Test func `a freeze that breaks no percentile is no data`() throws {
    let stated = try #require(Self.result { _ in }.budgets[0].strength?.stall)
    let result = try Self.result { $0.stall = stated / 2 }
    #expect(result.budgets[0].undecided?.cause == .tooWeak)
    #expect(try Self.result { $0.stall = stated * 1.01 }.verdict == .pass)
  }
}
