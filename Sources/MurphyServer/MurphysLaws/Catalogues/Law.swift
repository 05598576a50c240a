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
  enum Contact: Sendable, Equatable {
    case url(String)
    case email(String)
  }

  var id: Int
  var name: String
  /// Nil if they cannot be reached.
  var contact: Contact?
}

extension Attribution {
  /// The kind of contact as the API and the database name it.
  var contactType: String? {
    switch contact {
    case .url: "url"
    case .email: "email"
    case nil: nil
    }
  }

  var contactValue: String? {
    switch contact {
    case .url(let value), .email(let value): value
    case nil: nil
    }
  }
}
