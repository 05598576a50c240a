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
  /// The requests that a window admits.
  package var allowance: Int
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
    LimitTerms(allowance: allowance, window: window, tick: tick, drift: drift, phase: phase)
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
  package static func unexplainedRefusals(_ trace: LimitTrace, allowance: Int, firstOnly: Bool = false) -> [Int] {
    guard trace.isFresh, !trace.mayMissRequests else { return [] }
    let needed = allowance + (trace.refusedMayCount ? 1 : 0)
    var unexplained: [Int] = []
    for j in trace.refused where trace.possibleSent.count(upTo: trace.requests[j].settled) < needed {
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
  ///     `gone` of them no longer count.
  @inline(__always)
  func unexplainedRefusals(
    _ terms: LimitTerms, from earliest: Double = -.infinity, reach: Double, firstOnly: Bool,
    unless explains: (_ started: Int, _ gone: Int, _ moment: Double) -> Bool
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
      var isExplained = explains(started, gone, t)
      var (upTo, over) = (started, gone)
      while !isExplained, upTo < sent.count, sent[upTo] - terms.tick <= refusal.settled {
        t = sent[upTo] - terms.tick
        upTo += 1
        while over < settled.count, settled[over] + reach <= t { over += 1 }
        isExplained = explains(upTo, over, t)
      }
      guard !isExplained else { continue }
      unexplained.append(j)
      if firstOnly { break }
    }
    return unexplained
  }
}
