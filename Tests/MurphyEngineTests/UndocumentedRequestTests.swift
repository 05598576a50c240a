import MurphyEngine
import MurphyModel
import Testing
import WildServer

/// Requests that the scenario makes outside of the contract.
@Suite struct UndocumentedRequestTests {
  private static let server: @Sendable (WildRequest, WildConnection) -> Void = { request, connection in
    switch request.method {
    case "HEAD": connection.send("HTTP/1.1 200 OK\r\nContent-Length: 5000\r\nX-Total: 9\r\n\r\n")
    case "OPTIONS": connection.send("HTTP/1.1 204 No Content\r\nAllow: GET, HEAD\r\n\r\n")
    case "POST": connection.answer(request.body.isEmpty ? 400 : 201, body: EngineFixture.law)
    default: connection.answer(body: request.target == "/laws" ? EngineFixture.page : EngineFixture.law)
    }
  }

  @Test func `they are sent, counted as unchecked, and listed`() async throws {
    let server = try WildServer(Self.server)
    defer { server.stop() }
    let record = try await EngineFixture.run(
      """
      client: { headers: { X-Device-ID: "d${uuid()}" } }
      sessions:
        read:
          steps:
            - call: listLaws
              save: { ids: "$.data[*].id" }
            - call: { method: POST, url: "/laws/${ids[0]}/ä b?x=${ids[1]}" }
              query: { y: "1 2" }
              headers: { X-Own: "1" }
              body: { up: true }
              save: { id: $.id }
              expect: { status: 201, body: { $.id: "${id}" } }
            - call: { url: "${answer.status == 201 ? '/next' : '/none'}" }
      load: [{ hold: 5/s, for: 1s }]
      """.replacing("$.id: \"${id}\"", with: "$.id: 7"), against: server.url)
    #expect(record.session("read").completed == 5)
    let post = record.operation("POST /laws/{ids[0]}/ä b?x={ids[1]}")
    #expect(post.sent == 5)
    #expect(!post.isDocumented)
    #expect(post.statuses == [StatusCount(status: 201, count: 5)])
    #expect(record.ledger.conformant == 5)
    #expect(record.ledger.unchecked == [ReasonCount(reason: "not in the contract", count: 10)])
    #expect(record.ledger.contradictions == [])
    #expect(!record.coverage.items.contains { $0.operation.contains("POST") && $0.operation != "voteLaw" })
    let sent = try #require(server.requests.first { $0.method == "POST" })
    #expect(sent.target == "/laws/7/%C3%A4%20b?x=8&y=1%202")
    #expect(sent.header("x-own") == "1")
    #expect(sent.header("x-device-id")?.hasPrefix("d") == true)
    #expect(String(decoding: sent.body, as: UTF8.self) == #"{"up":true}"#)
    #expect(server.requests.count { $0.target == "/next" } == 5)
    let listed = record.findings.filter { $0.kind == .contractUndocumentedOperation }
    #expect(listed.count == 2)
    #expect(listed.allSatisfy { $0.severity == .warning && $0.count == 5 })
    #expect(listed.contains { $0.message.hasSuffix("murphy did not check its responses (5 with status 201)") })
  }

  @Test(arguments: ["auto", "1.1"]) func `HEAD and OPTIONS end with their headers`(http: String) async throws {
    let server = try WildServer(Self.server)
    defer { server.stop() }
    let record = try await EngineFixture.run(
      """
      settings: { http: \(http), timeout: 5s }
      sessions:
        read:
          steps:
            - call: { method: HEAD, url: /laws }
              expect: { status: 200, headers: { X-Total: "9" }, that: "${answer.body == ''}" }
            - call: { method: OPTIONS, url: /laws }
              expect: { status: 204, headers: { Allow: "GET, HEAD" } }
            - call: listLaws
      load: [{ hold: 5/s, for: 1s }]
      """, against: server.url)
    #expect(record.session("read").completed == 5)
    #expect(record.findings.filter { $0.severity == .error }.map(\.message) == [])
    #expect(record.operation("HEAD /laws").sent == 5)
  }

  @Test func `a url that leads away from the target ends the session`() async throws {
    let server = try WildServer { _, connection in
      connection.answer(body: #"{"data":[],"next":"https://example.org/x"}"#)
    }
    defer { server.stop() }
    let record = try await EngineFixture.run(
      """
      sessions:
        away: { steps: [{ call: listLaws, save: { next: $.next } }, { call: { url: "${next}" } }] }
        home: { steps: [{ call: { url: "\(server.url)/laws?page=2" } }] }
      load: [{ hold: 4/s, for: 1s }]
      """.replacing("\"\(server.url)/laws?page=2\"", with: "\"${'\(server.url)' + '/laws?page=2'}\""),
      against: server.url)
    #expect(
      record.session("away").failed.map(\.reason) == [
        "GET {next}: the url must be a path of the target that begins with /"
      ])
    #expect(record.session("home").completed == record.session("home").started)
  }
}
