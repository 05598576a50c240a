import Foundation
import Murphy
import MurphyModel
import Synchronization
import TestSupport
import Testing
import WildServer

/// Servers that close connections, reject any value, issue keys and cookies, or answer with a bare id.
@Suite(.serialized, .timed) struct ExploreServersTests {
  private static let contract = """
    openapi: 3.1.0
    info: { title: Servers, version: "1" }
    security: [{ key: [] }]
    components: { securitySchemes: { key: { type: apiKey, in: header, name: X-Key } } }
    paths:
      /calls:
        post: { operationId: call, requestBody: &body { required: true, content: { application/json: { schema: {
            type: object, properties: { name: { type: string }, flag: { type: boolean },
              rules: { type: array, items: { type: object } } } } } } },
          responses: { "200": &any { description: any, content: { application/json: { schema: { type: object } } } },
            "400": *any, "401": *any } }
      /rules:
        post: { operationId: addRules, requestBody: *body, responses: { "200": *any, "400": *any, "401": *any } }
      /files:
        get: { operationId: getFile, parameters: [{ name: url, in: query, required: true, example: known,
            schema: { type: string } }], responses: { "200": *any, "400": *any, "401": *any } }
      /projects:
        post: { operationId: addProject, requestBody: *body, responses: { "201": { description: id, content: {
            application/json: { schema: { type: string, format: uuid } } } }, "400": *any, "401": *any } }
      /projects/{project_id}:
        delete: { operationId: deleteProject, parameters: [{ name: project_id, in: path, required: true,
            schema: { type: string, format: uuid } }], responses: { "204": { description: gone }, "401": *any,
            "404": *any } }
      /api-keys:
        post: { operationId: addKey, requestBody: *body, responses: { "201": { description: key, content: {
            application/json: { schema: { type: object, properties: { key: { type: string },
              active: { type: boolean } } } } } }, "400": *any, "401": *any } }
    """
  static let keys = [
    "ZENKEY_eyJpZCI6IjQ5YmM0NTE2LWI2ZTgtNGE5", "d41d8cd98f00b204e9800998ecf8427e", "sk_live_9f8e7d",
    "0b9c4f4e-5a8e-4a55-9d2b-3f6f0f6f8a11",
  ]

  private static func explore(
    only operation: String..., time: Duration = .seconds(20), key: String = "hush-4711",
    _ respond: @escaping @Sendable (WildRequest, WildConnection) -> Void
  ) async throws -> RunResult {
    let server = try WildServer { request, connection in
      guard key.isEmpty || request.header("x-key") == key else { return connection.answer(401, body: "{}") }
      respond(request, connection)
    }
    defer { server.stop() }
    return try await withTemporaryFolder { folder in
      try contract.write(toFile: folder + "/openapi.yaml", atomically: true, encoding: .utf8)
      var options = ExploreOptions(target: try Target(server.url))
      (options.seed, options.time, options.only) = (1, time, operation)
      if !key.isEmpty { options.environment = ["MURPHY_AUTH_KEY": key] }
      return try await ContractExplorer.open(folder + "/openapi.yaml", options).run()
    }
  }

  private static func object(_ request: WildRequest) -> [String: Any]? {
    (try? JSONSerialization.jsonObject(with: Data(request.body))) as? [String: Any]
  }

