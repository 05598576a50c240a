import Foundation
import MurphyEngine
import MurphyModel
import Testing
import WildServer

/// Who sent each request, as policies tell clients apart, and what was sent.
@Suite struct LimitLogTests {
  private static func run(_ yaml: String, isSaltNew: Bool = true, salt: UInt64? = 1) async throws -> RunRecord {
    let server = try WildServer { request, connection in
      connection.answer(request.method == "POST" ? 204 : 404)
    }
    defer { server.stop() }
    return try await EngineFixture.run(
      yaml + "\nexpect: { limits: { voteLaw: { allow: 3, per: 60s, key: X-Device-ID } } }", against: server.url
    ) {
      $0.salt = salt
      $0.isSaltNew = isSaltNew
    }
  }

  private static let steps = """
    sessions:
      vote:
        steps:
          - { call: voteLaw, path: { id: 1 }, body: { vote_type: up } }
          - call: voteLaw
            path: { id: 2 }
            headers: { x-device-id: "${uuid()}" }
            body: { vote_type: down }
          - { call: voteLaw, path: { id: 3 }, headers: { X-Device-ID: constant }, body: {} }
    load: [{ hold: 1/s, for: 1s }]
    """

  @Test func `a key header on a step gives the request an identity of its own`() async throws {
    let log = try await Self.run(Self.steps).limitLog
    let sent = log.observations.map { log.identities[Int($0.identity)] }
    #expect(sent.count == 3)
    #expect(sent.map(\.headers.count) == [0, 1, 1], "the first has no device")
    #expect(sent[1].headers[0].name == "x-device-id" && sent[1].fresh == ["x-device-id"])
    #expect(sent[2].headers == [HeaderField("x-device-id", "constant")] && sent[2].fresh == [])
  }

  @Test func `a step's header takes the place of the client's`() async throws {
    let log = try await Self.run("client: { headers: { X-Device-ID: \"${uuid()}\" } }\n" + Self.steps).limitLog
    let sent = log.observations.map { log.identities[Int($0.identity)] }
    #expect(sent.map(\.headers.count) == [1, 1, 1])
    #expect(Set(sent.map(\.headers)).count == 3)
    #expect(sent.map(\.fresh) == [["x-device-id"], ["x-device-id"], []])
  }

  @Test func `values of a salt that was given are not new`() async throws {
    let log = try await Self.run(Self.steps, isSaltNew: false).limitLog
    #expect(log.identities.allSatisfy { $0.fresh.isEmpty })
    let unsalted = try await Self.run(Self.steps, salt: nil)
    #expect(unsalted.limitLog.identities.allSatisfy { $0.fresh.isEmpty })
    #expect(unsalted.info.salt == nil)
  }

  @Test func `the log keeps what was sent, without the client's headers`() async throws {
    let log = try await Self.run(Self.steps).limitLog
    let requests = log.observations.map { log.requests[Int($0.request)] }
    #expect(requests.map(\.url) == ["/laws/1/vote", "/laws/2/vote", "/laws/3/vote"].map { ShellWord($0) })
    #expect(requests[1].body == ShellWord(#"{"vote_type":"down"}"#))
    #expect(requests[1].headers.map(\.name) == ["Content-Type"])
  }

  @Test func `a rejection by another status and header is kept with what tells it`() async throws {
    let server = try WildServer { _, connection in
      connection.answer(
        403, headers: ["X-Quota": "0", "Content-Type": "text/plain", "X-Rate-Limit-Limit": "3"], body: "no")
    }
    defer { server.stop() }
    let rule = "{ allow: 3, per: 60s, key: X-Device-ID, refusals: [{ status: 403, header: X-Quota }] }"
    let record = try await EngineFixture.run(
      Self.steps + "\nexpect: { limits: { voteLaw: \(rule) } }", against: server.url)
    let log = record.limitLog
    let first = try #require(log.observations.first)
    let headers = log.headerSets[Int(first.headers)]
    #expect(headers.contains(HeaderField("x-quota", "0")) && headers.contains(HeaderField("x-rate-limit-limit", "3")))
    #expect(log.bodies[Int(first.body)] == "no")
    let refusal = RefusalRule(status: 403, header: HeaderField("x-quota", ""))
    #expect(refusal.matches(status: 403, headers: headers) && !refusal.matches(status: 403, headers: []))
    #expect(!RefusalRule(status: 403, header: HeaderField("x-quota", "1")).matches(status: 403, headers: headers))
  }

