import MurphyEngine
import MurphyHTTP
import MurphyModel
import Testing
import WildServer

/// Runs whose time is simulated: hours of sessions in moments, with a real server.
@Suite struct SkippedTimeTests {
  private static func run(_ yaml: String, configure: (inout EngineOptions) -> Void = { _ in }) async throws -> (
    record: RunRecord, targets: [String]
  ) {
    let server = try WildServer(SessionTests.api)
    defer { server.stop() }
    let began = Instant.now
    let record = try await EngineFixture.run(yaml, against: server.url, configure: configure)
    // Not a limit of speed: what is simulated here is hours.
    #expect(Instant.now - began < 300_000_000_000)
    #expect(record.ledger.contradictions == [])
    return (record, server.requests.map(\.target))
  }

  @Test func `users who think for minutes read all day, and nobody is late`() async throws {
    let (record, targets) = try await Self.run(
      """
      sessions:
        read:
          steps:
            - call: getLaw
              path: { id: 7 }
            - think: 5m
      load: { stages: [{ users: 2, for: 8h }], pause: 5m }
      """)
    #expect(
      (Duration.seconds(28_800)...Duration.seconds(29_200)).contains(record.info.duration), "\(record.info.duration)")
    // Twice 48 rounds of ten minutes, the last ones perhaps cut.
    #expect((94...98).contains(targets.count), "\(targets.count)")
    #expect(record.session("read").failed == [])
    #expect(record.info.cutShort == false && record.info.aborted == nil)
  }

  @Test func `a response kept for an hour is asked for again after it`() async throws {
    let (record, targets) = try await Self.run(
      """
      sessions:
        read:
          steps:
            - repeat: 10
              steps:
                - { call: getLaw, path: { id: 7 }, cache: 1h }
                - think: 25m
      load: { stages: [{ users: 1, for: 5h }], iterations: 1 }
      """)
    // At 0, 75, 150 and 225 minutes.
    #expect(targets.count == 4)
    #expect(record.operation("getLaw").spared == 6)
  }

  @Test func `a hundred and twenty polls of half a minute take an hour`() async throws {
    let (record, targets) = try await Self.run(
      """
      sessions:
        watch:
          steps:
            - poll: 30s
              times: 120
              call: listLaws
      load: { stages: [{ users: 1, for: 61m }], iterations: 1 }
      """)
    #expect(targets.count == 120)
    #expect(record.session("watch").completed == 1)
  }

  @Test func `arrivals of a quarter of an hour come when they are due`() async throws {
    let (record, targets) = try await Self.run(
      """
      sessions: { read: { steps: [{ call: listLaws }] } }
      load: [{ hold: 12/min, for: 10m }, { ramp: 12/min..36/min, for: 5m }]
      """)
    #expect(targets.count == 240 && record.ledger.planned == 240)
    #expect((Duration.seconds(899)...Duration.seconds(901)).contains(record.info.duration), "\(record.info.duration)")
  }

  @Test func `time in which a request is in flight is not skipped`() async throws {
    let server = try WildServer { request, connection in
      connection.pause(milliseconds: 300)
      SessionTests.api(request, connection)
    }
    defer { server.stop() }
    let record = try await EngineFixture.run(
      """
      sessions:
        read:
          steps:
            - burst: 3
              over: 1h
              steps: [{ call: listLaws }]
            - think: 1h
      load: { stages: [{ users: 1, for: 3h }], iterations: 1 }
      """, against: server.url)
    let service = record.operation("listLaws").service
    #expect(service.count == 3 && service.min >= 300_000_000 && service.max < 3_000_000_000)
    #expect(record.operation("listLaws").outcomes.ok == 3)
  }
}
