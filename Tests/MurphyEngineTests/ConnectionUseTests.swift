import MurphyEngine
import Testing
import WildServer

/// `client: { connections: ... }`.
@Suite struct ConnectionUseTests {
  @Test(arguments: ["own", "reuse"]) func `sessions open connections or take over those of others`(
    _ use: String
  ) async throws {
    let server = try WildServer { request, connection in
      connection.answer(headers: ["Set-Cookie": "who=\(request.connection)"], body: EngineFixture.law)
    }
    defer { server.stop() }
    let record = try await EngineFixture.run(
      """
      client: { connections: \(use) }
      sessions:
        read: { steps: [{ repeat: 2, steps: [{ call: getLaw, path: { id: 7 } }] }] }
      load: [{ hold: 10/s, for: 2s }]
      """, against: server.url)
    #expect(record.session("read").completed == 20)
    #expect(server.requests.count == 40)
    let connections = Set(server.requests.map(\.connection)).count
    // A session whose responses are late overlaps the next, which then needs a connection more.
    if use == "own" { #expect(connections == 20) } else { #expect(connections <= 10, "\(connections)") }
    // The connection passes on, its cookies do not: the first request of each session has none.
    #expect(server.requests.count { $0.header("cookie") == nil } == 20)
  }

  /// Three requests of each of ten users: the first needs a connection, the others could have it.
  @Test(arguments: [0, 1, 2]) func `connections that the server closes are counted`(_ closing: Int) async throws {
    let server = try WildServer { request, connection in
      // Closes after each response and says so, closes without a word, or keeps.
      connection.answer(headers: closing == 1 ? ["Connection": "close"] : [:], body: EngineFixture.law)
      if closing > 0 { connection.finish() }
    }
    defer { server.stop() }
    let record = try await EngineFixture.run(
      """
      sessions:
        read: { steps: [{ repeat: 3, steps: [{ call: getLaw, path: { id: 7 } }, { think: 30ms }] }] }
      load: [{ hold: 10/s, for: 1s }]
      """, against: server.url)
    #expect(record.session("read").completed == 10)
    #expect(record.ledger.reusable == 20)
    #expect(record.ledger.reopened == (closing > 0 ? 20 : 0))
    #expect(server.connections == (closing > 0 ? 30 : 10))
    #expect(record.ledger.contradictions == [])
  }

  @Test func `a request beside another, or after one that was cut, needs a connection of its own`() async throws {
    let server = try WildServer { request, connection in
      if request.target == "/laws/9" { return connection.pause(milliseconds: 400) }
      connection.pause(milliseconds: 60)
      connection.answer(body: EngineFixture.law)
    }
    defer { server.stop() }
    let record = try await EngineFixture.run(
      """
      sessions:
        read:
          steps:
            - { burst: 3, over: 0ms, call: getLaw, path: { id: 7 } }
            - { call: getLaw, path: { id: 9 }, timeout: 100ms, on: { error: continue } }
            - { burst: 3, over: 0ms, call: getLaw, path: { id: 7 } }
      load: [{ hold: 4/s, for: 1s }]
      """, against: server.url)
    // Of each user's seven requests, three open, the fourth takes one of theirs and loses it, and two of the rest are left.
    #expect(record.ledger.reusable == 12 && record.ledger.reopened == 0, "\(record.ledger)")
  }

  @Test func `a connection is taken over only for the same local address`() async throws {
    let server = try WildServer(SessionTests.api)
    defer { server.stop() }
    let record = try await EngineFixture.run(
      """
      client: { connections: reuse, address: "127.0.0.${choose(5, 6)}" }
      sessions:
        read: { steps: [{ call: getLaw, path: { id: 7 } }] }
      load: [{ hold: 10/s, for: 2s }]
      """, against: server.url)
    #expect(record.session("read").completed == 20)
    let addresses = Dictionary(grouping: server.requests, by: \.connection).mapValues { Set($0.map(\.peer)) }
    #expect(addresses.values.allSatisfy { $0.count == 1 })
    #expect(Set(server.requests.map(\.peer)) == ["127.0.0.5", "127.0.0.6"])
    #expect(addresses.count <= 10)
  }
}
