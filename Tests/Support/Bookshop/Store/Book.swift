import Foundation

enum Genre: String, CaseIterable, Sendable { case fiction, crime, fantasy, poetry, history, science, children }

struct Dimensions: Sendable {
  var width: Int
  var height: Int
  var depth: Int?

  var json: JSON {
    var json = JSON.make(["widthMm": .int(width), "heightMm": .int(height)])
    if let depth { json["depthMm"] = .int(depth) }
    return json
  }
}

struct Book: Sendable {
  var id = 0
  var title = ""
  var subtitle: String?
  var isbn = ""
  /// Nil for a free book.
  var price: Double?
  /// A ``Genre``, unless a fault lets others in.
  var genre = ""
  var language: String?
  var publishedOn: String?
  var pages: Int?
  var stock = 0
  var tags: [String] = []
  var authors: [Int] = []
  var dimensions: Dimensions?
  var createdAt = Date.now
  var updatedAt = Date.now
  /// Differs after each change.
  var version = 0

  var entityTag: String { "\"b\(id)-\(version)\"" }

  var json: JSON {
    .make([
      "id": .int(id), "title": .string(title), "subtitle": .text(subtitle), "isbn": .string(isbn),
      "price": price.map { .double($0) } ?? .null, "genre": .string(genre), "language": .text(language),
      "publishedOn": .text(publishedOn), "pages": pages.map { .int($0) } ?? .null, "stock": .int(stock),
      "tags": .array(tags.map { .string($0) }), "authorIds": .array(authors.map { .int($0) }),
      "dimensions": dimensions?.json ?? .null, "createdAt": .date(createdAt), "updatedAt": .date(updatedAt),
    ])
  }
}
