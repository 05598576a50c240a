import MurphyContract
import MurphyEngine
import MurphyModel
import MurphyScenario
import Testing
import WildServer

@Suite struct StreamTests {
  private static let document = """
    openapi: 3.1.0
    info: { title: Feed, version: "1" }
    paths:
      /events:
        get:
          operationId: listen
          responses:
            "200": { description: events, content: { text/event-stream: { schema: { type: string } } } }
      /socket:
        get:
          operationId: talk
          responses:
            "101": { description: switched }
            "426": { description: not asked for }
    """

  private func run(_ yaml: String, _ serve: @escaping WildServer.Responder) async throws -> RunRecord {
    let server = try WildServer(serve)
    defer { server.stop() }
    let contract = try Contract.parse(Self.document, file: "/tmp/feed.yaml")
    let text = "name: feed\ncontract: feed.yaml\ntarget: http://127.0.0.1:1\n" + yaml
    let scenario = try Scenario.parse(text: text, file: "/tmp/test.yaml", operations: contract.summaries)
    var options = EngineOptions(seed: 7)
    options.loops = 1
    return try await Engine.measure(
      scenario, contract: contract, target: server.url, options: options, stop: StopSignal()
    ).record
  }

  /// Events without end; the first comes with the header section.
  private static func tell(_ connection: WildConnection) {
    connection.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\ndata: 1\n\n")
    while connection.send("data: 1\n\n") { connection.pause(milliseconds: 10) }
    connection.finish()
  }

  @Test func `streams and their events are counted, unchecked, and the session goes on`() async throws {
    let record = try await run(
      """
      sessions:
        follow: { steps: [{ call: listen, stream: { events: 3 } }, { call: listen, stream: 100ms }] }
      load: [{ hold: 5/s, for: 1s }]
      """
    ) { _, connection in
      Self.tell(connection)
    }
    let listen = record.operation("listen")
    #expect(record.session("follow").completed == 5)
    #expect(listen.streams.streams == 10)
    #expect(listen.streams.events >= 5 * 3 + 5)
    #expect(listen.conformance.unchecked.map(\.count) == [10])
    #expect(listen.outcomes.ok == 10)
    #expect(record.errors == [])
  }

  @Test func `a stream that is open when the load ends was answered`() async throws {
    let record = try await run(
      """
      settings: { grace: 1s }
      sessions: { follow: { steps: [{ call: listen, stream: 60s }] } }
      load: [{ hold: 2/s, for: 1s }]
      """
    ) { _, connection in
      Self.tell(connection)
    }
    #expect(record.operation("listen").streams.streams == 2)
    #expect(record.ledger.answered == 2 && record.ledger.inFlightAtEnd == 0)
    #expect(record.errors == [])
  }

  @Test func `what comes behind a stream is not late`() async throws {
    let record = try await run(
      """
      sessions:
        follow: { steps: [{ call: listen, stream: 2s }, { call: talk }] }
      load: [{ hold: 5/s, for: 1s }]
      """
    ) { request, connection in
      request.target == "/socket" ? connection.answer(426, body: "") : Self.tell(connection)
    }
    let talk = record.operation("talk")
    #expect(talk.outcomes.clientError == 5)
    #expect(talk.latency.max < 1_500_000_000, "the stream's two seconds are in no latency")
    #expect(record.generator.lateness.max < .milliseconds(1500), "nor is murphy late for them")
    #expect(record.errors == [])
  }

  @Test func `streams that are read are no silence of the target`() async throws {
    let record = try await run(
      """
      settings: { abort-after: 2s }
      sessions: { follow: { steps: [{ call: listen, stream: 60s }] } }
      load: [{ hold: 4/s, for: 1s }, { hold: 0.1/s, for: 6s }]
      """
    ) { _, connection in Self.tell(connection) }
    #expect(record.info.aborted == nil)
    #expect(record.ledger.answered >= 4)
    #expect(record.errors == [])
  }

  @Test func `the end of the load ends a session in its stream`() async throws {
    let record = try await run(
      """
      settings: { grace: 1s }
      sessions:
        follow: { steps: [{ call: listen, stream: 60s, expect: { headers: { x-end: present } } }, { call: talk }] }
      load: [{ hold: 2/s, for: 1s }]
      """
    ) { _, connection in Self.tell(connection) }
    #expect(record.session("follow").unfinished == 2)
    #expect(record.ledger.dropped.isEmpty)
    #expect(record.errors == [])
  }

  @Test func `a switch of protocols that was asked for is counted, unchecked`() async throws {
    let record = try await run(
      """
      sessions:
        chat: { steps: [{ call: talk, headers: { Upgrade: websocket, Connection: Upgrade } }] }
      load: [{ hold: 5/s, for: 1s }]
      """
    ) { request, connection in
      guard request.header("upgrade") == "websocket" else { return connection.answer(426) }
      connection.send("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n")
      _ = connection.waitForClose(atMost: 5)
    }
    let talk = record.operation("talk")
    #expect(talk.statuses.map(\.status) == [101])
    #expect(talk.conformance.unchecked.map(\.count) == [5])
    #expect(record.errors == [])
  }
}

extension RunRecord {
  fileprivate var errors: [String] { findings.filter { $0.severity > .note }.map(\.message) }
}
