import MurphyContract
import MurphyModel
import MurphyScenario

/// Checks that responses are consistent with requests and with each other (docs/relations.md).
///
/// A rule reports only without another explanation: a possible write, a cache, or another possible meaning of a name in
/// the API.
package enum RelationJudge: Judge {
  package static func rule(on run: JudgedRun) -> JudgeResult {
    let relations = ContractRelations(run.contract, promises: run.scenario.expectations.relations.lists)
    let writings = relations.writings(run.contract)
    let asked = Set(run.record.operations.filter { $0.sent > 0 }.map(\.operation))
    var cases: [Int: RelationCase] = [:]
    for row in relations.rows(run.contract) where cases[row.operation] == nil {
      let id = run.contract.operations[row.operation].id
      guard asked.contains(id) || run.record.relations.pages.contains(where: { $0.operation == Int32(row.operation) })
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
    guard isOn(rule) else { return row(.off, "the scenario switches it off") }
    let tally = trials[rule] ?? TrialTally()
    let broken = findings.filter { $0.rule == rule && $0.finding.severity == .error }.map(\.finding.fingerprint)
    if !broken.isEmpty { return row(.broken, recognised.reason, tally.count, broken) }
    if tally.decides { return row(.kept, recognised.reason, tally.count) }
    if let lack = log.lacking[.init(Int32(operation), rule)] { return row(.off, lack) }
    return row(.untested, "\(recognised.reason); \(missing(recognised, tally))")
  }
}
