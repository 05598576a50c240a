import MurphyModel

/// What a process measured, in a form that merges with the parts of others.
package struct MeasuredRun: Sendable {
  package internal(set) var part: RunPart
  private let frame: RunFrame
  private let mask: SecretMask

  init(_ context: RunContext, _ part: RunPart) {
    self.part = part
    (frame, mask) = (RunFrame(context), context.mask)
  }

  /// What the judges read. Each call computes it again.
  package var record: RunRecord { RecordMaker(frame, part, mask: mask).record }

  /// Of the process's part.
  package internal(set) var info: RunInfo {
    get { part.logs[0].info }
    set { part.logs[0].info = newValue }
  }

  /// What the teardown found, and that it failed.
  mutating func add(_ teardown: FixtureRun.Completion, loadBegan: Instant) {
    info.teardown = teardown.result
    let shift = Double(teardown.began - loadBegan) / 1e9
    let rows = (teardown.record?.sums.rows ?? []).map { row in
      var row = row
      row.byStage = Array(repeating: 0, count: max(info.load.count, 1))
      row.finding.firstSeen += shift
      row.finding.lastSeen += shift
      return row
    }
    part.sums.add(rows)
    part.logs[0].secrets.formUnion(teardown.record?.secrets ?? [])
  }
}
