import Foundation
import Murphy
import Synchronization
import TestSupport
import Testing
import WildServer

/// Setup and teardown of a run in shards: each shard has its own, drawn for itself.
@Suite(.timed) struct ShardFixtureTests {
  private static let contract = """
    openapi: 3.1.0
    info: { title: Boards, version: "1" }
    paths:
      /boards:
        post:
          operationId: makeBoard
          requestBody: { content: { application/json: { schema: { type: object } } } }
          responses:
            "201": { description: made, content: { application/json: { schema: { type: object } } } }
            "409": { description: taken, content: { application/json: { schema: { type: object } } } }
      /boards/{id}:
        parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
        get:
          operationId: getBoard
          responses:
            "200": { description: one, content: { application/json: { schema: { type: object } } } }
            "404": { description: gone, content: { application/json: { schema: { type: object } } } }
        delete:
          operationId: removeBoard
          responses:
            "200": { description: gone, content: { application/json: { schema: { type: object } } } }
    """

  private static let scenario = """
    name: Boards
    contract: CONTRACT
    seed: 4
    setup:
      - call: makeBoard
        body: { name: "board ${int(1, 1000000)}" }
        expect: { status: 201 }
        save: { board: $.id }
    teardown:
      - call: removeBoard
        path: { id: "${board}" }
    sessions:
      read:
        steps:
          - call: getBoard
            path: { id: "${board}" }
            expect: { status: 200 }
    load: [{ hold: 30/s, for: 1s }]
    """

  /// Boards have names of their own: a second one of the same name is refused.
  @Test func `every shard makes what it needs and takes it away`() async throws {
    let boards = Mutex<[String: String]>([:])
    let made = Mutex<Set<String>>([])
    let server = try WildServer { request, connection in
      let id = String(request.target.split(separator: "/").last ?? "")
      switch request.method {
      case "POST":
        let name = String(decoding: request.body, as: UTF8.self)
        let isNew = boards.withLock { boards in
          guard !boards.values.contains(name) else { return false }
          boards["b\(boards.count)-\(name.utf8.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xFFFF })"] = name
          return true
        }
        made.withLock { _ = $0.insert(name) }
        let key = boards.withLock { boards in boards.first { $0.value == name }?.key ?? "" }
        connection.answer(isNew ? 201 : 409, body: "{\"id\":\"\(key)\"}")
      case "DELETE":
        boards.withLock { $0[id] = nil }
        connection.answer(body: "{}")
      default:
        let isThere = boards.withLock { $0[id] != nil }
        connection.answer(isThere ? 200 : 404, body: "{}")
      }
    }
    defer { server.stop() }
    try await withTemporaryFolder { folder in
      try Self.contract.write(toFile: folder + "/boards.yaml", atomically: true, encoding: .utf8)
      let scenario = folder + "/scenario.yaml"
      try Self.scenario.replacing("CONTRACT", with: "boards.yaml").write(
        toFile: scenario, atomically: true, encoding: .utf8)
      let run = try await ShardedRun.run(scenario, in: folder, shards: 3, target: .url(server.url))
      let merged = try await run.merged()
      let (names, left) = (made.withLock { $0.count }, boards.withLock { $0.count })
      #expect(names == 3, "each shard has drawn a name of its own")
      #expect(left == 0, "every teardown took its own away")
      #expect(merged.run.setup?.failed == nil && merged.run.setup?.requests == 3)
      #expect(
        merged.ledger.answered == 30 && merged.findings.filter { $0.severity == .error }.isEmpty, "\(merged.reasons)")
    }
  }
}
