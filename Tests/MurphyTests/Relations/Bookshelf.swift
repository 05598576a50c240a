import Foundation
import Synchronization
import WildServer

/// A small API that keeps every relation, or breaks one: a feed of books from cursor to cursor, searched by text; what
/// belongs to an author; books put up with a `Location`; and one book in two media types.
enum Bookshelf {
  /// What can be wrong with it.
  enum Fault: String, CaseIterable, Sendable {
    case none
    case cursorLoops = "cursor-loops"
    case cursorEndsEarly = "cursor-ends-early"
    case cursorNeverEnds = "cursor-never-ends"
    case cursorSkips = "cursor-skips"
    case cursorRepeats = "cursor-repeats"
    case searchIgnored = "search-ignored"
    case unsorted
    case booksOfAnother = "books-of-another"
    case countTooHigh = "count-too-high"
    case locationMissing = "location-missing"
    case locationOfAnother = "location-of-another"
    case varyMissing = "vary-missing"
    case pageStays = "page-stays"
    case sizeLies = "size-lies"
    case nextMissing = "next-missing"
    case titlesExchanged = "titles-exchanged"
  }

  private static let titles = [
    "Anatomy", "Botany", "Cartography", "Dynamics", "Entropy", "Fermentation", "Geometry", "Hydraulics", "Ichthyology",
    "Jurisprudence", "Kinematics", "Linguistics", "Metallurgy", "Navigation", "Ornithology", "Phonetics", "Quarries",
    "Rhetoric", "Seismology", "Topology", "Undertow", "Viticulture", "Weaving",
  ]

  static func serve(_ fault: Fault) throws -> WildServer {
    let put = Mutex(100)
    let latest = Mutex("")
    return try WildServer { request, connection in
      let parts = URLComponents(string: request.target) ?? URLComponents()
      let path = parts.path.split(separator: "/").map(String.init)
      func number(_ name: String) -> Int? { parts.queryItems?.last { $0.name == name }?.value.flatMap { Int($0) } }
      switch (request.method, path.first, path.count) {
      case ("GET", "books", 1):
        connection.answer(body: feed(fault, number("limit") ?? 10, number("cursor"), parts.queryItems ?? []))
      case ("POST", "books", 1):
        let id = put.withLock { next in
          next += 1
          return next
        }
        let place = fault == .locationMissing ? id + 10_000 : fault == .locationOfAnother ? 7 : id
        let body = String(decoding: request.body, as: UTF8.self)
        latest.withLock { $0 = body }
        // Several are under way at once: else nothing could be exchanged.
        connection.pause(milliseconds: 20)
        let kept = fault == .titlesExchanged ? latest.withLock { $0 } : body
        connection.answer(
          201, headers: ["Location": "/books/\(place)"], body: "{\"id\":\(id)," + kept.dropFirst())
      case ("GET", "books", 2):
        let id = Int(path[1]) ?? 0
        guard id < 10_000 else { return connection.answer(404) }
        let wantsText = request.header("accept") == "text/plain"
        let headers = fault == .varyMissing ? [:] : ["Vary": "Accept"]
        if wantsText { return connection.answer(type: "text/plain", headers: headers, body: "book \(id)") }
        connection.answer(headers: headers, body: "{\"id\":\(id)}")
      case ("GET", "authors", 1):
        connection.answer(body: authors(fault, number("page") ?? 1, number("limit") ?? 5))
      case ("GET", "authors", 2):
        let id = Int(path[1]) ?? 0
        let count = fault == .countTooHigh && id % 2 == 0 ? 4 : 3
        connection.answer(body: "{\"id\":\(id),\"book_count\":\(count)}")
      case ("GET", "authors", 3):
        let author = (Int(path[1]) ?? 0) + (fault == .booksOfAnother ? 1 : 0)
        let rows = (1...3).map { "{\"id\":\(author * 10 + $0),\"author_id\":\(author)}" }
        connection.answer(body: "{\"data\":[\(rows.joined(separator: ","))],\"total\":3}")
      default: connection.answer(405, headers: ["Allow": "GET"])
      }
    }
  }

  private static func feed(_ fault: Fault, _ limit: Int, _ cursor: Int?, _ query: [URLQueryItem]) -> String {
    let text = query.last { $0.name == "q" }?.value ?? ""
    var books = titles.enumerated().map { ($0.offset + 1, $0.element) }
    if fault != .searchIgnored, !text.isEmpty {
      books = books.filter { $0.1.lowercased().contains(text.lowercased()) }
    }
    if fault == .unsorted, books.count > 3 { books.swapAt(2, 3) }
    var from = cursor ?? 0
    if fault == .cursorRepeats, from > 0 { from -= 1 }
    if fault == .cursorSkips, from > 0 { from += 1 }
    let rows = books.dropFirst(from).prefix(limit)
    var end = from + rows.count
    var hasMore = end < books.count
    if fault == .cursorLoops, hasMore { end = from }
    if fault == .cursorEndsEarly { hasMore = false }
    if fault == .cursorNeverEnds { hasMore = true }
    let data = rows.map { "{\"id\":\($0.0),\"title\":\"\($0.1)\"}" }.joined(separator: ",")
    return "{\"data\":[\(data)],\"has_more\":\(hasMore),\"next_cursor\":\"\(end)\"}"
  }

