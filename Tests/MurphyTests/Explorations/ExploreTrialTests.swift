import Foundation
import Murphy
import Synchronization
import TestSupport
import Testing
import WildServer

/// What counts as a trial of an exploration, on servers that limit, that return what existed, and that resolve paths.
@Suite(.serialized, .timed) struct ExploreTrialTests {
  private static let contract = """
    openapi: 3.0.3
    info: { title: Shelf, version: "1" }
    paths:
      /books:
        get: { operationId: listBooks, responses: { "200": { description: all, content: { application/json: {
          schema: { type: array, items: { $ref: "#/components/schemas/Book" } } } } } } }
        post: { operationId: addBook,
          requestBody: { required: true, content: { application/json: {
            schema: { $ref: "#/components/schemas/Draft" } } } },
          responses: { "201": { description: made, content: { application/json: {
            schema: { $ref: "#/components/schemas/Book" } } } }, "400": &error { description: bad, content: { application/json: {} } },
            "429": { description: later, headers: { Retry-After: { schema: { type: integer } } },
              content: { application/json: {} } } } }
      /books/{slug}:
        parameters: [{ name: slug, in: path, required: true, schema: { type: string, maxLength: 60 } }]
        get: { operationId: getBook, responses: { "200": { description: one, content: { application/json: {
          schema: { $ref: "#/components/schemas/Book" } } } }, "404": *error } }
        delete: { operationId: deleteBook, responses: { "204": { description: gone }, "404": *error } }
    components:
      schemas:
        Draft: { type: object, required: [title], additionalProperties: false, properties: {
          title: { type: string, minLength: 3, maxLength: 40 }, pages: { type: integer, minimum: 1, maximum: 900 } } }
        Book: { type: object, required: [id, slug, title], properties: { id: { type: integer },
          slug: { type: string }, title: { type: string }, pages: { type: integer } } }
    """

  /// Books, of which a creation makes a new one or returns the first. A wait of 0 seconds fills the quota again.
  private final class Shelf: Sendable {
    private struct State {
      var books: [String: [String: Any]] = [:]
      var order: [String] = []
      /// By the address that they came from; all under one name where the quota is everybody's.
      var creations: [String: Int] = [:]
      var added = 0
    }
    // Behind the lock.
    private nonisolated(unsafe) var unsafe = State()
    private let lock = NSLock()
    private let quota: Int
    private let retryAfter: Int
    private let returnsFirst: Bool
    private let countsByAddress: Bool
    /// Creations respond with a book that no list shows.
    private let returnsHidden: Bool

    init(
      quota: Int = .max, retryAfter: Int = 3_600, returnsFirst: Bool = false, countsByAddress: Bool = false,
      returnsHidden: Bool = false
    ) {
      (self.quota, self.retryAfter, self.returnsFirst) = (quota, retryAfter, returnsFirst)
      (self.countsByAddress, self.returnsHidden) = (countsByAddress, returnsHidden)
      _ = add(["title": "The first"])
      unsafe.books["precious"] = ["id": 999, "slug": "precious", "title": "Of another user"]
    }

    private func add(_ draft: [String: Any]) -> [String: Any] {
      unsafe.added += 1
      let number = unsafe.added
      let slug = "book-\(number)-x"
      var book = draft
      (book["id"], book["slug"]) = (number, slug)
      unsafe.order.append(slug)
      unsafe.books[slug] = book
      return book
    }

