/// What a rate limit promises, in two halves that traffic tests apart.
package enum LimitAspect: String, Sendable, Hashable, Codable, CaseIterable {
  /// How much is admitted: tested when a key got its whole allowance and was then refused.
  case allowance
  /// For how long: tested when a refused key is admitted again.
  case window
}

/// One thing that a run must have seen before a rate limit counts as kept, and whether it has.
package struct LimitTest: Sendable, Codable, Hashable {
  package enum Name: String, Sendable, Codable, CaseIterable {
    /// A request was refused, and this policy alone explains it.
    case reached
    /// A key that was refused had been admitted as often as the policy allows within one window.
    case held
    /// A key that was refused was admitted again later.
    case renewed

    /// The half of the promise that it tests.
    package var aspect: LimitAspect { self == .renewed ? .window : .allowance }
  }

  package enum State: String, Sendable, Codable {
    case kept, broken
    case notTested = "not-tested"
  }

  package var test: Name
  package var outcome: State
  /// What was seen, or what is missing.
  package var sentence: String
  /// Whether the policy counts as kept only with it.
  package var required: Bool

  package init(test: Name, outcome: State, sentence: String, required: Bool) {
    self.test = test
    self.outcome = outcome
    self.sentence = sentence
    self.required = required
  }
}
