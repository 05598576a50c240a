import MurphyModel

/// Checks one trace against one policy's terms, algorithm by algorithm.
package enum LimitCheck {
  /// The outcome of a check.
  package enum Answer: Sendable {
    /// Nothing contradicts it.
    case consistent
    case overAdmission(OverAdmission)
    /// Rejections that the policy cannot explain; empty when only all together prove it.
    case overThrottling([Int])
    case contradictory(Contradiction)

    package var isConsistent: Bool { if case .consistent = self { true } else { false } }
  }

  /// The rule of a concrete algorithm; nil for `any`.
  package static func rule(for algorithm: LimitAlgorithm) -> (any LimitRule.Type)? {
    switch algorithm {
    case .fixed: FixedWindowRule.self
    case .fixedAligned: AlignedWindowRule.self
    case .slidingLog: SlidingLogRule.self
    case .slidingCounter: SlidingCounterRule.self
    case .tokenBucket: TokenBucketRule.self
    case .any: nil
    }
  }

  /// A violation is reported only if no decision times explain the trace.
  package static func outcome(of trace: LimitTrace, algorithm: LimitAlgorithm, terms: LimitTerms) -> Answer {
    guard let rule = rule(for: algorithm) else { return outcomeForAny(of: trace, terms: terms) }
    if let excess = rule.overAdmits(trace, terms) { return .overAdmission(excess) }
    if !trace.sharesRefusals {
      var unexplained = FreshKeyRule.unexplainedRefusals(trace, allowance: terms.allowance, firstOnly: true)
      if unexplained.isEmpty { unexplained = rule.unexplainedRefusals(trace, terms, firstOnly: true) }
      if !unexplained.isEmpty { return .overThrottling(unexplained) }
    }
    if let contradiction = rule.contradicts(trace, terms) {
      return contradiction.refusalsAlone ? .overThrottling(contradiction.requests) : .contradictory(contradiction)
    }
    return .consistent
  }

  /// A violation only if none of the algorithms explains the trace.
  private static func outcomeForAny(of trace: LimitTrace, terms: LimitTerms) -> Answer {
    var first: Answer?
    var allAdmit = true
    var allThrottle = true
    // Cheapest first: a consistent one ends the search.
    for algorithm in [LimitAlgorithm.tokenBucket, .fixedAligned, .slidingLog, .fixed, .slidingCounter] {
      let outcome = outcome(of: trace, algorithm: algorithm, terms: terms)
      switch outcome {
      case .consistent: return .consistent
      case .overAdmission: allThrottle = false
      case .overThrottling: allAdmit = false
      case .contradictory: (allAdmit, allThrottle) = (false, false)
      }
      if first == nil || algorithm == .slidingLog { first = outcome }
    }
    if allAdmit || allThrottle { return first ?? .consistent }
    return .contradictory(Contradiction(refusalsAlone: false, requests: []))
  }
}
