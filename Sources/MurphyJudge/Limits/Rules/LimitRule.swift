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
