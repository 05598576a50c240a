/// What `listLaws` is asked for, read and checked.
struct LawQuery: Sendable, Equatable {
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
