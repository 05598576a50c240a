/// A limit of a reference API: `extension ReferenceLimit { static let votes = … }` is in the folder of its system.
package struct ReferenceLimit: Hashable, Sendable {
  /// `votes`, as in `--limit votes=30/60s`.
  package let name: String
  /// Requests per window and client.
  package let allowance: Int
  /// Nanoseconds.
  package let window: Int64
  /// The counted items, for the message of a rejection.
  let noun: String
  /// True if `--limit reads=…` applies to it.
  let isRead: Bool

  /// - Parameter window: its length.
  package init(
    _ name: String, allow allowance: Int, per window: Duration = .seconds(60), noun: String = "requests",
    isRead: Bool = false
  ) {
    self.name = name
    self.allowance = allowance
    self.window = window.wholeNanoseconds
    self.noun = noun
    self.isRead = isRead
  }
}

/// A limit given on the command line: `voteLaw=30/60s`, with `:burst=10` for a token bucket.
package struct LimitOverride: Sendable, Equatable {
  /// The name on the command line.
  package var name: String
  /// The limits to which it applies, of any system.
  package var limits: [ReferenceLimit]
  /// Requests per window.
  package var allowance: Int
  /// Nanoseconds, before the time scale.
  package var window: Int64
  /// Nil for an algorithm without a burst.
  package var burst: Int?

  /// Parses `NAME=COUNT/WINDOW[:burst=COUNT]`. NAME is a limit, an operation or `reads`; WINDOW is a number of `ms`,
  /// `s`, `m` or `h`.
  package init(parsing text: String) throws(ServerError) {
    let malformed = ServerError("limit \"\(text)\" does not have the form voteLaw=30/60s or voteLaw=30/60s:burst=10")
    let sides = text.split(separator: "=", maxSplits: 1)
    guard sides.count == 2 else { throw malformed }
    let parts = sides[1].split(separator: ":", maxSplits: 1)
    let fraction = parts[0].split(separator: "/", maxSplits: 1)
    guard fraction.count == 2, let allowance = Int(fraction[0]), allowance > 0, allowance <= 1_000_000,
      let window = Self.window(fraction[1])
    else { throw malformed }
    self.allowance = allowance
    self.window = window
    if parts.count == 2 {
      let option = parts[1].split(separator: "=", maxSplits: 1)
      guard option.count == 2, option[0] == "burst", let burst = Int(option[1]), burst > 0, burst <= 1_000_000 else {
        throw malformed
      }
      self.burst = burst
    }
    name = String(sides[0])
    limits = try Self.limits(named: name)
  }

  private static func limits(named name: String) throws(ServerError) -> [ReferenceLimit] {
    let apis = ReferenceAPI.all
    let found = apis.flatMap { $0.limits(named: name) }
    guard found.isEmpty else { return found }
    let known = apis.flatMap { $0.limits.map(\.name) + $0.operations.map(\.name) } + ["reads"]
    throw ServerError(unknown: "limit", name, among: known)
  }

  private static func window(_ text: Substring) -> Int64? {
    let units: [(String, Double)] = [("ms", 1e6), ("s", 1e9), ("m", 60e9), ("h", 3600e9)]
    for (unit, length) in units where text.hasSuffix(unit) {
      guard let count = Double(text.dropLast(unit.count)), 1...86400e9 ~= count * length else { return nil }
      return Int64(count * length)
    }
    return nil
  }
}

extension ReferenceAPI {
  /// The limits of its operations, each once.
  package var limits: [ReferenceLimit] {
    var seen: Set<ReferenceLimit> = []
    return operations.compactMap(\.limit).filter { seen.insert($0).inserted }
  }

  /// The limits of this name, of the operation of this name, or of all `reads`.
  func limits(named name: String) -> [ReferenceLimit] {
    if name == "reads" { return limits.filter(\.isRead) }
    let direct = limits.filter { $0.name == name }
    return direct.isEmpty ? operations.first { $0.name == name }.flatMap(\.limit).map { [$0] } ?? [] : direct
  }

