import Foundation
import MurphyModel
import Testing
import WildServer

/// An outage of the load: requests fail at the client, and nothing is sent.
@Suite struct WithheldTests {
  private static func run(_ call: String, _ server: WildServer, expect: String = "") async throws -> RunRecord {
    try await EngineFixture.run(
      """
      sessions:
        read:
          steps:
            - call: getLaw
              path: { id: "${1 + arrival}" }
              \(call)
      load: { stages: [{ hold: 10/s, for: 3s }], outage: { at: 1s, for: 1s } }
      \(expect)
      """, against: server.url)
  }

  private static func server() throws -> WildServer {
    try WildServer { _, connection in connection.answer(200, body: EngineFixture.law) }
  }

  @Test func `clients without retries leave, and nothing counts as an error of the API`() async throws {
    let server = try Self.server()
    defer { server.stop() }
    let record = try await Self.run("tags: [read]", server)
    #expect(server.requests.count == 20 && record.operation("getLaw").sent == 20)
    #expect(record.session("read").completed == 20 && record.session("read").failed.isEmpty)
    #expect(
      record.session("read").left == [ReasonCount(reason: "getLaw: withheld in the outage of the load", count: 10)])
    #expect(record.ledger.withheld == 10 && record.ledger.planned == 20 && record.ledger.contradictions == [])
    #expect(!record.findings.contains { $0.severity == .error } && record.responses.losses.isEmpty)
    #expect(record.course.allSatisfy { $0.begun == 0 && $0.good == 0 }, "nothing judges them")
  }

  @Test func `retries build up until the outage is over`() async throws {
    let server = try Self.server()
    defer { server.stop() }
    let record = try await Self.run(
      "retry: { on: error, times: 20, wait: 200ms, factor: 1, jitter: 0% }", server, expect: "expect: { recovery: 1s }")
    #expect(record.session("read").completed == 30 && server.requests.count == 30)
    #expect(record.ledger.withheld ?? 0 >= 25, "\(record.course)")
    // The requests that were withheld are retried; no request that was sent is.
    #expect(record.operation("getLaw").retries == 0 && record.course.reduce(0) { $0 + $1.retried } == 10)
    #expect(record.course.prefix(3).map(\.good) == [10, 0, 20], "\(record.course)")
    #expect(record.course.prefix(3).map(\.begun) == [10, 10, 10] && record.course[0].withheld == 0)
  }
}
