import Foundation
import Murphy
import MurphyModel
import Synchronization
import Testing
import WildServer

/// Keys that the target issues itself: each session logs in and is limited by its token.
@Suite(.serialized) struct FreshTokenTests {
  /// A login and a list, limited to three requests for a token.
  private final class TokenAPI: Sendable {
    enum Tokens: Sendable { case minted, perUser, claims }

    private let used = Mutex<[String: Int]>([:])
    private let tokens: Tokens
    private let refusesNew: Bool
    private let logins = Counter()

    init(_ tokens: Tokens, refusesNew: Bool) {
      self.tokens = tokens
      self.refusesNew = refusesNew
      // Another client has used up what the one user's token allows.
      used.withLock { $0["Bearer token-of-the-only-user"] = 3 }
    }

    func answer(_ request: WildRequest, _ connection: WildConnection) {
      if request.target == "/login" { return connection.answer(body: #"{"token":"\#(token(request))"}"#) }
      let count = used.withLock { used in
        used[request.header("authorization") ?? "", default: 0] += 1
        return used[request.header("authorization") ?? ""]!
      }
      let isAdmitted = count <= 3 && !refusesNew
      connection.answer(isAdmitted ? 200 : 429, headers: isAdmitted ? [:] : ["Retry-After": "60"])
    }

    private func token(_ request: WildRequest) -> String {
      switch tokens {
      case .minted: return "token-of-login-number-\(logins.add())"
      case .perUser: return "token-of-the-only-user"
      case .claims:
        let claims = Data(#"{"sub":\#(String(decoding: request.body, as: UTF8.self))}"#.utf8).base64EncodedString()
        return "e30.\(claims.replacing("=", with: "").replacing("+", with: "-").replacing("/", with: "_")).c2ln"
      }
    }
  }

  static let contract = """
    openapi: 3.1.0
    info: { title: Tokens, version: "1" }
    paths:
      /login:
        post:
          operationId: login
          requestBody: { content: { application/json: { schema: {} } } }
          responses: { "200": { description: in, content: { application/json: { schema: { type: object } } } } }
      /items:
        get:
          operationId: listItems
          responses:
            "200": { description: all, content: { application/json: { schema: { type: object } } } }
            "429": { description: slower, content: { application/json: { schema: { type: object } } } }
    """

  private static func run(_ api: TokenAPI, login: String, load: String) async throws -> RunResult {
    let server = try WildServer { api.answer($0, $1) }
    defer { server.stop() }
    let scenario = """
      name: Tokens
      contract: tokens.yaml
      target: \(server.url)
      client: { auth: { bearer: "${token}" } }
      sessions:
        visit:
          steps:
            - call: login
              body: \(login)
              save: { token: $.token }
            - call: listItems
              on: { 429: continue }
            - call: listItems
              on: { 429: continue }
      load: \(load)
      expect:
        limits:
          listItems: { allow: 3, per: 60s, algorithm: fixed, key: token }
      """
    return try await withTemporaryFolder { folder in
      try contract.write(toFile: folder + "/tokens.yaml", atomically: true, encoding: .utf8)
      try scenario.write(toFile: folder + "/scenario.yaml", atomically: true, encoding: .utf8)
      let gate = try Gate.load(folder + "/scenario.yaml", environment: [:])
      var options = RunOptions()
      options.seed = 3
      return gate.judge(try await gate.run(options), options: options)
    }
  }

  @Test func `a limiter that rejects tokens it has just issued fails the run`() async throws {
    let result = try await Self.run(
      TokenAPI(.minted, refusesNew: true), login: "{ name: anna, device: \"${uuid()}\" }",
      load: "[{ hold: 20/s, for: 3s }]")
    let row = try #require(result.limits.first)
    #expect(row.verdict == .overThrottling, "\(row.sentence)")
    #expect(row.sentence.contains("; the target issued the key's value in this run"))
    #expect(result.verdict == .fail)
    // No token is in the result.
    #expect(!String(decoding: try JSONEncoder().encode(result), as: UTF8.self).contains("token-of-login-number-1\""))
  }

  @Test func `one token for all, used up by another client, is not a proof`() async throws {
    let result = try await Self.run(
      TokenAPI(.perUser, refusesNew: false), login: "{ name: anna, device: \"${uuid()}\" }",
      load: "[{ hold: 20/s, for: 3s }]")
    let row = try #require(result.limits.first)
    #expect(row.refused == row.requests)
    #expect(row.verdict == .inconclusive, "\(row.sentence)")
  }

  @Test func `a token that names a user drawn in the run is new without any other`() async throws {
    let result = try await Self.run(
      TokenAPI(.claims, refusesNew: true), login: "\"${uuid()}\"", load: "[{ hold: 4/s, for: 1s }]")
    let row = try #require(result.limits.first)
    #expect(row.verdict == .overThrottling, "\(row.sentence)")
    // The name is the same in every run, so the token may be older.
    let known = try await Self.run(
      TokenAPI(.claims, refusesNew: true), login: "anna", load: "[{ hold: 4/s, for: 1s }]")
    #expect(known.limits.first?.verdict == .inconclusive)
  }
}