    func respond(_ request: WildRequest, _ connection: WildConnection) {
      lock.lock()
      defer { lock.unlock() }
      let path = request.target.prefix { $0 != "?" }
      func send(_ status: Int, _ value: Any) {
        let body = (try? JSONSerialization.data(withJSONObject: value)).map { String(decoding: $0, as: UTF8.self) }
        connection.answer(status, body: body ?? "{}")
      }
      // As servers that resolve encoded segments: another route responds.
      let decoded = path.removingPercentEncoding ?? ""
      if decoded.hasPrefix("/books/"), decoded.dropFirst(7).contains(where: { "/\\".contains($0) }) {
        return send(200, ["another": "route"])
      }
      let slug = decoded.hasPrefix("/books/") ? String(decoded.dropFirst(7)) : nil
      switch (request.method, slug) {
      case ("GET", nil) where request.target.contains("cursor="): send(400, ["error": "cursor"])
      case ("GET", nil) where path == "/books": send(200, unsafe.order.compactMap { unsafe.books[$0] })
      case ("POST", nil) where path == "/books":
        let client = countsByAddress ? request.peer : ""
        unsafe.creations[client, default: 0] += 1
        guard unsafe.creations[client, default: 0] <= quota else {
          if retryAfter == 0 { unsafe.creations[client] = 0 }
          return connection.answer(429, headers: ["Retry-After": "\(retryAfter)"], body: #"{"error":"later"}"#)
        }
        guard let draft = (try? JSONSerialization.jsonObject(with: Data(request.body))) as? [String: Any],
          request.header("content-type")?.hasPrefix("application/json") == true,
          Set(draft.keys).isSubset(of: ["title", "pages"]), let title = draft["title"] as? String,
          (3...40).contains(title.unicodeScalars.count), Self.isPages(draft["pages"])
        else { return send(400, ["error": "bad"]) }
        if returnsFirst, let first = unsafe.order.first.flatMap({ unsafe.books[$0] }) { return send(201, first) }
        send(201, returnsHidden ? unsafe.books["precious"] ?? [:] : add(draft))
      case ("GET", let slug?):
        if let book = unsafe.books[slug] { send(200, book) } else { send(404, ["error": "none"]) }
      case ("DELETE", let slug?):
        guard unsafe.books[slug] != nil else { return send(404, ["error": "none"]) }
        unsafe.books[slug] = nil
        unsafe.order.removeAll { $0 == slug }
        connection.answer(204, body: "")
      // A response to HEAD has no content (RFC 9110 §9.3.2).
      case ("HEAD", _): connection.answer(405, body: "")
      default: send(405, ["error": "method"])
      }
    }

    private static func isPages(_ value: Any?) -> Bool {
      guard let value else { return true }
      guard let number = value as? NSNumber, CFNumberIsBool(number) == false else { return false }
      return number.doubleValue == number.doubleValue.rounded() && (1...900).contains(number.doubleValue)
    }

    private static func CFNumberIsBool(_ number: NSNumber) -> Bool { String(cString: number.objCType) == "c" }
  }

  private static func explore(
    _ shelf: Shelf, seconds: Int = 60, only: [String] = [], contract: String = contract
  ) async throws -> (result: RunResult, requests: [WildRequest]) {
    let server = try WildServer { shelf.respond($0, $1) }
    defer { server.stop() }
    return try await withTemporaryFolder { folder in
      let file = folder + "/openapi.yaml"
      try contract.write(toFile: file, atomically: true, encoding: .utf8)
      var options = ExploreOptions(target: try Target(server.url))
      (options.seed, options.time, options.only) = (1, .seconds(seconds), only)
      let result = try await ContractExplorer(file, options).run()
      return (result, server.requests)
    }
  }

  private static func row(_ name: String, _ result: RunResult) -> ExploredOperation? {
    result.explored?.operations.first { $0.operation == name }
  }

  private static func text(_ result: RunResult) -> String { TerminalDetails(result, width: 400).text }

  @Test func `a rejected request is no trial`() async throws {
    let (result, _) = try await Self.explore(Shelf(quota: 3), only: ["addBook"])
    let row = try #require(Self.row("addBook", result))
    let decided = try #require(row.decided)
    #expect(decided.done < 4 && decided.of > 20, "\(row)")
    #expect(row.constraints.done < row.constraints.of, "\(row)")
    // The cases that wait for the limit when the time ends have the limit as their reason.
    #expect((row.undecided?["rate limited"] ?? 0) * 2 > decided.of && row.untried < 2, "\(row)")
    #expect(result.verdict == .noData, "\(result.reasons)")
    let text = Self.text(result)
    #expect(text.contains("\(decided.done) of \(decided.of) test cases decided"), "\(text)")
    #expect(!text.contains("passed addBook"), "\(text)")
  }

