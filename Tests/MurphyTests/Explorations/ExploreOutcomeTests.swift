import Foundation
import Murphy
import MurphyReport
import Synchronization
import TestSupport
import Testing
import WildServer

/// What an exploration makes of redirections, of reviews and of errors with the words of a database.
@Suite(.serialized, .timed) struct ExploreOutcomeTests {
  private static let contract = """
    openapi: 3.0.3
    info: { title: Desk, version: "1" }
    paths:
      /notes:
        get: { operationId: listNotes, responses: { "200": { description: all, content: { application/json: { schema: {
          type: array, items: { type: object, properties: { id: { type: integer } } } } } } } } }
        post: { operationId: addNote, requestBody: { required: true, content: { application/json: { schema: {
            type: object, required: [text], properties: { text: { type: string, maxLength: 40 } } } } } },
          responses: { "201": &any { description: any, content: { application/json: { schema: { type: object,
            properties: { id: { type: integer } } } } } }, "400": *any } }
      /notes/{id}:
        get: { operationId: getNote, parameters: [{ name: id, in: path, required: true, schema: { type: integer } }],
          responses: { "200": *any, "404": *any } }
      /notes/{id}/parent:
        get: { operationId: getParent, parameters: [{ name: id, in: path, required: true, schema: { type: integer } }],
          responses: { "200": *any, "404": *any } }
      /search:
        get: { operationId: search, parameters: &limit [{ name: limit, in: query, schema: {
            type: integer, minimum: 1, maximum: 9 } }], responses: { "200": *any, "400": *any } }
      /moved: { get: { operationId: getMoved, parameters: *limit,
        responses: { "200": *any, "302": { description: moved } } } }
      /vault: { get: { operationId: getVault, security: [{ key: [] }], responses: { "200": *any } } }
      /vault/{id}: { get: { operationId: getSafe, security: [{ key: [] }], responses: { "200": *any },
        parameters: [{ name: id, in: path, required: true, schema: { type: integer, example: 1 } }] } }
      /spans:
        post: { operationId: addSpans, requestBody: { required: true, content: { application/json: { schema: {
            type: object, required: [data], properties: { data: { type: array, items: { type: object,
              required: [span_id, name], properties: { span_id: { type: string, example: 1a2b3c4d5e6f7a8b },
                name: { type: string, maxLength: 60 } } } } } } } } },
          responses: { "202": *any, "400": *any } }
    components: { securitySchemes: { key: { type: apiKey, in: header, name: X-Token } } }
    """

