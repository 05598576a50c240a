import Foundation
import Murphy
import MurphyModel
import MurphyScenario
import Synchronization
import TestSupport
import Testing
import WildServer

/// Tokens that expire while murphy works, on a real server that rejects them from then on.
@Suite(.serialized, .timed) struct TokenRenewalTests {
  private static let contract = """
    openapi: 3.0.3
    info: { title: Notes, version: "1" }
    security: [{ token: [] }]
    paths:
      /notes:
        get:
          operationId: listNotes
          parameters: [{ name: q, in: query, schema: { type: string } }]
          responses: { "200": { description: all, content: &json {
            application/json: { schema: { type: array, items: { type: integer } } } } } }
      /me: { get: { operationId: getMe, responses: { "200": { description: you, content: *json } } } }
      /admin: { get: { operationId: getAdmin, responses: { "200": { description: all, content: *json } } } }
      /login:
        post:
          operationId: logIn
          security: []
          requestBody: { required: true, content: { application/json: { schema: { type: object, required: [user],
            properties: { user: { type: string, example: ada } } } } } }
          responses: { "200": { description: in, content: { application/json: { schema: { type: object,
            required: [access_token], properties: { access_token: { type: string } } } } } }, "422": { description: no } }
    components: { securitySchemes: { token: { type: http, scheme: bearer } } }
    """

  /// A server whose tokens are valid for a time.
  private final class Issuer: Sendable {
    private struct State {
      var tokens: [String: Date] = [:]
      var rejected = 0
    }
    private let state = Mutex(State())
    let life: Double

    init(life: Double = 1) { self.life = life }

    var issued: Int { state.withLock { $0.tokens.count } }
    var rejected: Int { state.withLock { $0.rejected } }

    func issue() -> String {
      state.withLock { state in
        let token = "token-number-\(state.tokens.count)"
        state.tokens[token] = Date()
        return token
      }
    }

    func accepts(_ field: String?) -> Bool {
      let token = field?.split(separator: " ").last.map(String.init) ?? ""
      return state.withLock { state in
        // The time of issue is the token.
        let began = state.tokens[token] ?? Double(token).map { Date(timeIntervalSince1970: $0 / 1e9) }
        let isValid = began.map { Date().timeIntervalSince($0) < life } ?? false
        if !isValid { state.rejected += 1 }
        return isValid
      }
    }
  }

