import MurphyModel

extension BudgetRow {
  /// `listLaws p95 ≤ 300ms`
  package var title: String {
    let measured = operation == "*" ? "\(metric.name) of all operations" : "\(operation) \(metric.name)"
    return "\(measured) \(isFloor ? "≥" : "≤") \(limit.text)"
  }

  package var sentence: String {
    let enough = counted(samples, "sample")
    guard let observed = shownText else { return "no samples; at least \(samplesNeeded.text) needed" }
    if verdict == .noData {
      if undecided?.cause == .tooFewSamples {
        return "\(observed), \(samples.text) of \(samplesNeeded.text) needed samples"
      }
      return undecided.map { "\(observed) over \(enough): \($0.sentence)" }
        ?? "\(enough), but \(samplesNeeded.text) are needed"
    }
    // The text of an error share contains its samples.
    return (metric == .errors && over != nil ? observed : "\(observed) over \(enough)") + basis
  }

  /// The samples without an observation, and the reason why the row was decided nevertheless.
  private var basis: String {
    if let shareAtMost { return "; with 95% confidence, the error rate is at most \(percentText(shareAtMost))" }
    guard limit.unit == .microseconds, let unanswered, unanswered > 0 else { return "" }
    let missing = ", \(unanswered.text) without a response"
    guard let patient else { return missing }
    return "\(missing); decided by the \(patient.text) requests whose user would wait longer than \(limit.text)"
  }

  /// The observed value: a time to three significant digits, anything else unchanged.
  package var shownText: String? {
    guard let observed, observed.unit == .microseconds else { return observedText }
    return Figure.interval(
      LatencyInterval(
        low: .microseconds(saturating: observed.low), high: observed.high.map(Duration.microseconds(saturating:))))
  }

  /// Observed over limit; nil without samples.
  package var utilisation: Double? {
    guard let observed, observed.unit == limit.unit, limit.value > 0 else { return nil }
    return (observed.high ?? observed.low) / limit.value
  }
}

extension TrafficRow {
  /// Unique in a run, and the same from run to run: `at least 99% of sessions end as scripted`.
  package var title: String {
    switch kind {
    case .completed: "at least \(limit) of sessions end as scripted"
    case .called:
      limit == "all" ? "every operation is called and succeeds" : "operations are called and succeed: \(limit)"
    case .connections: "at least \(limit) of requests reuse a connection"
    case .recovery: "goodput recovers within \(limit)"
    case .sessions:
      limit == "all" ? "every session type completes" : "each of these session types completes: \(limit)"
    }
  }
}

extension OperationResult {
  /// All endings of requests with their counts: `200 × 318, 429 × 12, no response × 3`.
  package var endings: String {
    let others = [
      ("no response", outcomes.transport), ("cancelled", outcomes.cancelled),
      ("in flight at the end", requests - outcomes.answered - outcomes.transport - outcomes.cancelled),
    ]
    let parts =
      statuses.map { "\($0.status) × \($0.count.text)" }
      + others.filter { $0.1 > 0 }.map { "\($0.0) × \($0.1.text)" }
    return parts.isEmpty ? "–" : parts.joined(separator: ", ")
  }
}

extension SessionResult {
  /// The reasons why sessions ended before their last step, most frequent first: `12 × getLaw: status 503`.
  package var earlyEnds: [String] {
    failed.map { "\($0.count.text) × \($0.reason)" }
      + left.map { "\($0.count.text) × ended by an on: rule (\($0.reason))" }
  }
}

extension RunResult {
  /// The rows of each operation, in the contract's order; none for relations that are off.
  var relationsByOperation: [(operation: String, rows: [RelationRow])] {
    let shown = (relations ?? []).filter { $0.outcome != .off }
    var seen: Set<String> = []
    return shown.map(\.operation).filter { seen.insert($0).inserted }.map { operation in
      (operation, shown.filter { $0.operation == operation })
    }
  }

  /// A check for each violated relation. For each operation, one check for the relations that passed and one for those
  /// without a test.
  func relationChecks(_ list: FindingList) -> [Check] {
    relationsByOperation.flatMap { operation, rows -> [Check] in
      var checks = rows.filter { $0.outcome == .broken }.map { row in
        Check(
          .relation, "\(operation): \(row.promise)", of: row, list, counted(row.findings.count, "finding"),
          subject: operation)
      }
      let kept = rows.filter { $0.outcome == .kept }
      if !kept.isEmpty {
        checks.append(
          Check(
            .relation, "\(operation): responses match the requests",
            CheckState(trials: kept.map(\.samples).min() ?? 0),
            kept.map { "\($0.relation) \($0.samples.text)" }.joined(separator: ", "),
            subject: operation))
      }
      let untested = rows.filter { $0.outcome == .untested }
      if !untested.isEmpty {
        checks.append(
          Check(
            .relation, "\(operation): untested consistency rules", .notRequired,
            untested.map(\.relation).joined(separator: ", "), subject: operation))
      }
      return checks
    }
  }
}

