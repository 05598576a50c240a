import MurphyEngine
import MurphyModel
import Synchronization
import Testing
import WildServer

/// A target that falls silent, over real sockets.
@Suite struct OutageTests {
  private static let read = """
    sessions:
      read: { steps: [{ call: getLaw, path: { id: 7 } }] }
    """

  @Test(arguments: [true, false]) func `silence ends the load as abort-after says`(refuses: Bool) async throws {
    let deaf = Flag()
    let server = try WildServer { request, connection in
      if deaf.isRaised {
        if refuses { return connection.finish() }
        _ = connection.waitForClose(atMost: 60)
      } else {
        SessionTests.api(request, connection)
      }
    }
    defer { server.stop() }
    let killer = Task {
      try await Task.sleep(for: .seconds(2))
      deaf.raise()
    }
    let record = try await EngineFixture.run(
      """
      settings: { abort-after: 2s, grace: 1s }
      \(Self.read)
      load: [{ hold: 20/s, for: 90s }]
      """, against: server.url, loops: 2)
    try await killer.value
    let aborted = try #require(record.info.aborted)
    #expect(aborted < .seconds(60))
    #expect(!record.info.cutShort)
    #expect(record.ledger.contradictions == [])
    #expect(record.ledger.answered > 5)
    #expect(record.ledger.transport + record.ledger.inFlightAtEnd > 5)
    #expect(record.responses.losses.count == record.ledger.transport + record.ledger.inFlightAtEnd)
    let last = try #require(record.responses.gaps.last)
    #expect(last.resumedBySent == nil)
    #expect(last.until - last.from > 1.9)
  }

  @Test func `abort-after off waits for the load's own end`() async throws {
    let server = try WildServer { _, connection in connection.finish() }
    defer { server.stop() }
    let record = try await EngineFixture.run(
      """
      settings: { abort-after: off }
      \(Self.read)
      load: [{ hold: 10/s, for: 4s }]
      """, against: server.url, loops: 2)
    #expect(record.info.aborted == nil)
    #expect(record.ledger.planned == 40)
  }

  @Test func `a response on any loop ends the gap of all`() async throws {
    let count = Counter()
    let server = try WildServer { request, connection in
      // The first three seconds' worth of requests is lost, on both loops.
      if count.add() <= 30 { return connection.finish() }
      SessionTests.api(request, connection)
    }
    defer { server.stop() }
    let record = try await EngineFixture.run(
      "\(Self.read)\nload: [{ hold: 10/s, for: 5s }]", against: server.url, loops: 2)
    let first = try #require(record.responses.gaps.first)
    #expect(first.resumedBySent != nil)
    #expect(record.responses.losses.allSatisfy { $0.sent < first.until })
    #expect(record.responses.losses.count == record.ledger.transport)
    #expect(record.responses.losses == record.responses.losses.sorted { $0.sent < $1.sent })
  }

  @Test func `who is sent away by an on: has left, who fails has failed`() async throws {
    let server = try WildServer { request, connection in
      connection.answer(request.target == "/laws/13" ? 404 : 500, body: "{}")
    }
    defer { server.stop() }
    let record = try await EngineFixture.run(
      """
      sessions:
        leaves: { steps: [{ call: getLaw, path: { id: 13 }, on: { 404: end } }, { call: listLaws }] }
        fails: { steps: [{ call: getLaw, path: { id: 7 }, on: { 404: end } }, { call: listLaws }] }
      load: [{ hold: 20/s, for: 1s }]
      """, against: server.url, loops: 2)
    #expect(record.session("leaves").left.map(\.reason) == ["getLaw: status 404"])
    #expect(record.session("leaves").failed == [])
    #expect(record.session("fails").failed.map(\.reason) == ["getLaw: status 500"])
    #expect(record.session("leaves").leftTotal == record.session("leaves").started)
  }

  @Test func `a session that cannot begin has failed`() async throws {
    let server = try WildServer(SessionTests.api)
    defer { server.stop() }
    let record = try await EngineFixture.run(
      """
      client: { vars: { none: [] }, headers: { X-Device-ID: "${pick(none)}" } }
      \(Self.read)
      load: [{ hold: 10/s, for: 500ms }]
      """, against: server.url, loops: 2)
    #expect(record.session("read").started == 5)
    #expect(record.session("read").failedTotal == 5, "\(record.session("read"))")
    #expect(record.ledger.contradictions == [])
  }
}
