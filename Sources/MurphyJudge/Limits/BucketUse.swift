import MurphyModel

/// When the admissions of one key emptied a token bucket.
///
/// A bucket that is never empty also admits more than its burst within the time in which it fills. So only admissions
/// faster than its rate show that a rejection came from an empty bucket: for some i, the admissions from request i until
/// the rejection are at least L - 1 and the tokens that were added meanwhile.
struct BucketUse {
  private let trace: LimitTrace
  private let burst: Double
  private let rate: Double
  /// For each admission, the maximum of `settled · rate - index` up to it.
  private var peaks: [Double] = []

  /// Nil for another algorithm than a token bucket, and for a limit with costs.
  init?(_ trace: LimitTrace, _ policy: LimitPolicy) {
    guard policy.algorithm == .tokenBucket, policy.cost == nil, policy.window.inSeconds > 0 else { return nil }
    self.trace = trace
    burst = Double(policy.allowance)
    rate = burst / policy.window.inSeconds
    var peak = -Double.infinity
    for (index, settled) in trace.certainSettled.enumerated() {
      peak = max(peak, settled * rate - Double(index))
      peaks.append(peak)
    }
  }

  /// True if the declared bucket may have been empty after these admissions, without requests of others.
  ///
  /// The limiter decided at one time. Only the admissions and the tokens until then count, so each possible time is
  /// tried.
  func isEmpty(at refusal: LimitTrace.Request) -> Bool {
    let first = trace.certainSent.count(upTo: refusal.sent)
    return (first...max(first, trace.certainSent.count(upTo: refusal.settled))).contains { count in
      guard count > 0 else { return false }
      let decided = max(refusal.sent, trace.certainSent[count - 1])
      return peaks[count - 1] + Double(count) >= burst - 1 + decided * rate
    }
  }
}
