/// The sensitivity of a passed rate limit: the wrong limiters that this traffic would have revealed, and the other
/// policies that fit its log as well (docs/strength.md §4).
package struct LimitStrength: Sendable, Codable, Hashable {
  /// A limiter that breaks the policy in one way.
  package enum WrongLimiter: String, Sendable, Codable, Hashable, CaseIterable {
    case allowanceLess = "allowance-less"
    case allowanceMore = "allowance-more"
    case windowShorter = "window-shorter"
    case windowLonger = "window-longer"
    case keyTooCoarse = "key-too-coarse"
    case keyTooFine = "key-too-fine"
    case twoWorkers = "two-workers"
    case fourWorkers = "four-workers"
    case refusedCounted = "refused-counted"
    case aligned
    case neverResets = "never-resets"
    case noLimiter = "no-limiter"
  }

  /// Whether the judge would have distinguished a wrong limiter from the declared one.
  package enum Exposure: String, Sendable, Codable, Hashable {
    /// In every possible run of this traffic that was tried.
    case surely
    case perhaps
    /// In none of them.
    case not
  }

  /// The result for one wrong limiter.
  package struct Mutant: Sendable, Codable, Hashable {
    /// The wrong limiter that was simulated.
    package var limiter: WrongLimiter
    /// In how many possible runs this traffic would have revealed it.
    package var exposure: Exposure
    /// The number of possible runs of this traffic in which it was refuted, and the number that were tried.
    package var refuted: Int
    /// The number of possible runs that were tried.
    package var tried: Int

    package init(_ limiter: WrongLimiter, _ exposure: Exposure, refuted: Int, tried: Int) {
      self.limiter = limiter
      self.exposure = exposure
      self.refuted = refuted
      self.tried = tried
    }
  }

  /// The smallest and the largest value that this log does not refute. Without an upper end, no larger value was
  /// refuted.
  package struct Range: Sendable, Codable, Hashable {
    /// The smallest value that was not refuted.
    package var low: Double
    /// Nil if no larger value was refuted.
    package var high: Double?

    package init(low: Double, high: Double?) {
      self.low = low
      self.high = high
    }
  }

  /// One entry for each wrong limiter that was replayed.
  package var mutants: [Mutant]
  /// Requests that a window may admit.
  package var allowances: Range
  /// The windows in seconds.
  package var windows: Range
  /// Other algorithms that the log fits as well.
  package var alsoFits: [LimitAlgorithm]
  /// The number of replayed keys, the busiest ones, and the number of all keys.
  package var keys: Int
  /// The number of all keys in the log, replayed or not.
  package var keysOf: Int
  /// The unmet requirement of `expect: strength:`, for people; nil if the strength suffices.
  package var shortfall: String?

  package init(
    mutants: [Mutant], allowances: Range, windows: Range, alsoFits: [LimitAlgorithm], keys: Int, keysOf: Int
  ) {
    self.mutants = mutants
    self.allowances = allowances
    self.windows = windows
    self.alsoFits = alsoFits
    self.keys = keys
    self.keysOf = keysOf
  }

  /// A group of wrong limiters that `expect: strength: limits:` requires to be distinguished from the declared one.
  package enum Aspect: String, Sendable, Codable, Hashable, CaseIterable {
    case allowance, window, workers, key, renewed

    /// The wrong limiters of this group.
    package var limiters: [WrongLimiter] {
      switch self {
      case .allowance: [.allowanceLess, .allowanceMore]
      case .window: [.windowShorter, .windowLonger]
      case .workers: [.twoWorkers, .fourWorkers]
      case .key: [.keyTooCoarse, .keyTooFine]
      case .renewed: [.neverResets]
      }
    }
  }

  /// The wrong limiters with this exposure, in the order of ``mutants``.
  package func exposures(_ exposure: Exposure) -> [WrongLimiter] {
    mutants.filter { $0.exposure == exposure }.map(\.limiter)
  }
}

extension LimitStrength.WrongLimiter {
  /// The form for use after "a limiter with".
  package var text: String {
    switch self {
    case .allowanceLess: "a quota of one request less"
    case .allowanceMore: "a quota of one request more"
    case .windowShorter: "a window 0.7 times as long"
    case .windowLonger: "a window 1.5 times as long"
    case .keyTooCoarse: "one counter for all keys"
    case .keyTooFine: "a counter for each client or operation within a key"
    case .twoWorkers: "separate counters in 2 workers"
    case .fourWorkers: "separate counters in 4 workers"
    case .refusedCounted: "rejected requests that use quota"
    case .aligned: "windows aligned to the clock"
    case .neverResets: "windows that never end"
    case .noLimiter: "no limit"
    }
  }
}

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
  /// What concurrent requests get: tested by requests after the load.
  case race

  /// True if a run must have tested it when the scenario does not list aspects.
  package var isUsual: Bool { self == .allowance || self == .window }
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
    /// After the load, concurrent requests of a new client did not exceed the quota.
    case race

    /// The aspect of the limit that it tests.
    package var aspect: LimitAspect {
      switch self {
      case .reached, .held: .allowance
      case .renewed: .window
      case .notShorter, .notLonger: .length
      case .notCoarser, .notFiner: .key
      case .algorithm: .algorithm
      case .race: .race
      }
    }

    /// True if the log shows the condition itself; the other tests state what this traffic would have revealed, or what
    /// requests after the load showed.
    package var isSeen: Bool { aspect.isUsual }

    /// The wrong limiter that would have been revealed; nil for a test that is not about one.
    package var wrong: LimitStrength.WrongLimiter? {
      switch self {
      case .reached, .held, .renewed, .algorithm, .race: nil
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

  /// The tested property of the limiter.
  package var test: Name
  /// The result of the test.
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
