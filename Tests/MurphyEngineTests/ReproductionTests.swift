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
    #expect(script.hasPrefix(": '8 was taken from a response of listLaws ($.data[*].id)'; curl "))
    #expect(script.hasSuffix("/laws/8'"))
    #expect(try await Self.paste(script).contains(#"{"id":"eight","text":"a"}"#))
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
