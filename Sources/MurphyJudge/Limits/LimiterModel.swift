import MurphyModel

/// A limiter's state for one key, as a value: its decisions depend only on the times of the requests.
///
/// Times are seconds on any one clock and must not decrease. An enumeration, without the cost of an existential.
package enum LimiterModel: Sendable, Equatable {
  case fixed(FixedWindowLimiter)
  case aligned(AlignedWindowLimiter)
  case log(SlidingLogLimiter)
  case counter(SlidingCounterLimiter)
  case bucket(TokenBucketLimiter)

  /// - Parameter window: seconds; a token bucket fills in that time.
  package init(
    _ algorithm: LimitAlgorithm, allowance: Int, window: Double, phase: Double = 0, countsRefused: Bool = false
  ) {
    switch algorithm {
    case .fixed, .any: self = .fixed(FixedWindowLimiter(allowance: allowance, window: window))
    case .fixedAligned: self = .aligned(AlignedWindowLimiter(allowance: allowance, window: window, phase: phase))
    case .slidingLog:
      self = .log(SlidingLogLimiter(allowance: allowance, window: window, countsRefused: countsRefused))
    case .slidingCounter:
      self = .counter(SlidingCounterLimiter(allowance: allowance, window: window, phase: phase))
    case .tokenBucket:
      self = .bucket(TokenBucketLimiter(burst: allowance, interval: window / Double(allowance)))
    }
  }

  /// Decides one request, and counts its cost if it is admitted.
  package mutating func admits(at moment: Double, cost: Int = 1) -> Bool {
    switch self {
    case .fixed(var limiter):
      defer { self = .fixed(limiter) }
      return limiter.admits(at: moment, cost: cost)
    case .aligned(var limiter):
      defer { self = .aligned(limiter) }
      return limiter.admits(at: moment, cost: cost)
    case .log(var limiter):
      // The array must have one owner while it grows.
      self = .bucket(TokenBucketLimiter(burst: 1, interval: 0))
      defer { self = .log(limiter) }
      return limiter.admits(at: moment, cost: cost)
    case .counter(var limiter):
      defer { self = .counter(limiter) }
      return limiter.admits(at: moment, cost: cost)
    case .bucket(var limiter):
      defer { self = .bucket(limiter) }
      return limiter.admits(at: moment, cost: cost)
    }
  }

  /// Decides several requests, and counts those that are admitted. It unpacks the limiter only once.
  package mutating func admissions(at moments: [Double]) -> Int {
    switch self {
    case .fixed(var limiter):
      defer { self = .fixed(limiter) }
      return moments.count { limiter.admits(at: $0) }
    case .aligned(var limiter):
      defer { self = .aligned(limiter) }
      return moments.count { limiter.admits(at: $0) }
    case .log(var limiter):
      self = .bucket(TokenBucketLimiter(burst: 1, interval: 0))
      defer { self = .log(limiter) }
      return moments.count { limiter.admits(at: $0) }
    case .counter(var limiter):
      defer { self = .counter(limiter) }
      return moments.count { limiter.admits(at: $0) }
    case .bucket(var limiter):
      defer { self = .bucket(limiter) }
      return moments.count { limiter.admits(at: $0) }
    }
  }

  /// The earliest time, `now` or later, at which it would admit one more request without any request until then.
  package func release(after now: Double) -> Double {
    switch self {
    case .fixed(let limiter): limiter.release(after: now)
    case .aligned(let limiter): limiter.release(after: now)
    case .log(let limiter): limiter.release(after: now)
    case .counter(let limiter): limiter.release(after: now)
    case .bucket(let limiter): limiter.release(after: now)
    }
  }

  /// The same sliding counter if its windows restart after silence; nil for another kind of limiter.
  package var restarting: LimiterModel? {
    guard case .counter(let limiter) = self else { return nil }
    return .counter(
      SlidingCounterLimiter(
        allowance: limiter.allowance, window: limiter.window, phase: limiter.phase, restarts: true))
  }

  /// The beginning of a sliding counter's first window, in seconds, or of the first one after silence.
  package var counterPhase: Double? {
    if case .counter(let limiter) = self { limiter.phase } else { nil }
  }

  /// True if the windows of two sliding counters with one window length begin at almost the same times.
  package func isInPhase(with other: LimiterModel) -> Bool {
    guard case .counter(let limiter) = self, let phase = other.counterPhase else { return false }
    let apart = (phase - limiter.phase) / limiter.window
    return (apart - apart.rounded()).magnitude < 0.1
  }

  /// Removes data that can no longer matter, so that copies stay small.
  package mutating func compact() {
    guard case .log(var limiter) = self else { return }
    self = .bucket(TokenBucketLimiter(burst: 1, interval: 0))
    limiter.compact()
    self = .log(limiter)
  }
}

/// GCRA (ITU-T I.371): equal to a bucket of `burst` tokens, full at first, one back every `interval` seconds.
package struct TokenBucketLimiter: Sendable, Equatable {
  let burst: Int
  let interval: Double
  /// The theoretical arrival time of the next request at the steady rate.
  private(set) var arrival = -Double.infinity

  private var tolerance: Double { Double(burst - 1) * interval }

  /// Decides one request, and counts its cost if it is admitted.
  package mutating func admits(at moment: Double, cost: Int = 1) -> Bool {
    guard arrival - Double(burst - cost) * interval <= moment + 1e-12 else { return false }
    arrival = max(moment, arrival) + Double(cost) * interval
    return true
  }

  /// The earliest time at which the next request is admitted, in seconds.
  package func release(after now: Double) -> Double { max(now, arrival - tolerance) }
}

