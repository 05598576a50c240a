/// A rate limit as somebody promised it: so many requests, in so long, counted by a key.
public struct LimitPolicy: Sendable, Hashable, Codable {
  /// Who promised it.
  public enum Source: String, Sendable, Hashable, Codable { case scenario, contract, headers, probe }

  /// The scenario's name for it: an operationId, a group, or `*`.
  public var name: String
  /// The operationIds that share one counter; empty for the whole API.
  public var operations: [String]
  public var algorithm: LimitAlgorithm
  /// Requests that a window admits; the burst of a token bucket.
  public var allowance: Int
  /// The window's length; for a token bucket the time that an empty bucket takes to fill.
  public var window: Duration
  public var key: LimitKey
  /// Nobody said by what it counts; `key` is the usual choice, and no verdict may rest on it where clients differ.
  public var keyIsAssumed = false
  public var counts: LimitCounting
  /// An answer that matches any of these is a refusal.
  public var refusals: [RefusalRule]
  /// The coarsest step of the limiter's clock, where it is known (`int(time.time())` and Redis `EXPIRE`: 1 s).
  /// Nil: every violation must also hold for a clock as coarse as the window's length allows, at most 1 s.
  public var tick: Duration?
  /// Aligned windows begin at whole multiples of the window since the epoch on the server's clock.
  public var alignedToEpoch: Bool
  public var declaredBy: Source
  /// What of it a run must have tested for the policy to count as kept; nil for all.
  public var tested: [LimitAspect]?

  public init(
    name: String, operations: [String], algorithm: LimitAlgorithm = .any, allowance: Int, window: Duration,
    key: LimitKey, counts: LimitCounting = LimitCounting(), refusals: [RefusalRule] = [.tooManyRequests],
    tick: Duration? = nil, alignedToEpoch: Bool = false, declaredBy: Source = .scenario
  ) {
    self.name = name
    self.operations = operations
    self.algorithm = algorithm
    self.allowance = allowance
    self.window = window
    self.key = key
    self.counts = counts
    self.refusals = refusals
    self.tick = tick
    self.alignedToEpoch = alignedToEpoch
    self.declaredBy = declaredBy
  }

  /// A token bucket: `burst` at once, `rate` for ever.
  public init(
    name: String, operations: [String], rate: Rate, burst: Int, key: LimitKey, counts: LimitCounting = LimitCounting(),
    refusals: [RefusalRule] = [.tooManyRequests], tick: Duration? = nil, declaredBy: Source = .scenario
  ) {
    self.init(
      name: name, operations: operations, algorithm: .tokenBucket, allowance: burst,
      window: .saturating(seconds: Double(burst) / rate.perSecond), key: key, counts: counts, refusals: refusals,
      tick: tick,
      declaredBy: declaredBy)
  }

  /// Whether the policy counts as kept only if this was tested.
  public func requires(_ aspect: LimitAspect) -> Bool { tested?.contains(aspect) ?? true }

  /// Allowance over window.
  public var rate: Rate { Rate(perSecond: Double(allowance) / window.inSeconds) }

  /// `30 per 60s, fixed window, key x-device-id`; `burst 30 at 0.5/s, token bucket, key address`
  public var text: String {
    let amount =
      algorithm == .tokenBucket ? "burst \(allowance) at \(rate.text)" : "\(allowance) per \(windowText)"
    return "\(amount), \(algorithm.text), key \(keyIsAssumed ? "not stated" : key.text)"
  }

  /// The window in seconds up to two minutes, so that `60s` stays what people write.
  public var windowText: String {
    let seconds = window.inSeconds
    return seconds <= 120 && seconds == seconds.rounded() ? "\(Int(seconds))s" : window.text
  }

  /// Whether an answer is this policy's kind of refusal.
  public func refuses(status: Int, headers: [HeaderField]) -> Bool {
    refusals.contains { $0.matches(status: status, headers: headers) }
  }

  /// Whether requests of the operation are counted.
  public func covers(_ operation: String) -> Bool { operations.isEmpty || operations.contains(operation) }
}