  /// - Parameters:
  ///   - state: of each new note.
  ///   - base: a path that is added to the target.
  private static func explore(
    only: [String], state: String = "in_review", base: String = "", seconds: Int = 20
  ) async throws -> RunResult {
    let notes = Counter()
    let stored = Mutex<Set<String>>([])
    let server = try WildServer { request, connection in
      let path = String(request.target.prefix { $0 != "?" })
      let limit = request.target.split(separator: "?").last?.split(separator: "=").last.map(String.init)
      switch (request.method, path) {
      case ("POST", "/notes"):
        connection.answer(201, body: "{\"id\":\(notes.add()),\"status\":\"\(state)\"}")
      case ("GET", "/notes"):
        connection.answer(
          200, body: #"[{"id":9000,"parent":null},{"id":9001,"parent":null},{"id":9002,"parent":{"id":9000}}]"#)
      case ("GET", "/notes/9000"), ("GET", "/notes/9002/parent"): connection.answer(200, body: #"{"id":9000}"#)
      case ("GET", "/search"):
        let isBad = request.target.contains("limit=") && limit.flatMap { Int($0) } == nil
        connection.answer(isBad ? 400 : 200, body: isBad ? #"{"error":"datatype mismatch"}"# : "{}")
      // With a body, which a response to HEAD has not.
      case ("HEAD", "/search"): connection.answer(200, body: "{}")
      case (_, _) where path.hasPrefix("/vault"): connection.answer(403, body: request.method == "HEAD" ? "" : "{}")
      case ("POST", "/spans"):
        // A span is taken once.
        let sent = (try? JSONSerialization.jsonObject(with: Data(request.body))) as? [String: Any]
        let spans = (sent?["data"] as? [Any])?.map { $0 as? [String: Any] }
        let names = spans?.map { $0?["span_id"] as? String }
        let isRead = spans?.allSatisfy { $0?["name"] is String } == true && names?.contains(nil) == false
        let isNew = isRead && stored.withLock { known in names!.allSatisfy { known.insert($0!).inserted } }
        connection.answer(isNew ? 202 : 400, body: "{}")
      case (_, "/moved"): connection.answer(302, headers: ["Location": "/login"], body: "")
      default: connection.answer(404, body: request.method == "HEAD" ? "" : "{}")
      }
    }
    defer { server.stop() }
    return try await withTemporaryFolder { folder in
      let file = folder + "/openapi.yaml"
      try contract.write(toFile: file, atomically: true, encoding: .utf8)
      var options = ExploreOptions(target: try Target(server.url + base))
      (options.seed, options.time, options.only) = (1, .seconds(seconds), only)
      return try await ContractExplorer(file, options).run()
    }
  }

  @Test(arguments: ["in_review", "done"]) func `a read of what waits for review is no error`(_ state: String)
    async throws
  {
    let result = try await Self.explore(only: ["addNote", "getNote", "listNotes"], state: state)
    let missing = result.findings.filter { $0.kind == .exploreNotKept }
    #expect(missing.map(\.severity) == [state == "done" ? .error : .note], "\(result.findings.map(\.headline))")
    let row = try #require(result.explored?.operations.first { $0.operation == "getNote" })
    #expect((row.undecided?["item waits for review"] != nil) == (state != "done"), "\(row)")
  }

  @Test func `the item with the most values is read`() async throws {
    let result = try await Self.explore(only: ["getParent", "listNotes"])
    let row = try #require(result.explored?.operations.first { $0.operation == "getParent" })
    #expect(row.succeeded, "\(row)")
  }

  @Test func `a redirection decides nothing`() async throws {
    let result = try await Self.explore(only: ["getMoved"])
    let row = try #require(result.explored?.operations.first)
    #expect(!row.succeeded && (row.undecided?["redirected"] ?? 0) > 3, "\(row)")
    // Only another spelling of the path, which does not exist, is no redirection.
    #expect(row.trials <= 2 && row.statuses == [302, 404], "\(row)")
    #expect(result.verdict == .noData, "\(result.reasons) \(result.findings.map(\.headline))")
  }

  @Test func `a rejection of requests without credentials is no finding`() async throws {
    let result = try await Self.explore(only: ["getVault", "getSafe"])
    #expect(result.verdict == .noData, "\(result.reasons) \(result.findings.map(\.headline))")
    #expect(result.findings.filter { $0.severity == .error }.map(\.headline) == [])
    #expect(
      result.reasons.contains { $0.contains("403") && $0.contains("are not set: MURPHY_AUTH_KEY") }, "\(result.reasons)"
    )
  }

  @Test func `a wrong base path is no finding`() async throws {
    let result = try await Self.explore(only: [], base: "/api")
    #expect(result.verdict == .noData && result.exitStatus == .noData, "\(result.reasons)")
    #expect(result.findings.filter { $0.severity == .error }.map(\.headline) == [])
    let reason = "Every called operation returned only status 404. Check the base path of the target, such as"
    #expect(result.reasons == [reason + " http://host/api."])
    let advice = try #require(VerdictSummary(result).advice)
    #expect(advice.contains("base path") && !advice.contains("Document the status"), "\(advice)")
  }

  @Test func `an example that is stored already is no rejection`() async throws {
    let result = try await Self.explore(only: ["addSpans"])
    let row = try #require(result.explored?.operations.first { $0.operation == "addSpans" })
    #expect(row.succeeded && row.trials > 20, "\(row)")
    let refused = result.findings.filter { $0.kind == .exploreValidRefused }
    #expect(refused.map(\.headline) == [])
  }

  @Test func `an error of a database is seen in a rejection`() async throws {
    let result = try await Self.explore(only: ["search"])
    let leak = try #require(result.findings.first { $0.kind == .exploreInternals })
    #expect(leak.message.contains("status 400") && leak.message.contains("datatype mismatch"), "\(leak.message)")
    // What came for a method that the path does not document is a finding of its operation.
    let surplus = try #require(result.findings.first { $0.kind == .transportSurplusBytes })
    #expect(surplus.operation == "search", "\(surplus.headline)")
  }
}
