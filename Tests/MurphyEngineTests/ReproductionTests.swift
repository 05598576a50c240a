import Foundation
import MurphyEngine
import MurphyModel
import TestSupport
import Testing
import WildServer

@Suite(.requires(.curl)) struct ReproductionTests {
  @Test func `a script asks again for what an earlier response gave`() async throws {
    let tickets = Counter()
    let used = Counter()
    let server = try WildServer { request, connection in
      if request.method == "POST" {
        let number = tickets.add()
        return connection.answer(
          headers: ["Set-Cookie": "sid=\(number); Path=/"], body: #"{"made":[{"id":\#(number)}]}"#)
      }
      // Each ticket is good for one request, by whoever holds its cookie.
      let number = tickets.value
      guard request.target == "/laws/\(number)", request.header("cookie") == "sid=\(number)", used.value < number else {
        return connection.answer(410)
      }
      used.add()
      connection.answer(body: #"{"id":"seven","text":"a"}"#)
    }
    defer { server.stop() }
    let record = try await EngineFixture.run(
      """
      sessions:
        buy:
          steps:
            - { call: voteLaw, path: { id: 1 }, body: { why: "it's" }, save: { made: "$.made[*].id" } }
            - set: { ticket: "${made[0]}" }
            - { call: getLaw, path: { id: "${ticket}" } }
      load: [{ hold: 1/s, for: 1s }]
      """, against: server.url)
    let finding = try #require(record.findings.first { $0.kind == .contractBody })
    let script = try #require(finding.evidence?.curl?.text)
    for round in 2...3 {
      let output = try await Self.paste(script)
      #expect(output.contains(#"{"id":"seven","text":"a"}"#), "\(script)\n\(output)")
      #expect(server.requests.last?.target == "/laws/\(round)")
    }
  }

  @Test func `a script asks again for what a header of an earlier response gave`() async throws {
    let tickets = Counter()
    let used = Counter()
    let server = try WildServer { request, connection in
      if request.method == "POST" {
        let number = tickets.add()
        // The name is written as servers like, and the body gives a value of its own.
        return connection.answer(
          headers: ["X-TICKET-Id": "t-\(number)", "X-Note": "x-ticket-id: none"],
          body: #"{"side":{"name":"s-\#(number)"}}"#)
      }
      let number = tickets.value
      guard request.target == "/laws/t-\(number)", request.header("x-side") == "s-\(number)", used.value < number
      else { return connection.answer(410) }
      used.add()
      connection.answer(body: #"{"id":"seven","text":"a"}"#)
    }
    defer { server.stop() }
    let record = try await EngineFixture.run(
      """
      sessions:
        buy:
          steps:
            - call: voteLaw
              path: { id: 1 }
              body: { why: "it's" }
              save: { ticket: { header: X-Ticket-ID }, side: "$.side.name" }
            - call: getLaw
              path: { id: "${ticket}" }
              headers: { X-Side: "${side}" }
      load: [{ hold: 1/s, for: 1s }]
      """, against: server.url)
    let finding = try #require(
      record.findings.first { $0.kind == .contractBody }, "\(record.findings.map(\.message))")
    let script = try #require(finding.evidence?.curl?.text)
    for round in 2...3 {
      let output = try await Self.paste(script)
      #expect(output.contains(#"{"id":"seven","text":"a"}"#), "\(script)\n\(output)")
      #expect(server.requests.last?.target == "/laws/t-\(round)")
    }
  }

  @Test func `a value that a GET found is written out, with the call that found it`() async throws {
    let server = try WildServer { request, connection in
      connection.answer(body: request.target == "/laws" ? EngineFixture.page : #"{"id":"eight","text":"a"}"#)
    }
    defer { server.stop() }
    let record = try await EngineFixture.run(
      """
      sessions:
        read:
          steps:
            - { call: listLaws, save: { ids: "$.data[*].id" } }
            - { call: getLaw, path: { id: "${ids[1]}" } }
      load: [{ hold: 1/s, for: 1s }]
      """, against: server.url)
    let finding = try #require(record.findings.first { $0.kind == .contractBody })
    let script = try #require(finding.evidence?.curl?.text)
    #expect(script.hasPrefix(": '8 is from a response of listLaws ($.data[*].id)'; curl "))
    #expect(script.hasSuffix("/laws/8'"))
    #expect(try await Self.paste(script).contains(#"{"id":"eight","text":"a"}"#))
  }

  /// The steps that send a literal secret before the request that fails.
  @Test(arguments: [
    "- { call: voteLaw, path: { id: 1 }, body: { user: me, password: PW }, save: { ticket: { header: X-Ticket } } }",
    "- { call: voteLaw, path: { id: 1 }, body: { a: [{ api_key: PW }] }, save: { ticket: { header: X-Ticket } } }",
    "- { call: voteLaw, path: { id: 1 }, multipart: { password: PW }, save: { ticket: { header: X-Ticket } } }",
    """
    - { call: voteLaw, path: { id: 1 }, body: { password: PW }, save: { first: { header: X-Ticket } } }
          - { call: voteLaw, path: { id: "${first}" }, body: {}, save: { ticket: { header: X-Ticket } } }
    """,
    """
    - { call: voteLaw, path: { id: 2 }, body: { password: PW } }
          - set: { ticket: 31 }
    """,
  ])
  func `a script holds no literal secret of an earlier call`(steps: String) async throws {
    let secret = "l1teral-pw-9981"
    let server = try WildServer { request, connection in
      guard request.method == "POST" else { return connection.answer(body: #"{"id":"eight","text":"a"}"#) }
      let cookie = request.target == "/laws/2/vote" ? "Set-Cookie: sid=1; Path=/\r\n" : ""
      connection.send("HTTP/1.1 204 No Content\r\nX-Ticket: 31\r\n\(cookie)\r\n")
    }
    defer { server.stop() }
    let record = try await EngineFixture.run(
      """
      sessions:
        buy:
          steps:
            \(steps.replacing("PW", with: secret))
            - { call: getLaw, path: { id: "${ticket}" } }
      load: [{ hold: 1/s, for: 1s }]
      """, against: server.url)
    // A finding about the call that sends the secret would mask it everywhere.
    let findings = record.findings.filter { $0.severity > .note }
    #expect(findings.allSatisfy { $0.operation == "getLaw" }, "\(findings.map(\.message))")
    let script = try #require(findings.first?.evidence?.curl?.text)
    #expect(script.contains("/vote"))
    #expect(!script.contains(secret), "\(script)")
  }

  @Test(arguments: ["body: { user: me, login: { password: PW } }", "multipart: { password: PW }"])
  func `the requests of the limit log hold no literal secret`(content: String) async throws {
    let secret = "l1teral-pw-9981"
    let server = try WildServer { _, connection in connection.send("HTTP/1.1 204 No Content\r\n\r\n") }
    defer { server.stop() }
    let record = try await EngineFixture.run(
      """
      sessions:
        vote: { steps: [{ call: voteLaw, path: { id: 1 }, \(content.replacing("PW", with: secret)) }] }
      load: [{ hold: 2/s, for: 1s }]
      expect: { limits: { voteLaw: { allow: 9, per: 60s, key: address } } }
      """, against: server.url)
    let script = CurlScript([.requests(record.limitLog.requests)]).text.text
    #expect(script.contains("password") && !script.contains(secret), "\(script)")
  }

  @Test func `what few responses show is asked for in a loop`() async throws {
    let number = Counter()
    let server = try WildServer { _, connection in
      connection.answer(body: number.add() % 10 == 0 ? #"{"id":"ten","text":"a"}"# : EngineFixture.law)
    }
    defer { server.stop() }
    let record = try await EngineFixture.run(
      """
      sessions:
        read: { steps: [{ call: getLaw, path: { id: 7 } }] }
      load: [{ hold: 40/s, for: 1s }]
      """, against: server.url, loops: 1)
    let script = try #require(record.findings.first { $0.kind == .contractBody }?.evidence?.curl?.text)
    #expect(script.hasPrefix("for i in $(seq 44); do curl "))
    #expect(try await Self.paste(script).contains(#"{"id":"ten","text":"a"}"#))
  }

  static func paste(_ script: String) async throws -> String {
    try await Command.shell(script).run().output
  }
}
