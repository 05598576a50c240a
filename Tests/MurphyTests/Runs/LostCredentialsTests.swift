import Foundation
import Murphy
import Synchronization
import TestSupport
import Testing
import WildServer

/// Credentials that stop working during a run, and what only looks like that, on a real server.
@Suite(.serialized, .timed) struct LostCredentialsTests {
  private static let contract = """
    openapi: 3.0.3
    info: { title: Notes, version: "1" }
    security: [{ token: [] }]
    paths:
      /notes:
        get: { operationId: listNotes, parameters: &page [
            { name: limit, in: query, schema: { type: integer, minimum: 1, maximum: 100 } },
            { name: sort, in: query, schema: { type: string, enum: [up, down], maxLength: 9 } } ],
          responses: { "200": { description: all } } }
        post: { operationId: addNote, responses: { "201": { description: made } } }
      /me: { get: { operationId: getMe, parameters: *page, responses: { "200": { description: you } } } }
      /admin: { get: { operationId: getAdmin, responses: { "200": { description: all } } } }
      /health: { get: { operationId: health, security: [], responses: { "200": { description: fine } } } }
      /login: { post: { operationId: logIn, security: [], responses: { "200": { description: in } } } }
      /logout: { post: { operationId: logOut, responses: { "204": { description: out } } } }
    components: { securitySchemes: { token: { type: http, scheme: bearer } } }
    """

  /// One token that a log-out ends, and others that live for so long, seconds.
  private final class Accounts: Sendable {
    private struct State {
      var isOut = false
      var tokens: [String: Date] = [:]
    }
    private let state = Mutex(State())
    private let lifetime: Double

    init(lifetime: Double = .infinity) { self.lifetime = lifetime }

    func logOut() { state.withLock { $0.isOut = true } }
    func logIn() -> String {
      state.withLock { state in
        let token = "personal-token-\(state.tokens.count)"
        state.tokens[token] = Date()
        return token
      }
    }
    func isKnown(_ field: String?) -> Bool {
      guard let token = field?.split(separator: " ").last.map(String.init) else { return false }
      return state.withLock { state in
        if token == "shared-token-000" { return !state.isOut }
        return state.tokens[token].map { Date().timeIntervalSince($0) < lifetime } ?? false
      }
    }
  }

  private static func serve(_ accounts: Accounts, rejecting status: Int = 401) throws -> WildServer {
    try WildServer { request, connection in
      switch (request.method, request.target) {
      case (_, "/health"): connection.answer(200, body: "")
      case (_, "/login"): connection.answer(200, body: "{\"token\":\"\(accounts.logIn())\"}")
      case (_, "/admin"): connection.answer(403)
      case _ where !accounts.isKnown(request.header("authorization")): connection.answer(status)
      case (_, "/logout"):
        accounts.logOut()
        connection.answer(204, body: "")
      case ("POST", _): connection.answer(201, body: "")
      default: connection.answer(200, type: "text/plain", body: "")
      }
    }
  }

  private static func run(
    _ accounts: Accounts, _ yaml: String, document: String = contract
  ) async throws -> RunResult {
    let server = try serve(accounts)
    defer { server.stop() }
    return try await withTemporaryFolder { folder in
      try document.write(toFile: folder + "/notes.yaml", atomically: true, encoding: .utf8)
      let text = "name: Notes\ncontract: notes.yaml\ntarget: \(server.url)\n\(yaml)\n"
      try text.write(toFile: folder + "/test.yaml", atomically: true, encoding: .utf8)
      var options = RunOptions()
      options.seed = 5
      options.environment = ["MURPHY_AUTH_TOKEN": "shared-token-000"]
      let gate = try Gate.load(folder + "/test.yaml", environment: options.environment)
      return gate.judge(try await gate.run(options), options: options)
    }
  }

  private static let dying = """
    sessions:
      read: { share: 20, steps: [{ call: listNotes }, { call: getMe }, { call: health }] }
      write: { share: 4, steps: [{ call: addNote }] }
    load: [{ hold: 30/s, for: 40s }]
    expect: { budgets: { "*": { errors: 1% } } }
    """
  private static let leaving = dying.replacing(
    "load: [", with: "  leave: { share: 1, steps: [{ think: 3s }, { call: logOut }] }\nload: [")

  @Test(.timeLimit(.minutes(1)), arguments: ["secured", "open"])
  func `a log-out that ends everybody's token ends the load`(_ kind: String) async throws {
    // Without `security` the header of the client is what tells.
    let document =
      kind == "secured"
      ? Self.contract : Self.contract.replacing("security: [{ token: [] }]\n", with: "")
    let client = kind == "secured" ? "" : "client: { headers: { Authorization: Bearer shared-token-000 } }\n"
    let result = try await Self.run(
      Accounts(), client + (kind == "secured" ? Self.leaving : Self.leaving.replacing(", { call: health }", with: "")),
      document: document)
    let lost = try #require(result.run.lostCredentials, "\(result.reasons)")
    #expect(lost.after == "POST /logout")
    #expect(lost.rejections >= 20)
    #expect(result.run.duration < .seconds(25), "the load was ended: \(lost.at)")
    #expect(result.verdict == .invalid)
    #expect(result.reasons.first?.hasPrefix("Credentials stopped working at ") == true, "\(result.reasons)")
    #expect(result.reasons.first?.contains(", after POST /logout:") == true)
    // What came afterwards is not judged: not as statuses that are not documented, and not as a share of errors.
    #expect(result.findings.filter { $0.severity == .error }.map(\.message) == [])
    #expect(result.budgets.allSatisfy { $0.verdict != .fail })
    #expect(result.traffic.allSatisfy { $0.verdict != .fail })
    let sentence = "credentials stopped working at \(lost.at.text(places: 1))"
    for text in [
      TerminalDetails(result).text.replacing("\n", with: " "), MarkdownReport(result).text, HTMLReport(result).text,
      JUnitReport(result).text,
    ] {
      #expect(text.contains(sentence), "\(text.prefix(2_000))")
    }
    #expect(try ResultFile.decode(ResultFile.encode(result)).run.lostCredentials == lost)
  }

