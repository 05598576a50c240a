import MurphyContract
import MurphyModel

extension RecordMerge {
  /// Equal findings of all loops in one row, worst and most frequent first.
  var findings: [Finding] {
    var rows: [String: FindingTable.Row] = [:]
    for row in logs.flatMap(\.rows) {
      guard let known = rows[row.finding.fingerprint] else {
        rows[row.finding.fingerprint] = row
        continue
      }
      rows[row.finding.fingerprint] = merged(known, row)
    }
    var findings = rows.values.map { row in
      var finding = row.told
      finding.load = load(row)
      if row.places > finding.count { finding.places = row.places }
      if let script = finding.evidence?.curl, finding.operation != nil {
        let answers = finding.load.reduce(0) { $0 + $1.requests }
        let share = answers == 0 ? 1 : Double(finding.count) / Double(answers)
        finding.evidence?.curl = CurlScript.loop(script, times: CurlScript.repetitions(toSee: share))
      }
      return finding
    }
    findings += undocumented + traffic
    findings.sort { ($1.severity, $1.count, $0.fingerprint) < ($0.severity, $0.count, $1.fingerprint) }
    let beyond = logs.reduce(0) { $0 + $1.beyond }
    if beyond > 0 {
      findings.append(
        Finding(
          kind: .generatorFindings, operation: nil,
          message: "\(beyond) more findings came after \(context.options.findingLimit) different ones and were "
            + "only counted; most often one cause has many faces", count: beyond, discriminator: "overflow"))
    }
    return findings
  }

  /// What the scenario asked for outside of the contract.
  private var undocumented: [Finding] {
    zip(context.contract.operations, operations).compactMap { operation, record in
      guard !operation.isDocumented, record.sent > 0 else { return nil }
      let statuses = record.statuses.map { "\($0.count) with status \($0.status)" }.joined(separator: ", ")
      let answers = record.statuses.isEmpty ? "no answer came" : "its answers (\(statuses)) were not checked"
      return Finding(
        kind: .contractUndocumentedOperation, severity: .warning, operation: operation.id,
        message: "not in the contract; \(answers)", count: record.sent,
        lastSeen: duration, discriminator: "undocumented")
    }
  }

  /// What the answers of all loops show together, masked.
  private var traffic: [Finding] {
    var notes = TrafficNotes()
    for shard in shards { notes.merge(shard.traffic) }
    return notes.findings(context.contract).map { note in
      var note = note
      note.message = context.mask.masked(note.message)
      note.details = note.details.map(context.mask.masked)
      return note
    }
  }

  private func merged(_ left: FindingTable.Row, _ right: FindingTable.Row) -> FindingTable.Row {
    var whole = left.finding.firstSeen <= right.finding.firstSeen ? left : right
    // Of the contract itself, so that every loop finds it: one thing, not one for each loop.
    let isStatic = left.finding.kind == .contractVacuous
    whole.finding.count = isStatic ? 1 : left.finding.count + right.finding.count
    whole.places = left.places + right.places
    whole.finding.lastSeen = max(left.finding.lastSeen, right.finding.lastSeen)
    whole.found = left.found
    whole.found.merge(right.found)
    whole.byStage = zip(left.byStage, right.byStage).map { $0 + $1 }
    return whole
  }

  /// How often it came at each stage, beside the answers and the rate of that stage.
  private func load(_ row: FindingTable.Row) -> [LoadOccurrence] {
    let operation = context.contract.operations.firstIndex { $0.id == row.finding.operation }
    return context.stages.enumerated().map { index, stage in
      let answers = shards.flatMap { shard in shard.stages.compactMap { $0?[index] } }.reduce(0, +)
      let own = operation.map { operation in shards.compactMap { $0.stages[operation]?[index] }.reduce(0, +) }
      let seconds = stage.end - stage.start
      return LoadOccurrence(
        stage: index, requests: own ?? answers, occurrences: row.byStage[index],
        rate: seconds > 0 ? (Double(answers) / seconds * 10).rounded() / 10 : 0)
    }
  }
}
