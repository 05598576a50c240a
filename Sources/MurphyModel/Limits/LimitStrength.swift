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
}

extension LimitStrength {
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
    case .allowanceLess: "one request less"
    case .allowanceMore: "one request more"
    case .windowShorter: "0.7 times the window"
    case .windowLonger: "1.5 times the window"
    case .keyTooCoarse: "one counter for all keys"
    case .keyTooFine: "a counter for each client or operation within a key"
    case .twoWorkers: "a counter in each of 2 workers"
    case .fourWorkers: "a counter in each of 4 workers"
    case .refusedCounted: "rejected requests counted"
    case .aligned: "windows aligned to the clock"
    case .neverResets: "windows that never end"
    case .noLimiter: "no limit at all"
    }
  }
}
