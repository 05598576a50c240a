/// The parts of a rate limit that traffic tests separately.
package enum LimitAspect: String, Sendable, Hashable, Codable, CaseIterable {
  /// How much is admitted: tested when a key got its whole allowance and was then rejected.
  case allowance
  /// For how long: tested when a rejected key is admitted again.
  case window
  /// For exactly how long: tested by traffic that would reveal a shorter and a longer window.
  case length
  /// The clients that it counts together: tested by traffic that would reveal a coarser and a finer key.
  case key
  /// How it counts: tested if no other algorithm fits the log.
  case algorithm

  /// True if a run must have tested it when the scenario does not list aspects.
  var isUsual: Bool { self == .allowance || self == .window }
}

/// One condition that a run must have observed before a rate limit passes, and its outcome.
package struct LimitTest: Sendable, Codable, Hashable {
  /// The conditions, as `result.json` names them.
  package enum Name: String, Sendable, Codable, CaseIterable {
    /// A request was rejected, and this policy alone explains it.
    case reached
    /// A rejected key had been admitted as often as the policy allows within one window.
    case held
    /// A rejected key was admitted again later.
    case renewed
    /// The run would have revealed a limiter with a shorter window.
    case notShorter = "window-not-shorter"
    /// The run would have revealed a limiter with a longer window.
    case notLonger = "window-not-longer"
    /// The run would have revealed a limiter with one counter for all keys.
    case notCoarser = "key-not-coarser"
    /// The run would have revealed a limiter that distinguishes more clients than the key does.
    case notFiner = "key-not-finer"
    /// No other algorithm fits the log.
    case algorithm

    /// The aspect of the limit that it tests.
    package var aspect: LimitAspect {
      switch self {
      case .reached, .held: .allowance
      case .renewed: .window
      case .notShorter, .notLonger: .length
      case .notCoarser, .notFiner: .key
      case .algorithm: .algorithm
      }
    }

    /// True if the log shows the condition itself; the other tests state what this traffic would have revealed.
    package var isSeen: Bool { aspect.isUsual }

    /// The wrong limiter that would have been revealed; nil for a test that is not about one.
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

  /// The outcome of a test.
  package enum State: String, Sendable, Codable {
    case kept, broken
    case notTested = "not-tested"
  }

  package var test: Name
  package var outcome: State
  /// The observation, or the missing data.
  package var sentence: String
  /// True if the policy passes only with it.
  package var required: Bool

  package init(test: Name, outcome: State, sentence: String, required: Bool) {
    self.test = test
    self.outcome = outcome
    self.sentence = sentence
    self.required = required
  }
}
