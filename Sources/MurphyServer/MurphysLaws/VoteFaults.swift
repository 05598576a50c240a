import Dispatch
import GRDB

/// The faults of counting votes. They change the database themselves: the store counts correctly.
extension Fault {
  static let voteFaults = [
    Fault(
      "lost-vote", .state, on: .voteLaw, frequency: .oneIn(4), "one vote in 4 is confirmed but not stored",
      .at(\.laws.vote, with: \.laws) { store, vote, _ in try store.pretend(vote) }),
    Fault(
      "double-vote", .state, on: .voteLaw, frequency: .oneIn(4), "one vote in 4 is counted twice",
      .at(\.laws.vote, with: \.laws) { store, vote, _ in try store.vote(vote) { $0 != $1 ? $1 : nil } }),
    Fault(
      "repeat-vote", .state, on: .voteLaw, "a repeated vote is counted again",
      .at(\.laws.vote, with: \.laws) { store, vote, _ in try store.vote(vote) { $0 == $1 ? $1 : nil } }),
    Fault(
      "repeat-takes-back", .state, on: .voteLaw, "a repeated vote removes the first vote",
      .at(\.laws.vote, with: \.laws) { store, vote, _ in try store.toggle(vote) }),
    Fault(
      "wrong-law-vote", .state, on: .voteLaw, frequency: .oneIn(4), "one vote in 4 is stored for the next law",
      .at(\.laws.vote, with: \.laws) { store, vote, _ in
        var neighbour = vote
        neighbour.law = vote.law == Catalogue.lawCount ? 1 : vote.law + 1
        _ = try store.vote(neighbour)
        return try store.pretend(vote)
      }),
    Fault(
      "vote-flips-back", .state, on: .voteLaw, "a vote is undone one second after it was confirmed",
      .at(\.laws.vote, with: \.laws) { store, vote, rest in
        let counts = try await rest(vote)
        // On a thread of its own: a task would wait until other tasks of a busy process let it run.
        undoing.asyncAfter(deadline: .now() + 1) {
          _ = try? store.vote(Vote(direction: nil, law: vote.law, voter: vote.voter))
        }
        return counts
      }),
    Fault(
      "vote-race", .state, "counts are written 20 ms after they are read, so that concurrent votes are lost",
      .at(\.laws.vote, with: \.laws) { store, vote, _ in try await store.race(vote) }),
    Fault(
      "removed-vote-stays", .state, on: .removeVote, "removeVote confirms the removal but keeps the vote",
      .at(\.laws.vote, with: \.laws) { store, vote, _ in try store.counts(of: vote.law) }),
    Fault(
      "limit-silent", .limits, "rejected votes get status 200 and the current counts",
      .at(\.refusal, with: \.laws) { store, refusal, rest in
        guard refusal.limit == .votes, let law = refusal.caller.law, let counts = try store.counts(of: law) else {
          return try await rest(refusal)
        }
        return .voteCounts(counts)
      }),
    Fault(
      "changed-vote-adds", .state, on: .voteLaw, "a changed vote counts both up and down",
      .at(\.laws.vote, with: \.laws) { store, vote, _ in try store.vote(vote) { $0 != $1 ? $0 : nil } }),
    Fault(
      "refused-vote-counted", .state, on: .voteLaw, "a vote that the limiter rejects is stored as an upvote",
      .at(\.refusal, with: \.laws) { store, refusal, rest in
        if refusal.limit == .votes, let law = refusal.caller.law {
          _ = try store.vote(Vote(direction: .up, law: law, voter: refusal.caller.name))
        }
        return try await rest(refusal)
      }),
    Fault(
      "votes-written-late", .state, "votes are confirmed immediately and stored 300 ms later",
      .at(\.laws.vote, with: \.laws) { store, vote, _ in
        Task {
          try await Task.sleep(for: .milliseconds(300))
          _ = try store.vote(vote)
        }
        return try store.pretend(vote)
      }),
  ]
}

private let undoing = DispatchQueue(label: "vote-flips-back")

extension LawStore {
  /// The counts after a vote; nothing is stored.
  fileprivate func pretend(_ vote: Vote) throws -> VoteCounts? {
    try database.writeWithoutTransaction { database in
      var counts: VoteCounts?
      try database.inTransaction(.immediate) {
        counts = try Self.count(vote, database)
        return .rollback
      }
      return counts
    }
  }

  /// Counts a vote, or removes it if the voter has given it before.
  fileprivate func toggle(_ vote: Vote) throws -> VoteCounts? {
    try database.write { database in
      var vote = vote
      if try Self.direction(of: vote, database) == vote.direction { vote.direction = nil }
      return try Self.count(vote, database)
    }
  }

  /// Counts a vote, and one more for the side that `more` selects, by the old and the new direction.
  fileprivate func vote(
    _ vote: Vote, andMore more: @Sendable (VoteDirection?, VoteDirection?) -> VoteDirection?
  ) throws -> VoteCounts? {
    try database.write { database in
      let old = try Self.direction(of: vote, database)
      guard var counts = try Self.count(vote, database) else { return nil }
      guard let side = more(old, vote.direction) else { return counts }
      counts.add(1, to: side)
      try Self.set(counts, of: vote.law, database)
      return counts
    }
  }

  /// Reads the counts, waits, and writes the counts read plus one: a concurrent update is lost.
  fileprivate func race(_ vote: Vote) async throws -> VoteCounts? {
    let old = try exchange(vote)
    guard var counts = try counts(of: vote.law) else { return nil }
    try await Task.sleep(for: .milliseconds(20))
    counts.add(1, to: vote.direction)
    counts.add(-1, to: old)
    let written = VoteCounts(upvotes: max(counts.upvotes, 0), downvotes: max(counts.downvotes, 0))
    try set(written, of: vote.law)
    return written
  }

  private func set(_ counts: VoteCounts, of law: Int) throws {
    try database.write { try Self.set(counts, of: law, $0) }
  }

  /// Stores a vote without counting it; returns the earlier vote.
  private func exchange(_ vote: Vote) throws -> VoteDirection? {
    try database.write { database in
      let old = try Self.direction(of: vote, database)
      try Self.remember(vote, database)
      return old
    }
  }

  /// Overwrites the counts of a law, regardless of changes in the meantime.
  private static func set(_ counts: VoteCounts, of law: Int, _ database: Database) throws {
    try database.execute(
      sql: "UPDATE laws SET upvotes = ?, downvotes = ? WHERE id = ?",
      arguments: [counts.upvotes, counts.downvotes, law])
  }
}

extension Caller {
  /// The law in the path.
  fileprivate var law: Int? { path.split(separator: "/").lazy.compactMap { Int($0) }.first }
}
