import Foundation
import MurphyEngine
import MurphyModel
import MurphyScenario
import Synchronization
import Testing
import WildServer

/// `cache:` and `dedupe:`: what clients answer from what they have.
@Suite struct KeptResponseTests {
  /// Answers each request with a law whose id is the number of the request, `milliseconds` after it came.
  private static func server(milliseconds: Int = 0, status: @escaping @Sendable (Int) -> Int = { _ in 200 }) throws
    -> WildServer
  {
    let count = Mutex(0)
    return try WildServer { _, connection in
      let number = count.withLock {
        $0 += 1
        return $0
      }
      if milliseconds > 0 { connection.pause(milliseconds: milliseconds) }
      connection.answer(status(number), headers: ["X-Number": "\(number)"], body: #"{"id":\#(number),"text":"a"}"#)
    }
  }

  /// One session.
  private static func run(_ steps: String, _ server: WildServer, head: String = "") async throws -> RunRecord {
    try await EngineFixture.run(
      "\(head)\nsessions:\n  read:\n    steps:\n"
        + steps.split(separator: "\n").map { "      \($0)\n" }.joined() + "load: [{ hold: 1/s, for: 1s }]",
      against: server.url)
  }

  @Test func `a kept response stands for the same request, with all that is saved from it`() async throws {
    let server = try Self.server()
    defer { server.stop() }
    let record = try await Self.run(
      """
      - repeat: 3
        call: getLaw
        path: { id: 5 }
        cache: 1h
        save: { seen: $.id, number: { header: X-Number }, code: { status: true } }
      - call: getLaw
        path: { id: "${100 * seen + (number == '1' ? 10 : 0) + (code == 200 ? 1 : 0)}" }
      - call: getLaw
        path: { id: 6 }
        cache: 1h
      - call: getLaw
        path: { id: 5 }
        cache: 1h
      - call: getLaw
        path: { id: "${answer.body.id}" }
      """, server)
    #expect(server.requests.map(\.target) == ["/laws/5", "/laws/111", "/laws/6", "/laws/1"])
    let operation = record.operation("getLaw")
    #expect(operation.sent == 4 && operation.spared == 3 && operation.latency.count == 4)
    #expect(record.ledger.planned == 4 && record.ledger.conformant == 4 && record.ledger.contradictions == [])
    #expect(record.session("read").completed == 1)
  }

  @Test func `a response that is too old, or that a refresh asks for, is asked for again`() async throws {
    let server = try Self.server()
    defer { server.stop() }
    let record = try await Self.run(
      """
      - { call: getLaw, path: { id: 5 }, cache: 150ms }
      - think: 10ms
      - { call: getLaw, path: { id: 5 }, cache: 150ms }
      - think: 200ms
      - { call: getLaw, path: { id: 5 }, cache: 150ms }
      - { call: getLaw, path: { id: 5 }, cache: { for: 1h, refresh: true } }
      - { call: getLaw, path: { id: 5 }, cache: 1h, save: { seen: $.id } }
      - { call: getLaw, path: { id: "${seen}" } }
      """, server)
    #expect(server.requests.map(\.target) == ["/laws/5", "/laws/5", "/laws/5", "/laws/3"])
    #expect(record.operation("getLaw").spared == 2)
  }

  @Test func `requests of a burst share the response of the first, also while it is under way`() async throws {
    let server = try Self.server(milliseconds: 100)
    defer { server.stop() }
    let record = try await Self.run(
      """
      - burst: 5
        over: 50ms
        steps:
          - { call: getLaw, path: { id: 5 }, dedupe: 10s, save: { seen: $.id } }
      - { call: getLaw, path: { id: "${seen + 1}" } }
      """, server)
    #expect(server.requests.map(\.target) == ["/laws/5", "/laws/2"])
    #expect(record.operation("getLaw").spared == 4 && record.operation("getLaw").latency.count == 2)
    // Whoever took the response has waited for it.
    #expect(record.info.duration >= .milliseconds(200))
  }

  @Test func `a failure spares nobody`() async throws {
    let server = try Self.server(milliseconds: 30) { $0 == 1 ? 503 : 200 }
    defer { server.stop() }
    let record = try await Self.run(
      """
      - burst: 3
        over: 10ms
        call: getLaw
        path: { id: 5 }
        cache: 1h
        dedupe: 10s
        on: { 5XX: continue }
      """, server)
    #expect(server.requests.count >= 2 && server.requests.count + record.operation("getLaw").spared == 3)
    #expect(record.session("read").completed == 1)
  }

  @Test func `every user keeps its own, and one who logs in keeps it for all of its sessions`() async throws {
    let server = try Self.server()
    defer { server.stop() }
    func run(_ head: String) async throws -> RunRecord {
      try await EngineFixture.run(
        """
        \(head)
        sessions:
          read: { steps: [{ call: getLaw, path: { id: 5 }, cache: 1h }] }
        load: { stages: [{ users: 2, for: 1s }], iterations: 4, pause: 10ms }
        """, against: server.url)
    }
    let strangers = try await run("")
    #expect(strangers.operation("getLaw").sent == 8 && strangers.operation("getLaw").spared == 0)
    let known = try await run("login: [{ call: getLaw, path: { id: 1 } }]")
    #expect(known.operation("getLaw").sent == 4 && known.operation("getLaw").spared == 6)
  }
}
