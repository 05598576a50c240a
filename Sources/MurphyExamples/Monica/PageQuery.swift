import Foundation
import Hummingbird
import MurphyServer

/// The parameters of a list request, read and validated.
struct PageQuery: Sendable, Equatable {
  enum Sort: String, CaseIterable, Sendable {
    case id
    case firstName = "first_name"
    case lastName = "last_name"
    case createdAt = "created_at"
    case updatedAt = "updated_at"
  }

  static let largestPage = 100

  /// From 1.
  var page: Int
  var limit: Int
  var sort: Sort
  var isDescending = false
  /// The text to search for; nil for all.
  var text: String?
  /// The contact of the items; nil for contacts.
  var contact: Int?
  /// `http://127.0.0.1:8080`
  var origin: String
  /// The address of the list without its query.
  var path: String

  /// - Parameters:
  ///   - contact: the contact of the items; nil for none.
  ///   - sort: the default sort key.
  ///   - others: other allowed sort keys.
  ///   - isSearched: true if there is a parameter `query`.
  init(
    _ request: Request, contact: Int? = nil, sort: Sort, or others: [Sort] = [], isSearched: Bool = false
  ) throws(APIError) {
    self.sort = sort
    let query = QueryString(request.uri.query)
    page = try query.integer("page", 1...1_000_000) ?? 1
    limit = try query.integer("limit", 1...1_000_000) ?? 10
    guard limit <= Self.largestPage else { throw .named("limit", "The limit parameter is too big") }
    if let text = query["sort"] {
      isDescending = text.hasPrefix("-")
      guard let known = Sort(rawValue: String(text.drop { $0 == "-" })), (others + [sort]).contains(known),
        text.count(where: { $0 == "-" }) <= 1
      else { throw .named("sort", "The sorting criteria is invalid") }
      self.sort = known
    }
    if isSearched, let needle = query["query"], !needle.isEmpty {
      guard needle.unicodeScalars.count <= 200, !needle.utf8.contains(0) else {
        throw .invalid("query", "Invalid parameters")
      }
      text = needle
    }
    self.contact = contact
    origin = request.origin
    path = origin + request.uri.path
  }

  /// The number of rows by which the page begins too late; 0 in a correct server.
  var shift = 0

  var offset: Int { (page - 1) * limit + shift }

  /// The address of a page of this list, with all its parameters.
  func address(of page: Int) -> String {
    var parameters = ["page=\(page)", "limit=\(limit)", "sort=\(isDescending ? "-" : "")\(sort.rawValue)"]
    if let text {
      let allowed = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "-._~"))
      parameters.append("query=" + (text.addingPercentEncoding(withAllowedCharacters: allowed) ?? ""))
    }
    return path + "?" + parameters.joined(separator: "&")
  }
}

extension Request {
  /// The origin under which the client reached the server: `http://127.0.0.1:8080`.
  var origin: String { "http://" + (head.authority ?? "127.0.0.1") }
}

/// The result of the store for a page.
struct FoundPage<Item: Sendable>: Sendable {
  var items: [Item]
  /// The items of all pages.
  var total: Int
}

/// The page information in a response: `links` and `meta` in the form of Laravel's paginator.
struct PageFrame: Sendable, Equatable {
  var query: PageQuery
  var total: Int
  /// Items on this page.
  var count: Int
  var currentPage: Int
  var perPage: Int
  var lastPage: Int
  var previous: Int?
  var next: Int?

  init(_ query: PageQuery, total: Int, count: Int) {
    self.query = query
    self.total = total
    self.count = count
    (currentPage, perPage) = (query.page, query.limit)
    lastPage = max(1, (total + query.limit - 1) / query.limit)
    previous = query.page > 1 ? query.page - 1 : nil
    next = query.page < lastPage ? query.page + 1 : nil
  }
}

extension JSONWriter {
  mutating func frame(_ frame: PageFrame) {
    let query = frame.query
    member("links") { json in
      json.member("first", query.address(of: 1))
      json.member("last", query.address(of: frame.lastPage))
      json.member("prev", frame.previous.map(query.address(of:)))
      json.member("next", frame.next.map(query.address(of:)))
    }
    member("meta") { json in
      let from = frame.count == 0 ? nil : (query.page - 1) * query.limit + 1
      json.member("current_page", frame.currentPage)
      json.member("from", from)
      json.member("last_page", frame.lastPage)
      json.member("path", query.path)
      json.member("per_page", frame.perPage)
      json.member("to", from.map { $0 + frame.count - 1 })
      json.member("total", frame.total)
      if let text = query.text { json.member("query", text) }
    }
  }
}
