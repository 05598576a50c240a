import MurphyContract
import MurphyJudge
import MurphyModel
import MurphyScenario
import Testing

/// Numbers of operations in a run's logs reach beyond the contract where the run called what it does not describe.
@Suite struct UndocumentedWriteTests {
  private static let contract = CollectionWorld.contract

  private func run(writes: [Int32], undocumented: [String]) -> FinishedRun {
    var record = RunRecord.sample
    for operation in Self.contract.operations {
      var entry = OperationRecord(operation: operation.id, method: operation.method, path: operation.path)
      entry.sent = 1
      record.operations.append(entry)
    }
    for path in undocumented {
      var entry = OperationRecord(operation: "POST \(path)", method: "POST", path: path)
      (entry.sent, entry.isDocumented) = (1, false)
      record.operations.append(entry)
    }
    record.relations.writes = writes.map { RelationLog.Write(operation: $0, sent: 0, end: 1, id: 0) }
    let scenario = Scenario(
      name: "writes", file: "writes.yaml", sessions: [], load: .open([]), expectations: Expectations())
    return FinishedRun(record, scenario, Self.contract)
  }

  @Test func `the operations of a run are those of its record`() {
    let run = run(writes: [], undocumented: ["/a", "/b"])
    #expect(run.contract.operations.map(\.id) == run.record.operations.map(\.operation))
    #expect(run.contract.operations.suffix(2).allSatisfy { !$0.isDocumented })
  }

  @Test func `writes of any operation are judged`() {
    let count = Int32(Self.contract.operations.count)
    for number in [count, count + 1, count + 2, 1_000_000_000, .max, -1, -7, .min] {
      let run = run(writes: [number], undocumented: ["/items/{id}/vote", "/b"])
      #expect(!RelationJudge.rule(on: run).checks.isEmpty, "\(number)")
    }
  }

  /// A file of a shard may say so.
  @Test func `returns and readings of another shape are left out`() {
    var record = run(writes: [], undocumented: []).record
    for operation in Self.contract.operations.indices {
      for count in [0, 1, 40] {
        record.relations.returns.append(
          RelationLog.Return(
            operation: Int32(operation), sent: 0, answered: 1, thing: 0, given: Array(repeating: 1, count: count),
            found: Array(repeating: 2, count: 40 - count)))
        for isRow in [true, false] {
          for sent in [Int64(0), 10, 20] {
            record.relations.readings.append(
              RelationLog.Reading(
                operation: Int32(operation), request: -1, sent: isRow ? 10 : sent, answered: isRow ? 11 : sent + 1,
                age: 0, view: 0, id: 1, isRow: isRow, fields: Array(repeating: isRow ? 7 : UInt64(count), count: count)
              ))
          }
        }
      }
    }
    let scenario = Scenario(
      name: "writes", file: "writes.yaml", sessions: [], load: .open([]), expectations: Expectations())
    #expect(!RelationJudge.rule(on: FinishedRun(record, scenario, Self.contract)).checks.isEmpty)
  }
}
