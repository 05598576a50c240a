/// Decides if a limiter of one algorithm can have produced a trace.
///
/// Every rule is sound for every set of decision times inside the trace's intervals: a reported contradiction is
/// impossible for all delays. A trace without a report need not be correct.
package protocol LimitRule {
  /// Detects if no such limiter can have admitted all certain requests, for any cause of the rejections.
  ///
  /// A proof against an allowance is a proof against all smaller ones. Requests may be left out of a proof only with
  /// ``LimitTrace/keepingStarters(_:window:)`` and ``LimitTrace/alone(_:)``.
  static func overAdmits(_ trace: LimitTrace, _ terms: LimitTerms) -> OverAdmission?

  /// Indices of rejected requests that no such limiter can have rejected, each considered alone.
  static func unexplainedRefusals(_ trace: LimitTrace, _ terms: LimitTerms, firstOnly: Bool) -> [Int]

  /// Admissions and rejections that are possible one by one and impossible together; called only after both others.
  static func contradicts(_ trace: LimitTrace, _ terms: LimitTerms) -> Contradiction?
}

/// The place of an over-admission.
package struct OverAdmission: Sendable {
  /// Indices of requests among which the proof lies, if the rule can determine them; otherwise empty.
  package var hint: [Int] = []
}

/// Requests whose outcomes are impossible together.
package struct Contradiction: Sendable {
  /// True if the rejections alone are impossible.
  package var refusalsAlone: Bool
  /// Indices in the trace.
  package var requests: [Int]
}

extension LimitRule {
  /// A rule that cannot detect one finds none.
  package static func contradicts(_ trace: LimitTrace, _ terms: LimitTerms) -> Contradiction? { nil }
}

/// The terms of a rule for a trace: an allowance in a window, decided by a clock with steps.
package struct LimitTerms: Sendable, Hashable {
  /// The requests that a window admits; with costs, the whole units.
  package var allowance: Int
  /// The part of a unit in addition.
  var rest = 0.0
  /// Seconds.
  package var window: Double
  /// The server's clock shows some time of the last `tick` seconds, so a decision at d used a time in [d − tick, d].
  package var tick: Double
  /// The maximum relative drift of the server's clock to ours; 0 on the same machine.
  package var drift: Double
  /// The beginning of aligned windows, if known.
  package var phase: AlignedWindowRule.KnownPhase?

  package init(
    allowance: Int, window: Double, tick: Double = 0, drift: Double = LimitTerms.usualDrift,
    phase: AlignedWindowRule.KnownPhase? = nil
  ) {
    self.allowance = allowance
    self.window = window
    self.tick = tick
    self.drift = drift
    self.phase = phase
  }

  func with(allowance: Int) -> LimitTerms {
    var terms = self
    terms.allowance = allowance
    return terms
  }

  /// Slack for `<` against `<=` and for rounding to milliseconds, seconds.
  package static let slack = 2e-3
  /// Between two machines: NTP slews by at most 5e-4, usually by less than 5e-5.
  package static let usualDrift = 1e-4

  /// The window if the server's clock runs fast: over-admission is proven against this.
  var shortWindow: Double { window * (1 - drift) }
  /// The window if the server's clock runs slow: over-throttling is proven against this.
  var longWindow: Double { window * (1 + drift) }
}

/// Rejections of a key that did not exist before the run, before its allowance can be used up.
///
/// Rejection j is unexplained when
///
///     #{possible i : S(i) ≤ R(j)} < L
///
/// Every limiter begins with its whole allowance for a new key and admits the first L requests that it counts, for
/// every clock, phase or window. Requests that were counted before j was decided were sent by R(j). So no tick widens
/// the rule. With rejected requests that may count, j includes itself. O(rejections · log n).
package enum FreshKeyRule {
  /// Indices of rejections in the trace.
  package static func unexplainedRefusals(
    _ trace: LimitTrace, _ terms: LimitTerms, firstOnly: Bool = false
  ) -> [Int] {
    guard trace.isFresh, !trace.mayMissRequests else { return [] }
    var unexplained: [Int] = []
    for j in trace.refused {
      let refusal = trace.requests[j]
      guard trace.possibleSent.count(upTo: refusal.settled) < trace.needed(for: refusal, terms) else { continue }
      unexplained.append(j)
      if firstOnly { break }
    }
    return unexplained
  }
}

extension LimitTrace {
  /// Rejections that are not explained at any time of their intervals. The number of explaining requests grows only
  /// when a request begins, so only those times are checked.
  ///
  /// - Parameters:
  ///   - earliest: earlier rejections may be caused by requests before the trace.
  ///   - reach: the time for which a request counts after it was settled, seconds.
  ///   - explains: true if a rejection is possible at `moment`. `started` possible admissions have begun by then, and
  ///     `gone` of them no longer count; with costs, both are units.
  @inline(__always)
  func unexplainedRefusals(
    _ terms: LimitTerms, from earliest: Double = -.infinity, reach: Double, firstOnly: Bool,
    unless explains: (_ refusal: Request, _ started: Int, _ gone: Int, _ moment: Double) -> Bool
  ) -> [Int] {
    let (sent, settled) = (possibleSent, possibleSettled)
    var unexplained: [Int] = []
    var (started, gone) = (0, 0)
    for j in refused {
      let refusal = requests[j]
      var t = refusal.sent - terms.tick
      if refusal.sent < earliest { continue }
      while started < sent.count, sent[started] - terms.tick <= t { started += 1 }
      while gone < settled.count, settled[gone] + reach <= t { gone += 1 }
      var isExplained = explains(refusal, started, gone, t)
      var (upTo, over) = (started, gone)
      while !isExplained, upTo < sent.count, sent[upTo] - terms.tick <= refusal.settled {
        t = sent[upTo] - terms.tick
        upTo += 1
        while over < settled.count, settled[over] + reach <= t { over += 1 }
        isExplained = explains(refusal, upTo, over, t)
      }
      guard !isExplained else { continue }
      unexplained.append(j)
      if firstOnly { break }
    }
    return unexplained
  }
}