  /// - Throws: for an override of another system's limit.
  func check(_ overrides: [LimitOverride]) throws(ServerError) {
    for override in overrides where !override.limits.contains(where: limits.contains) {
      throw ServerError(
        "\(name) has no rate limit \"\(override.name)\". Known: \(limits.map(\.name).joined(separator: ", ")).")
    }
  }
}

/// The rule of one limiter. All times in nanoseconds.
package struct LimiterRule: Sendable, Equatable {
  package var algorithm: LimiterAlgorithm
  /// Requests in a window; the burst of a token bucket.
  package var allowance: Int
  /// Nanoseconds.
  package var window: Int64
  /// Capacity of the token bucket; the other algorithms ignore it.
  package var burst: Int
  /// Wall clock minus monotonic clock, so that aligned windows begin at multiples of their length since 1970.
  package var wallOffset: Int64

  package init(
    algorithm: LimiterAlgorithm, allowance: Int, window: Int64, burst: Int? = nil, wallOffset: Int64 = 0
  ) {
    self.algorithm = algorithm
    self.allowance = allowance
    self.window = window
    self.burst = burst ?? allowance
    self.wallOffset = wallOffset
  }

  /// Number of the aligned window that contains `now`.
  func windowIndex(at now: Int64) -> Int64 {
    let wall = now + wallOffset
    return wall >= 0 ? wall / window : (wall - window + 1) / window
  }

  /// The time at which aligned window `index` begins, on the monotonic clock.
  func windowStart(_ index: Int64) -> Int64 { index * window - wallOffset }

  /// A counter without any request.
  func freshCounter() -> any RequestCounter {
    switch algorithm {
    case .fixed: FixedWindow()
    case .fixedAligned: AlignedWindow()
    case .slidingLog: SlidingLog()
    case .slidingCounter: SlidingCounter()
    case .tokenBucket: TokenBucket()
    }
  }
}

/// The algorithm of a limiter. All admit `allowance` requests per window; they differ in the definition of a window.
package enum LimiterAlgorithm: String, CaseIterable, Sendable {
  /// A window begins with the first request after the last one has ended.
  case fixed
  /// Windows begin at multiples of their length on the wall clock.
  case fixedAligned = "fixed-aligned"
  /// The window is one window length before each request.
  case slidingLog = "sliding-log"
  /// The last aligned window weighted by its part that is still in the sliding window, plus the current one.
  case slidingCounter = "sliding-counter"
  /// A bucket of `burst` tokens that is refilled evenly with `allowance` tokens per window.
  case tokenBucket = "token-bucket"
}

/// The state of a limiter for one key: a pure value that receives the time with each call.
///
/// Times are nanoseconds on a monotonic clock. Checking (`nextAdmission`) and counting (`record`) are separate, so that
/// the caller decides what happens between them. In a correct limiter, nothing happens between them.
protocol RequestCounter: Sendable {
  /// The time at which a request would next be admitted: `now` if immediately.
  mutating func nextAdmission(at now: Int64, under rule: LimiterRule) -> Int64

  /// Counts an admitted request.
  mutating func record(at now: Int64, under rule: LimiterRule)

  /// Counts a rejected request, for limiters that penalise early retries. Most count it as any other.
  mutating func recordRefusal(at now: Int64, under rule: LimiterRule)

  /// Requests that would still be admitted now, and the time at which there will be more of them.
  mutating func remaining(at now: Int64, under rule: LimiterRule) -> (requests: Int, reset: Int64)

  /// True if removing this counter changes nothing.
  func isIdle(at now: Int64, under rule: LimiterRule) -> Bool
}

extension RequestCounter {
  mutating func recordRefusal(at now: Int64, under rule: LimiterRule) { record(at: now, under: rule) }
}
