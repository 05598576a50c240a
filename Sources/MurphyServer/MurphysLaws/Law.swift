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