  @Test func `a short limit is waited for`() async throws {
    let limited = try await Self.explore(Shelf(quota: 3, retryAfter: 0), only: ["addBook"]).result
    let row = try #require(Self.row("addBook", limited))
    #expect(row.statuses.contains(429))
    #expect(row.constraints.done == row.constraints.of, "\(row)")
    #expect(row.decided.map { $0.done * 10 > $0.of * 9 } == true, "\(row)")
    #expect(limited.verdict == .pass, "\(limited.reasons) \(limited.findings.map(\.message))")
  }

  /// A system under test on this machine counts each of its addresses by itself.
  @Test func `a limit by address is met from other addresses`() async throws {
    let (result, requests) = try await Self.explore(Shelf(quota: 3, countsByAddress: true), only: ["addBook"])
    let row = try #require(Self.row("addBook", result))
    #expect(row.constraints.done == row.constraints.of, "\(row)")
    let peers = Set(requests.map(\.peer))
    #expect(peers.count > 5 && result.explored?.addresses == peers.count, "\(peers)")
    #expect(result.verdict == .pass, "\(result.reasons) \(result.findings.map(\.message))")
    #expect(Self.text(result).contains("Murphy sent requests from \(peers.count) addresses of this machine"))
  }

  @Test func `a creation of what existed is none`() async throws {
    let (result, requests) = try await Self.explore(Shelf(returnsFirst: true))
    #expect(result.findings.filter { $0.kind == .exploreNotKept || $0.kind == .exploreNotDeleted }.map(\.message) == [])
    let deletions = requests.filter { $0.method == "DELETE" && $0.target == "/books/book-1-x" }
    #expect(deletions.isEmpty)
  }

  /// FastAPI writes each optional parameter so.
  @Test func `a free text that may be null is held to nothing`() async throws {
    let contract = Self.contract.replacing("openapi: 3.0.3", with: "openapi: 3.1.0").replacing(
      "get: { operationId: listBooks, responses: { ",
      with: """
        get: { operationId: listBooks, parameters: [{ name: cursor, in: query, schema: { anyOf: [{ type: string },
          { type: "null" }] } }], responses: { "400": { description: bad, content: { application/json: {} } }, 
        """)
    let (result, requests) = try await Self.explore(Shelf(), only: ["listBooks"], contract: contract)
    #expect(requests.contains { $0.target.contains("cursor=") })
    #expect(result.findings.filter { $0.severity == .error }.map(\.message) == [])
  }

  /// A 201 that names another title than the one that was sent is about somebody else's book.
  @Test func `an item that no list shows is not deleted`() async throws {
    let (result, requests) = try await Self.explore(Shelf(returnsHidden: true))
    #expect(requests.contains { $0.method == "POST" })
    let harmful = requests.filter { $0.method == "DELETE" && $0.target == "/books/precious" }
    #expect(harmful.isEmpty, "\(result.reasons)")
  }

  @Test func `paths hold slugs and no other route`() async throws {
    let (result, requests) = try await Self.explore(Shelf())
    let targets = requests.map(\.target).filter { $0.hasPrefix("/books/") }
    #expect(targets.contains { $0.hasPrefix("/books/book-") })
    #expect(Self.row("getBook", result)?.succeeded == true && Self.row("deleteBook", result)?.succeeded == true)
    let encoded = targets.filter { $0.lowercased().contains("%2f") || $0.lowercased().contains("%5c") }
    #expect(encoded == [])
    #expect(result.findings.filter { $0.severity == .error }.map(\.message) == [])
  }
}
