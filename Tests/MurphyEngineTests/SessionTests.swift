import MurphyEngine
import MurphyModel
import Testing
import WildServer

@Suite struct SessionTests {
  /// Answers every operation as the contract wants it.
  static func api(_ request: WildRequest, _ connection: WildConnection) {
    if request.method == "POST" {
      connection.send("HTTP/1.1 204 No Content\r\n\r\n")
    } else {
      connection.answer(body: request.target.hasPrefix("/laws/") ? EngineFixture.law : EngineFixture.page)
    }
  }

  @Test func `sessions arrive, save, think and repeat; every request is in the account`() async throws {
    let server = try WildServer(Self.api)
    defer { server.stop() }
    let record = try await EngineFixture.run(
      """
      sessions:
        browse:
          steps:
            - call: listLaws
              save: { ids: "$.data[*].id" }
            - think: 10ms..30ms
            - repeat: 2
              steps:
                - call: getLaw
                  path: { id: "${pick(ids)}" }
      load: [{ hold: 40/s, for: 1s }]
      """, against: server.url)
    #expect(record.ledger.contradictions == [])
    #expect(record.ledger.conformant == 120)
    #expect(record.ledger.planned == 120)
    #expect(record.session("browse").completed == 40)
    #expect(record.findings.filter { $0.severity != .note } == [])
    #expect(record.operation("getLaw").outcomes.ok == 80)
    #expect(Set(server.requests.map(\.target)) == ["/laws", "/laws/7", "/laws/8"])
    #expect(server.connections == 40)
    #expect(record.timeline.reduce(0) { $0 + $1.sent } == 120)
    #expect(record.coverage.items.contains { $0.kind == "operation" && $0.operation == "getLaw" && $0.count == 80 })
  }

  @Test func `a failing step ends its own session with the reason, and no other`() async throws {
    let server = try WildServer { request, connection in
      if request.target == "/laws/13" { return connection.answer(500, body: "{}") }
      Self.api(request, connection)
    }
    defer { server.stop() }
    let record = try await EngineFixture.run(
      """
      sessions:
        lucky: { share: 1, steps: [{ call: getLaw, path: { id: 7 } }] }
        unlucky: { share: 1, steps: [{ call: getLaw, path: { id: 13 } }, { call: listLaws }] }
        lost: { share: 1, steps: [{ call: listLaws, save: { id: "$.nothing" } }, { call: listLaws }] }
      load: [{ hold: 30/s, for: 1s }]
      """, against: server.url)
    #expect(record.session("lucky").completed == 10)
    #expect(record.session("unlucky").failed == [ReasonCount(reason: "getLaw: status 500", count: 10)])
    #expect(record.session("lost").failed.map(\.count) == [10])
    #expect(record.ledger.contradictions == [])
    #expect(record.operation("getLaw").outcomes.serverError == 10)
  }

  @Test func `a newer query takes the one in flight back, and the server sees it`() async throws {
    let closed = Counter()
    let server = try WildServer { request, connection in
      guard request.target.count < "/laws?q=toast".count else { return Self.api(request, connection) }
      if connection.waitForClose(atMost: 5) { closed.add() }
    }
    defer { server.stop() }
    let record = try await EngineFixture.run(
      """
      sessions:
        search:
          steps:
            - type: toast
              every: 60ms
              debounce: 20ms
              newer: cancels
              call: listLaws
              query: { q: "${typed}" }
      load: [{ hold: 1/s, for: 1s }]
      """, against: server.url)
    #expect(record.operation("listLaws").outcomes.cancelled == 4)
    #expect(record.operation("listLaws").outcomes.ok == 1)
    #expect(record.ledger.cancelled == 4)
    #expect(record.ledger.contradictions == [])
    // The threads of the server see the end of a connection a little later.
    for _ in 0..<500 where closed.value < 4 { try await Task.sleep(for: .milliseconds(10)) }
    #expect(closed.value == 4)
    #expect(server.requests.map(\.target).sorted().last == "/laws?q=toast")
  }

