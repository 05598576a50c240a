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

/// The author to whom a law is attributed.
struct Attribution: Sendable, Equatable {
  struct Contact: Sendable, Equatable {
    /// `url` or `email`, as named in the API and the database.
    var type: String
    var value: String
  }

  var id: Int
  var name: String
  /// Nil without a contact.
  var contact: Contact?
}

/// A proposed law.
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

/// The numbers of votes for and against a law.
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

enum VoteDirection: String, Sendable {
  case up, down
}

/// A vote that is given, changed or (without a direction) removed.
struct Vote: Sendable {
  var direction: VoteDirection?
  var law: Int
  var voter: String
}
