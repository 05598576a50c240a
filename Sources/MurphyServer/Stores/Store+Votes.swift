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

/// A vote given, moved or (with no direction) taken back.
struct Vote: Sendable {
  var direction: VoteDirection?
  var law: Int
  var voter: String
}

extension Store {
  /// Counts the one vote of a voter on a law, in one transaction.
  /// - Returns: the counts afterwards, or nil without such a law.
  func vote(_ vote: Vote) throws -> VoteCounts? {
    try database.writeWithoutTransaction { database in
      var counts: VoteCounts?
      try database.inTransaction(.immediate) {
        counts = try Self.count(vote, database)
        return .commit
      }
      return counts
    }
  }

  func counts(of law: Int) throws -> VoteCounts? {
    try database.unsafeRead { try Self.counts($0, of: law) }
  }

  /// Counts a vote within a transaction of the caller.
  static func count(_ vote: Vote, _ database: Database) throws -> VoteCounts? {
    let old = try direction(of: vote, database)
    if old != vote.direction {
      guard try changeCounts(database, law: vote.law, from: old, to: vote.direction) else { return nil }
      try remember(vote, database)
    }
    return try counts(database, of: vote.law)
  }

  /// The vote that the voter has given before.
  static func direction(of vote: Vote, _ database: Database) throws -> VoteDirection? {
    try String.fetchOne(
      try database.cachedStatement(sql: "SELECT direction FROM votes WHERE law_id = ? AND voter = ?"),
      arguments: [vote.law, vote.voter]
    ).flatMap(VoteDirection.init)
  }

  /// Remembers who has voted how, and counts nothing.
  static func remember(_ vote: Vote, _ database: Database) throws {
    guard let direction = vote.direction else {
      let statement = try database.cachedStatement(sql: "DELETE FROM votes WHERE law_id = ? AND voter = ?")
      return try statement.execute(arguments: [vote.law, vote.voter])
    }
    try database.cachedStatement(
      sql: "INSERT INTO votes VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET direction = excluded.direction"
    ).execute(arguments: [vote.law, vote.voter, direction.rawValue])
  }

  private static func counts(_ database: Database, of law: Int) throws -> VoteCounts? {
    try Row.fetchOne(
      try database.cachedStatement(sql: "SELECT upvotes, downvotes FROM laws WHERE id = ?"), arguments: [law]
    ).map { VoteCounts(upvotes: $0[0], downvotes: $0[1]) }
  }

  private static func changeCounts(
    _ database: Database, law: Int, from old: VoteDirection?, to new: VoteDirection?
  ) throws -> Bool {
    func change(_ direction: VoteDirection) -> Int { (new == direction ? 1 : 0) - (old == direction ? 1 : 0) }
    try database.cachedStatement(
      sql: "UPDATE laws SET upvotes = max(upvotes + ?, 0), downvotes = max(downvotes + ?, 0) WHERE id = ?"
    ).execute(arguments: [change(.up), change(.down), law])
    return database.changesCount == 1
  }
}
