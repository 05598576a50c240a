import CPCRE2

/// Bounds a search through a long subject. PCRE2's match limit counts the backtracking from one start, and the starts
/// are as many as the subject has characters: `a*[bc]` on a megabyte of `a` never backtracks much, yet needs hours.
struct MatchDeadline {
  /// The search may last this long.
  static let allowance = ContinuousClock.Duration.milliseconds(200)
  /// Subjects up to this many bytes end soon enough without a deadline.
  static let unboundedSize = 8 << 10

  var end: ContinuousClock.Instant?
  private var calls = 0

  mutating func hasPassed() -> Bool {
    calls &+= 1
    guard calls & 15 == 0, let end else { return false }
    return ContinuousClock.now > end
  }
}

/// Called by PCRE2 at each start of a match, by the callout at the front of the pattern.
func checkDeadline(_ block: UnsafeMutablePointer<pcre2_callout_block_8>?, _ data: UnsafeMutableRawPointer?) -> Int32 {
  guard let deadline = data?.assumingMemoryBound(to: MatchDeadline.self) else { return 0 }
  return deadline.pointee.hasPassed() ? PCRE2_ERROR_CALLOUT : 0
}