  @Test func `a connection that closes after a 500 loses no request`() async throws {
    let result = try await Self.explore(only: "call") { request, connection in
      connection.answer(500, body: #"{"detail":"broken"}"#)
      connection.pause(milliseconds: 2)
      connection.finish()
    }
    #expect(result.findings.filter { $0.kind == .exploreNoResponse }.map(\.headline) == [])
    let errors = result.findings.filter { $0.kind == .exploreServerError && !$0.message.contains("method") }
    #expect(errors.count <= 1, "\(errors.map(\.headline))")
  }

  @Test func `a handler that crashes says that a new connection does not help`() async throws {
    let result = try await Self.explore(only: "addRules") { request, connection in
      guard let sent = Self.object(request) else { return connection.answer(400, body: "{}") }
      if let rules = sent["rules"] as? [Any], rules.contains(where: { $0 is NSNull }) { return connection.finish() }
      connection.answer(200, body: "{}")
    }
    let found = result.findings.filter { $0.kind == .exploreNoResponse }
    #expect(!found.isEmpty, "\(result.findings.map(\.headline))")
    #expect(found.allSatisfy { $0.message.contains("also on a new connection (3 of 3 attempts)") }, "\(found)")
  }

  @Test func `a place at which any value fails is one finding without a cause`() async throws {
    let result = try await Self.explore(only: "getFile") { request, connection in
      let isKnown = request.target.hasSuffix("?url=known")
      connection.answer(isKnown ? 200 : 500, body: isKnown ? "{}" : #"{"detail":"no such file"}"#)
    }
    let found = result.findings.filter { $0.kind == .exploreServerError && $0.message.contains("query url") }
    #expect(found.map(\.message) == [#"status 500 for query url "murphy" (a plain valid value)"#], "\(found)")
  }

  @Test func `a wrong base path ends the exploration, although items cannot be called`() async throws {
    let result = try await Self.explore(only: "getFile", "call", "addProject", "deleteProject") {
      $1.answer(404, body: #"{"detail":"Not Found"}"#)
    }
    #expect(result.verdict == .noData && result.reasons.contains { $0.contains("base path") }, "\(result.reasons)")
    #expect(result.run.duration < .seconds(10) && result.ledger.sent < 500, "\(result.ledger)")
  }

  /// Items that have only an id, which is the whole response to their creation.
  private final class Projects: Sendable {
    private let ids = Mutex<Set<String>>([])

    var count: Int { ids.withLock { $0.count } }

    func answer(_ request: WildRequest, _ connection: WildConnection) {
      if request.method == "DELETE" {
        let id = request.target.split(separator: "/").last.map(String.init) ?? ""
        return connection.answer(ids.withLock { $0.remove(id) } == nil ? 404 : 204, body: "")
      }
      guard request.method == "POST", ExploreServersTests.object(request) != nil else {
        return connection.answer(400, body: "{}")
      }
      let id = UUID().uuidString.lowercased()
      ids.withLock { _ = $0.insert(id) }
      connection.answer(201, body: "\"\(id)\"")
    }
  }

  @Test func `an item is deleted by the bare id of its creation`() async throws {
    let known = Projects()
    let result = try await Self.explore(only: "addProject", "deleteProject", time: .seconds(6)) { request, connection in
      known.answer(request, connection)
    }
    #expect(known.count == 0)
    #expect(result.explored?.remaining == [])
    #expect((result.explored?.deleted?.done ?? 0) > 10)
  }

  @Test func `deletions end within the limit of the exploration`() async throws {
    let known = Projects()
    let start = ContinuousClock.now
    let result = try await Self.explore(only: "addProject", "deleteProject", time: .seconds(8)) { request, connection in
      if request.method == "DELETE" { connection.pause(milliseconds: 700) }
      known.answer(request, connection)
    }
    #expect(start.duration(to: .now) < .seconds(10))
    let deleted = try #require(result.explored?.deleted)
    #expect(known.count == 0 && deleted.done == deleted.of, "\(result.explored?.remaining ?? [])")
  }

  @Test func `after Ctrl-C, a line names the deletions, and a second Ctrl-C ends them`() async throws {
    let known = Projects()
    let server = try WildServer { request, connection in
      connection.pause(milliseconds: request.method == "DELETE" ? 3_000 : 20)
      known.answer(request, connection)
    }
    defer { server.stop() }
    try await withTemporaryFolder { folder in
      try Self.contract.write(toFile: folder + "/openapi.yaml", atomically: true, encoding: .utf8)
      let outcome = try await Program().run(
        ["explore", folder + "/openapi.yaml", "--target", server.url, "--max-seconds", "60", "--only", "addProject"],
        interruptAfter: .seconds(2), again: .seconds(2), limit: 30)
      #expect(outcome.errors.contains(/Stopping: deleting \d+ items that this exploration created/), "\(outcome)")
      let words = outcome.output.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
      #expect(words.contains("not deleted (a second signal ended the deletions): "), "\(outcome)")
      #expect(outcome.status == 4, "\(outcome)")
    }
  }

  @Test(arguments: keys)
  func `an issued key is masked, and a client with a key sends no cookies`(key: String) async throws {
    let cookies = Mutex(0)
    let result = try await Self.explore(only: "addKey") { request, connection in
      if request.header("cookie") != nil { cookies.withLock { $0 += 1 } }
      guard request.method == "POST", Self.object(request) != nil else { return connection.answer(400, body: "{}") }
      connection.answer(
        201, headers: ["Set-Cookie": "csrf=abcdefgh12345; Path=/"], body: #"{"key":"\#(key)","active":"yes"}"#)
    }
    #expect(cookies.withLock { $0 } == 0)
    let bodies = result.findings.compactMap { $0.evidence?.exchange?.responseBody }
    #expect(bodies.contains(#"{"key":"***","active":"yes"}"#), "\(bodies)")
    #expect(!"\(result)".contains(key))
  }

  @Test func `the command of a finding sends the cookies that explore sent`() async throws {
    let result = try await Self.explore(only: "addRules", key: "") { request, connection in
      guard Self.object(request) != nil else { return connection.answer(400, body: "{}") }
      let isKnown = request.header("cookie")?.contains("csrf=") == true
      connection.answer(
        isKnown ? 500 : 200, headers: isKnown ? [:] : ["Set-Cookie": "csrf=abcdefgh12345; Path=/"], body: "{}")
    }
    let found = try #require(result.findings.first { $0.kind == .exploreServerError })
    let script = try #require(found.evidence?.curl?.text)
    #expect(script.contains("-b \"$SAVED_COOKIES\" -c \"$SAVED_COOKIES\""), "\(script)")
    #expect(script.components(separatedBy: "curl ").count > 2, "\(script)")
  }
}
