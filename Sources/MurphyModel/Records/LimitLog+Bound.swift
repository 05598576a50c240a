/// What a limit log keeps of a long run: its beginning, in full, so that what is proven from it stays proven.
extension LimitLog {
  /// The most that a log keeps.
  package struct Bound: Sendable {
    package var observations: Int
    package var identities: Int
    /// Bytes of different header sets.
    package var headers: Int

    /// About 250 MB of a run together.
    package static let usual = Bound(observations: 2_000_000, identities: 500_000, headers: 64_000_000)

    /// The part of one loop of several.
    package func share(of loops: Int) -> Bound {
      Bound(
        observations: max(observations / max(loops, 1), 1), identities: max(identities / max(loops, 1), 1),
        headers: max(headers / max(loops, 1), 1))
    }
  }

  /// Whether one more would be too much; 48 bytes each.
  package func isFull(_ bound: Bound) -> Bool {
    end != nil || observations.count >= bound.observations || identities.count >= bound.identities
      || headerSets.byteCount >= bound.headers
  }

  /// Counts a request that is not kept.
  package mutating func leaveOut(sent: Instant) {
    leftOut += 1
    end = end.map { min($0, sent) } ?? sent
  }

  /// What another log of the same run lacks, this one lacks with it.
  package mutating func takeGap(of other: LimitLog) {
    leftOut += other.leftOut
    if let otherEnd = other.end { end = end.map { min($0, otherEnd) } ?? otherEnd }
  }

  /// Leaves out all that was sent since the first request that was left out: what is kept has no gap.
  package mutating func cut() {
    guard let end else { return }
    let all = observations.count
    observations.removeAll { $0.sent >= end }
    leftOut += all - observations.count
  }
}
