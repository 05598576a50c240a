import MurphyContract
import MurphyModel
import MurphyScenario

/// Makes the record of a run out of what its processes measured.
package struct RecordMaker {
  let frame: RunFrame
  private(set) var part: RunPart
  /// Takes secrets out of texts that answers gave.
  let mask: SecretMask

  package init(_ frame: RunFrame, _ part: RunPart, mask: SecretMask) {
    self.frame = frame
    self.part = part
    self.mask = mask
  }

  var sums: RunSums { part.sums }

  package var record: RunRecord {
    var maker = self
    return maker.take()
  }

  /// The same; events are let go when the record has them, so that they take room once.
  package mutating func take() -> RunRecord {
    let isHiding = part.logs.contains(where: \.hidesContent)
    var record = RunRecord(
      info: info, operations: operations, sessions: sessions, ledger: ledger, findings: findings,
      coverage: Coverage(items: sums.coverage), timeline: sums.seconds.enumerated().map { $1.point(second: $0) },
      limitLog: LimitLog(start: Instant(nanoseconds: 0)), generator: generator, answers: answers)
    record.samples = sums.samples
    record.tags = sums.tags.compactMap(\.self)
    record.mask = mask.adding(part.logs.flatMap(\.secrets))
    record.relations = taken(\.relations) { $0.append($1) }
    record.stateLog = taken(\.state) { $0.append($1) }
    record.limitLog = taken(\.limits) { $0.append($1) }
    if let pool = part.headerPool { record.limitLog.headerSets = pool }
    if part.logs.count > 1 {
      record.limitLog.cut()
      record.limitLog.observations.sort { $0.sent < $1.sent }
    }
    record.limitLog.isIncomplete = part.isIncomplete
    if isHiding {
      record.relations.hideContent()
      record.limitLog.hideContent()
    }
    return record
  }

  /// One kind of log of all processes, which then have it no more.
  private mutating func taken<Log>(
    _ log: WritableKeyPath<ProcessLog, Log>, _ append: (inout Log, Log) -> Void
  ) -> Log {
    let empty = ProcessLog(empty: part.logs[0])
    var whole = part.logs[0][keyPath: log]
    part.logs[0][keyPath: log] = empty[keyPath: log]
    for index in part.logs.indices.dropFirst() {
      append(&whole, part.logs[index][keyPath: log])
      part.logs[index][keyPath: log] = empty[keyPath: log]
    }
    return whole
  }

  /// Seconds from the load's zero to the last answer of any process.
  var duration: Double { part.logs.map(\.info.duration).max() ?? 0 }

  private var info: RunInfo {
    guard var info = part.logs.first?.info else { preconditionFailure("a run has at least one part") }
    info.duration = duration
    info.cutShort = part.logs.contains(where: \.info.cutShort)
    // The target was silent where it was so to all.
    let aborted = part.logs.compactMap(\.info.aborted)
    info.aborted = aborted.count == part.logs.count ? aborted.min() : nil
    var credentials = part.logs.compactMap(\.info.lostCredentials).min { $0.at < $1.at }
    if let at = credentials?.at { credentials?.after = writes.last(before: at + 0.001).map(title) }
    info.lostCredentials = credentials
    info.lost = part.logs.compactMap(\.info.lost).min { $0.at < $1.at }
    info.started = part.logs.map(\.info.started).min() ?? info.started
    info.setup = fixture(\.setup)
    info.teardown = fixture(\.teardown)
    if part.logs.count > 1, info.tokens != nil {
      let tokens = part.logs.compactMap(\.info.tokens)
      info.tokens?.requests = tokens.reduce(0) { $0 + $1.requests }
      info.tokens?.failed = tokens.reduce(0) { $0 + $1.failed }
    }
    return info
  }

  /// Those of all processes, each of which has its own: it came to its end where all did.
  private func fixture(_ kind: KeyPath<RunInfo, FixtureResult?>) -> FixtureResult? {
    let all = part.logs.compactMap { log in log.info[keyPath: kind].map { (shard: log.shard, result: $0) } }
    guard all.count > 1 else { return all.first?.result }
    let failed = all.first { $0.result.failed != nil }
    return FixtureResult(
      requests: all.reduce(0) { $0 + $1.result.requests }, duration: all.map(\.result.duration).max() ?? 0,
      failed: failed.flatMap { failed in failed.result.failed.map { "shard \(failed.shard): \($0)" } })
  }

  var operations: [OperationRecord] {
    let isSilentEnd = isSilentEnd
    return zip(frame.contract.operations, sums.operations).map { operation, measured in
      var whole = OperationRecord(operation: operation.id, method: operation.method, path: operation.path)
      if let measured { whole.merge(measured) }
      whole.statuses.sort { $0.status < $1.status }
      if isSilentEnd { whole.countOpenAsErrors() }
      whole.isDocumented = operation.isDocumented
      return whole
    }
  }

  /// Whether the API had fallen silent when the run ended: for more than a second, and for longer than any answer
  /// took, requests waited or timed out and none was answered. Then nothing that was open was merely under way.
  private var isSilentEnd: Bool {
    let ends = part.logs.flatMap(\.ends)
    guard let oldest = ends.compactMap(\.oldestOpen).min(), let end = ends.map(\.ended).max() else { return false }
    let lastAnswer = ends.compactMap(\.lastAnswer).max()
    let timedOut = ends.filter { $0.timedOutEnded ?? .min > lastAnswer ?? 0 }.compactMap(\.timedOutSent).min()
    let asked = min(oldest, timedOut ?? oldest)
    let longest = sums.operations.compactMap { $0?.service.max }.max() ?? 0
    return end - max(lastAnswer ?? asked, asked) > max(1_000_000_000, longest)
  }

  private var sessions: [SessionResult] {
    zip(frame.scenario.sessions, sums.sessions).map { session, tally in
      SessionResult(
        session: session.name, started: tally.started, completed: tally.completed, failed: tally.failed.reasons,
        unfinished: tally.unfinished, left: tally.left.reasons)
    }
  }

  private var ledger: Ledger {
    var whole = sums.ledger
    whole.dropped = sums.dropped.reasons
    whole.unchecked = sums.unchecked.reasons
    return whole
  }

  private var writes: WriteTrail { part.logs.reduce(into: WriteTrail()) { $0.merge($1.answers.writes) } }

  /// `POST /logout`
  private func title(_ write: AnsweredWrite) -> String {
    guard frame.contract.operations.indices.contains(write.operation) else { return "a write request" }
    let operation = frame.contract.operations[write.operation]
    return "\(operation.method) \(operation.path)"
  }

  /// The target was silent where no process saw a sign of life; what was lost, by the moment of its send.
  private var answers: AnswerLog {
    var whole = AnswerLog()
    let parts = part.logs.map(\.answers)
    whole.gaps = parts.first?.gaps ?? []
    for log in parts.dropFirst() { whole.gaps = AnswerGap.common(whole.gaps, log.gaps) }
    whole.losses = parts.flatMap(\.losses).sorted { ($0.sent, $0.ended) < ($1.sent, $1.ended) }
    whole.waits = parts.flatMap(\.waits)
    whole.absences = parts.flatMap(\.absences)
    whole.uncounted = parts.reduce(0) { $0 + $1.uncounted }
    whole.writes = writes
    let end = max(duration, whole.losses.map(\.ended).max() ?? 0)
    whole.gaps = whole.gaps.compactMap { gap in
      var gap = gap
      if gap.resumedBySent == nil { gap.until = max(end, gap.from) }
      return gap.until - gap.from >= AnswerLog.shortestGap ? gap : nil
    }
    return whole
  }
}
