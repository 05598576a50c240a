import MurphyModel

/// R2, R3 and R4: checks if the announced wait is enough, and not too long.
extension RateHeaderJudge {
  /// R2: a client that waited as announced, while no other request counted, is rejected again. R3: a request was
  /// admitted sooner than announced, after waiting alone.
  func judgeRetryAfter(_ trace: RateHeaderTrace) {
    // The rejection whose announced wait ends first, since the last request that may have counted.
    var earliest: (until: Double, wait: Double, refusal: RateHeaderTrace.Event)?
    var promises: [UInt64: (until: Double, refusal: RateHeaderTrace.Event)] = [:]
    var settled: [RateHeaderTrace.Event] = []
    for event in trace.events {
      // Rejections that were received before this was sent, by client and operation.
      settled.removeAll { refusal in
        guard refusal.settled < event.sent else { return false }
        remember(refusal, in: &promises)
        return true
      }
      switch event.role {
      case .possible, .starter: continue
      case .certain:
        let client = UInt64(event.operation) << 32 | UInt64(event.identity)
        guard let promise = promises[client], let wait = wait(promise.refusal) else { continue }
        let excess = promise.until - event.settled - HeaderHarm.resolution - tick - LimitTerms.slack
        if excess > 0 {
          promises[client] = nil
          let refusal = promise.refusal
          tally.add(
            .limitRetryAfterTooLong, at: refusal, other: event, severity: HeaderHarm.severity(ofWaitWrongBy: excess),
            strength: promise.until - event.settled
          ) {
            "A rejection \(moment(refusal.sent)) said to wait \(text(wait.seconds)), but a request of the same client "
              + "was admitted \(text(event.settled - refusal.sent)) after it."
          }
        }
      case .refused:
        settled.append(event)
        judgeLength(event, trace)
        judgeShortness(event, trace)
        guard knowsCounter else { continue }
        let change = trace.latestChange(upTo: event.settled)
        if let known = earliest, known.refusal.sent <= change { earliest = nil }
        if let known = earliest { judgeAgain(event, known.refusal, wait: known.wait, until: known.until, trace) }
        if event.sent > change, let wait = wait(event)?.seconds {
          let until = event.settled + max(wait, 0) * (1 + LimitTerms.usualDrift) + LimitTerms.slack
          if until < earliest?.until ?? .infinity { earliest = (until, wait, event) }
        }
      }
    }
  }

  /// A rejection after the end of an announced wait, with its shortfall: at least to this request, and at most to the
  /// next admission.
  private func judgeAgain(
    _ event: RateHeaderTrace.Event, _ refusal: RateHeaderTrace.Event, wait: Double, until: Double,
    _ trace: RateHeaderTrace
  ) {
    guard event.sent >= until else { return }
    let least = event.sent - refusal.settled - max(wait, 0)
    tally.add(
      .limitRetryAfterTooShort, at: refusal, other: event, severity: HeaderHarm.severity(ofWaitWrongBy: least),
      strength: least
    ) {
      let next = trace.events.first { $0.role == .certain && $0.sent > event.sent }
      let most = next.map { " and at most \(text($0.settled - refusal.sent - wait))" } ?? ""
      return
        "A rejection \(moment(refusal.sent)) said to wait \(text(wait)), but a request "
        + "\(text(event.sent - refusal.settled)) later was rejected again. In between, the key sent no request that "
        + "the policy counts. The wait is too short by at least \(text(least))\(most)."
    }
  }

  private func remember(
    _ refusal: RateHeaderTrace.Event, in promises: inout [UInt64: (until: Double, refusal: RateHeaderTrace.Event)]
  ) {
    guard let wait = wait(refusal) else { return }
    let client = UInt64(refusal.operation) << 32 | UInt64(refusal.identity)
    let until = refusal.sent + wait.seconds - wait.uncertainty
    if until > promises[client]?.until ?? -.infinity { promises[client] = (until, refusal) }
  }

  /// An announced wait that is impossible under the policy. None of the five limiters rejects a client for longer than
  /// its window. A windowed one does not reject beyond the window that earlier requests can have begun, and a bucket
  /// returns a token soon.
  private func judgeLength(_ event: RateHeaderTrace.Event, _ trace: RateHeaderTrace) {
    guard policy.counts.refused == .no, let wait = wait(event) else { return }
    let granted = wait.seconds - wait.uncertainty - 1 - tick - LimitTerms.slack
    if granted > longestWindow {
      addTooLong("window", at: event, by: granted - longestWindow) {
        "Retry-After is \(text(wait.seconds)), longer than the whole window of \(text(longestWindow)). An undeclared "
          + "limit with a longer window may be the cause."
      }
      return
    }
    guard keepsPolicy, knowsCounter else { return }
    let window = policy.window.inSeconds * (1 + LimitTerms.usualDrift)
    switch policy.algorithm {
    case .fixed, .fixedAligned, .slidingLog:
      guard let start = trace.latestStart(before: event, allowance: policy.allowance, tick: tick),
        event.sent + granted > start + window
      else { return }
      addTooLong("release", at: event, by: event.sent + granted - start - window) {
        "A rejection \(moment(event.sent)) said to wait \(text(wait.seconds)), but the requests that used up the quota "
          + "began at \(text(start)) or earlier. With the declared \(policy.algorithm.text) of \(policy.window.text), "
          + "quota is available at \(text(start + policy.window.inSeconds)) at the latest."
      }
    case .tokenBucket:
      let interval = window / Double(policy.allowance)
      guard granted > interval else { return }
      addTooLong("token", at: event, by: granted - interval) {
        "Retry-After is \(text(wait.seconds)), but at the declared rate a token returns every \(text(interval))."
      }
    case .slidingCounter, .any: return
    }
  }

