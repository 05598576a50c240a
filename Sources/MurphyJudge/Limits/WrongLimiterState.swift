import MurphyModel

/// A limiter that violates a policy in one way, for one key and one possible run.
struct WrongLimiterState {
  private enum Counter {
    case model(LimiterModel)
    /// Separate counters, to which requests go at random.
    case workers([LimiterModel])
    /// Also takes tokens from the bucket for the requests that it rejects.
    case drainedBucket(arrival: Double, interval: Double, burst: Int)
    /// Admits only this number of further requests in total.
    case once(Int)
    case open
  }

  private var counter: Counter

  /// - Parameters:
  ///   - allowance: in units of the trace.
  ///   - phase: the beginning of windows that are aligned to a clock, seconds.
  init(_ wrong: LimitStrength.WrongLimiter, of policy: LimitPolicy, allowance: Int, phase: Double) {
    let window = policy.window.inSeconds
    func model(
      _ algorithm: LimitAlgorithm? = nil, allowance: Int = allowance, window: Double = window,
      countsRefused: Bool = false
    ) -> LimiterModel {
      LimiterModel(
        algorithm ?? policy.algorithm, allowance: allowance, window: window, phase: phase, countsRefused: countsRefused)
    }
    switch wrong {
    case .allowanceLess: counter = .model(model(allowance: allowance - 1))
    case .allowanceMore: counter = .model(model(allowance: allowance + 1))
    case .windowShorter: counter = .model(model(window: 0.7 * window))
    case .windowLonger: counter = .model(model(window: 1.5 * window))
    case .keyTooCoarse, .keyTooFine: counter = .model(model())
    case .twoWorkers: counter = .workers(Array(repeating: model(), count: 2))
    case .fourWorkers: counter = .workers(Array(repeating: model(), count: 4))
    case .refusedCounted:
      counter =
        policy.algorithm == .tokenBucket
        ? .drainedBucket(arrival: -.infinity, interval: window / Double(allowance), burst: allowance)
        : .model(model(.slidingLog, countsRefused: true))
    case .aligned: counter = .model(model(.fixedAligned))
    case .neverResets: counter = .once(allowance)
    case .noLimiter: counter = .open
    }
  }

  /// - Parameter cost: in units of the trace.
  mutating func admits(at moment: Double, cost: Int, _ random: inout RandomSource) -> Bool {
    switch counter {
    case .model(var model):
      // The model must have one owner while it changes.
      counter = .open
      defer { counter = .model(model) }
      return model.admits(at: moment, cost: cost)
    case .workers(var workers):
      counter = .open
      defer { counter = .workers(workers) }
      return workers[Int(random.next() % UInt64(workers.count))].admits(at: moment, cost: cost)
    case .drainedBucket(let arrival, let interval, let burst):
      let tolerance = Double(burst - cost) * interval
      let isAdmitted = arrival - tolerance <= moment + 1e-12
      // A rejected request cannot reduce the bucket below empty.
      let next = max(moment, arrival) + Double(cost) * interval
      counter = .drainedBucket(
        arrival: isAdmitted ? next : min(next, moment + Double(burst) * interval), interval: interval, burst: burst)
      return isAdmitted
    case .once(let left):
      guard left >= cost else { return false }
      counter = .once(left - cost)
      return true
    case .open: return true
    }
  }
}

extension LimitStrength.WrongLimiter {
  /// True if a limiter of this kind violates the policy for some traffic.
  func isWrong(for policy: LimitPolicy) -> Bool {
    switch self {
    case .allowanceLess: policy.allowance > 1
    case .aligned: policy.algorithm != .fixedAligned && policy.algorithm != .any
    // In windows a rejected request changes nothing until the window ends; sliding counters have no such model.
    case .refusedCounted:
      policy.counts.refused == .no && (policy.algorithm == .slidingLog || policy.algorithm == .tokenBucket)
    // One counter for all clients is the coarsest possible key.
    case .keyTooCoarse: !policy.key.parts.isEmpty
    default: true
    }
  }
}
