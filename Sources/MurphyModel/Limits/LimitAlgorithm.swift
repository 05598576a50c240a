/// How a limiter decides. The names are those of the scenario language.
public enum LimitAlgorithm: String, Sendable, Codable, Hashable, CaseIterable {
  /// A window begins with the first request that it counts and lasts for the window's length.
  case fixed
  /// Windows follow one another without a gap, whoever asks when: every full minute, say.
  case fixedAligned = "fixed-aligned"
  /// At most the allowance in any span as long as the window: every admission is remembered.
  case slidingLog = "sliding-log"
  /// Two aligned counters, the older weighted by how much of it the sliding window still covers.
  case slidingCounter = "sliding-counter"
  /// Tokens return at a constant rate into a bucket as large as the burst (also GCRA, leaky bucket as a meter).
  case tokenBucket = "token-bucket"
  /// Not said: only what no algorithm of the five could do is a violation.
  case any

  /// The five that can be checked one by one.
  public static let concrete: [LimitAlgorithm] = [.fixed, .fixedAligned, .slidingLog, .slidingCounter, .tokenBucket]

  /// As it reads in a sentence.
  public var text: String {
    switch self {
    case .fixed: "fixed window"
    case .fixedAligned: "aligned fixed window"
    case .slidingLog: "sliding log"
    case .slidingCounter: "sliding counter"
    case .tokenBucket: "token bucket"
    case .any: "any algorithm"
    }
  }
}
