import MurphyModel

/// Decides over all loops whether the target has been silent for so long that the load should end.
///
/// Silence means that requests were under way or failing and none was answered. A quiet load is not silence, and
/// neither are fewer than three requests: one slow answer is not an outage. Where answers have taken long before, the
/// wait is at least twice as long as the longest of them.
package struct SilenceWatch {
  /// Nanoseconds.
  let abortAfter: Int64
  /// The look that first saw the silence, and what it was told then.
  private var first: (at: Int64, published: Int64)?

  private static let fewest = 3
  /// A silence counts when two looks that lie so far apart saw it: murphy itself may have been asleep before one.
  private static let confirmation: Int64 = 1_000_000_000

  package init(abortAfter: Duration) { self.abortAfter = abortAfter.nanoseconds }

  /// - Parameters:
  ///   - loops: what each loop published last; none may be missing.
  ///   - now: nanoseconds since the load began.
  package mutating func isOver(_ loops: [LoopVitals], at now: Int64) -> Bool {
    let published = loops.map(\.published).min() ?? 0
    guard silence(loops, published) >= max(abortAfter, 2 * (loops.map(\.longestService).max() ?? 0)) else {
      first = nil
      return false
    }
    guard let first else {
      first = (now, published)
      return false
    }
    return now - first.at >= Self.confirmation && published > first.published
  }

  /// How long requests were under way or failing without an answer, nanoseconds.
  private func silence(_ loops: [LoopVitals], _ published: Int64) -> Int64 {
    guard let began = loops.compactMap(\.silentSince).min(),
      loops.reduce(0, { $0 + $1.inFlight + $1.lost }) >= Self.fewest
    else { return 0 }
    let from = max(began, loops.compactMap(\.lastSign).max() ?? began)
    let isWaiting = loops.contains { $0.inFlight > 0 }
    let until = isWaiting ? published : min(loops.compactMap(\.lastLoss).max() ?? from, published)
    return until - from
  }
}
