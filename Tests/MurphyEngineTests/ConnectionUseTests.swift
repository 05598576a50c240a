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
    // A session whose answers are late overlaps the next, which then needs a connection more.
    if use == "own" { #expect(connections == 20) } else { #expect(connections <= 10, "\(connections)") }
    // The connection passes on, its cookies do not: the first request of each session has none.
    #expect(server.requests.count { $0.header("cookie") == nil } == 20)
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
