import MurphyEngine
import MurphyModel
import Testing
import WildServer

@Suite struct EndingTests {
  @Test func `what still runs when the grace is over is cut and counted as unfinished`() async throws {
    let server = try WildServer { _, connection in _ = connection.waitForClose(atMost: 10) }
    defer { server.stop() }
    let record = try await EngineFixture.run(
      """
      settings: { grace: 300ms }
      sessions:
        read: { steps: [{ call: getLaw, path: { id: 7 } }] }
      load: [{ hold: 10/s, for: 500ms }]
      """, against: server.url)
    #expect(record.session("read").unfinished == 5)
    #expect(record.ledger.inFlightAtEnd == 5)
    #expect(record.ledger.contradictions == [])
    #expect(!record.info.cutShort)
  }

  @Test func `a session in Swift that ignores the end does not keep the run`() async throws {
    let server = try WildServer(SessionTests.api)
    defer { server.stop() }
    let begin = Instant.now
    let record = try await EngineFixture.run(
      """
      settings: { grace: 100ms }
      sessions:
        read: { steps: [{ call: getLaw, path: { id: 7 } }] }
      load: [{ hold: 4/s, for: 500ms }]
      """, against: server.url
    ) { options in
      options.sessions = [SwiftSession("stubborn") { _ in try? await Task.sleep(for: .seconds(20)) }]
    }
    #expect(Instant.now - begin < 10_000_000_000)
    #expect(record.session("stubborn").unfinished == record.session("stubborn").started)
    #expect(record.session("stubborn").started > 0)
  }

  @Test func `a target that rejects every connection leaves a closed account`() async throws {
    let server = try WildServer(SessionTests.api)
    let url = server.url
    server.stop()
    try await Task.sleep(for: .milliseconds(100))
    let record = try await EngineFixture.run(
      """
      sessions:
        read: { steps: [{ call: getLaw, path: { id: 7 } }] }
      load: [{ hold: 20/s, for: 500ms }]
      """, against: url)
    #expect(record.ledger.transport == 10)
    #expect(record.ledger.contradictions == [])
    #expect(record.findings.map(\.kind) == [.transportRefused])
    #expect(record.session("read").failed.map(\.reason) == ["getLaw: refused"])
  }

  @Test func `a target that is not a URL, and a session that is not there, are said before anything is sent`() async {
    await #expect(throws: EngineError.self) {
      try await EngineFixture.run(
        "sessions: { read: { steps: [{ call: listLaws }] } }\nload: [{ hold: 1/s, for: 1s }]", against: "nonsense")
    }
    let error = await #expect(throws: EngineError.self) {
      try await EngineFixture.run(
        "sessions: { read: { steps: [{ call: listLaws }] } }\nload: [{ hold: 1/s, for: 1s }]",
        against: "http://127.0.0.1:1"
      ) { $0.only = ["reed"] }
    }
    #expect(error?.description.contains("Did you mean \"read\"?") == true)
  }
}

@Suite(.timed) struct PromptEndingTests {
  @Test func `a stop ends the load within a second and keeps what was measured`() async throws {
    let server = try WildServer { request, connection in
      if request.target == "/laws" {
        _ = connection.waitForClose(atMost: 10)
      } else {
        SessionTests.api(request, connection)
      }
    }
    defer { server.stop() }
    let stop = StopSignal()
    let requested = Task {
      try await Task.sleep(for: .milliseconds(700))
      stop.request()
      return Instant.now
    }
    let record = try await EngineFixture.run(
      """
      sessions:
        read: { steps: [{ call: getLaw, path: { id: 7 } }, { think: 60s }] }
        hang: { steps: [{ call: listLaws }] }
      load: [{ hold: 50/s, for: 60s }]
      """, against: server.url, stop: stop)
    let took = try await Instant.now - requested.value
    #expect(took < 1_000_000_000)
    #expect(record.info.cutShort)
    #expect(record.ledger.contradictions == [])
    #expect(record.ledger.inFlightAtEnd > 5)
    #expect(record.operation("getLaw").outcomes.ok > 5)
    #expect(record.session("read").unfinished == record.session("read").started)
    #expect(record.info.duration < .seconds(5))
  }
}
