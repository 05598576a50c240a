import MurphyModel

/// `expect: strength:` how much a promise must have been tested before it counts as kept. What was kept with less is
/// left without a verdict, and the sentence says which load would do.
package struct StrengthExpectation: Sendable, Hashable {
  /// A fault in so large a share of an operation's answers must have been seen with 95 %.
  package var contract: Double?
  /// The same of the different things that its paths name.
  package var entities: Double?
  /// A share of errors above this must be excluded with 95 %, of every budget on errors.
  package var errors: Double?
  /// A slowdown by this share must have broken every percentile with 95 %: 0.25 is 25 % slower.
  package var latency: Double?
  /// A freeze of the API for so long must have broken every percentile with 95 %.
  package var stall: Duration?
  /// Wrong limiters that must have been told from every limit that is kept.
  package var limits: [LimitStrength.Aspect] = []

  package init() {}
}
