import MurphyContract
import MurphyModel
import MurphyScenario

extension RunMeasurement {
  /// The record that the judges read. Each call computes it again.
  ///
  /// - Parameter mask: removes secrets from strings that responses contained.
  package func record(_ frame: RunFrame, mask: SecretMask) -> RunRecord {
    var copy = self
    return copy.makeRecord(frame, mask: mask)
  }

  /// Moves the logs into the same record.
  ///
  /// Each log is released when the record has its events, so that they use memory once. Afterwards no log remains here.
  package mutating func makeRecord(_ frame: RunFrame, mask: SecretMask) -> RunRecord {
    var record = RunRecord(
      info: info(frame), operations: operations(frame), sessions: sessions(frame), ledger: account,
      findings: findings(frame, mask), coverage: Coverage(items: coverage),
      timeline: seconds.enumerated().map { $1.point(second: $0) }, limitLog: LimitLog(start: Instant(nanoseconds: 0)),
      generator: generatorOfAll, responses: answers)
    record.samples = samples
    record.course = seconds.map(\.course)
    record.tags = tags.compactMap(\.self)
    var rest = Array(logs.reversed())
    logs = []
    var whole = rest.removeLast()
    if !rest.isEmpty {
      while let log = rest.popLast() { whole.append(log) }
      whole.limits.settle()
    }
    if let headerPool { whole.limits.headerSets = headerPool }
    whole.limits.isIncomplete = isIncomplete
    whole.hideForgotten()
    record.mask = mask.adding(whole.secrets)
    record.changes = whole.changes.filter(\.isLasting)
    (record.relations, record.stateLog, record.limitLog) = (whole.relations, whole.state, whole.limits)
    return record
  }

  /// From the load's zero to the last response of any process.
  var duration: Duration { logs.map(\.info.duration).max() ?? .zero }

  private func info(_ frame: RunFrame) -> RunInfo {
    guard var info = logs.first?.info else { preconditionFailure("a run has at least one process") }
    info.duration = duration
    info.cutShort = logs.contains(where: \.info.cutShort)
    // The target was silent only if it was silent to all processes.
    let aborted = logs.compactMap(\.info.aborted)
    info.aborted = aborted.count == logs.count ? aborted.min() : nil
    var credentials = logs.compactMap(\.info.lostCredentials).min { $0.at < $1.at }
    if let at = credentials?.at {
      credentials?.after = answers.writes.last(before: at.inSeconds + 0.001).map(frame.title)
    }
    info.lostCredentials = credentials
    info.lost = logs.compactMap(\.info.lost).min { $0.at < $1.at }
    info.started = logs.map(\.info.started).min() ?? info.started
    info.setup = fixture(\.setup)
    info.teardown = fixture(\.teardown)
    let tokens = logs.compactMap(\.info.tokens)
    info.tokens = tokens.dropFirst().reduce(tokens.first) { sum, more in sum.map { $0 + more } }
    return info
  }

  /// The combined result of all processes, each of which has one. It completed only if it completed in all of them.
  private func fixture(_ kind: KeyPath<RunInfo, FixtureResult?>) -> FixtureResult? {
    let all = logs.compactMap { log in log.info[keyPath: kind].map { (shard: log.shard, result: $0) } }
    guard all.count > 1 else { return all.first?.result }
    let failed = all.first { $0.result.failed != nil }
    return FixtureResult(
      requests: all.reduce(0) { $0 + $1.result.requests }, duration: all.map(\.result.duration).max() ?? .zero,
      failed: failed.flatMap { failed in failed.result.failed.map { "shard \(failed.shard): \($0)" } })
  }

  private func operations(_ frame: RunFrame) -> [OperationRecord] {
    let isSilentEnd = isSilentEnd
    return zip(frame.contract.operations, operations).map { operation, measured in
      var whole = OperationRecord(operation: operation.id, method: operation.method, path: operation.path)
      if let measured { whole.merge(measured) }
      whole.statuses.sort { $0.status < $1.status }
      if isSilentEnd { whole.countOpenAsErrors() }
      whole.isDocumented = operation.isDocumented
      return whole
    }
  }

  /// True if the API was silent when the run ended. For more than a second, and for longer than any response took,
  /// requests waited or timed out and none got a response. Then no open request was merely in flight.
  private var isSilentEnd: Bool {
    let ends = logs.flatMap(\.ends)
    guard let oldest = ends.compactMap(\.oldestOpen).min(), let end = ends.map(\.ended).max() else { return false }
    let lastResponse = ends.compactMap(\.lastResponse).max()
    let timedOut = ends.filter { $0.timedOutEnded ?? .min > lastResponse ?? 0 }.compactMap(\.timedOutSent).min()
    let asked = min(oldest, timedOut ?? oldest)
    let longest = operations.compactMap { $0?.service.max }.max() ?? 0
    return end - max(lastResponse ?? asked, asked) > max(1_000_000_000, longest)
  }

  private func sessions(_ frame: RunFrame) -> [SessionResult] {
    zip(frame.scenario.sessions, sessions).map { session, tally in
      SessionResult(
        session: session.name, started: tally.started, completed: tally.completed, failed: tally.failed.reasons,
        unfinished: tally.unfinished, left: tally.left.reasons)
    }
  }

  private var account: Ledger {
    var whole = ledger
    whole.dropped = dropped.reasons
    whole.unchecked = unchecked.reasons
    let withheld = seconds.reduce(0) { $0 + $1.course.withheld }
    whole.withheld = withheld > 0 ? withheld : nil
    return whole
  }

  /// The responses of all processes. Losses are in the order of their sends.
  private var answers: ResponseLog {
    var whole = ResponseLog(logs.map(\.answers))
    whole.losses.sort { ($0.sent, $0.ended) < ($1.sent, $1.ended) }
    let end = max(duration.inSeconds, whole.losses.map(\.ended).max() ?? 0)
    whole.gaps = whole.gaps.compactMap { gap in
      var gap = gap
      if gap.resumedBySent == nil { gap.until = max(end, gap.from) }
      return gap.until - gap.from >= ResponseLog.shortestGap ? gap : nil
    }
    return whole
  }
}

extension RunMeasurement {
  /// True if figures and events belong to a run of that contract and scenario.
  package func fits(_ frame: RunFrame) -> Bool {
    operations.count == frame.contract.operations.count && stages.count == frame.contract.operations.count
      && sessions.count == frame.scenario.sessions.count && tags.count == frame.scenario.tags.count
      && stages.allSatisfy { $0.map { $0.count == max(frame.stages.count, 1) } ?? true }
      && rows.allSatisfy { $0.byStage.count == max(frame.stages.count, 1) }
      && traffic.fits(operations: frame.contract.operations.count) && logs.allSatisfy { $0.fits(frame) }
  }
}

extension EventLog {
  /// True if all numbers of operations and invariants are valid in the contract and the scenario.
  fileprivate func fits(_ frame: RunFrame) -> Bool {
    let names = frame.contract.operations.map(\.id)
    return limits.operations == names && state.operations == names
      && state.gaps.count == frame.scenario.expectations.state.count && Int(relations.operations) < names.count
      && answers.losses.allSatisfy { names.indices.contains($0.operation) }
      && answers.waits.allSatisfy { names.indices.contains($0.operation) }
  }
}
