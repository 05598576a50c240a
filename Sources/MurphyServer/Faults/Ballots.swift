/// The counting of votes, honest or as the faults would have it.
struct Ballots: Sendable {
  let store: Store
  let faults: FaultPlan

  /// Gives, moves or (with nil) takes back a vote on a law that exists.
  func cast(_ direction: VoteDirection?, on law: Int, by voter: String) async throws -> VoteCounts {
    if faults.has(.voteRace) { return try await race(direction, on: law, by: voter) }
    if direction == nil, faults.has(.removedVoteStays) { return try counted(store.counts(of: law), law) }
    if direction != nil, faults.strikes(.lostVote, oneIn: 4) {
      return try counted(store.vote(direction, on: law, by: voter, commits: false), law)
    }
    if direction != nil, faults.strikes(.wrongLawVote, oneIn: 4) {
      let neighbour = law == Catalogue.lawCount ? 1 : law + 1
      _ = try store.vote(direction, on: neighbour, by: voter)
      return try counted(store.vote(direction, on: law, by: voter, commits: false), law)
    }
    let weight = direction != nil && faults.strikes(.doubleVote, oneIn: 4) ? 2 : 1
    let counts = try store.vote(
      direction, on: law, by: voter, weight: weight, countsRepeats: faults.has(.repeatVote))
    if direction != nil, faults.has(.voteFlipsBack) { takeBackLater(law, voter) }
    return try counted(counts, law)
  }

  /// Reads the counts, waits, and writes what it has read plus one: the update that came between is lost.
  private func race(_ direction: VoteDirection?, on law: Int, by voter: String) async throws -> VoteCounts {
    let old = try store.storeVote(direction, on: law, by: voter)
    var counts = try counted(store.counts(of: law), law)
    try await Task.sleep(for: .milliseconds(20))
    counts.upvotes += (direction == .up ? 1 : 0) - (old == .up ? 1 : 0)
    counts.downvotes += (direction == .down ? 1 : 0) - (old == .down ? 1 : 0)
    counts = VoteCounts(upvotes: max(counts.upvotes, 0), downvotes: max(counts.downvotes, 0))
    try store.setCounts(counts, of: law)
    return counts
  }

  private func takeBackLater(_ law: Int, _ voter: String) {
    Task {
      try await Task.sleep(for: .seconds(1))
      _ = try store.vote(nil, on: law, by: voter)
    }
  }

  private func counted(_ counts: VoteCounts?, _ law: Int) throws(APIError) -> VoteCounts {
    guard let counts else { throw .notFound("There is no law \(law).") }
    return counts
  }
}
