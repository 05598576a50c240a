/// A published law.
struct Law: Sendable, Equatable {
  var id: Int
  var text: String
  var title: String?
  var categoryID: Int
  var upvotes: Int
  var downvotes: Int
  /// RFC 3339, UTC.
  var createdAt: String
  var attributions: [Attribution]
}

/// Who is credited with a law.
struct Attribution: Sendable, Equatable {
  struct Contact: Sendable, Equatable {
    /// `url` or `email`, as the API and the database name it.
    var type: String
    var value: String
  }

  var id: Int
  var name: String
  /// Nil if they cannot be reached.
  var contact: Contact?
}

/// A law that somebody proposes.
struct Submission: Sendable, Equatable {
  var text: String
  var title: String?
  var author: String?
  var email: String?
  var categoryID: Int
}

/// A category with the number of its published laws.
struct Category: Sendable, Equatable {
  var id: Int
  var title: String
  var slug: String
  var description: String?
  var lawCount: Int
}

/// An attribution with the number of its published laws.
struct CreditedAttribution: Sendable, Equatable {
  var attribution: Attribution
  var lawCount: Int
}

/// How many voted for and against a law.
struct VoteCounts: Sendable, Equatable {
  var upvotes: Int
  var downvotes: Int

  mutating func add(_ votes: Int, to side: VoteDirection?) {
    switch side {
    case .up: upvotes += votes
    case .down: downvotes += votes
    case nil: break
    }
  }
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
