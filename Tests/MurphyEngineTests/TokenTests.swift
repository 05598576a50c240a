import Foundation
import MurphyEngine
import MurphyModel
import Testing
import WildServer

/// Access tokens of OAuth 2: asked for, sent, refreshed, counted apart, never shown.
@Suite struct TokenTests {
  /// An API and an authorization server that gives numbered tokens, each good for so many requests.
  private final class Issuer: Sendable {
    let given = Counter()
    let used = Counter()
    let life: Int
    let uses: Int
    let refreshes: Bool
    let refusal: String?

    init(life: Int = 3600, uses: Int = .max, refreshes: Bool = false, refusal: String? = nil) {
      self.life = life
      self.uses = uses
      self.refreshes = refreshes
      self.refusal = refusal
    }

    func respond(_ request: WildRequest, _ connection: WildConnection) {
      guard request.target.hasPrefix("/token") else {
        let token = request.header("authorization") ?? ""
        let isLast = token == "Bearer token-\(given.value)-hush"
        if uses < .max {
          guard isLast, used.value < uses * given.value else { return connection.answer(401, body: "{}") }
          used.add()
        }
        return connection.answer(token.hasPrefix("Bearer token-") ? 200 : 401, body: EngineFixture.page)
      }
      if let refusal { return connection.answer(400, body: refusal) }
      let number = given.add()
      let refresh = refreshes ? #","refresh_token":"refresh-\#(number)-hush""# : ""
      connection.answer(
        body: #"{"access_token":"token-\#(number)-hush","token_type":"bearer","expires_in":\#(life)\#(refresh)}"#)
    }
  }

  private func run(
    _ issuer: Issuer, oauth2: String = "", load: String = "[{ hold: 4/s, for: 1s }]",
    steps: String = "[{ call: listLaws }, { call: listLaws }]", _ look: (RunRecord, WildServer) throws -> Void
  ) async throws {
    let server = try WildServer(issuer.respond)
    defer { server.stop() }
    let record = try await EngineFixture.run(
      """
      client:
        auth:
          oauth2: { token-url: "\(server.url)/token?x=1", client-id: "my:app", client-secret: "se cret&", \(oauth2) }
      sessions:
        read: { steps: \(steps) }
      load: \(load)
      """, against: server.url)
    try look(record, server)
    let told = try String(decoding: JSONEncoder().encode(record.findings), as: UTF8.self) + "\(record.sessions)"
    for secret in ["hush", "se cret"] { #expect(!told.contains(secret), "\(told)") }
  }

  private static func tokens(_ server: WildServer) -> [WildRequest] {
    server.requests.filter { $0.target.hasPrefix("/token") }
  }

  @Test func `each user has a token of its own`() async throws {
    try await run(Issuer(), oauth2: "scope: a b, parameters: { audience: x }") { record, server in
      let asked = Self.tokens(server)
      #expect(asked.count == 4 && record.session("read").completed == 4)
      #expect(record.info.tokens == TokenResult(requests: 4, failed: 0))
      #expect(record.ledger.sent == 8)
      let request = try #require(asked.first)
      #expect(request.method == "POST" && request.target == "/token?x=1")
      // RFC 6749 §2.3.1: both parts are written as in a form.
      #expect(request.header("authorization") == "Basic " + Data("my%3Aapp:se%20cret%26".utf8).base64EncodedString())
      #expect(
        String(decoding: request.body, as: UTF8.self) == "grant_type=client_credentials&scope=a%20b&audience=x")
      let sent = server.requests.filter { $0.target == "/laws" }.compactMap { $0.header("authorization") }
      #expect(sent.count == 8 && Set(sent).count == 4)
    }
  }

  @Test func `one token may be everybody's`() async throws {
    try await run(Issuer(), oauth2: "shared: true, client-auth: body") { record, server in
      let asked = Self.tokens(server)
      #expect(asked.count == 1 && record.session("read").completed == 4)
      #expect(asked[0].header("authorization") == nil)
      #expect(
        String(decoding: asked[0].body, as: UTF8.self)
          == "grant_type=client_credentials&client_id=my%3Aapp&client_secret=se%20cret%26")
    }
  }

  @Test func `users of a closed load keep their token from session to session`() async throws {
    try await run(Issuer(), load: "{ stages: [{ users: 2, for: 1s }], iterations: 5 }") { record, server in
      #expect(record.session("read").completed == 10 && Self.tokens(server).count == 2)
    }
  }

