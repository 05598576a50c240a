import MurphyContract
import MurphyModel

extension RunMeasurement {
  /// The findings of all loops. Equal ones share one row; the worst and most frequent are first.
  func findings(_ frame: RunFrame, _ mask: SecretMask) -> [Finding] {
    let scripted = Dictionary(grouping: frame.scenario.scripts.flatMap(\.calls), by: \.operation.id)
    var findings = rows.map { row in
      var finding = row.told
      finding.load = load(row, frame)
      if row.places > finding.count { finding.places = row.places }
      // Sessions written in Swift send arbitrary requests: other requests of the operation prove nothing about this
      // one.
      if let script = finding.evidence?.curl, let operation = finding.operation, let calls = scripted[operation] {
        let repeated = repeated(script, finding, frame, isConstant: calls.allSatisfy(\.isConstant))
        finding.evidence?.curl = repeated
      }
      return finding
    }
    findings += undocumented(frame)
    // The findings on the responses of all loops together.
    findings += traffic.findings(frame.contract).map { note in
      var note = note
      note.message = mask.masked(note.message)
      note.details = note.details.map(mask.masked)
      return note
    }
    if let reason = logs.compactMap(\.info.teardown?.failed).min() {
      findings.append(
        Finding(
          kind: .generatorTeardown, operation: nil,
          message: "the teardown failed: \(mask.masked(reason)); test data may not have been cleaned up", count: 1,
          discriminator: "teardown"))
    }
    findings.sort { ($1.severity, $1.count, $0.fingerprint) < ($0.severity, $0.count, $1.fingerprint) }
    if beyond > 0 {
      findings.append(
        Finding(
          kind: .generatorFindings, operation: nil,
          message: "\(beyond) more findings were reported after \(frame.findingLimit) different ones and were "
            + "only counted", count: beyond, discriminator: "overflow"))
    }
    return findings
  }

  /// Statuses that depend on the request: the same request gets the same status again.
  private static let requestErrors: Set<Int> = [400, 404, 405, 406, 413, 414, 415, 422]

  /// A script that repeats its request until it finds a problem that only some responses have.
  ///
  /// Where every response with the finding's status has the problem, the first such response ends the repetition. Where
  /// other responses with that status do not have it, it may depend on the request. Different requests are not taken
  /// for repetitions of this one.
  private func repeated(
    _ script: ShellScript, _ finding: Finding, _ frame: RunFrame, isConstant: Bool
  ) -> ShellScript {
    let all = finding.load.reduce(0) { $0 + $1.requests }
    func times(_ responses: Int) -> Int {
      CurlScript.repetitions(toSee: responses == 0 ? 1 : Double(finding.count) / Double(responses))
    }
    guard let status = finding.evidence?.exchange?.status,
      let index = frame.contract.operations.firstIndex(where: { $0.id == finding.operation }),
      let same = operations[index]?.statuses.first(where: { $0.status == status })?.count
    else { return script.repeated(times(all), until: .failure) }
    if same <= finding.count {
      return Self.requestErrors.contains(status) ? script : script.repeated(times(all), until: .status(status))
    }
    let most = times(same)
    if most < 2 || isConstant { return script.repeated(most) }
    return script.noting(
      "seen in \(finding.count) of \(same) responses with status \(status); this request had one of them")
  }

  /// The requests of the scenario that the contract does not document.
  private func undocumented(_ frame: RunFrame) -> [Finding] {
    zip(frame.contract.operations, operations).compactMap { operation, record in
      guard let record, !operation.isDocumented, record.sent > 0 else { return nil }
      let statuses = record.statuses.map { "\($0.count) with status \($0.status)" }.joined(separator: ", ")
      let answers =
        record.statuses.isEmpty ? "no response was received" : "its responses (\(statuses)) were not checked"
      return Finding(
        kind: .contractUndocumentedOperation, severity: .warning, operation: operation.id,
        message: "not in the contract; \(answers)", count: record.sent,
        lastSeen: duration, discriminator: "undocumented")
    }
  }

  /// Occurrences by stage, with the responses and the rate of that stage. Empty for occurrences before or after the
  /// load.
  private func load(_ row: FindingTable.Row, _ frame: RunFrame) -> [LoadOccurrence] {
    guard row.byStage.contains(where: { $0 > 0 }) else { return [] }
    let operation = frame.contract.operations.firstIndex { $0.id == row.finding.operation }
    return frame.stages.enumerated().map { index, stage in
      let answers = stages.compactMap { $0?[index] }.reduce(0, +)
      let own = operation.map { operation in stages[operation]?[index] ?? 0 }
      let seconds = stage.end - stage.start
      return LoadOccurrence(
        stage: index, requests: own ?? answers, occurrences: row.byStage[index],
        rate: seconds > 0 ? (Double(answers) / seconds * 10).rounded() / 10 : 0)
    }
  }
}
