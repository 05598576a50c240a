import Foundation
import Synchronization
import TestSupport
import Testing
import WildServer

/// An untouched draft passes on a correct server, whatever the users of the same data do at the same time.
@Suite struct SharedCartTests {
  /// What the server's other users do.
  enum Others: CaseIterable { case nothing, everything, something }

  /// A correct shop with one cart for all users: an order needs items in it, and others take items out of it.
  private final class Shop: Sendable {
    private struct State {
      var others = Others.nothing
      var requests = 0
      var books: Set<Int> = [1]
      var next = 2
    }

    private let state = Mutex(State())

    func follow(_ others: Others) { state.withLock { $0.others = others } }

    func respond(_ request: WildRequest, _ connection: WildConnection) {
      let path = request.target.split(separator: "/").map(String.init)
      let number = path.last.flatMap(Int.init) ?? 0
      let (status, body) = state.withLock { state -> (Int, String) in
        state.requests += 1
        let isChanged = state.others == .everything || state.others == .something && state.requests % 2 == 0
        switch (request.method, path.first, path.count) {
        case ("GET", "books", 1):
          return (200, "[\(state.books.sorted().suffix(9).map { "{\"id\":\($0)}" }.joined(separator: ","))]")
        case ("POST", "books", 1):
          defer { state.next += 1 }
          state.books.insert(state.next)
          return (201, "{\"id\":\(state.next)}")
        case ("GET", "books", 2): return state.books.contains(number) ? (200, "{\"id\":\(number)}") : (404, "{}")
        case ("DELETE", "books", 2): return state.books.remove(number) == nil ? (404, "{}") : (204, "")
        case ("PUT", "cart", 3): return (200, "{}")
        case ("DELETE", "cart", 3): return isChanged ? (404, "{}") : (204, "")
        case ("POST", "orders", 1): return isChanged ? (202, "{}") : (409, "{}")
        default: return (404, "{}")
        }
      }
      connection.answer(status, body: body)
    }
  }

  private static let contract = """
    openapi: 3.1.0
    info: { title: Shop, version: "1" }
    components:
      schemas: { Book: { type: object, required: [id], properties: { id: { type: integer } } } }
      responses:
        Book: { description: It, content: { application/json: { schema: { $ref: "#/components/schemas/Book" } } } }
        Any: { description: It, content: { application/json: {} } }
        Gone: { description: Gone }
    paths:
      /books:
        get: { operationId: listBooks, responses: { "200": { description: All, content: { application/json: {
          schema: { type: array, items: { $ref: "#/components/schemas/Book" } } } } } } }
        post: { operationId: addBook, requestBody: { required: true, content: { application/json: { schema: {
          type: object, required: [name], properties: { name: { type: string } } } } } },
          responses: { "201": { $ref: "#/components/responses/Book" } } }
      /books/{book_id}:
        parameters: [&id { name: book_id, in: path, required: true, schema: { type: integer } }]
        get: { operationId: getBook, responses: {
          "200": { $ref: "#/components/responses/Book" }, "404": { $ref: "#/components/responses/Any" } } }
        delete: { operationId: deleteBook, responses: {
          "204": { $ref: "#/components/responses/Gone" }, "404": { $ref: "#/components/responses/Any" } } }
      /cart/items/{book_id}:
        parameters: [*id]
        put: { operationId: putItem, responses: { "200": { $ref: "#/components/responses/Any" } } }
        delete: { operationId: removeItem, responses: {
          "204": { $ref: "#/components/responses/Gone" }, "404": { $ref: "#/components/responses/Any" } } }
      /orders:
        post: { operationId: createOrder, responses: {
          "202": { $ref: "#/components/responses/Any" }, "409": { $ref: "#/components/responses/Any" } } }
    """

  @Test func `a draft passes whatever other users of the same data do`() async throws {
    let shop = Shop()
    let server = try WildServer(shop.respond)
    defer { server.stop() }
    try await withTemporaryFolder { folder in
      let document = folder + "/api.yaml"
      try Self.contract.write(toFile: document, atomically: true, encoding: .utf8)
      try await FirstScenarioTests.draft(document, ["--target", server.url, "--writes"]) { outcome, file in
        #expect(outcome.status == 0 && !outcome.errors.contains("left out"), "\(outcome.errors)")
        for others in Others.allCases {
          shop.follow(others)
          try await MeasuredDraftTests.run(file, duration: "3s")
        }
      }
    }
  }
}
