import MurphyEngine
import MurphyModel
import Testing
import WildServer

@Suite struct SwiftSessionTests {
  struct Page: Codable {
    struct Law: Codable { var id: Int }
    var data: [Law]
  }

  @Test func `a session in Swift has typed responses and runs under the same load and judge`() async throws {
    let server = try WildServer(SessionTests.api)
    defer { server.stop() }
    let session = SwiftSession("read") { client in
      let page: Page = try await client.call("listLaws", query: ["q": "toast"]).decode()
      try await client.think(.milliseconds(5))
      let law = try await client.call("getLaw", path: ["id": .init(page.data[1].id)])
      try #require(law.isSuccess)
      try await client.call("voteLaw", path: ["id": 8], body: ["vote_type": "up"])
    }
    let record = try await EngineFixture.run(
      "sessions: { idle: { share: 1, steps: [{ think: 1ms }] } }\nload: [{ hold: 20/s, for: 1s }]",
      against: server.url
    ) { $0.sessions = [session] }
    #expect(record.session("read").completed == 10)
    #expect(record.ledger.conformant == 30)
    #expect(record.operation("voteLaw").outcomes.ok == 10)
    #expect(server.requests.contains { $0.target == "/laws/8" })
    #expect(server.requests.contains { $0.target == "/laws?q=toast" })
  }

  @Test func `what a session in Swift throws is the reason that its end is counted under`() async throws {
    let server = try WildServer(SessionTests.api)
    defer { server.stop() }
    let record = try await EngineFixture.run(
      "sessions: { idle: { share: 1, steps: [{ think: 1ms }] } }\nload: [{ hold: 9/s, for: 1s }]",
      against: server.url
    ) { options in
      options.sessions = [
        SwiftSession("wrong") { client in try await client.call("listLaw") },
        SwiftSession("undecodable") { client in
          let _: [Int] = try await client.call("listLaws").decode()
        },
      ]
    }
    #expect(
      record.session("wrong").failed == [
        ReasonCount(reason: "unknown operation \"listLaw\". Did you mean \"listLaws\"?", count: 3)
      ])
    #expect(record.session("undecodable").failed.first?.count == 3)
    #expect(
      record.session("undecodable").failed.first?.reason.contains(
        "listLaws: the response with status 200 cannot be decoded as") == true)
  }
}