  private static func authors(_ fault: Fault, _ page: Int, _ limit: Int) -> String {
    let rows = (1...24).dropFirst((page - 1) * limit).prefix(limit)
    let hasNext = page * limit < 24 && fault != .nextMissing
    let next = hasNext ? "\"/authors?page=\(page + 1)&limit=\(limit)\"" : "null"
    let current = fault == .pageStays ? 1 : page
    let size = fault == .sizeLies ? 3 : limit
    return "{\"data\":[\(rows.map { "{\"id\":\($0)}" }.joined(separator: ","))],\"links\":{\"next\":\(next)},"
      + "\"meta\":{\"current_page\":\(current),\"per_page\":\(size),\"total\":24}}"
  }

  static let contract = """
    openapi: 3.1.0
    info: { title: Bookshelf, version: "1" }
    paths:
      /books:
        get:
          operationId: listBooks
          parameters:
            - { name: limit, in: query, schema: { type: integer, minimum: 1, maximum: 50, default: 10 } }
            - { name: cursor, in: query, schema: { type: string } }
            - { name: q, in: query, schema: { type: string } }
          responses:
            "200":
              description: some books
              content:
                application/json:
                  schema:
                    type: object
                    properties:
                      data:
                        type: array
                        items: { type: object, properties: { id: { type: integer }, title: { type: string } } }
                      has_more: { type: boolean }
                      next_cursor: { type: string }
        post:
          operationId: putBook
          requestBody:
            required: true
            content: { application/json: { schema: { type: object, properties: { title: { type: string } } } } }
          responses:
            "201":
              description: put up
              headers: { Location: { schema: { type: string } } }
              content:
                application/json:
                  schema: { type: object, properties: { id: { type: integer }, title: { type: string } } }
      /books/{id}:
        get:
          operationId: getBook
          parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
          responses:
            "200":
              description: a book
              content:
                application/json: { schema: { type: object, properties: { id: { type: integer } } } }
                text/plain: {}
            "404": { description: none }
      /authors:
        get:
          operationId: listAuthors
          parameters:
            - { name: page, in: query, schema: { type: integer, minimum: 1, default: 1 } }
            - { name: limit, in: query, schema: { type: integer, minimum: 1, maximum: 10, default: 5 } }
          responses:
            "200":
              description: some authors
              content:
                application/json:
                  schema:
                    type: object
                    properties:
                      data: { type: array, items: { type: object, properties: { id: { type: integer } } } }
                      links: { type: object, properties: { next: { type: [string, "null"] } } }
                      meta:
                        type: object
                        properties:
                          current_page: { type: integer }
                          per_page: { type: integer }
                          total: { type: integer }
      /authors/{id}:
        get:
          operationId: getAuthor
          parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
          responses:
            "200":
              description: an author
              content:
                application/json:
                  schema: { type: object, properties: { id: { type: integer }, book_count: { type: integer } } }
      /authors/{id}/books:
        get:
          operationId: listBooksOfAuthor
          parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
          responses:
            "200":
              description: the author's books
              content:
                application/json:
                  schema:
                    type: object
                    properties:
                      total: { type: integer }
                      data:
                        type: array
                        items: { type: object, properties: { id: { type: integer }, author_id: { type: integer } } }
    """

  static func scenario(url: String) -> String {
    """
    name: Bookshelf
    contract: shelf.yaml
    target: \(url)
    sessions:
      read:
        steps:
          - burst: 3
            over: 5ms
            call: putBook
            body: { title: "${string(12)}" }
          - call: listBooks
            query: { limit: 5 }
          - call: getBook
            path: { id: "${int(1, 20)}" }
          - repeat: 4
            call: listAuthors
            query: { page: "${index + 1}", limit: 5 }
          - call: getAuthor
            path: { id: "${int(1, 20)}" }
          - call: listBooksOfAuthor
            path: { id: "${int(1, 20)}" }
    load: [{ hold: 10/s, for: 1s }]
    expect:
      relations:
        "*": { exclusive: true }
        listBooks: { sorted-by: id }
        getAuthor: { counts: on }
        getBook: { vary: on }
    """
  }
}
