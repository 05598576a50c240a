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