  /// - Parameter states: true if a response to a login says how long its token is valid.
  private static func serve(_ issuer: Issuer, states: Bool = false) throws -> WildServer {
    try WildServer { request, connection in
      let life = states ? #","expires_in":\#(issuer.life)"# : ""
      switch request.target {
      case "/login", "/token": connection.answer(200, body: #"{"access_token":"\#(issuer.issue())"\#(life)}"#)
      case "/admin": connection.answer(401, body: "{}")
      case _ where !issuer.accepts(request.header("authorization")):
        connection.answer(401, body: #"{"detail":"The token has expired"}"#)
      default: connection.answer(200, body: "[1]")
      }
    }
  }

  private static func withFiles<Value>(
    _ server: WildServer, _ yaml: String, _ body: (String) async throws -> Value
  ) async throws -> Value {
    try await withTemporaryFolder { folder in
      try contract.write(toFile: folder + "/openapi.yaml", atomically: true, encoding: .utf8)
      let text = "name: Notes\ncontract: openapi.yaml\ntarget: \(server.url)\n\(yaml)\n"
      try text.write(toFile: folder + "/test.yaml", atomically: true, encoding: .utf8)
      return try await body(folder)
    }
  }

  private static func run(_ server: WildServer, _ yaml: String, _ tokens: TokenSource?) async throws -> RunResult {
    try await withFiles(server, yaml) { folder in
      var options = RunOptions()
      (options.seed, options.tokens) = (5, tokens)
      let gate = try Gate.load(folder + "/test.yaml", environment: [:])
      return gate.judge(try await gate.run(options), options: options)
    }
  }

  private static func login() throws -> TokenSource {
    TokenSource(.login(try TokenLogin(#"POST /login {"user": "ada"}"#, place: nil)))
  }

  private static let load = """
    sessions: { read: { steps: [{ call: listNotes }, { call: getMe }] } }
    load: [{ hold: 40/s, for: 4s }]
    """

  private static func expectCleanRun(_ result: RunResult, _ issuer: Issuer) throws {
    let tokens = try #require(result.run.tokens)
    #expect(result.verdict == .pass, "\(result.reasons) \(result.findings.map(\.headline))")
    // The server's 401 has no WWW-Authenticate, and this stays a finding.
    #expect(result.findings.filter { $0.kind != .transportMissingChallenge }.map(\.headline) == [])
    #expect(result.operations.allSatisfy { $0.outcomes.errorResponses == 0 })
    #expect(tokens.renewals ?? 0 >= 2 && tokens.failed == 0, "\(tokens)")
  }

  @Test(arguments: [false, true]) func `a run logs in again when its token expires`(_ states: Bool) async throws {
    // A renewal has a tenth of the life, also on a busy machine.
    let issuer = Issuer(life: states ? 2 : 1)
    let server = try Self.serve(issuer, states: states)
    defer { server.stop() }
    let result = try await Self.run(server, Self.load, try Self.login())
    try Self.expectCleanRun(result, issuer)
    // One for all users, once for each life.
    #expect((3...6).contains(issuer.issued), "\(issuer.issued)")
    #expect(result.run.tokens?.requests == issuer.issued)
    // On a busy machine a loop, or the response with the new token, is late: requests have the token of before.
    let slowest = result.operations.map(\.latency.max).max() ?? .zero
    let isLate = max(result.generator.longestStall, slowest) > .milliseconds(100)
    #expect(states ? issuer.rejected == 0 || isLate : issuer.rejected > 0, "\(issuer.rejected)")
    #expect(result.operations.reduce(0) { $0 + ($1.retries ?? 0) } == issuer.rejected)
  }

  @Test func `a run executes its token command again`() async throws {
    let issuer = Issuer()
    let server = try Self.serve(issuer)
    defer { server.stop() }
    let result = try await Self.run(server, Self.load, TokenSource(.command("date +%s%N")))
    try Self.expectCleanRun(result, issuer)
    #expect(issuer.rejected > 0)
  }

  @Test(arguments: [false, true]) func `users with OAuth 2 request new tokens`(_ isShared: Bool) async throws {
    let issuer = Issuer()
    let server = try Self.serve(issuer)
    defer { server.stop() }
    let yaml = """
      client: { auth: { oauth2: { token-url: /token, client-id: a, client-secret: secret-of-a, shared: \(isShared) } } }
      sessions: { read: { steps: [{ repeat: 40, steps: [{ call: listNotes }, { call: getMe }, { think: 50ms }] }] } }
      load: [{ users: 3, for: 4s }]
      """
    let result = try await Self.run(server, yaml, nil)
    try Self.expectCleanRun(result, issuer)
    #expect(issuer.rejected > 0)
    if isShared { #expect((2...6).contains(issuer.issued), "\(issuer.issued)") }
  }

  @Test func `a 401 to a new token is the response of the API`() async throws {
    let issuer = Issuer(life: 60)
    let server = try Self.serve(issuer)
    defer { server.stop() }
    let yaml = """
      sessions: { read: { steps: [{ call: listNotes }, { call: getAdmin }] } }
      load: [{ hold: 40/s, for: 2s }]
      """
    let result = try await Self.run(server, yaml, try Self.login())
    #expect(result.verdict == .fail, "\(result.reasons)")
    #expect(result.findings.contains { $0.operation == "getAdmin" && $0.kind == .contractStatus })
    // The operation does not log in again and again.
    #expect(issuer.issued <= 3, "\(issuer.issued)")
  }

  @Test func `a server that gives no new token loses the credentials`() async throws {
    let issuer = Issuer()
    let server = try WildServer { request, connection in
      if request.target == "/login", issuer.issued == 0 {
        connection.answer(200, body: #"{"access_token":"\#(issuer.issue())"}"#)
      } else {
        connection.answer(issuer.accepts(request.header("authorization")) ? 200 : 401, body: "[1]")
      }
    }
    defer { server.stop() }
    let result = try await Self.run(server, Self.load, try Self.login())
    #expect(result.verdict == .fail, "\(result.reasons)")
    let tokens = try #require(result.run.tokens)
    #expect((1...5).contains(tokens.failed) && tokens.renewals == nil, "\(tokens)")
  }

  @Test(arguments: [true, false]) func `an exploration logs in again`(_ isGiven: Bool) async throws {
    let issuer = Issuer()
    let server = try Self.serve(issuer)
    defer { server.stop() }
    try await Self.withFiles(server, Self.load) { folder in
      var options = ExploreOptions(target: try Target(server.url))
      (options.seed, options.time, options.invents) = (1, .seconds(5), true)
      options.only = ["listNotes", "getMe"]
      if isGiven { options.tokens = try Self.login() }
      let result = try await ContractExplorer.open(folder + "/openapi.yaml", options).run()
      #expect(result.run.tokens?.renewals ?? 0 >= 2, "\(String(describing: result.run.tokens))")
      #expect(result.run.lostCredentials == nil)
      let open = result.findings.filter { $0.message.contains("401") && !$0.message.contains("without credentials") }
      #expect(open.filter { $0.kind != .transportMissingChallenge }.map(\.headline) == [])
      let text = String(decoding: try JSONEncoder().encode(result), as: UTF8.self)
      #expect(!text.contains("token-number-"))
    }
  }

  @Test func `a draft and a probe of limits log in again`() async throws {
    let issuer = Issuer()
    let server = try Self.serve(issuer)
    defer { server.stop() }
    try await Self.withFiles(server, Self.load) { folder in
      let login = ["--login", #"POST /login {"user": "ada"}"#]
      let drafted = try await Program().run(
        ["init", "openapi.yaml", "--target", server.url, "-o", "draft.yaml"] + login, in: folder)
      let draft = try String(contentsOfFile: folder + "/draft.yaml", encoding: .utf8)
      #expect(drafted.status == 0, "\(drafted)")
      #expect(!draft.contains("401") || draft.contains("getAdmin"), "\(draft)")
      let probed = try await Program().run(
        ["limits", "test.yaml", "--operation", "listNotes", "--max-requests", "60"] + login, in: folder)
      #expect(!(probed.output + probed.errors).contains("401"), "\(probed)")
    }
  }

  /// A new token has a new quota of its own, or shares the quota of all clients.
  @Test(arguments: ["token", "global"]) func `a probe does not take two tokens for one client`(_ key: String)
    async throws
  {
    let issuer = Issuer(life: 3)
    let windows = Mutex<[String: (began: Date, count: Int)]>([:])
    let server = try WildServer { request, connection in
      guard request.target != "/login" else {
        return connection.answer(200, body: #"{"access_token":"\#(issuer.issue())"}"#)
      }
      let token = request.header("authorization") ?? ""
      guard issuer.accepts(token) else { return connection.answer(401, body: "{}") }
      let isAdmitted = windows.withLock { windows in
        let name = key == "token" ? token : ""
        var window = windows[name] ?? (Date(), 0)
        if Date().timeIntervalSince(window.began) >= 2 { window = (Date(), 0) }
        window.count += 1
        windows[name] = window
        return window.count <= 3
      }
      connection.answer(isAdmitted ? 200 : 429, body: "[1]")
    }
    defer { server.stop() }
    let limit = "{ allow: 3, per: 2s, algorithm: fixed, key: \(key), operations: [listNotes] }"
    try await Self.withFiles(server, Self.load + "\nexpect: { limits: { notes: \(limit) } }") { folder in
      let probed = try await Program().run(
        ["limits", "test.yaml", "-v", "--login", #"POST /login {"user": "ada"}"#], in: folder)
      let ends = probed.output.contains("because it renewed the access token. The limit counts by token")
      // With such short tokens, many responses are 401 and decide nothing.
      #expect(ends == (key == "token") && (ends ? probed.status == 5 : probed.status != 1), "\(probed)")
    }
  }
}
