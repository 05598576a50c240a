/// What a rate limit promises, in parts that traffic tests apart.
package enum LimitAspect: String, Sendable, Hashable, Codable, CaseIterable {
  /// How much is admitted: tested when a key got its whole allowance and was then refused.
  case allowance
  /// For how long: tested when a refused key is admitted again.
  case window
  /// For exactly how long: tested by traffic that would show a shorter and a longer window.
  case length
  /// Whom it counts: tested by traffic that would show a coarser and a finer key.
  case key
  /// How it counts: tested when no other algorithm fits the log.
  case algorithm

  /// Whether a run must have tested it where the scenario does not say what.
  var isUsual: Bool { self == .allowance || self == .window }
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
    /// A limiter with a shorter window would have shown.
    case notShorter = "window-not-shorter"
    /// A limiter with a longer window would have shown.
    case notLonger = "window-not-longer"
    /// A limiter with one counter for all keys would have shown.
    case notCoarser = "key-not-coarser"
    /// A limiter that tells more apart than the key does would have shown.
    case notFiner = "key-not-finer"
    /// No other algorithm fits the log.
    case algorithm

    /// The part of the promise that it tests.
    package var aspect: LimitAspect {
      switch self {
      case .reached, .held: .allowance
      case .renewed: .window
      case .notShorter, .notLonger: .length
      case .notCoarser, .notFiner: .key
      case .algorithm: .algorithm
      }
    }

    /// Whether the log shows it happen; the others say what this traffic would have shown.
    package var isSeen: Bool { aspect.isUsual }

    /// The wrong limiter that would have shown; nil for a test that is not of one.
    package var wrong: LimitStrength.WrongLimiter? {
      switch self {
      case .reached, .held, .renewed, .algorithm: nil
      case .notShorter: .windowShorter
      case .notLonger: .windowLonger
      case .notCoarser: .keyTooCoarse
      case .notFiner: .keyTooFine
      }
    }

    /// `window not shorter`
    package var text: String { String(rawValue.map { $0 == "-" ? " " : $0 }) }
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
