import Synchronization

/// A copy of the vote counts that is refreshed only when it is three seconds old.
final class LaggingReplica: Sendable {
  private let copies = Mutex<[Int: (counts: VoteCounts, taken: Int64)]>([:])

  func counts(of law: Law) -> VoteCounts {
    let now = MonotonicClock.now()
    return copies.withLock { copies in
      if let copy = copies[law.id], now - copy.taken < 3_000_000_000 { return copy.counts }
      let counts = VoteCounts(upvotes: law.upvotes, downvotes: law.downvotes)
      copies[law.id] = (counts, now)
      return counts
    }
  }
}
