import MurphyModel

/// R5: `remaining` that repeats within a window, falls by more than was sent, or exceeds the number that is then
/// admitted.
extension RateHeaderJudge {
  func judgeRemaining(_ trace: RateHeaderTrace) {
    guard knowsCounter else { return }
    judgeRepeats(trace)
    judgeJumps(trace)
    judgeExcess(trace)
    judgePromises(trace)
  }

  /// Two admissions of one fixed window that leave the same number remaining. An update was lost, which proves a race
  /// before any limit is exceeded.
  private func judgeRepeats(_ trace: RateHeaderTrace) {
    guard policy.algorithm == .fixed || policy.algorithm == .fixedAligned,
      !trace.events.contains(where: { $0.role == .possible })
    else { return }
    struct Seen {
      var event: RateHeaderTrace.Event
      var low: Double
      var high: Double
    }
    var seen: [Int: Seen] = [:]
    for event in trace.events where event.role == .certain {
      guard let statement = statement(event), let remaining = statement.guaranteed, remaining > 0,
        let reset = statement.reset
      else { continue }
      // The end of this window on the client's clock, or on the server's where the header gives it.
      let end: (low: Double, high: Double)
      switch reset {
      case .delta(let seconds): end = (event.sent - tick + seconds - 1, event.settled + seconds + 1)
      case .epoch(let moment): end = (moment - 1, moment + 1)
      }
      if let other = seen[remaining], other.event.operation == event.operation,
        max(end.high - other.low, other.high - end.low) < policy.window.inSeconds * (1 - LimitTerms.usualDrift)
      {
        let together = event.sent <= other.event.settled
        tally.add(
          .limitRemainingRepeats, at: event, severity: HeaderHarm.severity(ofRepeat: together)
        ) {
          "Two admitted requests of key \(trace.key) in one window, sent \(moment(other.event.sent)) and "
            + "\(moment(event.sent)), both report that \(counted(remaining, "request")) "
            + "\(remaining == 1 ? "remains" : "remain"). Each admitted request should reduce this number."
            + (together
              ? " They were in flight at the same time: the number is correct if the server read it after both "
                + "requests."
              : "")
        }
      }
      seen[remaining] = Seen(event: event, low: end.low, high: end.high)
    }
  }

  /// More remain than the certain admissions in the key's first window leave.
  private func judgeExcess(_ trace: RateHeaderTrace) {
    guard keepsPolicy, trace.startsQuiet, policy.algorithm == .fixed || policy.algorithm == .slidingLog,
      let first = trace.events.first
    else { return }
    let end = first.sent - tick + policy.window.inSeconds * (1 - LimitTerms.usualDrift)
    for event in trace.events where event.role == .certain && event.settled < end {
      guard let statement = statement(event), let remaining = statement.guaranteed,
        statement.limit ?? policy.allowance == policy.allowance
      else { continue }
      let before = trace.admissions(before: event.sent)
      guard remaining > policy.allowance - 1 - before else { continue }
      tally.add(.limitRemainingTooHigh, at: event) {
        "\(counted(remaining, "request")) \(remaining == 1 ? "remains" : "remain") for key \(trace.key) "
          + "\(moment(event.sent)), but the quota is \(policy.allowance), and \(before + 1) requests were admitted in "
          + "the key's first window."
      }
    }
  }

  /// A rejection, although fewer requests can have counted since a response than it announced as remaining.
  ///
  /// Time alone never reduces the number that a limiter would admit, with any algorithm, so this needs no window. r
  /// remain when A is decided, and at most k other requests are decided between A and B; k < r, and B is rejected.
  private func judgePromises(_ trace: RateHeaderTrace) {
    let promises = trace.events.compactMap { event -> (event: RateHeaderTrace.Event, remaining: Int)? in
      guard event.role == .certain || event.role == .refused, let remaining = statement(event)?.guaranteed,
        remaining > 0
      else { return nil }
      return (event, remaining)
    }
    .sorted { $0.event.settled < $1.event.settled }
    guard !promises.isEmpty else { return }
    let answered = promises.map(\.event.settled)
    let sent = trace.events.map(\.sent)
    let settled = trace.events.map(\.settled).sorted()
    for event in trace.events where event.role == .refused {
      let index = answered.count(below: event.sent) - 1
      guard index >= 0 else { continue }
      let (promise, remaining) = promises[index]
      let between = sent.count(upTo: event.settled + tick) - settled.count(below: promise.sent - tick) - 2
      guard between < remaining else { continue }
      let kind: FindingKind = promise.role == .refused ? .limitRemainingImpossible : .limitRemainingTooHigh
      tally.add(kind, at: event, discriminator: "refused") {
        "\(counted(remaining, "request")) remained for key \(trace.key) \(moment(promise.sent)), but the request "
          + "\(moment(event.sent)) was rejected, although at most \(between) others of this key can have counted in "
          + "between."
      }
    }
  }

  /// Fewer remain than the requests that can have counted explain.
  private func judgeJumps(_ trace: RateHeaderTrace) {
    guard trustsStart else { return }
    let span = policy.algorithm == .slidingCounter || policy.algorithm == .any ? 2.0 : 1.0
    let window = policy.window.inSeconds * (1 + LimitTerms.usualDrift) * span + tick + LimitTerms.slack
    // Every request, with any result: a rejected one may also have been counted by a careless limiter, and the
    // throttling checks cover that.
    let sent = trace.events.map(\.sent)
    let settled = trace.events.map(\.settled).sorted()
    for event in trace.events where event.role == .certain {
      guard let statement = statement(event), let remaining = statement.guaranteed, let limit = statement.limit,
        statement.dialect != .draft
      else { continue }
      let possible = sent.count(upTo: event.settled + tick) - settled.count(below: event.sent - window)
      if remaining + possible + 1 < limit {
        tally.add(.limitRemainingJumps, at: event) {
          "\(remaining) of \(limit) requests remain for key \(trace.key) \(moment(event.sent)), although at most "
            + "\(possible) requests of this key can have counted."
        }
      }
    }
  }
}
