import MurphyModel

extension BudgetJudge {
  /// Percentiles and maxima, of latency or service time.
  package static func percentileRow(_ budget: Budget, _ account: LatencyAccount, _ limit: Duration) -> BudgetRow {
    let rule = PercentileRule(percentile: budget.metric.percentile ?? 100)
    let isService = budget.metric.isService
    let distribution = LatencyDistribution(account, isService: isService)
    let samples = distribution.samples
    guard let interval = distribution.percentile(rule.percentile) else {
      return .unmeasured(budget, needed: rule.samplesNeeded)
    }
    let exact = account.bound(isService: isService, limit: limit.nanoseconds)
    let counted = distribution.count(over: limit.nanoseconds)
    let (over, maybe) = exact.map { ($0.over, $0.maybe) } ?? counted
    var row = BudgetRow(
      budget, observed: MeasuredRange(interval), samples: samples, needed: rule.samplesNeeded)
    (row.unanswered, row.over, row.maybe) = (distribution.unbounded, over, maybe)
    switch rule.verdict(samples: samples, over: over, maybe: maybe) {
    case .broken: row.state = .failed(trials: samples)
    case .kept: row.state = CheckState(trials: samples)
    case .tooFew: row.undecided = .tooFew(samples, of: rule)
    case .open:
      if let exact, let decided = decide(row, exact, rule) { return decided }
      row.undecided = .open(row, account, rule, limit, byMurphy: exact?.maybeByMurphy)
    }
    return row
  }

  /// Decides only over the requests whose patience is longer than the limit.
  ///
  /// The plan determines the keys of a typing person, independently of responses: patience is independent of latency.
  /// So it does not favour fast requests to leave out all with little patience, with or without a response. Of the
  /// rest, each superseded request has waited longer than the limit.
  private static func decide(_ row: BudgetRow, _ bound: BoundCount, _ rule: PercentileRule) -> BudgetRow? {
    guard bound.impatient > 0 else { return nil }
    var patient = row
    let samples = row.samples - bound.impatient
    patient.patient = samples
    patient.over = bound.over - bound.impatientOver
    patient.maybe = bound.maybe - bound.impatientMaybe
    switch rule.verdict(samples: samples, over: patient.over ?? 0, maybe: patient.maybe ?? 0) {
    case .broken: patient.state = .failed(trials: samples)
    case .kept: patient.state = CheckState(trials: samples)
    case .tooFew, .open: return nil
    }
    return patient
  }

  /// True if a failed row on a percentile or a maximum also fails without these requests. Each of them waited at least
  /// from its send to its end, and only that is subtracted: where that does not decide it, the row is failed.
  static func isBroken(_ row: BudgetRow, without losses: [LostRequest]) -> Bool {
    guard let percentile = row.metric.percentile, row.patient == nil, let over = row.over,
      losses.count <= row.unanswered ?? 0
    else { return true }
    let overdue = losses.count { ($0.ended - $0.sent) * 1e6 > row.limit.value }
    return PercentileRule(percentile: percentile).verdict(
      samples: row.samples - losses.count, over: over - overdue, maybe: 0) == .broken
  }

  /// A mean is at least Σ lo / N, and has no upper end once a response is missing.
  static func meanRow(_ budget: Budget, _ account: LatencyAccount, _ limit: Duration) -> BudgetRow {
    let distribution = LatencyDistribution(account, isService: budget.metric.isService)
    guard let interval = distribution.mean else { return .unmeasured(budget) }
    var row = BudgetRow(budget, observed: MeasuredRange(interval), samples: distribution.samples)
    row.unanswered = distribution.unbounded
    if interval.low > limit {
      row.state = .failed(trials: distribution.samples)
    } else if let high = interval.high {
      if high <= limit { row.state = CheckState(trials: distribution.samples) }
      if high > limit { row.undecided = .late(account) }
    } else {
      row.undecided = BudgetRow.Undecided(
        .unanswered,
        "\(distribution.unbounded.text) of \(distribution.samples.text) requests have no complete response, so the mean has no upper "
          + "bound")
    }
    return row
  }
}

extension BudgetRow.Undecided {
  static func tooFew(_ samples: Int, of rule: PercentileRule) -> Self {
    Self(
      .tooFewSamples,
      "\(counted(samples, "sample")) \(samples == 1 ? "is" : "are") too few to decide; "
        + "\(rule.samplesNeeded.text) are needed")
  }

  /// - Parameter byMurphy: the number of open requests that murphy caused; nil to estimate it from the account.
  static func open(
    _ row: BudgetRow, _ account: LatencyAccount, _ rule: PercentileRule, _ limit: Duration, byMurphy: Int?
  ) -> Self {
    let (over, maybe) = (row.over ?? 0, row.maybe ?? 0)
    let allowed = rule.allowance(of: row.samples)
    let owed = byMurphy ?? account.censored.unsentMurphy + Int(account.censored.lateHigh.count)
    // Without murphy's part it would be decided.
    if over + maybe - owed <= allowed { return late(account) }
    return Self(
      .unanswered,
      "\(maybe.text) of \(row.samples.text) requests ended without a response before \(limit.text), so their latency "
        + "is unknown; the budget allows \(counted(allowed, "slower request"))"
        + (over > 0 ? ", and \(over.text) \(over == 1 ? "was" : "were") slower" : ""))
  }

  /// The budget is open only because of murphy's own delay, or of requests that it did not send.
  static func late(_ account: LatencyAccount) -> Self {
    let counts = account.censored.counts
    let parts = [
      counts.late > 0 ? "sent \(counts.late) requests late" : nil,
      counts.unsentMurphy > 0 ? "did not send \(counts.unsentMurphy)" : nil,
    ].compactMap { $0 }
    return Self(
      .generator,
      "murphy itself \(parts.isEmpty ? "was late" : parts.joined(separator: " and ")), so this budget has no "
        + "verdict: the API may not be the cause. Give murphy more cores, or reduce the load")
  }
}
