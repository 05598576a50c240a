/// Decides whether a limiter of one algorithm can have produced a trace.
///
/// Every rule is sound for every set of decision moments inside the trace's intervals: what it reports is
/// impossible, whatever the delays were. What it does not report need not be right.
package protocol LimitRule {
  /// Whether no such limiter, however the refusals came about, can have admitted all certain requests.
  ///
  /// What refutes an allowance refutes all smaller ones. Requests may be left out of a proof only as
  /// ``LimitTrace/keepingStarters(_:window:)`` and ``LimitTrace/alone(_:)`` do.
  static func overAdmits(_ trace: LimitTrace, _ terms: LimitTerms) -> OverAdmission?

  /// Indices of refused requests that no such limiter can have refused, each by itself.
  static func unexplainedRefusals(_ trace: LimitTrace, _ terms: LimitTerms, firstOnly: Bool) -> [Int]

  /// Admissions and refusals that are possible one by one and impossible together; asked only after both others.
  static func contradicts(_ trace: LimitTrace, _ terms: LimitTerms) -> Contradiction?
}

/// Where an over-admission showed.
package struct OverAdmission: Sendable {
  /// Indices of requests among which the proof lies, if the rule knows; empty otherwise.
  package var hint: [Int] = []
}

/// Requests that cannot all have come out as they did.
package struct Contradiction: Sendable {
  /// Whether the refusals alone are impossible.
  package var refusalsAlone: Bool
  package var requests: [Int]
}

extension LimitRule {
  package static func contradicts(_ trace: LimitTrace, _ terms: LimitTerms) -> Contradiction? { nil }
}

/// What a rule checks a trace against: so many in so long, decided by a clock that steps.
package struct LimitTerms: Sendable, Hashable {
  package var allowance: Int
  /// Seconds.
  package var window: Double
  /// The server's clock shows some moment of the last `tick` seconds, so a decision made at d was made as of a
  /// moment in [d − tick, d].
  package var tick: Double
  /// How far the server's clock may run apart from ours, over elapsed time; 0 on the same machine.
  package var drift: Double
  /// Where aligned windows begin, if that is known.
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

/// Refusals of a key that did not exist before the run, made before its allowance can be used up.
///
/// Refusal j is unexplained when
///
///     #{possible i : S(i) ≤ R(j)} < L
///
/// Every limiter begins with its whole allowance for a new key and admits the first L requests that it counts, whatever
/// its clock, phase or window; what was counted before j was decided was sent by R(j). So no tick widens the rule. With
/// refused requests that may count, j sees itself. O(refusals · log n).
package enum FreshKeyRule {
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
  /// Refusals that are explained at no moment of their intervals. What explains one only grows when a request begins, so
  /// those are the moments to try.
  ///
  /// - Parameters:
  ///   - earliest: earlier refusals may be due to what came before the trace.
  ///   - reach: how long after it was settled a request counts, seconds.
  ///   - explains: whether a refusal can be made at a moment by which so many possible admissions have begun, of which so
  ///     many count no longer.
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
