import MurphyModel

/// Decides if a window of constant load passed, from the rows of its result and the counts of its record. It parses no
/// sentence.
package struct WindowJudge: Sendable {
  /// The number of documented rejections, and of all responses, under the loads that passed.
  package struct Refusals: Sendable {
    /// Responses that a rate limit rejected.
    package var limited = 0
    /// All responses.
    package var answered = 0

    package init() {}
  }

  /// The rejections under the loads that passed so far.
  package var usual = Refusals()

  package init() {}

  /// Adds the measurement, the failed checks and their reasons.
  ///
  /// - Parameter step: a step with load, settling and duration.
  package func judge(_ record: RunRecord, _ result: RunResult, _ step: CapacityStep) -> CapacityStep {
    var step = step
    measure(record, &step)
    let trials = record.operations.reduce(0) { $0 + $1.succeeded }
    let (outcome, causes) = outcome(record, result, step)
    step.conclude(outcome, causes, trials: trials)
    return step
  }

  private func outcome(
    _ record: RunRecord, _ result: RunResult, _ step: CapacityStep
  ) -> (CapacityStep.Standing, [CapacityCause]) {
    if record.info.cutShort { return (.interrupted, []) }
    let reservations = record.generator.reservations ?? []
    let broken = causes(record, result, step)
    let open = result.budgets.filter { $0.verdict.isOpen && $0.metric != .throughput }
    if let doubt = reservations.first(where: { $0.kind.weight == .forbidsTiming || $0.kind == .dropped }) {
      return (.generator, [cause(doubt)])
    }
    if !broken.isEmpty { return (.broke, broken) }
    if let doubt = reservations.first(where: { $0.kind.weight == .forbidsPass }) {
      return (.generator, [cause(doubt)])
    }
    if let row = open.first(where: { $0.undecided?.cause == .generator }) {
      return (.generator, [cause(.generator, row)])
    }
    if let row = open.first(where: { $0.undecided?.cause == .unanswered }) {
      return (.broke, [cause(.unanswered, row)])
    }
    return open.isEmpty ? (.held, []) : (.untested, open.map(samples))
  }

  private func measure(_ record: RunRecord, _ step: inout CapacityStep) {
    let total = record.operations.reduce(into: OperationRecord(operation: "*", method: "", path: "")) { total, one in
      total.merge(one)
    }
    let distribution = LatencyDistribution(total.account)
    func value(_ percentile: Double) -> Duration? {
      distribution.percentile(percentile).map { $0.high ?? $0.low }
    }
    (step.p50, step.p95, step.p99) = (value(50), value(95), value(99))
    step.requests = record.ledger.sent
    step.errors = total.errors
    step.limited = total.outcomes.limited
    let (begin, middle, end) = Self.places(step)
    let judged = record.timeline.filter { begin..<end ~= $0.second }
    let seconds = Double(max(end - begin, 1))
    step.offered = Double(judged.reduce(0) { $0 + $1.planned }) / seconds
    step.throughput = Double(judged.reduce(0) { $0 + $1.outcomes.answered - $1.outcomes.limited }) / seconds
    step.inFlight = [middle, end].map { place in
      record.timeline.filter { $0.second < place }.reduce(0) { $0 + $1.planned - $1.outcomes.ends }
    }
  }

  /// In whole seconds: the beginning of the judged part, its middle and its end.
  private static func places(_ step: CapacityStep) -> (begin: Int, middle: Int, end: Int) {
    let begin = Int(saturating: step.settling.inSeconds.rounded(.up))
    let end = max(Int(saturating: step.duration.inSeconds.rounded(.down)), begin + 1)
    return (begin, begin + (end - begin) / 2, end)
  }

  /// The failed checks, in the order of their importance for the reader: a limiter explains errors and failed sessions,
  /// a backlog explains latency.
  private func causes(_ record: RunRecord, _ result: RunResult, _ step: CapacityStep) -> [CapacityCause] {
    var causes: [CapacityCause] = []
    if record.info.aborted != nil { causes.append(CapacityCause(.silence)) }
    if let limiter = limiter(record) { causes.append(limiter) }
    let failed = result.budgets.filter { $0.verdict == .fail && $0.metric != .throughput }
    causes += failed.filter { $0.metric == .errors }.map { cause(.errors, $0) }
    causes += failed.filter { $0.metric != .errors }.map { cause(.latency, $0) }
    if let backlog = Self.backlog(step) { causes.append(backlog) }
    for row in result.traffic where row.kind == .completed && row.verdict == .fail {
      var cause = CapacityCause(.sessions)
      (cause.count, cause.whole) = (row.met, row.samples)
      causes.append(cause)
    }
    causes += result.findings.filter(Self.breaks).map { finding in
      var cause = CapacityCause(.finding)
      (cause.finding, cause.operation, cause.count) = (finding.kind, finding.operation, finding.count)
      return cause
    }
    return causes
  }

  /// Findings on failures of the API that have no row. Findings on what a short window did not cover are excluded.
  private static func breaks(_ finding: Finding) -> Bool {
    guard finding.severity == .error, finding.kind != .transportExhausted else { return false }
    let families: [FindingRule.Family] = [.contract, .relation, .limit, .state, .transport]
    return families.contains(finding.kind.family)
  }

  /// The responses per second are fewer than the requests per second. More than one request in fifty of the second half
  /// got no response in it. These are also more than chance (two standard deviations of Poisson counts) explains from
  /// the requests in flight.
  static func backlog(_ step: CapacityStep) -> CapacityCause? {
    guard step.inFlight.count == 2 else { return nil }
    let (before, after) = (Double(step.inFlight[0]), Double(step.inFlight[1]))
    let (_, middle, end) = places(step)
    let due = step.offered * Double(end - middle)
    guard after - before > 0.02 * due, after - before > 2 * max(before + after, 1).squareRoot() else { return nil }
    var cause = CapacityCause(.backlog)
    (cause.count, cause.whole) = (step.inFlight[1], step.inFlight[0])
    return cause
  }

  /// Rejections are a larger share than usual: by over one in a hundred, and by three standard deviations of the
  /// difference of two shares.
  private func limiter(_ record: RunRecord) -> CapacityCause? {
    let limited = record.operations.reduce(0) { $0 + $1.outcomes.limited }
    let answered = record.ledger.answered
    guard limited > 0, answered > 0 else { return nil }
    let share = Double(limited) / Double(answered)
    let before = Double(usual.limited) / Double(max(usual.answered, 1))
    let pooled = Double(limited + usual.limited) / Double(answered + usual.answered)
    let error = (pooled * (1 - pooled) * (1 / Double(answered) + 1 / Double(max(usual.answered, 1)))).squareRoot()
    guard usual.answered > 0, share - before > 0.01, share - before > 3 * error else { return nil }
    var cause = CapacityCause(.limiter)
    (cause.count, cause.whole) = (limited, answered)
    return cause
  }

  private func cause(_ kind: CapacityCause.Reason, _ row: BudgetRow) -> CapacityCause {
    var cause = CapacityCause(kind)
    (cause.operation, cause.metric, cause.limit, cause.observed) = (row.operation, row.metric, row.limit, row.observed)
    return cause
  }

  private func cause(_ reservation: GeneratorReservation) -> CapacityCause {
    var cause = CapacityCause(.generator)
    cause.reservation = reservation.kind
    return cause
  }

  private func samples(_ row: BudgetRow) -> CapacityCause {
    var cause = cause(.samples, row)
    (cause.count, cause.whole) = (row.samples, row.samplesNeeded)
    return cause
  }
}

extension Outcomes {
  fileprivate var ends: Int { answered + transport + cancelled }
}
