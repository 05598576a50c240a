import Foundation
import Murphy
import MurphyModel
import Synchronization
import TestSupport
import Testing
import WildServer

/// An API that stores each book, and ignores every title in a PATCH.
@Suite(.serialized, .timed) struct ExploreKeptTests {
  private static let contract = """
    openapi: 3.0.3
    info: { title: Books, version: "1" }
    paths:
      /books:
        post: { operationId: addBook, requestBody: &body { required: true, content: { application/json: { schema: {
            type: object, properties: { title: { type: string, maxLength: 40 } } } } } },
          responses: { "201": &any { description: any, content: { application/json: { schema: { type: object,
            properties: { id: { type: integer }, title: { type: string } } } } } }, "400": *any } }
      /books/{id}:
        parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
        get: { operationId: getBook, responses: { "200": *any, "400": *any, "404": *any } }
        patch: { operationId: patchBook, requestBody: *body,
          responses: { "200": *any, "400": *any, "404": *any } }
        delete: { operationId: deleteBook, responses: { "204": { description: gone }, "404": *any } }
    """

  private static func explore() async throws -> RunResult {
    let numbers = Counter()
    let books = Mutex<[Int: String]>([:])
    let server = try WildServer { request, connection in
      let isHead = request.method == "HEAD"
      func answer(_ status: Int, _ body: String = "{}") { connection.answer(status, body: isHead ? "" : body) }
      func show(_ id: Int, _ title: String, _ status: Int = 200) {
        let text = (try? JSONEncoder().encode(title)).map { String(decoding: $0, as: UTF8.self) } ?? "null"
        answer(status, "{\"id\":\(id),\"title\":\(text)}")
      }
      let parts = request.target.prefix { $0 != "?" }.split(separator: "/")
      let sent = (try? JSONSerialization.jsonObject(with: Data(request.body))) as? [String: Any]
      let isRight = sent.map { $0["title"] == nil || ($0["title"] as? String).map { $0.count <= 40 } == true } ?? false
      guard parts.first == "books" else { return answer(404) }
      guard parts.count == 2 else {
        guard request.method == "POST", isRight else { return answer(request.method == "POST" ? 400 : 405) }
        let (id, title) = (numbers.add(), sent?["title"] as? String ?? "none")
        books.withLock { $0[id] = title }
        return show(id, title, 201)
      }
      guard let id = Int(parts[1]) else { return answer(400) }
      guard let title = books.withLock({ $0[id] }) else { return answer(404) }
      switch request.method {
      case "GET", "HEAD": show(id, title)
      case "PATCH": isRight ? show(id, title) : answer(400)
      case "DELETE":
        books.withLock { $0[id] = nil }
        connection.answer(204, body: "")
      default: answer(405)
      }
    }
    defer { server.stop() }
    return try await withTemporaryFolder { folder in
      let file = folder + "/openapi.yaml"
      try contract.write(toFile: file, atomically: true, encoding: .utf8)
      var options = ExploreOptions(target: try Target(server.url))
      (options.seed, options.time) = (1, .seconds(8))
      return try await ContractExplorer(file, options).run()
    }
  }

  @Test func `an ignored value is named with a plain value, and proved with its own item`() async throws {
    let result = try await Self.explore()
    let finding = try #require(
      result.findings.first { $0.kind == .exploreNotKept && $0.operation == "patchBook" },
      "\(result.findings.map(\.headline))")
    #expect(!finding.message.contains("\\u"), "\(finding.message)")
    let shown = try #require(finding.message.split(separator: "\"").last, "\(finding.message)")
    #expect(finding.evidence?.exchange?.responseBody?.contains(shown) == true, "\(finding.message)")
    #expect(finding.count == 1 || finding.lastSeen > finding.firstSeen, "\(finding.headline)")
    let numbers = result.findings.filter { $0.kind == .exploreInvalidAccepted && $0.message.contains("path id") }
    #expect(numbers.allSatisfy { $0.severity == .note }, "\(numbers.map(\.headline))")
  }
}
