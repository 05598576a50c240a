import Foundation
import Murphy
import Synchronization
import TestSupport
import Testing
import WildServer

/// What an exploration creates it deletes again, wherever the items are and however responses name them, and nothing is attached
/// to what was there before.
@Suite(.serialized, .timed) struct ExploreItemTests {
  private static let contract = """
    openapi: 3.0.3
    info: { title: Studio, version: "1" }
    paths:
      /tasks/:
        get: { operationId: listTasks, responses: { "200": { description: all, content: { application/json: {
          schema: { type: array, items: { $ref: "#/components/schemas/Item" } } } } } } }
        post: { operationId: addTask, requestBody: &draft { required: true, content: { application/json: {
            schema: { type: object, required: [name], properties: { name: { type: string } } } } } },
          responses: { "201": &item { description: it, content: { application/json: {
            schema: { $ref: "#/components/schemas/Item" } } } }, "400": &bad { description: bad } } }
      /tasks/{id}/:
        parameters: &id [{ name: id, in: path, required: true, schema: { type: integer } }]
        delete: { operationId: deleteTask, responses: &done { "204": { description: done }, "404": { description: none } } }
      /marks/:
        post: { operationId: addMark, requestBody: { required: true, content: { application/json: {
            schema: { type: object, required: [task], properties: { task: { type: integer } } } } } },
          responses: { "201": *item, "400": *bad } }
      /marks/{id}/:
        parameters: *id
        delete: { operationId: deleteMark, responses: *done }
      /notes:
        post: { operationId: addNote, requestBody: *draft, responses: { "201": *item, "400": *bad } }
      /notes/{id}.json:
        parameters: *id
        delete: { operationId: deleteNote, responses: *done }
      /buckets:
        post: { operationId: addBucket, requestBody: *draft, responses: { "201": &free { description: it, content: {
          application/json: { schema: { type: object } } } }, "400": *bad } }
      /buckets/{id}:
        parameters: *id
        delete: { operationId: deleteBucket, responses: *done }
      /sets/upload:
        post: { operationId: uploadSet, requestBody: *draft, responses: { "200": *free, "400": *bad } }
      /sets/{id}:
        parameters: *id
        delete: { operationId: deleteSet, responses: *done }
      /orders:
        post: { operationId: addOrder, requestBody: *draft, responses: { "201": *free, "400": *bad } }
      /users/me/orders/{id}:
        parameters: *id
        delete: { operationId: deleteOrder, responses: *done }
    components:
      schemas:
        Item: { type: object, required: [id], properties: { id: { type: integer }, name: { type: string } } }
    """

  /// Items by the path of their collection; task 1 was there before.
  private final class Studio: Sendable {
    struct State {
      var items: [String: Set<Int>] = ["tasks": [1]]
      var names: Set<String> = []
      var created = 0
      var attached = 0
    }
    private struct Sent: Decodable {
      var name: String?
      var task: Int?
    }
    let state = Mutex(State())

    func respond(_ request: WildRequest, _ connection: WildConnection) {
      let path = request.target.prefix { $0 != "?" }
      let (status, headers, body) = state.withLock { Self.response(request, String(path), &$0) }
      connection.answer(status, headers: headers, body: request.method == "HEAD" ? "" : body)
    }