  private func expectsWholeLoad(_ result: RunResult, _ what: Comment, sourceLocation: SourceLocation = #_sourceLocation)
  {
    #expect(result.run.lostCredentials == nil, what, sourceLocation: sourceLocation)
    #expect(result.run.duration >= .milliseconds(6900), what, sourceLocation: sourceLocation)
  }

  @Test(.timeLimit(.minutes(1))) func `a step that expects 401 ends nothing`() async throws {
    let result = try await Self.run(
      Accounts(),
      """
      sessions:
        out: { share: 1, steps: [{ think: 1s }, { call: logOut, on: { 401: end } }] }
        read:
          share: 5
          steps:
            - { call: getMe, on: { 401: continue } }
            - { call: listNotes, on: { 401: end } }
      load: [{ hold: 20/s, for: 7s }]
      """)
    expectsWholeLoad(result, "on: handles them")
    let expected = try await Self.run(
      Accounts(),
      """
      sessions:
        out: { share: 1, steps: [{ think: 1s }, { call: logOut, expect: { status: [204, 401] } }] }
        read:
          share: 5
          steps:
            - { call: getMe, expect: { status: [200, 401] } }
            - { call: listNotes, expect: { status: [200, 401] } }
      load: [{ hold: 20/s, for: 7s }]
      """)
    expectsWholeLoad(expected, "expect: names them")
  }

  @Test(.timeLimit(.minutes(1))) func `users whose tokens expire and who log in anew end nothing`() async throws {
    // Each of three users is without a token for half of the time, all of them at once.
    let result = try await Self.run(
      Accounts(lifetime: 2),
      """
      sessions:
        own:
          steps:
            - { call: logIn, save: { token: $.token } }
            - repeat: 16
              steps:
                - { call: getMe, headers: { Authorization: "Bearer ${token}" } }
                - { call: listNotes, headers: { Authorization: "Bearer ${token}" } }
                - { think: 250ms }
      load: [{ users: 3, for: 7s }]
      """)
    expectsWholeLoad(result, "\(result.reasons)")
    #expect(result.operations.contains { $0.statuses.contains { $0.status == 401 } })
  }

  @Test(.timeLimit(.minutes(1))) func `operations that are forbidden from the start end nothing`() async throws {
    let result = try await Self.run(
      Accounts(),
      """
      sessions:
        read: { steps: [{ call: getMe }] }
        admin: { share: 20, steps: [{ call: getAdmin }] }
      load: [{ hold: 20/s, for: 7s }]
      """)
    expectsWholeLoad(result, "\(result.reasons)")
    #expect(result.verdict == .fail)
  }

  @Test(.timeLimit(.minutes(1))) func `one user of several who is locked out ends nothing`() async throws {
    let result = try await Self.run(
      Accounts(),
      """
      sessions:
        out: { share: 1, steps: [{ think: 1s }, { call: logOut }] }
        shared: { share: 8, steps: [{ call: getMe }, { call: listNotes }] }
        own:
          share: 2
          steps:
            - { call: logIn, save: { token: $.token } }
            - { call: getMe, headers: { Authorization: "Bearer ${token}" } }
            - { call: listNotes, headers: { Authorization: "Bearer ${token}" } }
      load: [{ hold: 20/s, for: 7s }]
      """)
    expectsWholeLoad(result, "\(result.reasons)")
  }

  @Test(.timeLimit(.minutes(1)), arguments: [(401, 20), (403, 40)])
  func `an exploration that logs itself out says so`(_ status: Int, _ rejections: Int) async throws {
    let accounts = Accounts()
    let server = try Self.serve(accounts, rejecting: status)
    defer { server.stop() }
    try await withTemporaryFolder { folder in
      try Self.contract.write(toFile: folder + "/notes.yaml", atomically: true, encoding: .utf8)
      var options = ExploreOptions(target: try Target(server.url))
      (options.seed, options.time) = (1, .seconds(20))
      options.environment = ["MURPHY_AUTH_TOKEN": "shared-token-000"]
      // A logout is sent only where the user names it.
      options.operations = ["logOut"]
      let result = try await ContractExplorer(folder + "/notes.yaml", options).run()
      let lost = try #require(result.run.lostCredentials, "\(result.reasons)")
      #expect(lost.after == "POST /logout" && lost.rejections == rejections)
      #expect(result.verdict == .invalid)
      let sentence =
        status == 401 ? "Credentials stopped working at " : "credentials that had worked got only status 403"
      #expect(result.reasons.first?.contains(sentence) == true, "\(result.reasons)")
      #expect(server.requests.last?.header("authorization") != nil)
    }
  }
}