  /// - Parameter excess: the seconds beyond those that rounding and the server's clock explain.
  private func addTooLong(
    _ reason: String, at event: RateHeaderTrace.Event, by excess: Double, message: () -> String
  ) {
    tally.add(
      .limitRetryAfterTooLong, at: event, discriminator: reason, severity: HeaderHarm.severity(ofWaitWrongBy: excess),
      strength: excess, message: message)
  }

  /// An announced end before the end of any window that contains the requests which used up the allowance. A second is
  /// tolerated for servers that round down.
  private func judgeShortness(_ event: RateHeaderTrace.Event, _ trace: RateHeaderTrace) {
    guard keepsPolicy, knowsCounter, policy.counts.refused == .no,
      case .seconds(let seconds)? = response(event)?.retryAfter,
      policy.algorithm == .slidingLog || (policy.algorithm == .fixed && !trace.hasFailures),
      let start = trace.earliestStart(before: event, allowance: policy.allowance)
    else { return }
    let end = start - tick + policy.window.inSeconds * (1 - LimitTerms.usualDrift)
    guard event.settled + Double(seconds) < end - 1 - LimitTerms.slack else { return }
    tally.add(.limitRetryAfterTooShort, at: event, discriminator: "window") {
      "A rejection \(moment(event.sent)) said to wait \(text(Double(seconds))), but the requests that used up the "
        + "quota were sent at \(text(start)) or later. With the declared \(policy.algorithm.text) of "
        + "\(policy.window.text), no quota is available before \(text(end))."
    }
  }

  /// R4: as long as no request counts in between, all rejections announce the same time. In whole seconds rounded in
  /// any way, that time is after sent + wait − 1 and not after settled + wait.
  func judgeDrift(_ trace: RateHeaderTrace) {
    guard knowsCounter, policy.counts.refused == .no else { return }
    var begin = -Double.infinity
    // The rejections of one state that announce the earliest and the latest time.
    var ends: (low: Double, high: Double, latest: RateHeaderTrace.Event, earliest: RateHeaderTrace.Event)?
    var dates: (low: Double, high: Double) = (.infinity, -.infinity)
    // The spread that is already reported.
    var reported = 0.0
    for event in trace.events where event.role == .refused {
      let change = trace.latestChange(upTo: event.settled)
      guard event.sent > change else { continue }
      if change > begin {
        begin = change
        ends = nil
        dates = (.infinity, -.infinity)
        reported = 0
      }
      guard let response = response(event) else { continue }
      switch response.retryAfter {
      case .seconds(let seconds):
        let (low, high) = (event.sent - tick + Double(seconds) - 1, event.settled + Double(seconds))
        var known = ends ?? (low, high, event, event)
        if low > known.low { (known.low, known.latest) = (low, event) }
        if high < known.high { (known.high, known.earliest) = (high, event) }
        ends = known
      case .date(let date):
        let known = ends ?? (-.infinity, .infinity, event, event)
        ends = (
          known.low, known.high, date > dates.high ? event : known.latest, date < dates.low ? event : known.earliest
        )
        dates = (min(dates.low, date), max(dates.high, date))
      case nil: continue
      }
      guard let ends else { continue }
      let spread = max(ends.low - ends.high - LimitTerms.slack, dates.high - dates.low - 1 - tick - LimitTerms.slack)
      guard spread > reported else { continue }
      reported = spread
      let (first, last) =
        ends.earliest.sent < ends.latest.sent ? (ends.earliest, ends.latest) : (ends.latest, ends.earliest)
      tally.add(
        .limitRetryAfterDrift, at: last, other: first, severity: HeaderHarm.severity(ofWaitWrongBy: spread),
        strength: spread
      ) {
        "Rejections \(moment(first.sent)) and \(moment(last.sent)) announce times that differ by \(text(spread)) more "
          + "than rounding explains. In between, the key sent no request that the policy counts, so both should "
          + "announce the same reset."
      }
    }
  }
}