    private static func response(
      _ request: WildRequest, _ path: String, _ state: inout State
    ) -> (Int, [String: String], String) {
      let parts = path.split(separator: "/").map(String.init)
      let kind = parts.first == "users" ? "orders" : parts.first ?? ""
      switch (request.method, path) {
      case ("GET", "/tasks/"):
        return (
          200, [:],
          "[" + state.items["tasks", default: []].sorted().map { #"{"id":\#($0)}"# }.joined(separator: ",") + "]"
        )
      case ("POST", "/tasks/"), ("POST", "/marks/"), ("POST", "/notes"), ("POST", "/buckets"), ("POST", "/sets/upload"),
        ("POST", "/orders"):
        let sent = try? JSONDecoder().decode(Sent.self, from: Data(request.body))
        if kind == "marks" {
          guard let task = sent?.task, state.items["tasks", default: []].contains(task) else { return (400, [:], "{}") }
          if task == 1 { state.attached += 1 }
        } else {
          guard let name = sent?.name else { return (400, [:], "{}") }
          // A name that is new proves that something was created.
          let isNew = name.hasPrefix("murphy-") && state.names.insert(name).inserted
          guard kind != "sets" || isNew else { return (400, [:], "{}") }
        }
        state.created += 1
        let id = state.created + 1
        state.items[kind, default: []].insert(id)
        switch kind {
        case "buckets": return (201, [:], #"{"data":{"id":\#(id)}}"#)
        case "sets": return (200, [:], #"{"data":{"set_id":\#(id),"version":1}}"#)
        case "orders": return (201, ["Location": "/users/me/orders/\(id)"], #"{"state":"open"}"#)
        default: return (201, [:], #"{"id":\#(id),"name":\#(JSONValue.string(sent?.name ?? "x").text)}"#)
        }
      case ("DELETE", _):
        let text = parts.last?.replacing(".json", with: "") ?? ""
        let end = ["tasks": "/\(text)/", "marks": "/\(text)/", "notes": "/\(text).json"][kind] ?? "/\(text)"
        guard path.hasSuffix(end), let id = Int(text), state.items[kind]?.remove(id) != nil else {
          return (404, [:], "{}")
        }
        return (204, [:], "")
      default: return (405, [:], "{}")
      }
    }
  }

  @Test func `items are deleted wherever they are`() async throws {
    let studio = Studio()
    let server = try WildServer { studio.respond($0, $1) }
    defer { server.stop() }
    try await withTemporaryFolder { folder in
      let file = folder + "/openapi.yaml"
      try Self.contract.write(toFile: file, atomically: true, encoding: .utf8)
      var options = ExploreOptions(target: try Target(server.url))
      (options.seed, options.time) = (1, .seconds(60))
      let explored = try #require(try await ContractExplorer(file, options).run().explored)
      let state = studio.state.withLock { $0 }
      for name in ["addTask", "addMark", "addNote", "addBucket", "uploadSet", "addOrder"] {
        #expect(explored.operations.first { $0.operation == name }?.succeeded == true, "\(name)")
      }
      #expect(state.items.mapValues(\.count).filter { $0.value > 0 } == ["tasks": 1], "\(explored.remaining ?? [])")
      #expect(state.items["tasks"] == [1] && state.attached == 0)
      #expect(explored.deleted?.of == state.created && explored.remaining == [], "\(explored.remaining ?? [])")
    }
  }

  /// A creation without a response, and one whose DELETE is left out.
  @Test func `what may remain is listed`() async throws {
    let contract = """
      openapi: 3.0.3
      info: { title: Lost, version: "1" }
      paths:
        /jobs:
          post: { operationId: addJob, responses: { "201": { description: it, content: { application/json: { schema: {
            type: object, properties: { id: { type: integer } } } } } } } }
        /jobs/{id}:
          delete: { operationId: deleteJob, parameters: [{ name: id, in: path, required: true, schema: { type: integer } }],
            responses: { "204": { description: done } } }
      """
    let server = try WildServer { _, connection in connection.finish() }
    defer { server.stop() }
    try await withTemporaryFolder { folder in
      let file = folder + "/openapi.yaml"
      try contract.write(toFile: file, atomically: true, encoding: .utf8)
      var options = ExploreOptions(target: try Target(server.url))
      (options.seed, options.only) = (1, ["addJob"])
      let result = try await ContractExplorer(file, options).run()
      let remaining = try #require(result.explored?.remaining)
      #expect(
        remaining.first?.hasPrefix("addJob: ") == true && remaining.first?.contains("no response") == true,
        "\(remaining)")
      #expect(TerminalDetails(result, width: 200).text.contains("unknown whether this request created an item"))
    }
  }

  /// Operations that refuse every plain request leave time and requests for the cases of the others.
  @Test func `the search for plain requests leaves requests for cases`() async throws {
    let refusing = (1...20).map { number in
      """
        /parts\(number):
          post: { operationId: add\(number), requestBody: { required: true, content: { application/json: { schema: {
              type: object, required: [name], properties: { name: { type: string }, size: { type: integer } } } } } },
            responses: { "201": { description: made }, "400": { description: bad } } }
      """
    }.joined(separator: "\n")
    let contract = """
      openapi: 3.0.3
      info: { title: Refuses, version: "1" }
      paths:
        /parts:
          get: { operationId: listParts, parameters: [{ name: limit, in: query, schema: { type: integer, minimum: 1 } }],
            responses: { "200": { description: all }, "400": { description: bad } } }
      \(refusing)
      """
    let server = try WildServer { request, connection in
      connection.answer(request.method == "GET" ? 200 : 400, body: request.method == "HEAD" ? "" : "{}")
    }
    defer { server.stop() }
    try await withTemporaryFolder { folder in
      let file = folder + "/openapi.yaml"
      try contract.write(toFile: file, atomically: true, encoding: .utf8)
      var options = ExploreOptions(target: try Target(server.url))
      (options.seed, options.mostRequests) = (1, 50)
      let explored = try #require(try await ContractExplorer(file, options).run().explored)
      #expect(explored.operations.allSatisfy { !$0.statuses.isEmpty })
      #expect(explored.operations.contains { $0.operation == "listParts" && !$0.cases.isEmpty }, "\(explored.untried)")
      #expect(!explored.untried.contains { $0.contains("Murphy ran no test case") }, "\(explored.untried)")
    }
  }
}
