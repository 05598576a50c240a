import Foundation
import HTTPTypes

enum AuthorOperations {
  static let all: [Operation] = [
    .get("listAuthors", "/authors", isOpen: true, list),
    .post("createAuthor", "/authors", create),
    .get("getAuthor", "/authors/{authorId}", isOpen: true, author),
    .delete("deleteAuthor", "/authors/{authorId}", delete),
  ]

  private static func list(_ call: Call) throws -> Answer {
    let limit = try call.query.integer("limit", 1...100) ?? 20
    let after = try call.query.cursor() ?? 0
    let rest = call.shop.state.withLock { $0.authors.values.filter { $0.id > after } }.sorted { $0.id < $1.id }
    let page = CursorPage.json(rest, limit: limit, number: \.id, json: \.json)
    return Answer(.ok, page, HTTPField.Name("Link").map { [$0: "</authors?limit=\(limit)>; rel=\"first\""] } ?? [:])
  }

  private static func create(_ call: Call) throws -> Answer {
    let fields = try call.fields("AuthorInput", names: ["name", "born", "biography"])
    let name = try fields.text("name", .required, length: 1...120).value ?? ""
    let born = try fields.text("born", nullable: true, pattern: Texts.isDate).value
    let biography = try fields.text("biography", nullable: true, length: 0...1000).value
    return call.shop.state.withLock { state in
      let author = Author(id: state.authorNumber(), name: name, born: born, biography: biography)
      state.authors[author.id] = author
      return .created(author.json, at: "/authors/\(author.id)")
    }
  }

  private static func author(_ call: Call) throws -> Answer {
    let number = try call.number("authorId")
    guard let author = call.shop.state.withLock({ $0.authors[number] }) else { throw Problem.notFound("author") }
    return Answer(.ok, author.json)
  }

  private static func delete(_ call: Call) throws -> Answer {
    let number = try call.number("authorId")
    return try call.shop.state.withLock { state in
      guard state.authors[number] != nil else { throw Problem.notFound("author") }
      guard !state.books.values.contains(where: { $0.authors.contains(number) }) else {
        throw Problem.conflict("The author has books here.")
      }
      state.authors[number] = nil
      return .empty
    }
  }
}

/// A page of a list that is read with a cursor.
enum CursorPage {
  static func json<Row>(_ rest: [Row], limit: Int, number: (Row) -> Int, json: (Row) -> JSON) -> JSON {
    let page = rest.prefix(limit)
    let next = rest.count > limit ? page.last.map { "c\(number($0))" } : nil
    return .make(["items": .array(page.map(json)), "next": .text(next)])
  }
}
