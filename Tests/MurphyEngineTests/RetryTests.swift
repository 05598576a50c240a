import Foundation
import MurphyEngine
import MurphyModel
import MurphyScenario
import Synchronization
import Testing
import WildServer

/// What clients do after a response: `retry:` by themselves, and the steps of an `on:`.
@Suite struct RetryTests {
  /// Answers each target with one status after the other; the last one from then on.
  private static func server(_ statuses: [Int], headers: [String: String] = [:]) throws -> WildServer {
    let asked = Mutex<[String: Int]>([:])
    return try WildServer { request, connection in
      let turn = asked.withLock { asked in
        defer { asked[request.target, default: 0] += 1 }
        return asked[request.target, default: 0]
      }
      let status = statuses[min(turn, statuses.count - 1)]
      if status == 0 { return connection.finish() }
      connection.answer(status, headers: status < 400 ? [:] : headers, body: EngineFixture.law)
    }
  }

  private static func run(_ call: String, _ server: WildServer) async throws -> RunRecord {
    try await EngineFixture.run(
      """
      sessions:
        read:
          steps:
            - call: getLaw
              path: { id: "${1 + arrival}" }
              \(call)
      load: [{ hold: 4/s, for: 1s }]
      """, against: server.url)
  }

  @Test func `what is tried again ends as its last response, and each try is a request that counts`() async throws {
    let server = try Self.server([503, 503, 200])
    defer { server.stop() }
    let record = try await Self.run("retry: { on: 5XX, times: 2, wait: 20ms, jitter: 0% }", server)
    #expect(record.session("read").completed == 4 && record.session("read").failed.isEmpty)
    let operation = record.operation("getLaw")
    #expect(operation.sent == 12 && operation.retries == 8)
    #expect(operation.outcomes.ok == 4 && operation.outcomes.serverError == 8)
    #expect(record.ledger.contradictions == [])
  }

  @Test func `after the last retry the step's own reaction counts`() async throws {
    let server = try Self.server([503])
    defer { server.stop() }
    let record = try await Self.run("retry: { on: [503, error], times: 3, wait: 5ms }", server)
    #expect(record.session("read").failed == [ReasonCount(reason: "getLaw: status 503", count: 4)])
    #expect(record.operation("getLaw").sent == 16 && record.operation("getLaw").retries == 12)
  }

  @Test func `what is not named is not tried again`() async throws {
    let server = try Self.server([503])
    defer { server.stop() }
    let record = try await Self.run("retry: { on: [502, 429, error], wait: 5ms }", server)
    #expect(record.operation("getLaw").sent == 4 && record.operation("getLaw").retries == 0)
  }

  @Test func `no response at all is the outcome error`() async throws {
    let server = try Self.server([0, 200])
    defer { server.stop() }
    // A GET whose connection was never used fails at once: no attempt of the transport's own hides it.
    let record = try await Self.run("retry: { on: error, wait: 5ms }", server)
    #expect(record.session("read").completed == 4)
    #expect(record.operation("getLaw").retries == 4 && record.operation("getLaw").outcomes.transport == 4)
  }

  @Test(arguments: [("honoured", true), ("ignored", false)])
  func `a Retry-After is honoured or ignored, as the client is`(_ hint: String, _ waits: Bool) async throws {
    let server = try Self.server([429, 200], headers: ["Retry-After": "1"])
    defer { server.stop() }
    let record = try await Self.run("retry: { on: 429, wait: 5ms, retry-after: \(hint) }", server)
    #expect(record.operation("getLaw").retries == 4)
    #expect((record.info.duration >= .milliseconds(1700)) == waits, "\(record.info.duration)")
  }

  @Test func `waits grow by the factor up to the longest, and chance takes its share`() {
    var rule = RetryRule(triggers: [.transport])
    (rule.wait, rule.factor, rule.longest, rule.jitter) = (.milliseconds(100), 3, .seconds(2), 0)
    func waits(_ chance: Double, asked: Int64 = 0) -> [Int64] {
      (1...5).map { rule.wait(before: $0, chance: chance, asked: asked) / 1_000_000 }
    }
    #expect(waits(0.7) == [100, 300, 900, 2_000, 2_000])
    #expect(waits(0, asked: 500_000_000) == [500, 500, 900, 2_000, 2_000])
    rule.jitter = 0.5
    #expect(waits(0) == [100, 300, 900, 2_000, 2_000] && waits(1) == [50, 150, 450, 1_000, 1_000])
    rule.hint = .ignored
    #expect(waits(0, asked: 500_000_000)[0] == 100)
    #expect(rule.wait(before: 1_000_000, chance: 0, asked: 0) == 2_000_000_000)
  }

  @Test func `an on: may be steps, which know what the response saved`() async throws {
    let server = try WildServer { request, connection in
      if request.target == "/laws/1" {
        connection.answer(409, body: #"{"id":7,"text":"newer"}"#)
      } else {
        connection.answer(200, body: EngineFixture.law)
      }
    }
    defer { server.stop() }
    let record = try await EngineFixture.run(
      """
      sessions:
        read:
          steps:
            - call: getLaw
              path: { id: 1 }
              expect: { status: [200, 409] }
              save: { newer: $.id }
              on:
                409:
                  - think: 10ms
                  - call: getLaw
                    path: { id: "${newer}" }
                    on: { 5XX: [end] }
                error: [end]
            - call: listLaws
      load: [{ hold: 4/s, for: 1s }]
      """, against: server.url)
    let asked = Dictionary(grouping: server.requests, by: \.target).mapValues(\.count)
    #expect(asked == ["/laws/1": 4, "/laws/7": 4, "/laws": 4])
    #expect(record.session("read").completed == 4)
  }
}
