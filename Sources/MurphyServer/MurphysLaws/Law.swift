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

/// The parameters of `listLaws`, read and validated.
struct LawQuery: Sendable, Hashable {
  enum Sort: String, CaseIterable, Sendable {
    case score, upvotes, downvotes, createdAt = "created_at", title, id
  }

  static let largestPage = 25

  var limit = LawQuery.largestPage
  var offset = 0
  /// In lower case; empty for all.
  var text = ""
  var categoryID: Int?
  var attribution: String?
  var sort = Sort.score
  var ascending = false
}

/// The result of `listLaws`.
struct LawPage: Sendable, Equatable {
  var laws: [Law]
  /// The laws of all pages.
  var total: Int
}

extension LawQuery {
  /// The parameters that determine the number of matching laws.
  var filter: LawQuery { LawQuery(text: text, categoryID: categoryID, attribution: attribution) }

  /// Reads the query string. An undocumented parameter is ignored; of a repeated one, the last value counts.
  init(_ parameters: QueryString) throws(APIError) {
    for (name, value) in parameters.pairs {
      switch name {
      case "limit": limit = try QueryString.integer(value, name, 1...Self.largestPage)
      case "offset": offset = try QueryString.integer(value, name, 0...1_000_000)
      case "category_id": categoryID = try QueryString.integer(value, name, 1...1_000_000)
      case "q":
        guard value.unicodeScalars.count <= 200 else {
          throw .invalid(name, "q must have at most 200 characters.")
        }
        text = value.asciiLowercased
      case "attribution":
        guard 1...100 ~= value.unicodeScalars.count else {
          throw .invalid(name, "attribution must have 1 to 100 characters.")
        }
        attribution = value.asciiLowercased
      case "sort":
        guard let known = Sort(rawValue: value) else {
          throw .invalid(name, "sort must be one of \(Sort.allCases.map(\.rawValue).joined(separator: ", ")).")
        }
        sort = known
      case "order":
        guard value == "asc" || value == "desc" else { throw .invalid(name, "order must be asc or desc.") }
        ascending = value == "asc"
      default: break
      }
    }
  }
}
