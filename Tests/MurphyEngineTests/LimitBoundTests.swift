import MurphyEngine
import MurphyModel
import Testing
import WildServer

/// A run that is longer than its limit log.
@Suite struct LimitBoundTests {
  /// 60 votes of six users, of which each loop keeps so many; the server admits all.
  private static func run(_ bound: LimitLog.Bound) async throws -> RunRecord {
    let server = try WildServer { _, connection in connection.answer(204, headers: ["X-RateLimit-Remaining": "7"]) }
    defer { server.stop() }
    return try await EngineFixture.run(
      """
      sessions:
        vote:
          steps:
            - { repeat: 10, steps: [{ call: voteLaw, path: { id: 1 }, body: {} }, { think: 20ms }] }
      load: [{ hold: 6/s, for: 1s }]
      expect: { limits: { voteLaw: { allow: 1000, per: 60s, key: global } } }
      """, against: server.url
    ) { $0.limitBound = bound }
  }

  @Test(arguments: [(20, 10_000), (1000, 1)])
  func `what is kept has no gap, and what is not is counted`(observations: Int, headers: Int) async throws {
    var bound = LimitLog.Bound.usual
    (bound.observations, bound.identities, bound.headers) = (observations, 100, headers)
    let log = try await Self.run(bound).limitLog
    #expect(log.leftOut > 0 && log.observations.count + log.leftOut == 60)
    #expect(log.observations.count <= bound.observations)
    let end = try #require(log.end)
    #expect(log.observations.allSatisfy { $0.sent < end })
  }
}
