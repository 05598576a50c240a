import MurphyJudge
import MurphyModel
import MurphyScenario

extension Gate {
  /// Holds the run's traffic against the promises that every run makes, for the sessions that took part.
  func judgeImpliedPromises(_ record: RunRecord, _ outages: [Outage]) -> [TrafficRow] {
    let expected = scenario.expectations.traffic
    let present = Set(record.sessions.map(\.session))
    var seen: Set<String> = []
    let named = scenario.sessions.filter { present.contains($0.name) }.flatMap(\.operations)
      // A request that is written out may be an operation of the contract, and is counted as that.
      .map { name in contract.index(of: name).map { contract.operations[$0].id } ?? name }
      .filter { seen.insert($0).inserted }
    return ImpliedPromiseJudge.judge(
      ImpliedPromiseJudge.Demand(
        completed: expected.completed, called: expected.called.chosen(of: named), calledLimit: expected.called.text,
        sessions: expected.sessions.chosen(of: record.sessions.map(\.session)), sessionsLimit: expected.sessions.text),
      record: record, outages: outages)
  }
}
