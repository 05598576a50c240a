import MurphyModel

/// R2, R3 and R4: checks if the announced wait is enough, and not too long.
extension RateHeaderJudge {
  /// R2: a client that waited as announced, while no other request counted, is rejected again. R3: a request was
  /// admitted sooner than announced, after waiting alone.
  func judgeRetryAfter(_ trace: RateHeaderTrace) {
    var waiting: [RateHeaderTrace.Event] = []
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
        if promise.until > event.settled + 1 + tick + LimitTerms.slack {
          promises[client] = nil
          let refusal = promise.refusal
          tally.add(
            .limitRetryAfterTooLong, at: refusal, other: event, strength: promise.until - event.settled
          ) {
            "A rejection \(moment(refusal.sent)) said to wait \(text(wait.seconds)), and a request of the same client was admitted \(text(event.settled - refusal.sent)) after it."
          }
        }
      case .refused:
        settled.append(event)
        judgeLength(event, trace)
        judgeShortness(event, trace)
        guard knowsCounter else { continue }
        let change = trace.latestChange(upTo: event.settled)
        waiting.removeAll { $0.sent <= change }
        if let kept = waiting.first(where: { refusal in
          guard let wait = wait(refusal) else { return false }
          return event.sent >= refusal.settled + max(wait.seconds, 0) * (1 + LimitTerms.usualDrift) + LimitTerms.slack
        }), let wait = wait(kept) {
          tally.add(.limitRetryAfterTooShort, at: kept, other: event) {
            "A rejection \(moment(kept.sent)) said to wait \(text(wait.seconds)); a request sent \(text(event.sent - kept.settled)) after it was rejected again, although the key sent nothing in between that the policy counts."
          }
          waiting.removeAll()
        }
        if event.sent > change, wait(event) != nil {
          waiting.append(event)
          // The earliest announcement decides; not all of many rejections must be kept.
          if waiting.count > 256 { waiting.removeFirst(128) }
        }
      }
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
      tally.add(.limitRetryAfterTooLong, at: event, discriminator: "window") {
        "Retry-After says \(text(wait.seconds)), longer than the whole window of \(text(longestWindow)). A longer limit that is not declared would explain it."
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
      tally.add(.limitRetryAfterTooLong, at: event, discriminator: "release") {
        "A rejection \(moment(event.sent)) said to wait \(text(wait.seconds)), but the requests that used up the quota began by \(text(start)): under the declared \(policy.algorithm.text) of \(policy.window.text) quota is available at \(text(start + policy.window.inSeconds)) at the latest."
      }
    case .tokenBucket:
      let interval = window / Double(policy.allowance)
      guard granted > interval else { return }
      tally.add(.limitRetryAfterTooLong, at: event, discriminator: "token") {
        "Retry-After says \(text(wait.seconds)), but at the declared rate a token returns every \(text(interval))."
      }
    case .slidingCounter, .any: return
    }
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
      "A rejection \(moment(event.sent)) said to wait \(text(Double(seconds))), but the requests that used up the quota were sent from \(text(start)) on: under the declared \(policy.algorithm.text) of \(policy.window.text) no quota is available before \(text(end))."
    }
  }

  /// R4: as long as no request counts in between, all rejections announce the same time. In whole seconds rounded in
  /// any way, that time is after sent + wait − 1 and not after settled + wait.
  func judgeDrift(_ trace: RateHeaderTrace) {
    guard knowsCounter, policy.counts.refused == .no else { return }
    var begin = -Double.infinity
    var low = -Double.infinity
    var high = Double.infinity
    var first: RateHeaderTrace.Event?
    var dates: (low: Double, high: Double) = (.infinity, -.infinity)
    for event in trace.events where event.role == .refused {
      let change = trace.latestChange(upTo: event.settled)
      guard event.sent > change else { continue }
      if change > begin || first == nil {
        begin = change
        (low, high, first) = (-.infinity, .infinity, event)
        dates = (.infinity, -.infinity)
      }
      guard let response = response(event) else { continue }
      switch response.retryAfter {
      case .seconds(let seconds):
        low = max(low, event.sent - tick + Double(seconds) - 1)
        high = min(high, event.settled + Double(seconds))
      case .date(let date): dates = (min(dates.low, date), max(dates.high, date))
      case nil: continue
      }
      let spread = max(low - high - LimitTerms.slack, dates.high - dates.low - 1 - tick - LimitTerms.slack)
      if spread > 0, let start = first {
        tally.add(.limitRetryAfterDrift, at: event, other: start, strength: spread) {
          "Rejections \(moment(start.sent)) and \(moment(event.sent)), between which the key sent nothing that the policy counts, announce times that are \(text(spread)) further apart than rounding explains: they cannot be one reset."
        }
        first = nil
      }
    }
  }
}