/// At most L admissions in any span shorter than W.
///
/// Admissions: the earliest possible k-th decision is
///
///     x(k) = max(S(k), x(k-1), x(k-L) + W)
///
/// and x(k) > R(k) is a contradiction. O(n).
///
/// Rejections: j is unexplained when at every time t of its interval fewer than L possible admissions can lie in (t −
/// W, t]: #{S ≤ t} − #{R ≤ t − W} < L. The depth only grows at an S, so only those times are checked.
package enum SlidingLogRule: LimitRule {
  /// Computes the earliest decisions, and compares them with the responses.
  package static func overAdmits(_ trace: LimitTrace, _ terms: LimitTerms) -> OverAdmission? {
    let sent = trace.certainSent
    let settled = trace.certainSettled
    let allowance = terms.allowance + trace.excess
    guard sent.count > allowance else { return nil }
    let window = terms.shortWindow
    let failure = sent.withUnsafeBufferPointer { sent in
      settled.withUnsafeBufferPointer { settled in
        withUnsafeTemporaryAllocation(of: Double.self, capacity: sent.count) { earliest in
          var last = -Double.infinity
          for k in 0..<sent.count {
            var x = max(sent[k] - terms.tick, last)
            if k >= allowance { x = max(x, earliest[k - allowance] + window) }
            if x > settled[k] + LimitTerms.slack { return k }
            earliest[k] = x
            last = x
          }
          return -1
        }
      }
    }
    return failure < 0 ? nil : OverAdmission(hint: trace.certainRequests(endingAt: failure, atLeast: allowance + 1))
  }

  /// Rejections with too few possible admissions in the window before them.
  package static func unexplainedRefusals(_ trace: LimitTrace, _ terms: LimitTerms, firstOnly: Bool) -> [Int] {
    let earliest = trace.startsQuiet ? -Double.infinity : trace.start + terms.longWindow
    return trace.unexplainedRefusals(
      terms, from: earliest, reach: terms.longWindow + LimitTerms.slack, firstOnly: firstOnly
    ) { refusal, started, expired, _ in started - expired >= trace.needed(for: refusal, terms) }
  }
}

/// A bucket of B tokens that returns one token every T = W / B (equally GCRA with burst B).
///
/// Admissions, with TAT the theoretical arrival time of the next conforming request (full at the start):
///
///     x(k) = max(S(k), x(k-1), TAT − (B−1)·T);   contradiction when x(k) > R(k);   TAT = max(TAT, x(k)) + T
///
/// Rejections: j is unexplained when at every time t of its interval the lowest possible level of the bucket is at
/// least one token, or the cost of the request. The level is lowest when every possible request is decided at min(settled, t), all at once.
package enum TokenBucketRule: LimitRule {
  /// Computes the earliest arrival times of GCRA, and compares the decisions with the responses.
  package static func overAdmits(_ trace: LimitTrace, _ terms: LimitTerms) -> OverAdmission? {
    let sent = trace.certainSent
    let settled = trace.certainSettled
    guard sent.count > terms.allowance else { return nil }
    let interval = terms.shortWindow / (Double(terms.allowance) + terms.rest)
    let tolerance = (Double(terms.allowance + trace.excess - 1) + terms.rest) * interval
    var arrival = -Double.infinity
    var last = -Double.infinity
    for k in 0..<sent.count {
      let x = max(sent[k] - terms.tick, max(last, arrival - tolerance))
      if x > settled[k] + LimitTerms.slack {
        return OverAdmission(hint: trace.certainRequests(endingAt: k, atLeast: terms.allowance + 1))
      }
      arrival = max(arrival, x) + interval
      last = x
    }
    return nil
  }

  /// Rejections at which the bucket certainly had a token.
  package static func unexplainedRefusals(_ trace: LimitTrace, _ terms: LimitTerms, firstOnly: Bool) -> [Int] {
    guard !trace.refused.isEmpty else { return [] }
    let settled = trace.possibleSettled
    let burst = Double(terms.allowance)
    let rate = burst / terms.longWindow
    // The level just after the k-th possible request, each decided as late as possible.
    var levels: [Double] = []
    levels.reserveCapacity(settled.count)
    var level = trace.startsQuiet ? burst : 0
    var at = trace.startsQuiet ? -Double.infinity : trace.start - terms.tick
    for moment in settled {
      level = min(burst, level + (moment - at) * rate) - 1
      levels.append(level)
      at = moment
    }
    let margin = LimitTerms.slack * rate + 1e-9
    let unit = Double(trace.unit)
    func base(_ decided: Int, _ t: Double) -> Double {
      if decided > 0 { return min(burst, levels[decided - 1] + (t - settled[decided - 1]) * rate) }
      return trace.startsQuiet ? burst : min(burst, (t - trace.start + terms.tick) * rate)
    }
    return trace.unexplainedRefusals(terms, reach: 0, firstOnly: firstOnly) { refusal, started, decided, t in
      let needed = trace.refusedMayCount ? 0 : Double(max(refusal.cost, 1)) / unit
      return base(decided, t) - Double(started - decided) < needed + margin
    }
  }
}
