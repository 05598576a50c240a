import MurphyEngine
import MurphyModel
import Testing
import WildServer

/// Figures by tag.
@Suite struct TagTests {
  @Test func `what is sent is counted under each of its tags`() async throws {
    let server = try WildServer { request, connection in
      switch request.target {
      case "/laws/3": connection.answer(500, body: "{}")
      case "/laws/4": connection.finish()
      default: connection.answer(body: request.target == "/laws" ? EngineFixture.page : EngineFixture.law)
      }
    }
    defer { server.stop() }
    let record = try await EngineFixture.run(
      """
      setup: [{ call: listLaws, tags: list }]
      sessions:
        read:
          tags: all
          steps:
            - { call: listLaws, tags: list }
            - { call: getLaw, path: { id: 7 }, tags: item }
            - { call: getLaw, path: { id: 3 }, tags: item, on: { 500: continue } }
            - { call: getLaw, path: { id: 4 }, tags: [item, lost], on: { error: continue } }
        plain: { steps: [{ call: listLaws }] }
      load: [{ hold: 8/s, for: 1s }]
      """, against: server.url)
    let sessions = record.session("read").completed
    #expect(sessions > 0 && record.session("plain").completed == 8 - sessions)
    let tags = Dictionary(uniqueKeysWithValues: record.tags.map { ($0.tag, TagResult($0)) })
    #expect(record.tags.map(\.tag) == ["list", "all", "item", "lost"])
    #expect(tags["list"]?.requests == sessions && tags["list"]?.errors == 0)
    #expect(tags["all"]?.requests == 4 * sessions && tags["all"]?.errors == 2 * sessions)
    #expect(tags["item"]?.outcomes.ok == sessions && tags["item"]?.latency.count == 2 * sessions)
    #expect(tags["lost"]?.outcomes.transport == sessions && tags["lost"]?.latency.count == 0)
  }
}
