import GRDB

/// How many voted for and against a law.
struct VoteCounts: Sendable, Equatable {
  var upvotes: Int
  var downvotes: Int
}

/// A vote's direction.
enum VoteDirection: String, Sendable {
  case up, down
}

extension Store {
  /// Gives, moves or (with nil) takes back the one vote of `voter` on a law, in one transaction.
  /// - Parameter weight: how often a change of the vote counts: 1 if all is well.
  /// - Parameter countsRepeats: whether the same vote given again counts again, as it must not.
  /// - Parameter commits: whether the transaction is committed; without, the counts are those that would have been.
  /// - Returns: the counts afterwards, or nil without such a law.
  func vote(
    _ direction: VoteDirection?, on law: Int, by voter: String, weight: Int = 1, countsRepeats: Bool = false,
    commits: Bool = true
  ) throws -> VoteCounts? {
    try database.writeWithoutTransaction { database in
      var counts: VoteCounts?
      try database.inTransaction(.immediate) {
        counts = try Self.vote(database, direction, law, voter, weight: weight, countsRepeats: countsRepeats)
        return commits ? .commit : .rollback
      }
      return counts
    }
  }

  private static func vote(
    _ database: Database, _ direction: VoteDirection?, _ law: Int, _ voter: String, weight: Int, countsRepeats: Bool
  ) throws -> VoteCounts? {
    let old = try String.fetchOne(
      try database.cachedStatement(sql: "SELECT direction FROM votes WHERE law_id = ? AND voter = ?"),
      arguments: [law, voter]
    ).flatMap(VoteDirection.init)
    if old != direction {
      guard try changeCounts(database, law: law, from: old, to: direction, weight: weight) else { return nil }
      try store(database, direction, law: law, voter: voter)
    } else if countsRepeats, direction != nil {
      _ = try changeCounts(database, law: law, from: nil, to: direction, weight: 1)
    }
    return try counts(database, of: law)
  }

  func counts(of law: Int) throws -> VoteCounts? {
    try database.unsafeRead { try Self.counts($0, of: law) }
  }

  /// Overwrites the counts of a law, whatever they have become meanwhile.
  func setCounts(_ counts: VoteCounts, of law: Int) throws {
    try database.write { database in
      try database.execute(
        sql: "UPDATE laws SET upvotes = ?, downvotes = ? WHERE id = ?",
        arguments: [counts.upvotes, counts.downvotes, law])
    }
  }

  /// Remembers a vote without counting it.
  func storeVote(_ direction: VoteDirection?, on law: Int, by voter: String) throws -> VoteDirection? {
    try database.write { database in
      let old = try String.fetchOne(
        database, sql: "SELECT direction FROM votes WHERE law_id = ? AND voter = ?", arguments: [law, voter]
      ).flatMap(VoteDirection.init)
      try Self.store(database, direction, law: law, voter: voter)
      return old
    }
  }

  private static func counts(_ database: Database, of law: Int) throws -> VoteCounts? {
    try Row.fetchOne(
      try database.cachedStatement(sql: "SELECT upvotes, downvotes FROM laws WHERE id = ?"), arguments: [law]
    ).map { VoteCounts(upvotes: $0[0], downvotes: $0[1]) }
  }

  private static func changeCounts(
    _ database: Database, law: Int, from old: VoteDirection?, to new: VoteDirection?, weight: Int
  ) throws -> Bool {
    func change(_ direction: VoteDirection) -> Int {
      (new == direction ? weight : 0) - (old == direction ? 1 : 0)
    }
    try database.cachedStatement(
      sql: "UPDATE laws SET upvotes = max(upvotes + ?, 0), downvotes = max(downvotes + ?, 0) WHERE id = ?"
    ).execute(arguments: [change(.up), change(.down), law])
    return database.changesCount == 1
  }

  private static func store(
    _ database: Database, _ direction: VoteDirection?, law: Int, voter: String
  ) throws {
    guard let direction else {
      let statement = try database.cachedStatement(sql: "DELETE FROM votes WHERE law_id = ? AND voter = ?")
      return try statement.execute(arguments: [law, voter])
    }
    try database.cachedStatement(
      sql: "INSERT INTO votes VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET direction = excluded.direction"
    ).execute(arguments: [law, voter, direction.rawValue])
  }
}
