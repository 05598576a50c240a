import Foundation
import MurphyEngine
import MurphyModel
import Testing
import WildServer

/// What could keep a run from its end: a scenario, a server, a session that blocks.
@Suite struct HangTests {
  /// Seconds that a run with a second of load and a grace of 2 s may take, on a machine that is busy.
  private static let bound = 20.0

  private func run(_ sessions: String, load: String = "[{ hold: 2/s, for: 1s }]") async throws -> RunRecord {
    let server = try WildServer(SessionTests.api)
    defer { server.stop() }
    let begin = Instant.now
    let record = try await EngineFixture.run(
      "settings: { grace: 2s }\nsessions:\n\(sessions)\nload: \(load)", against: server.url)
    #expect(Double(Instant.now - begin) / 1e9 < Self.bound)
    #expect(record.ledger.contradictions == [])
    return record
  }

  @Test func `a burst of a million turns without a call lets others have their turn`() async throws {
    let record = try await run(
      """
        spin: { share: 50, steps: [{ burst: 1000000, over: 0s, steps: [{ set: { a: "${index}" } }] }] }
        read: { share: 50, steps: [{ call: getLaw, path: { id: 7 } }] }
      """, load: "[{ hold: 4/s, for: 1s }]")
    #expect(record.operation("getLaw").outcomes.ok == record.session("read").started)
  }

  @Test func `loops in loops that never wait are cut when the run is over`() async throws {
    let record = try await run(
      """
        spin:
          steps:
            - repeat: 1000000
              steps: [{ repeat: 1000000, steps: [{ set: { a: 1 } }] }]
      """)
    #expect(record.session("spin").unfinished == 2)
  }

  @Test func `a list that doubles sixty times is rejected, not unfolded`() async throws {
    let record = try await run(
      """
        grow:
          steps:
            - set: { xs: [1] }
            - repeat: 60
              steps: [{ set: { xs: ["${xs}", "${xs}"] } }]
            - call: getLaw
              path: { id: "${count(xs)}" }
      """, load: "{ stages: [{ users: 1, for: 60s }], iterations: 1 }")
    #expect(record.session("grow").failed.first?.reason.contains("became larger than") == true)
  }

  @Test func `users whose session does nothing do not hold the loop`() async throws {
    let record = try await run("  idle: { steps: [{ set: { a: 1 } }] }", load: "[{ users: 3, for: 1s }]")
    #expect(record.session("idle").completed > 0)
    #expect(record.info.duration < .seconds(30))
  }

  @Test func `a loop that is still at work when the run is over loses nothing of its record`() async throws {
    let server = try WildServer(SessionTests.api)
    defer { server.stop() }
    // As a machine that is too busy does: the loop ends three seconds late, and computes until then.
    let record = try await EngineFixture.run(
      """
      settings: { grace: 100ms }
      sessions:
        read: { share: 1, steps: [{ call: getLaw, path: { id: 7 } }] }
      load: [{ hold: 4/s, for: 500ms }]
      """, against: server.url, loops: 1
    ) { options in
      options.sessions = [
        SwiftSession("busy") { _ in
          let end = Instant.now + 3_600_000_000
          while Instant.now < end {}
        }
      ]
    }
    #expect(record.generator.doubts.filter { $0.contains("did not stop") } == [])
    #expect(record.ledger.contradictions == [])
    #expect(record.sessions.contains { $0.started > 0 })
  }

  @Test func `a session that blocks its loop does not keep the run from its end`() async throws {
    let server = try WildServer(SessionTests.api)
    defer { server.stop() }
    let release = Flag()
    let begin = Instant.now
    let record = try await EngineFixture.run(
      """
      settings: { grace: 100ms }
      sessions:
        read: { share: 1, steps: [{ call: getLaw, path: { id: 7 } }] }
      load: [{ hold: 4/s, for: 500ms }]
      """, against: server.url
    ) { options in
      options.sessions = [SwiftSession("stubborn") { _ in while !release.isRaised { usleep(1000) } }]
    }
    release.raise()
    #expect(Double(Instant.now - begin) / 1e9 < Self.bound)
    #expect(record.generator.doubts.contains { $0.contains("of murphy did not stop") })
    #expect(record.ledger.contradictions == [])
  }

  @Test(arguments: [
    "Fri, 31 Dec 9999 23:59:59 GMT", "99999999999999999999", "1e308", "nan", "-1", "0x7fffffffffffffff",
  ])
  func `no Retry-After ends the process`(_ value: String) async throws {
    let server = try WildServer { _, connection in connection.answer(429, headers: ["Retry-After": value]) }
    defer { server.stop() }
    let record = try await EngineFixture.run(
      """
      settings: { grace: 100ms }
      sessions:
        vote: { steps: [{ call: voteLaw, path: { id: 7 }, body: {}, on: { 429: wait } }] }
      load: [{ hold: 2/s, for: 500ms }]
      """, against: server.url)
    #expect(record.operation("voteLaw").outcomes.limited >= 1)
    #expect(record.ledger.contradictions == [])
  }
}
