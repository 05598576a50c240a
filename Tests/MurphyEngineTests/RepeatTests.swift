import MurphyEngine
import MurphyModel
import Testing
import WildServer

/// Requests that were sent twice, in the account and in the findings.
@Suite struct RepeatTests {
  @Test func `a server that resets one request in sixty does not pass without a finding`() async throws {
    let seen = Counter()
    let resets = Counter()
    let server = try WildServer { request, connection in
      if seen.add() % 60 == 0 {
        resets.add()
        connection.finish()
      } else {
        SessionTests.api(request, connection)
      }
    }
    defer { server.stop() }
    let record = try await EngineFixture.run(
      """
      sessions:
        read: { steps: [{ repeat: 20, steps: [{ call: getLaw, path: { id: 7 } }] }] }
      load: [{ hold: 7/s, for: 2s }]
      expect: { limits: { getLaw: { allow: 1000000, per: 1s, key: connection } } }
      """, against: server.url)
    let finding = record.findings.first { $0.kind == .transportClosedEarly }
    let fresh = record.findings.first { $0.kind == .transportClosed }
    #expect(resets.value >= 3)
    #expect((finding?.count ?? 0) + (fresh?.count ?? 0) == resets.value)
    #expect(finding?.severity ?? .error == .error)
    #expect(record.ledger.repeated == finding?.count ?? 0)
    #expect(record.ledger.contradictions == [])
    #expect(record.ledger.sendings == seen.value)
    // Each sending is an observation; the lost ones say nothing.
    #expect(record.limitLog.observations.count == seen.value)
    #expect(record.limitLog.observations.count { $0.answered == nil } == resets.value)
  }

  @Test func `a vote that was lost on a kept connection fails and is not sent twice`() async throws {
    let seen = Counter()
    let server = try WildServer { request, connection in
      if request.method == "POST" {
        seen.add()
        connection.finish()
      } else {
        SessionTests.api(request, connection)
      }
    }
    defer { server.stop() }
    let record = try await EngineFixture.run(
      """
      sessions:
        vote: { steps: [{ call: getLaw, path: { id: 7 } }, { call: voteLaw, path: { id: 7 }, body: {} }] }
      load: [{ hold: 5/s, for: 1s }]
      """, against: server.url)
    #expect(seen.value == 5)
    #expect(record.operation("voteLaw").outcomes.transport == 5)
    #expect(record.findings.filter { $0.severity != .note }.map(\.kind) == [.transportClosedEarly])
    #expect(record.session("vote").failed.map(\.reason) == ["voteLaw: closed-early"])
    #expect(record.ledger.repeated == 0)
    #expect(record.ledger.contradictions == [])
  }
}
