import Glibc
import MurphyEngine
import MurphyModel
import TestSupport
import Testing
import WildServer

@Suite(.timed) struct TimeTests {
  /// With arrivals at a constant rate over T and a server that answers nothing for S, an arrival x after the stall
  /// began waits S − x: a share (S − y) / T of all latencies is above y. The 95th percentile is where that is 5 %:
  /// y = S − 0.05 · T. Of 2 s in 10 s that is 1.5 s. Only a fifth waits at all, so the median does not move.
  @Test func `a stall of 2 s in 10 s is in the latency as theory says, and not in the service time's median`()
    async throws
  {
    let (stall, whole) = (2.0, 10.0)
    let begin = Instant.now
    let server = try WildServer { request, connection in
      let now = Double(Instant.now - begin) / 1e9
      if now > 4, now < 4 + stall { connection.pause(milliseconds: Int((4 + stall - now) * 1000)) }
      SessionTests.api(request, connection)
    }
    defer { server.stop() }
    let record = try await EngineFixture.run(
      """
      sessions:
        read: { steps: [{ call: getLaw, path: { id: 7 } }] }
      load: [{ hold: 60/s, for: 10s }]
      """, against: server.url, loops: 2)
    let operation = record.operation("getLaw")
    let expected = stall - 0.05 * whole
    #expect(operation.outcomes.ok == 600)
    #expect(abs(Double(operation.latency.percentile(95)) / 1e9 - expected) < 0.15)
    #expect(operation.service.percentile(50) < 100_000_000)
    #expect(record.ledger.contradictions == [])
  }

  /// Six connections are all that a user has, and each is held for 400 ms: the later turns of a burst wait for one.
  /// Their service time does not show it; their latency does.
  @Test func `waiting for a connection counts from the intended moment`() async throws {
    let server = try WildServer { request, connection in
      connection.pause(milliseconds: 400)
      SessionTests.api(request, connection)
    }
    defer { server.stop() }
    let record = try await EngineFixture.run(
      """
      sessions:
        burst: { steps: [{ burst: 12, over: 1ms, call: getLaw, path: { id: 7 } }] }
      load: [{ hold: 1/s, for: 1s }]
      """, against: server.url, loops: 2)
    let operation = record.operation("getLaw")
    #expect(server.connections == 6)
    #expect(operation.latency.max >= 800_000_000)
    #expect(operation.service.percentile(50) < 700_000_000)
    // The user was the one who waited, not murphy.
    #expect(record.generator.lateness.max < .milliseconds(400))
  }

  @Test func `a loop blocked for 150 ms is seen as lateness and as a stall`() async throws {
    let server = try WildServer(SessionTests.api)
    defer { server.stop() }
    let record = try await EngineFixture.run(
      """
      sessions:
        read: { share: 20, steps: [{ call: getLaw, path: { id: 7 } }] }
      load: [{ hold: 100/s, for: 1s }]
      """, against: server.url, loops: 1
    ) { options in
      options.sessions = [SwiftSession("block", share: 1) { _ in usleep(150_000) }]
    }
    #expect(record.generator.loopStalls >= 4)
    #expect(record.generator.longestStall >= .milliseconds(150))
    #expect(record.generator.lateness.max >= .milliseconds(120))
    #expect(record.operation("getLaw").latency.max >= 120_000_000)
  }

  @Test func `more arrivals than murphy may have users are dropped, counted and doubted`() async throws {
    let server = try WildServer { request, connection in
      connection.pause(milliseconds: 500)
      SessionTests.api(request, connection)
    }
    defer { server.stop() }
    let record = try await EngineFixture.run(
      """
      sessions:
        read: { steps: [{ call: getLaw, path: { id: 7 } }] }
      load: [{ hold: 50/s, for: 1s }]
      """, against: server.url, loops: 2
    ) { $0.userLimit = 10 }
    #expect(record.ledger.planned == 50)
    #expect(record.ledger.droppedTotal >= 20)
    #expect(record.ledger.dropped.map(\.reason) == ["more than 10 users at the same time"])
    #expect(record.ledger.contradictions == [])
    #expect(record.generator.doubts.contains { $0.contains("dropped") })
    #expect(record.generator.peakUsers <= 10)
  }
}