  @Test func `a token is asked for anew before it expires, by the refresh token where there is one`() async throws {
    try await run(
      Issuer(life: 1, refreshes: true), load: "[{ hold: 1/s, for: 1s }]",
      steps: "[{ call: listLaws }, { think: 1s }, { call: listLaws }]"
    ) { record, server in
      let bodies = Self.tokens(server).map { String(decoding: $0.body, as: UTF8.self) }
      #expect(
        bodies == ["grant_type=client_credentials", "grant_type=refresh_token&refresh_token=refresh-1-hush"],
        "\(bodies)")
      #expect(record.session("read").completed == 1)
    }
  }

  @Test func `a rejected token is replaced once`() async throws {
    try await run(
      Issuer(uses: 1), load: "[{ hold: 1/s, for: 1s }]", steps: "[{ call: listLaws }, { call: listLaws }]"
    ) { record, server in
      #expect(server.requests.map { String($0.target.prefix(6)) } == ["/token", "/laws", "/laws", "/token", "/laws"])
      #expect(record.session("read").completed == 1 && record.operation("listLaws").statuses.count == 2)
    }
    // Where the new token is refused, too, the response counts.
    try await run(Issuer(uses: 0), load: "[{ hold: 1/s, for: 1s }]") { record, server in
      #expect(server.requests.count == 4)
      #expect(record.session("read").failed.map(\.reason) == ["listLaws: status 401"])
    }
  }

  @Test func `other grants send what they have`() async throws {
    try await run(Issuer(), oauth2: "grant: password, user: ada, password: hush-2, shared: true") { _, server in
      let body = Self.tokens(server).map { String(decoding: $0.body, as: UTF8.self) }
      #expect(body == ["grant_type=password&username=ada&password=hush-2"])
    }
    try await run(Issuer(), oauth2: "grant: refresh_token, refresh-token: hush-3, shared: true") { _, server in
      let body = Self.tokens(server).map { String(decoding: $0.body, as: UTF8.self) }
      #expect(body == ["grant_type=refresh_token&refresh_token=hush-3"])
    }
  }

  @Test func `what the endpoint rejects ends the session with its reason`() async throws {
    let refusal = #"{"error":"invalid_client","error_description":"the secret se cret& is wrong"}"#
    try await run(Issuer(refusal: refusal)) { record, server in
      let reasons = record.session("read").failed.map(\.reason)
      #expect(
        reasons == [
          "oauth2: the token endpoint \(server.url)/token?x=1: status 400, invalid_client: the secret ••• is wrong"
        ] || reasons.count == 1 && reasons[0].contains("status 400, invalid_client: the secret "), "\(reasons)")
      #expect(record.ledger.sent == 0 && record.info.tokens == TokenResult(requests: 4, failed: 4))
    }
    for (answer, reason) in [
      ("[]", "the response is not a JSON object"), ("{}", "the response has no access_token that is valid in a header"),
      (#"{"access_token":"x","token_type":"mac"}"#, "the token_type is mac, but only Bearer is supported"),
    ] {
      let server = try WildServer { _, connection in connection.answer(body: answer) }
      defer { server.stop() }
      let record = try await EngineFixture.run(
        """
        client: { auth: { oauth2: { token-url: /token, client-id: app, client-secret: "" } } }
        sessions: { read: { steps: [{ call: listLaws }] } }
        load: [{ hold: 1/s, for: 1s }]
        """, against: server.url)
      #expect(
        record.session("read").failed.map(\.reason) == ["oauth2: the token endpoint \(server.url)/token: \(reason)"])
    }
  }

  @Test func `a token that never comes keeps no run from its end`() async throws {
    let server = try WildServer { request, connection in
      if request.target == "/token" { connection.pause(milliseconds: 30_000) }
    }
    defer { server.stop() }
    let record = try await EngineFixture.run(
      """
      settings: { grace: 200ms }
      client: { auth: { oauth2: { token-url: /token, client-id: app, client-secret: "" } } }
      sessions: { read: { steps: [{ call: listLaws }] } }
      load: [{ hold: 4/s, for: 1s }]
      """, against: server.url)
    #expect(record.session("read").unfinished == 4 && record.ledger.contradictions == [])
  }
}