/// A window begins with the first request after the last one ended.
package struct FixedWindowLimiter: Sendable, Equatable {
  /// The requests that a window admits.
  package let allowance: Int
  /// In seconds.
  package let window: Double
  private var end = -Double.infinity
  private var count = 0

  package init(allowance: Int, window: Double) {
    self.allowance = allowance
    self.window = window
  }

  /// Decides one request, and counts its cost if it is admitted.
  package mutating func admits(at moment: Double, cost: Int = 1) -> Bool {
    if moment >= end {
      end = moment + window
      count = 0
    }
    guard count + cost <= allowance else { return false }
    count += cost
    return true
  }

  /// The earliest time at which the next request is admitted, in seconds.
  package func release(after now: Double) -> Double { count >= allowance ? max(now, end) : now }
}

/// Keeps every admission of the last window; if it counts rejections, those too.
package struct SlidingLogLimiter: Sendable, Equatable {
  /// The requests that a window admits.
  package let allowance: Int
  /// In seconds.
  package let window: Double
  /// True if rejected requests use the allowance.
  package let countsRefused: Bool
  private var moments: [Double] = []
  private var first = 0

  package init(allowance: Int, window: Double, countsRefused: Bool = false) {
    self.allowance = allowance
    self.window = window
    self.countsRefused = countsRefused
  }

  /// Decides one request. Admissions are counted, and rejections if ``countsRefused``.
  package mutating func admits(at moment: Double, cost: Int = 1) -> Bool {
    while first < moments.count, moments[first] <= moment - window { first += 1 }
    if first > 4096, first * 2 > moments.count {
      moments.removeFirst(first)
      first = 0
    }
    let admitted = moments.count - first + cost <= allowance
    if admitted || countsRefused { for _ in 0..<cost { moments.append(moment) } }
    return admitted
  }

  /// The earliest time at which the next request is admitted, in seconds.
  package func release(after now: Double) -> Double {
    guard moments.count - first >= allowance else { return now }
    return max(now, moments[moments.count - allowance] + window)
  }

  /// True if both have the same relevant data, with different removed data.
  package static func == (left: SlidingLogLimiter, right: SlidingLogLimiter) -> Bool {
    left.allowance == right.allowance && left.window == right.window && left.countsRefused == right.countsRefused
      && left.moments[left.first...] == right.moments[right.first...]
  }

  /// Removes data that can no longer matter, so that copies stay small.
  package mutating func compact() {
    guard first > 0 else { return }
    moments.removeFirst(first)
    first = 0
  }
}

/// Windows begin at `phase` and every whole window after it.
package struct AlignedWindowLimiter: Sendable, Equatable {
  /// The requests that a window admits.
  package let allowance: Int
  /// In seconds.
  package let window: Double
  let phase: Double
  private(set) var number = -Double.infinity
  private(set) var count = 0

  /// Decides one request, and counts its cost if it is admitted.
  package mutating func admits(at moment: Double, cost: Int = 1) -> Bool {
    let current = ((moment - phase) / window).rounded(.down)
    if current != number {
      number = current
      count = 0
    }
    guard count + cost <= allowance else { return false }
    count += cost
    return true
  }

  /// The earliest time at which the next request is admitted, in seconds.
  package func release(after now: Double) -> Double {
    let current = ((now - phase) / window).rounded(.down)
    return current == number && count >= allowance ? (current + 1) * window + phase : now
  }
}

/// Admits while the previous window's count, weighted by its share in the sliding window, plus the current count is
/// less than the allowance.
package struct SlidingCounterLimiter: Sendable, Equatable {
  /// The requests that a window admits.
  package let allowance: Int
  /// In seconds.
  package let window: Double
  private(set) var phase: Double
  /// True if the first request after two empty windows begins a window, as in HAProxy.
  private let restarts: Bool
  private var number = -Double.infinity
  private var count = 0
  private var previous = 0

  init(allowance: Int, window: Double, phase: Double, restarts: Bool = false) {
    (self.allowance, self.window, self.phase, self.restarts) = (allowance, window, phase, restarts)
  }

  /// Decides one request, and counts its cost if it is admitted.
  package mutating func admits(at moment: Double, cost: Int = 1) -> Bool {
    if restarts, moment >= phase + (number + 2) * window { (phase, number, count) = (moment, -.infinity, 0) }
    let position = (moment - phase) / window
    let current = position.rounded(.down)
    if current != number {
      previous = current == number + 1 ? count : 0
      number = current
      count = 0
    }
    guard Double(previous) * (1 - (position - current)) + Double(count + cost - 1) < Double(allowance) else {
      return false
    }
    count += cost
    return true
  }

  /// The earliest time at which the next request is admitted, in seconds.
  package func release(after now: Double) -> Double {
    let current = ((now - phase) / window).rounded(.down)
    var (count, previous) = current == number ? (count, previous) : (0, current == number + 1 ? count : 0)
    for ahead in 0..<3 {
      let room = Double(allowance - count)
      if room > 0 {
        let gone = previous == 0 ? 0 : max(0, 1 - room / Double(previous))
        if gone < 1 { return max(now, (current + Double(ahead) + gone) * window + phase) }
      }
      (previous, count) = (count, 0)
    }
    return now
  }
}
