import Foundation
import MurphyEngine
import MurphyModel
import MurphyScenario
import Synchronization
import Testing
import WildServer

/// `setup:`, `teardown:` and `login:`.
@Suite struct FixtureTests {
  /// Responses `GET /laws/{id}` with a law of that id, `GET /laws` with a page, and counts votes; `broken` targets get 500.
  private static func server(broken: [String] = []) throws -> WildServer {
    try WildServer { request, connection in
      if broken.contains(request.target) { return connection.answer(500) }
      if request.target.hasSuffix("/vote") { return connection.answer(204, body: "") }
      let id = request.target.split(separator: "/").last.flatMap { Int($0) }
      connection.answer(
        200, headers: ["Set-Cookie": "visit=\(request.target.count)"],
        body: id.map { #"{"id":\#($0),"text":"a"}"# } ?? EngineFixture.page)
    }
  }

  private static let load = "load: [{ hold: 10/s, for: 1s }]\n"

  @Test func `what the setup saves all sessions and the teardown know, and it counts for itself`() async throws {
    let server = try Self.server()
    defer { server.stop() }
    let record = try await EngineFixture.run(
      """
      client: { vars: { who: "${string(8)}" }, headers: { X-Setup: "setup ${first}", X-Who: "${who}" } }
      setup:
        - call: listLaws
          save: { first: "$.data[0].id" }
        - think: 30ms
        - call: voteLaw
          path: { id: "${first}" }
          body: {}
      sessions:
        read: { steps: [{ call: getLaw, path: { id: "${first}" } }] }
      teardown: [{ call: voteLaw, path: { id: "${first + 1}" }, body: {} }]
      """ + "\n" + Self.load, against: server.url)
    let asked = server.requests.map(\.target)
    #expect(asked.prefix(2) == ["/laws", "/laws/7/vote"] && asked.last == "/laws/8/vote")
    #expect(asked.dropFirst(2).dropLast() == Array(repeating: "/laws/7", count: 10)[...])
    #expect(server.requests[2].header("x-setup") == "setup 7")
    #expect(server.requests.first?.header("x-who") == server.requests.last?.header("x-who"))
    #expect(server.requests[2].header("x-who") != server.requests[3].header("x-who"))
    #expect(record.info.setup?.requests == 2 && record.info.setup?.failed == nil)
    #expect(try #require(record.info.setup).duration >= .milliseconds(30))
    #expect(record.info.teardown?.requests == 1 && record.info.teardown?.failed == nil)
    // The load's own account knows nothing of them.
    #expect(record.ledger.sent == 10 && record.ledger.contradictions == [])
    #expect(record.operation("voteLaw").sent == 0 && record.operation("listLaws").sent == 0)
    #expect(record.operation("getLaw").latency.count == 10)
    #expect(record.sessions.map(\.session) == ["read"] && record.session("read").completed == 10)
    #expect(record.timeline.reduce(0) { $0 + $1.sent } == 10)
    #expect(record.coverage.items.contains { $0.kind == "status" && $0.operation == "voteLaw" && $0.name == "204" })
  }

  @Test func `after a setup that failed nothing is sent but the teardown`() async throws {
    let server = try Self.server(broken: ["/laws"])
    defer { server.stop() }
    let record = try await EngineFixture.run(
      """
      setup: [{ call: listLaws }]
      sessions:
        read: { steps: [{ call: getLaw, path: { id: 1 } }] }
      teardown: [{ call: voteLaw, path: { id: 2 }, body: {} }]
      """ + "\n" + Self.load, against: server.url)
    #expect(server.requests.map(\.target) == ["/laws", "/laws/2/vote"])
    #expect(record.info.setup?.failed == "listLaws: status 500")
    #expect(record.ledger.planned == 0 && record.info.duration == .zero && record.session("read").started == 0)
    // The response broke the contract as well.
    #expect(record.findings.map(\.kind) == [.contractStatus])
  }

  @Test func `a teardown that fails is a warning`() async throws {
    let server = try Self.server(broken: ["/laws/2/vote"])
    defer { server.stop() }
    let record = try await EngineFixture.run(
      """
      sessions:
        read: { steps: [{ call: getLaw, path: { id: 1 } }] }
      teardown: [{ call: voteLaw, path: { id: 2 }, body: {} }]
      """ + "\n" + Self.load, against: server.url)
    #expect(record.info.teardown?.failed == "voteLaw: status 500")
    let finding = try #require(record.findings.first { $0.kind == .generatorTeardown })
    #expect(finding.severity == .warning && finding.message.contains("voteLaw: status 500"))
    #expect(record.ledger.answered == 10 && record.ledger.violating == 0)
  }

  @Test func `the teardown runs after a stop, too`() async throws {
    let stop = StopSignal()
    let server = try WildServer { request, connection in
      if !request.target.hasSuffix("/vote") { stop.request() }
      connection.answer(request.target.hasSuffix("/vote") ? 204 : 200, body: EngineFixture.law)
    }
    defer { server.stop() }
    let record = try await EngineFixture.run(
      """
      settings: { grace: 5s }
      sessions:
        read: { steps: [{ call: getLaw, path: { id: 7 } }] }
      teardown: [{ think: 50ms }, { call: voteLaw, path: { id: 7 }, body: {} }]
      load: [{ hold: 10/s, for: 60s }]
      """, against: server.url, stop: stop)
    #expect(record.info.cutShort && record.info.duration < .seconds(50))
    #expect(record.info.teardown?.failed == nil && server.requests.last?.target == "/laws/7/vote")
  }

  @Test func `a stop ends the setup, and the grace an endless teardown`() async throws {
    let stop = StopSignal()
    let server = try WildServer { _, connection in
      stop.request()
      connection.answer(200, body: EngineFixture.law)
    }
    defer { server.stop() }
    let endless = "[{ call: getLaw, path: { id: 7 } }, { think: 10m }]"
    let record = try await EngineFixture.run(
      """
      settings: { grace: 100ms }
      setup: \(endless)
      sessions:
        read: { steps: [{ call: getLaw, path: { id: 7 } }] }
      teardown: \(endless)
      load: [{ hold: 10/s, for: 1s }]
      """, against: server.url, stop: stop)
    #expect(record.info.setup?.failed == "the time ended before the last step")
    #expect(record.info.teardown?.failed == "the time ended before the last step")
    #expect(record.info.cutShort && server.requests.count == 2)
  }

  private static func login(_ load: String) -> String {
    """
    client:
      vars: { who: "${string(8)}" }
      headers: { X-Who: "${who}", X-Drawn: "${string(8)}" }
    login:
      - call: listLaws
        query: { q: "${who}" }
        save: { token: "$.data[1].id" }
    sessions:
      read:
        steps:
          - call: getLaw
            path: { id: "${token}" }
            headers: { X-Sent-By: "${who}" }
          - call: getLaw
            path: { id: 9 }
      other: { client: { vars: { who: other } }, steps: [{ call: getLaw, path: { id: "${token}" } }] }
    load: \(load)
    """
  }

  @Test func `a user of a closed model logs in once and stays who it is`() async throws {
    let server = try Self.server()
    defer { server.stop() }
    let record = try await EngineFixture.run(
      Self.login("{ stages: [{ users: 3, for: 1s }], iterations: 4, pause: 10ms }"), against: server.url)
    let logins = server.requests.filter { $0.target.hasPrefix("/laws?") }
    #expect(logins.count == 3 && record.operation("listLaws").latency.count == 3)
    #expect(record.session("read").completed + record.session("other").completed == 12)
    #expect(record.session("read").started > 0 && record.session("other").started > 0)
    let users = Dictionary(grouping: server.requests) { $0.header("x-drawn") ?? "" }
    #expect(users.count == 3, "the headers of a user are drawn once")
    for requests in users.values {
      #expect(requests.first?.target.hasPrefix("/laws?q=") == true)
      #expect(requests.dropFirst().first?.header("cookie")?.contains("visit=") == true)
      // Its cookies last from one session to the next.
      #expect(requests.dropFirst().allSatisfy { $0.header("cookie") != nil })
      let mine = Set(requests.compactMap { $0.header("x-who") }).subtracting(["other"])
      #expect(mine.count == 1 && Set(requests.compactMap { $0.header("x-sent-by") }).isSubset(of: mine))
    }
  }

  @Test func `in an open model each arrival is a user who logs in`() async throws {
    let server = try Self.server()
    defer { server.stop() }
    let record = try await EngineFixture.run(Self.login("[{ hold: 10/s, for: 1s }]"), against: server.url)
    #expect(record.operation("listLaws").sent == 10 && record.session("read").completed > 0)
    #expect(Set(server.requests.compactMap { $0.header("x-drawn") }).count == 10)
  }

  @Test func `a login that fails ends the session, and the next one tries again`() async throws {
    let server = try Self.server(broken: ["/laws"])
    defer { server.stop() }
    let record = try await EngineFixture.run(
      """
      login: [{ call: listLaws }]
      sessions:
        read: { steps: [{ call: getLaw, path: { id: 1 } }] }
      load: { stages: [{ users: 1, for: 1s }], iterations: 3, pause: 10ms }
      """, against: server.url)
    #expect(record.session("read").failed == [ReasonCount(reason: "listLaws: status 500", count: 3)])
    #expect(server.requests.map(\.target) == ["/laws", "/laws", "/laws"])
  }
}
