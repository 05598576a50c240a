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
