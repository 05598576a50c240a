import MurphyContract
import MurphyJudge
import MurphyModel
import MurphyScenario
import Testing

/// An exploration and the walk after it test some of the same rules of HTTP.
@Suite struct WalkedRuleTests {
  private func judged(_ message: String?) throws -> FinishedRun {
    let contract = CollectionWorld.contract
    var record = RunRecord.sample
    for operation in contract.operations {
      var entry = OperationRecord(operation: operation.id, method: operation.method, path: operation.path)
      entry.sent = 1
      record.operations.append(entry)
    }
    let index = try #require(contract.index(of: "listItems"))
    record.relations.probes = [RelationLog.Probe(operation: Int32(index), rule: .head, message: message)]
    record.findings = [
      Finding(kind: .relationHead, operation: "listItems", message: "explored", discriminator: "status")
    ]
    let scenario = Scenario(
      name: "walk", file: "walk.yaml", sessions: [], load: .open([]), expectations: Expectations())
    return FinishedRun(record, scenario, contract)
  }

  @Test(arguments: [
    ("HEAD returns 404, but GET returns 200", "HEAD returns 404, but GET returns 200"), (nil, "explored"),
  ])
  func `a violated rule is reported once`(_ walked: String?, _ reported: String) throws {
    let findings = try judged(walked).result().findings.filter { $0.kind == .relationHead }
    #expect(findings.map(\.message) == [reported])
  }
}
