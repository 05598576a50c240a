import Foundation
import Murphy
import MurphyModel
import Synchronization
import Testing
import WildServer

/// `murphy limits` on an API behind a login that only sessions of the scenario make.
@Suite struct SessionTokenTests {
  /// A login, and a list that is limited to three requests in a second for a token.
  private final class TokenAPI: Sendable {
    /// The number of responses to requests for the list, by status.
    let answers = Mutex<[Int: Int]>([:])
    private let windows = Mutex<[String: (begin: ContinuousClock.Instant, count: Int)]>([:])
    private let logins = Counter()

    func answer(_ request: WildRequest, _ connection: WildConnection) {
      if request.target == "/login" {
        let token = "token-of-login-number-\(logins.add())"
        windows.withLock { $0["Bearer " + token] = (.now - .seconds(1), 0) }
        return connection.answer(body: #"{"access_token":"\#(token)","token_type":"Bearer"}"#)
      }
      let isAdmitted = windows.withLock { windows -> Bool? in
        guard let token = request.header("authorization"), var window = windows[token] else { return nil }
        if window.begin.duration(to: .now) >= .seconds(1) { window = (.now, 0) }
        window.count += 1
        windows[token] = window
        return window.count <= 3
      }
      let status = isAdmitted.map { $0 ? 200 : 429 } ?? 401
      answers.withLock { $0[status, default: 0] += 1 }
      connection.answer(status)
    }
  }

  private static let logins = [
    "client authentication": """
    client: { auth: { bearer: "${token}" } }
    sessions:
      visit:
        steps:
          - { call: login, body: {}, save: { token: $.access_token } }
          - call: listItems
    """,
    "a header of the step": """
    sessions:
      visit:
        steps:
          - { call: login, body: {}, save: { token: $.access_token } }
          - { call: listItems, headers: { Authorization: "Bearer ${token}" } }
    """,
    "oauth2": """
    client: { auth: { oauth2: { token-url: "URL/login", client-id: murphy, client-secret: "only-for-tests" } } }
    sessions: { visit: { steps: [{ call: listItems }] } }
    """,
  ]

  @Test(arguments: logins.keys.sorted())
  func `a probe uses the token of a session`(_ login: String) async throws {
    let api = TokenAPI()
    let server = try WildServer { api.answer($0, $1) }
    defer { server.stop() }
    let sessions = try #require(Self.logins[login]).replacing("URL", with: server.url)
    let scenario = """
      name: Tokens
      contract: tokens.yaml
      target: \(server.url)
      \(sessions)
      load: [{ hold: 1/s, for: 1s }]
      expect: { limits: { items: { operations: [listItems], allow: 3, per: 1s, algorithm: fixed, key: token } } }
      """
    let result = try await withTemporaryFolder { folder in
      try FreshTokenTests.contract.write(toFile: folder + "/tokens.yaml", atomically: true, encoding: .utf8)
      try scenario.write(toFile: folder + "/scenario.yaml", atomically: true, encoding: .utf8)
      var options = LimitsOptions()
      options.isQuick = true
      return try await Gate.load(folder + "/scenario.yaml", environment: [:]).probeLimits(options)
    }
    #expect(api.answers.withLock { $0[401] } == nil, "\(result.reasons)")
    #expect(api.answers.withLock { $0[200, default: 0] >= 3 && $0[429, default: 0] >= 1 })
    #expect(!String(decoding: try JSONEncoder().encode(result), as: UTF8.self).contains("token-of-login-number"))
  }
}
