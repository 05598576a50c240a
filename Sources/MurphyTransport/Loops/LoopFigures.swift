/// How a loop fared; all spans in nanoseconds.
package struct LoopFigures: Sendable {
  /// Longer away than this is a stall: answers that came in the meantime were measured too late.
  package static let stall: Int64 = 50_000_000

  /// Times that the loop was away from its epoll set for longer than `stall`.
  package var stalls = 0
  package var longestAway: Int64 = 0
  /// CPU time of the loop's thread since it began.
  package var cpu: Int64 = 0
  package var turns = 0
}
