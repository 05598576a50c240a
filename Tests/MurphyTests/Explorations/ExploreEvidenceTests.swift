import Foundation
import Murphy
import Synchronization
import TestSupport
import Testing
import WildServer

/// What an exploration prints of its findings shows them on a server that nobody has sent anything to.
@Suite(.serialized, .requires(.bash, .curl), .timed) struct ExploreEvidenceTests {
  private static let contract = """
    openapi: 3.0.3
    info: { title: Club, version: "1" }
    paths:
      /names:
        post: { operationId: takeName, requestBody: { required: true, content: { application/json: { schema: {
            type: object, required: [name, api_key], additionalProperties: false, properties: { name: { enum: [murphy] },
            api_key: { enum: [nobodys-key] } } } } } },
          responses: { "201": &any { description: any, content: { application/json: {} } }, "400": *any } }
      /members/{name}:
        parameters: [{ name: name, in: path, required: true, schema: { type: string } }]
        get: { operationId: getMember, responses: { "200": *any, "404": *any } }
        put: { operationId: addMember, requestBody: &rank { required: true, content: { application/json: { schema: {
            type: object, properties: { rank: { type: integer, minimum: 1, maximum: 9 } } } } } },
          responses: { "200": *any, "201": *any, "400": *any } }
        patch: { operationId: promote,
          parameters: [{ name: If-Match, in: header, required: true, schema: { type: string } }],
          requestBody: *rank,
          responses: { "200": *any, "400": *any, "404": *any, "412": *any, "428": *any } }
      /plain: { get: { operationId: getPlain, responses: { "200": *any } } }
      /first: { get: { operationId: getFirst, security: [{ key: [] }], responses: { "200": *any, "401": *any } } }
      /second: { get: { operationId: getSecond, security: [{ key: [] }], responses: { "200": *any, "401": *any } } }
      /guarded: { get: { operationId: getGuarded, security: [{ key: [] }], responses: { "200": *any, "401": *any } } }
    components: { securitySchemes: { key: { type: apiKey, in: header, name: X-Token } } }
    """

  /// Sets a cookie with each response; `promote` needs the member's tag and rejects a body without a rank.
  private final class Club: Sendable {
    private let state = Mutex<(names: Set<String>, tags: [String: Int])>(([], [:]))

    func respond(_ request: WildRequest, _ connection: WildConnection) {
      func send(_ status: Int, tag: Int? = nil, type: String = "application/json") {
        var headers = ["Content-Type": type, "Set-Cookie": "visit=\(UUID().uuidString)"]
        headers["ETag"] = tag.map { "\"tag-\($0)\"" }
        connection.answer(status, headers: headers, body: request.method == "HEAD" ? "" : #"{"a":1}"#)
      }
      let path = String(request.target.prefix { $0 != "?" })
      let sent = (try? JSONSerialization.jsonObject(with: Data(request.body))) as? [String: Any]
      let isJSON = request.header("content-type")?.hasPrefix("application/json") == true && sent != nil
      let member = path.hasPrefix("/members/") ? String(path.dropFirst(9)) : nil
      let rank = sent?["rank"].map { ($0 as? Int).map { (1...9).contains($0) } ?? false }
      state.withLock { state in
        switch (request.method, path) {
        case ("POST", "/names"):
          guard isJSON, sent?["name"] as? String == "murphy", sent?["api_key"] as? String == "nobodys-key",
            sent?.count == 2
          else { return send(400) }
          send(state.names.insert("murphy").inserted ? 201 : 409)
        case ("GET", "/plain"): send(200, type: "text/csv")
        case ("GET", "/first"), ("GET", "/second"): send(200)
        case ("GET", "/guarded"): send(request.header("x-token") == nil ? 401 : 200)
        case ("PUT", _) where member != nil:
          guard isJSON, rank != false else { return send(400) }
          let isNew = state.tags[member ?? ""] == nil
          state.tags[member ?? "", default: Int.random(in: 1...1_000_000_000)] += 1
          send(isNew ? 201 : 200, tag: state.tags[member ?? ""])
        case ("GET", _) where member != nil:
          if let tag = state.tags[member ?? ""] { send(200, tag: tag) } else { send(404) }
        case ("PATCH", _) where member != nil:
          guard let tag = state.tags[member ?? ""] else { return send(404) }
          guard let match = request.header("if-match") else { return send(428) }
          guard match == "\"tag-\(tag)\"" else { return send(412) }
          send(isJSON && rank == true ? 200 : 400, tag: tag)
        default: send(405)
        }
      }
    }
  }

  private static let key = "key-of-the-user-17"

  private static func explored(
    only: [String] = [], _ use: (RunResult, ContractExplorer, _ origin: String, _ folder: String) async throws -> Void
  ) async throws {
    let club = Club()
    let server = try WildServer { club.respond($0, $1) }
    defer { server.stop() }
    try await withTemporaryFolder { folder in
      let file = folder + "/openapi.yaml"
      try contract.write(toFile: file, atomically: true, encoding: .utf8)
      var options = ExploreOptions(target: try Target(server.url))
      (options.seed, options.time, options.only) = (1, .seconds(70), only)
      options.environment = ["MURPHY_AUTH_KEY": key]
      let explorer = try ContractExplorer(file, options)
      try await use(try await explorer.run(), explorer, server.url, folder)
    }
  }

  @Test func `every script shows its finding on a fresh server`() async throws {
    try await Self.explored { result, _, origin, _ in
      let findings = result.findings.filter { $0.evidence?.exchange?.status != nil }
      let kinds = Set(findings.map { "\($0.operation ?? "") \($0.kind.rawValue)" })
      for kind in [
        "takeName contract.status", "promote explore.valid-refused", "getPlain contract.content-type",
        "getGuarded explore.auth-ignored", " explore.auth-ignored",
      ] { #expect(kinds.contains(kind), "\(kinds)") }
      for finding in findings {
        let club = Club()
        let fresh = try WildServer { club.respond($0, $1) }
        defer { fresh.stop() }
        let script = try #require(finding.evidence?.curl?.text)
        #expect(!script.contains("mktemp"), "\(finding.headline)\n\(script)")
        // A second time, too: what it creates has a new name each time.
        for _ in 1...2 {
          let (output, errors) = try await Replay.run(
            script.replacing(origin, with: fresh.url), environment: ["SECRET": Self.key, "SECRET_X_TOKEN": Self.key])
          let statuses = String(decoding: output, as: UTF8.self).matches(of: /HTTP\/1\.1 (\d{3})/).map {
            Int($0.output.1)
          }
          #expect(statuses.last == finding.evidence?.exchange?.status, "\(finding.headline)\n\(script)\n\(errors)")
        }
      }
    }
  }

  @Test func `credentials that murphy made up are printed and those of the user are not`() async throws {
    try await Self.explored(only: ["getFirst", "getSecond", "getGuarded"]) { result, _, _, _ in
      let ignored = result.findings.filter { $0.kind == .exploreAuthIgnored }
      #expect(ignored.count == 2, "\(ignored.map(\.headline))")
      #expect(ignored.contains { $0.operation == nil && $0.members?.count == 2 })
      let guarded = try #require(ignored.first { $0.operation == "getGuarded" }?.evidence)
      #expect(guarded.curl?.text.contains("X-Token: \(SecretMask.madeUp.token)") == true, "\(guarded.curl?.text ?? "")")
      let sent = guarded.exchange?.requestHeaders ?? []
      #expect(sent.contains(HeaderField("X-Token", SecretMask.madeUp.token)), "\(sent)")
      #expect(try !ResultFile.encode(result).contains(Self.key))
    }
  }

  @Test func `a plain request is exported as a session`() async throws {
    try await Self.explored(only: ["getPlain"]) { result, explorer, origin, folder in
      let file = folder + "/found.yaml"
      let scenario = explorer.scenario(of: result, for: file)
      let text = try #require(scenario.text, "\(scenario.left)")
      try text.write(toFile: file, atomically: true, encoding: .utf8)
      #expect(text.contains("call: getPlain"), "\(text)")
      var options = RunOptions()
      (options.loops, options.duration) = (1, .seconds(2))
      let gate = try Gate.load(file, environment: [:])
      let again = gate.judge(try await gate.run(options), options: options)
      #expect(again.findings.contains { $0.kind == .contractContentType }, "\(again.findings.map(\.headline))")
      // What no single exchange shows names the exploration with its options.
      let command = try #require(
        result.findings.lazy.compactMap { $0.evidence?.curl?.text }.first { $0.hasPrefix("murphy") })
      for word in ["--seed 1", "--max-seconds '70s'", "--only 'getPlain'", "--target '\(origin)'"] {
        #expect(command.contains(word), "\(command)")
      }
    }
  }
}
