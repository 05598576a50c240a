import MurphyModel

/// How a loop fared; all spans in nanoseconds.
package struct LoopFigures: Sendable {
  /// Longer away than this is a stall: answers that came in the meantime were measured too late.
  package static let stall: Int64 = 50_000_000

  /// Times that the loop was away for longer than `stall`: from its epoll set, or asleep long after a deadline, as when
  /// the process was stopped.
  package var stalls = 0
  package var longestAway: Int64 = 0
  /// When the loop was away for longer than `absence`; the first `mostAbsences`.
  package private(set) var absences: [ClosedRange<Instant>] = []
  private static let absence: Int64 = 100_000_000
  private static let mostAbsences = 1_000

  /// The loop did not look at its descriptors and deadlines in between, though it should have.
  mutating func noteAway(from begin: Instant, to end: Instant) {
    let away = end - begin
    longestAway = max(longestAway, away)
    if away > Self.stall { stalls += 1 }
    if away > Self.absence, absences.count < Self.mostAbsences { absences.append(begin...end) }
  }
  /// CPU time of the loop's thread since it began.
  package var cpu: Int64 = 0
  package var turns = 0
}
