import MurphyModel
import Testing

@Suite struct CheckStateTests {
  @Test(arguments: [-1, 0]) func `nothing passes without a trial`(trials: Int) {
    #expect(Trials(trials) == nil)
    #expect(CheckState(trials: trials) == .notTested)
    #expect(CheckState(trials: trials, isOpen: true) == .notTested)
    #expect(CheckState(.pass, trials: trials) == .notTested)
    #expect(CheckState(trials: trials, isBroken: true) == .failed(trials: 0))
    var row = LimitRow(
      name: "votes", operations: [], policy: "", declaredBy: .scenario, sentence: "", keys: 0, requests: 9, admitted: 9,
      refused: 0, unknown: 0)
    row.conclude(.consistent, trials: trials)
    #expect(row.verdict == .inconclusive && row.state == .notTested)
    let relation = RelationRow(
      operation: "listLaws", relation: "filter", promise: "", outcome: .kept, reason: "", samples: trials)
    #expect(relation.outcome == .untested)
    let regression = RegressionRow(operation: "listLaws", metric: .p95, verdict: .pass, margin: 0.05, requests: trials)
    #expect(regression.verdict == .notTested)
  }

  @Test func `a state survives its row, and a row of an earlier version is taken at its word`() throws {
    let states: [CheckState] = [
      CheckState(trials: 38), .failed(trials: 3), .failed(trials: 0), .noData(trials: 12), .notTested,
    ]
    for state in states { #expect(CheckState(state.verdict, trials: state.trials) == state) }
    #expect(CheckState(.pass, trials: nil).verdict == .pass)
  }
}