  @Test func `a burst sends at its own moments, whether or not the turn before was answered`() async throws {
    let server = try WildServer { request, connection in
      connection.pause(milliseconds: 300)
      Self.api(request, connection)
    }
    defer { server.stop() }
    let record = try await EngineFixture.run(
      """
      sessions:
        vote:
          steps:
            - burst: 5
              over: 250ms
              call: voteLaw
              path: { id: "${index}" }
              body: { vote_type: up }
      load: [{ hold: 1/s, for: 1s }]
      """, against: server.url)
    let vote = record.operation("voteLaw")
    #expect(vote.outcomes.ok == 5)
    // All overlap: none waited for the one before.
    #expect(vote.latency.max < 900_000_000)
    #expect(Set(server.requests.map(\.target)) == Set((0..<5).map { "/laws/\($0)/vote" }))
    #expect(server.requests.allSatisfy { $0.header("content-type") == "application/json" })
  }

  @Test func `a rejected call is sent again after Retry-After when the step waits for it`() async throws {
    let calls = Counter()
    let server = try WildServer { request, connection in
      if calls.add() == 1 {
        connection.send("HTTP/1.1 429 Too Many\r\nRetry-After: 1\r\nContent-Length: 0\r\n\r\n")
      } else {
        Self.api(request, connection)
      }
    }
    defer { server.stop() }
    let record = try await EngineFixture.run(
      """
      client: { headers: { X-Device-ID: "${uuid()}" } }
      sessions:
        vote:
          steps:
            - call: voteLaw
              path: { id: 1 }
              body: {}
              on: { 429: wait }
      load: [{ hold: 1/s, for: 1s }]
      """, against: server.url)
    #expect(record.session("vote").completed == 1)
    let log = record.limitLog.observations
    #expect(log.map(\.status) == [429, 204])
    #expect(log[1].sent - log[0].answered! >= 1_000_000_000)
    #expect(Set(log.map(\.identity)).count == 1)
    #expect(record.limitLog.identities[Int(log[0].identity)].headers.map(\.name) == ["x-device-id"])
    #expect(record.limitLog.headerSets[Int(log[0].headers)].contains(HeaderField("retry-after", "1")))
    #expect(record.operation("voteLaw").outcomes.limited == 1)
  }

  @Test func `redirects are followed as far as the scenario says, and each hop is in the account`() async throws {
    let server = try WildServer { request, connection in
      switch request.target {
      case "/laws/1": connection.answer(302, headers: ["Location": "/laws/2"])
      case "/laws/2": connection.answer(301, headers: ["Location": "/laws/7"])
      default: Self.api(request, connection)
      }
    }
    defer { server.stop() }
    for (redirects, targets) in [
      (0, ["/laws/1"]), (1, ["/laws/1", "/laws/2"]), (5, ["/laws/1", "/laws/2", "/laws/7"]),
    ] {
      let before = server.requests.count
      let record = try await EngineFixture.run(
        """
        settings: { redirects: \(redirects) }
        sessions:
          read: { steps: [{ call: getLaw, path: { id: 1 } }] }
        load: [{ hold: 1/s, for: 1s }]
        """, against: server.url)
      #expect(server.requests.dropFirst(before).map(\.target) == targets)
      #expect(record.ledger.redirects == min(targets.count, 2))
      #expect(record.ledger.answered == targets.count)
      #expect(record.ledger.contradictions == [])
    }
  }

  @Test func `users of a closed model begin anew on their own connection`() async throws {
    let server = try WildServer(Self.api)
    defer { server.stop() }
    let record = try await EngineFixture.run(
      """
      sessions:
        read: { steps: [{ call: getLaw, path: { id: 7 } }, { think: 20ms }] }
      load: [{ users: 5, for: 1s }]
      """, against: server.url)
    #expect(server.connections == 5)
    #expect(record.session("read").started > 25)
    #expect(record.ledger.contradictions == [])
    #expect(record.ledger.inFlightAtEnd == 0)
  }
}