extension Conformance {
  /// `41 of 371 responses were not checked (…)`
  package var uncheckedText: String {
    "\(uncheckedTotal.text) of \(counted(responses, "response")) \(uncheckedTotal == 1 ? "was" : "were") not checked "
      + "(\(reasons))"
  }

  /// The reasons; with their counts if there are several, at most three of them.
  private var reasons: String {
    if unchecked.count == 1 { return unchecked[0].reason }
    let shown = unchecked.prefix(3).map { "\($0.count.text) × \($0.reason)" }.joined(separator: "; ")
    return unchecked.count > 3 ? shown + "; and \(counted(unchecked.count - 3, "more reason"))" : shown
  }
}

extension LimitRow {
  /// The observation, without the text of its finding.
  ///
  /// - Parameter isTold: true if it has a finding.
  func brief(isTold: Bool) -> String {
    let figures =
      "\(counted(keys, "key")): \(admitted.text) requests admitted, \(refused.text) rejected"
    switch verdict {
    case .overAdmission, .overThrottling, .contradictory: return isTold ? figures : sentence
    case .consistent: return figures
    case .inconclusive:
      if strength?.shortfall != nil { return sentence }
      guard let tests = tests?.filter(\.test.isSeen), tests.allSatisfy({ $0.outcome == .notTested }),
        let first = tests.first
      else { return sentence }
      return isOpen ? sentence : first.sentence
    }
  }
}

extension TrafficRow {
  /// `55 of 155 finished sessions ended as scripted`
  var share: String {
    let whole = samples.text
    return switch kind {
    case .completed: "\(met.text) of \(whole) finished sessions ended as scripted"
    case .called: "\(met.text) of \(whole) operations were called and succeeded"
    case .sessions: "\(met.text) of \(whole) session types completed"
    case .connections: "\(met.text) of \(whole) requests reused an open connection"
    case .recovery: "\(met.text) of \(whole) expected good responses"
    }
  }

  /// `55 of 155 sessions ended as scripted`
  var subject: String {
    let share = "\(met.text) of \(samples.text)"
    return switch kind {
    case .completed: "\(share) sessions ended as scripted"
    case .called: "\(share) operations called successfully"
    case .sessions: "\(share) session types completed"
    case .connections: "\(share) connections reused"
    case .recovery: "\(share) good responses"
    }
  }
}

extension GeneratorReport {
  /// All effects of murphy itself on the run, including those that do not change the verdict.
  var shownDoubts: [String] {
    doubts + (reservations ?? []).map(\.sentence).filter { !doubts.contains($0) }
  }

  /// `sent 100 % of the planned load, p99 of the send delay: 0.2 ms; busiest event loop: …`; values that earlier versions
  /// did not record are omitted.
  var figures: String {
    func percent(_ percent: Double) -> String { Figure.percentage(percent).text }
    var sending =
      lateness.count == 0 ? "no request sent" : "p99 of the send delay: \(Figure.latency(lateness.p99).text)"
    if let achievedPercent, lateness.count > 0 {
      sending = "sent \(percent(achievedPercent)) of the planned load, " + sending
    }
    var running = "busiest event loop: \(percent(cpuPercent)) of a core"
    if let waiting = perLoop?.compactMap(\.waitingPercent).max() {
      running += ", CPU wait \(percent(waiting))"
    }
    if let steal = resources?.stealPercent { running += ", \(percent(steal)) stolen by the hypervisor" }
    let standing =
      loopStalls == 0
      ? "no event loop was blocked for over 50 ms"
      : (loopStalls == 1
        ? "an event loop was blocked once, for "
        : "event loops were blocked \(loopStalls) times for over 50 ms, at most for ")
        + Figure.latency(longestStall).text
    let used = resources.map { resources in
      "\(resources.peakDescriptors.text) of \(resources.descriptorLimit.text) files open, "
        + "\(resources.peakTimeWait.text) of \(resources.ports.text) ports in TIME_WAIT"
    }
    return ([sending, running, standing] + [used].compactMap { $0 }).joined(separator: "; ")
  }
}

extension BudgetRow {
  /// If only the load generator prevents a decision, the check is doubtful, not short of data.
  var outcome: Check.State { undecided?.cause == .generator ? .doubtful : Check.State(state) }
}
