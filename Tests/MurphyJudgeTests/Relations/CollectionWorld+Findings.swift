import MurphyContract
import MurphyJudge
import MurphyModel
import MurphyScenario
import MurphySchema

/// What murphy keeps of the responses, and what its judge finds.
extension CollectionWorld {
  mutating func receive(_ body: String, _ name: String, _ target: String, _ sent: Double, _ walk: Int) {
    exchanges += 1
    guard let operation = Self.contract.index(of: name) else { return }
    Array(body.utf8).withUnsafeBytes { bytes in
      guard case .tape(let tape) = parser.parse(bytes) else { return }
      reader.begin()
      reader.read(tape, operation: operation, target: target)
      guard reader.subject != .none else { return }
      let age = Self.nanoseconds(kind.cache)
      for doubt in reader.doubts {
        var doubt = doubt
        doubt.operation = Int32(operation)
        (doubt.sent, doubt.answered, doubt.age) = (Self.nanoseconds(sent), Self.nanoseconds(now), age)
        log.doubts.append(doubt)
      }
      if reader.subject == .item {
        reader.recordItem(sent: Self.nanoseconds(sent), answered: Self.nanoseconds(now))
      }
      guard reader.subject == .page else { return }
      let first = Int32(log.ids.count)
      log.ids += reader.ids
      let reading = reader.page
      if reader.request < 0 { reader.request = Int32(log.pages.count) }
      var page = RelationLog.Page(
        operation: Int32(operation), request: reader.request, sent: Self.nanoseconds(sent),
        answered: Self.nanoseconds(now), age: age, view: 1, filters: reading.filters, order: reading.order,
        limit: reading.limit, offset: reading.offset, total: reading.total, ids: first..<Int32(log.ids.count),
        session: Int64(walk), isSearch: reading.isSearch)
      page.parts = reading.parts
      log.pages.append(page)
    }
  }

  mutating func reading(_ row: Row, _ sent: Double, isRow: Bool) {
    guard let operation = Self.contract.index(of: "listItems") else { return }
    let text = isRow && kind.isBrief ? String(row.text.prefix(10)) : row.text
    let fields = [
      String(row.id), row.name, String(row.score), row.created, row.status, row.category.map(String.init) ?? "null",
      text, kind.countsViews ? "v\(exchanges)" : "0",
    ]
    log.readings.append(
      RelationLog.Reading(
        operation: Int32(operation), request: -1, sent: Self.nanoseconds(sent), answered: Self.nanoseconds(now),
        age: isRow ? Self.nanoseconds(kind.cache) : 0, view: 1, id: Int64(row.id), isRow: isRow,
        fields: fields.map { RelationHash.of($0) | 1 }))
  }

  /// The findings of errors, by their kind.
  mutating func findings() -> [Finding] { ruling().findings.filter { $0.severity == .error } }

  mutating func ruling() -> JudgeResult {
    reader.fill(&log)
    var record = RunRecord.sample
    record.relations = log
    for operation in Self.contract.operations {
      var entry = OperationRecord(operation: operation.id, method: operation.method, path: operation.path)
      entry.sent = 1
      record.operations.append(entry)
    }
    var scenario = Scenario(
      name: "world", file: "world.yaml", sessions: [], load: .open([]), expectations: Expectations())
    scenario.expectations.relations.all.stale = .nanoseconds(Self.nanoseconds(kind.lag))
    var run = FinishedRun(record, scenario, Self.contract)
    run.isAlone = isExclusive
    return RelationJudge.rule(on: run)
  }
}
