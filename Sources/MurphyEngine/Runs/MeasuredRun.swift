import MurphyModel

/// What a process measured: the record of its run, and the same in a form that merges with the parts of others.
package struct MeasuredRun: Sendable {
  package internal(set) var record: RunRecord
  package internal(set) var part: RunPart

  init(_ context: RunContext, _ part: RunPart) {
    self.part = part
    record = RecordMaker(RunFrame(context), part, mask: context.mask).record
  }

  /// Of both.
  var info: RunInfo {
    get { record.info }
    set {
      record.info = newValue
      part.logs[0].info = newValue
    }
  }

  /// What the teardown found, and that it failed.
  mutating func add(_ teardown: FixtureRun.Completion, mask: SecretMask, loadBegan: Instant) {
    info.teardown = teardown.result
    let shift = Double(teardown.began - loadBegan) / 1e9
    for row in teardown.record?.sums.rows ?? [] {
      var row = row
      row.byStage = Array(repeating: 0, count: max(info.load.count, 1))
      row.finding.firstSeen += shift
      row.finding.lastSeen += shift
      part.sums.add([row])
      var finding = row.told
      if let known = record.findings.firstIndex(where: { $0.fingerprint == finding.fingerprint }) {
        record.findings[known].count += finding.count
        record.findings[known].lastSeen = finding.lastSeen
      } else {
        finding.load = []
        record.findings.append(finding)
      }
    }
    record.mask = record.mask.adding(teardown.record?.secrets ?? [])
    part.logs[0].secrets.formUnion(teardown.record?.secrets ?? [])
    if let reason = teardown.result.failed { record.findings.append(.teardownFailed(mask.masked(reason))) }
  }
}

extension Finding {
  static func teardownFailed(_ reason: String) -> Finding {
    Finding(
      kind: .generatorTeardown, operation: nil,
      message: "the teardown failed: \(reason); what the run made may still be there", count: 1,
      discriminator: "teardown")
  }
}
