import MurphyContract
import MurphyModel
import MurphyScenario

/// Checks that responses are consistent with requests and with each other (docs/relations.md).
///
/// A rule reports only without another explanation: a possible write, a cache, or another possible meaning of a name in
/// the API.
package enum RelationJudge: Judge {
  /// Checks the relations between the responses of each operation.
  package static func rule(on run: FinishedRun) -> JudgeResult {
    let relations = run.contract.relations(promising: run.scenario.expectations.relations.lists)
    let writings = relations.writings(run.contract)
    let sent = Set(run.record.operations.filter { $0.sent > 0 }.map(\.operation))
    var cases: [Int: RelationCase] = [:]
    for row in relations.rows(run.contract) where cases[row.operation] == nil {
      let id = run.contract.operations[row.operation].id
      guard sent.contains(id) || run.record.relations.pages.contains(where: { $0.operation == Int32(row.operation) })
      else { continue }
      let collection = relations.collection(of: row.operation)
      let writes = PossibleWrites(
        run.record.relations.writes, to: collection ?? -1, writings,
        describesAccess: collection.map { relations.describesAccess($0, of: run.contract) } ?? true)
      var found = RelationCase(row.operation, run, writes)
      if !found.wanted.isOff { found.judge(relations) }
      cases[row.operation] = found
    }
    return JudgeResult(
      checks: relations.rows(run.contract).compactMap { row in cases[row.operation].map { $0.row(row) } },
      findings: cases.values.sorted { $0.operation < $1.operation }.flatMap { $0.findings.map(\.finding) })
  }
}

extension ContractRelations {
  /// The index of the collection that an operation reads, as a whole or in part.
  func collection(of operation: Int) -> Int? {
    if collectionOf[operation] >= 0 { return collectionOf[operation] }
    return itemOf[operation] >= 0 ? items[itemOf[operation]].collection : nil
  }
}

extension RelationCase {
  mutating func judge(_ relations: ContractRelations) {
    judgeFiltersTogether()
    judgeDoubts(relations)
    trySnapshots()
    judgeRepeatsWithin()
    judgeTotals()
    judgeWalks()
    judgeListAgainstItem(relations)
    judgeReturns(relations)
    judgeProbes()
  }

  /// The row of the result.
  func row(_ recognised: RecognisedRelation) -> RelationRow {
    let rule = recognised.rule
    func row(_ outcome: RelationRow.Status, _ reason: String, _ samples: Int = 0, _ findings: [String] = [])
      -> RelationRow
    {
      RelationRow(
        operation: id, relation: rule.rawValue, promise: rule.promise, outcome: outcome, reason: reason,
        samples: samples, findings: findings)
    }
    if recognised.state == .off { return row(.off, recognised.reason) }
    guard isOn(rule) else { return row(.off, "disabled by the scenario") }
    let tally = trials[rule] ?? TrialTally()
    let broken = findings.filter { $0.rule == rule && $0.finding.severity == .error }.map(\.finding.fingerprint)
    if !broken.isEmpty { return row(.broken, recognised.reason, tally.count, broken) }
    if tally.decides { return row(.kept, recognised.reason, tally.count) }
    if let lack = log.lacking[.init(Int32(operation), rule)] { return row(.off, lack) }
    return row(.untested, "\(recognised.reason); \(missing(recognised, tally))")
  }
}

/// Decides if writes may have taken effect in a period: docs/relations.md, "Writes".
struct PossibleWrites {
  /// The beginnings and ends of some writes, both ascending.
  fileprivate struct Spans {
    var begins: [Int64] = []
    var ends: [Int64] = []

    mutating func sort() {
      begins.sort()
      ends.sort()
    }

    /// The number of those that began by `high` and had not certainly ended before `low`.
    func count(_ low: Int64, _ high: Int64) -> Int {
      begins.partitioningIndex { $0 > high } - ends.partitioningIndex { $0 >= low }
    }
  }

  /// Those that are known to change the collection.
  private var own = Spans()
  private var open = Spans()
  private var byItem: [Int64: Spans] = [:]

  /// - Parameters:
  ///   - collection: its index in the relations' collections.
  ///   - writings: by operation, the possible changes by a write.
  ///   - describesAccess: true if a login may change the content of the collection.
  init(
    _ writes: [RelationLog.Write], to collection: Int, _ writings: [ContractRelations.Writing?], describesAccess: Bool
  ) {
    for write in writes {
      // The write of an operation that the run does not have, such as one of a lost shard, may change anything.
      let writing = writings.indices.contains(Int(write.operation)) ? writings[Int(write.operation)] : nil
      if writing?.reach == .access, !describesAccess { continue }
      guard let writing, writing.collection == collection, writing.reach != .anything else {
        // A write to another collection may still be visible in this one.
        open.add(write)
        continue
      }
      own.add(write)
      if writing.reach != .insert, write.id != 0 { byItem[write.id, default: Spans()].add(write) }
    }
    own.sort()
    open.sort()
    for key in byItem.keys { byItem[key]?.sort() }
  }

  /// True if none may have taken effect.
  func isCalm(_ low: Int64, _ high: Int64) -> Bool { own.count(low, high) == 0 && !isOpen(low, high) }

  /// True if the item may have been changed. Writes that may have changed anything are excluded.
  func mayTouch(_ item: Int64, _ low: Int64, _ high: Int64) -> Bool { (byItem[item]?.count(low, high) ?? 0) > 0 }

  func isOpen(_ low: Int64, _ high: Int64) -> Bool { open.count(low, high) > 0 }
}

extension PossibleWrites.Spans {
  fileprivate mutating func add(_ write: RelationLog.Write) {
    begins.append(write.sent)
    ends.append(write.end)
  }
}