  @Test(arguments: [(429, "[429]"), (503, "[503]"), (503, "[429, { status: 503, header: X-Quota, value: \"0\" }]")])
  func `a rejection that a limit names does not end its session`(_ status: Int, _ rejections: String) async throws {
    let record = try await Self.rejected(status, rejections, headers: ["X-Quota": "0"])
    #expect(record.operation("voteLaw").outcomes.limited == 3)
    #expect(record.session("vote").completed == 1 && record.session("vote").failed == [])
  }

  @Test(arguments: ["[429]", "[{ status: 503, header: X-Quota }]"])
  func `a failure that no limit names ends its session`(_ rejections: String) async throws {
    let record = try await Self.rejected(503, rejections, headers: [:])
    #expect(record.operation("voteLaw").outcomes.limited == 0 && record.operation("voteLaw").sent == 1)
    #expect(record.session("vote").failed == [ReasonCount(reason: "voteLaw: status 503", count: 1)])
  }

  /// One session of three votes.
  private static func rejected(_ status: Int, _ rejections: String, headers: [String: String]) async throws -> RunRecord
  {
    let server = try WildServer { _, connection in connection.answer(status, headers: headers) }
    defer { server.stop() }
    let votes = (1...3).map { "{ call: voteLaw, path: { id: \($0) }, body: { vote_type: up } }" }
    return try await EngineFixture.run(
      """
      sessions: { vote: { steps: [\(votes.joined(separator: ", "))] } }
      load: [{ hold: 1/s, for: 1s }]
      expect: { limits: { voteLaw: { allow: 3, per: 60s, key: X-Device-ID, refusals: \(rejections) } } }
      """, against: server.url)
  }

  @Test func `what a limit names as its rejection is counted as one, and judged as one`() async throws {
    let server = try WildServer { request, connection in
      switch request.target {
      case "/laws/1/vote": connection.answer(403, headers: ["X-Quota": "0"])
      case "/laws/2/vote": connection.answer(403)
      case "/laws/3/vote": connection.answer(503)
      default: connection.answer(429)
      }
    }
    defer { server.stop() }
    let votes = (1...4).map {
      "{ call: voteLaw, path: { id: \($0) }, body: { vote_type: up }, on: { 4XX: continue, 5XX: continue } }"
    }
    let rejections = "[429, 503, { status: 403, header: X-Quota }]"
    let scenario = """
      sessions: { vote: { steps: [\(votes.joined(separator: ", "))] } }
      load: [{ hold: 1/s, for: 1s }]
      expect: { limits: { voteLaw: { allow: 3, per: 60s, key: X-Device-ID, refusals: \(rejections) } } }
      """
    let record = try await EngineFixture.run(scenario, against: server.url)
    let operation = try #require(record.operations.first { $0.operation == "voteLaw" })
    #expect(operation.outcomes.limited == 3 && operation.outcomes.clientError == 1, "\(operation.outcomes)")
    #expect(operation.outcomes.serverError == 0 && operation.errors == 1)
    #expect(operation.rejections?.latency.count == 3, "their time is no sample of the operation's latency")
    let rules = [
      RefusalRule.tooManyRequests, RefusalRule(status: 503),
      RefusalRule(status: 403, header: HeaderField("x-quota", "")),
    ]
    let policy = LimitPolicy(
      name: "voteLaw", operations: ["voteLaw"], allowance: 3, window: .seconds(60), key: .header("x-device-id"),
      refusals: rules)
    #expect(record.limitLog.observations.count { policy.rejects($0, in: record.limitLog) } == 3)
  }
}
