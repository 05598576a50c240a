import Foundation
import Murphy
import Synchronization
import TestSupport
import Testing
import WildServer

/// A server with one queue after an outage of the load, as `murphy run` judges it.
@Suite(.timed) struct RecoveryTests {
  private static let contract = """
    openapi: 3.1.0
    info: { title: Queue, version: "1" }
    paths:
      /work:
        get:
          operationId: work
          responses:
            "200": { description: done, content: { application/json: {} } }
            "503": { description: busy, content: { application/json: {} } }
    """
  private static let scenario = """
    name: Recovery
    contract: queue.yaml
    settings: { timeout: 400ms, abort-after: off, grace: 1s }
    sessions:
      work:
        steps:
          - call: work
            retry: { on: [503, error], times: 4, wait: 300ms, factor: 1.5 }
    load:
      stages: [{ hold: 25/s, for: 40s }]
      outage: { at: 12s, for: 3s }
    expect:
      recovery: 5s
      errors: off
      completed: off
    """
  private static let work = 0.03
  private static let patience = 0.4

  /// Works on one request after the other, also if its client has timed out.
  ///
  /// - Parameter longest: a request that would wait for longer is rejected.
  private static func server(rejectsAfter longest: Double?) throws -> WildServer {
    let free = Mutex(ContinuousClock.now)
    return try WildServer { _, connection in
      let wait = free.withLock { free -> Double? in
        let now = ContinuousClock.now
        free = max(free, now)
        if let longest, (free - now) / .seconds(1) > longest { return nil }
        free += .saturating(seconds: work)
        return (free - now) / .seconds(1)
      }
      guard let wait else { return connection.answer(503) }
      connection.pause(milliseconds: Int(min(wait, patience + 0.1) * 1000))
      if wait > patience { connection.finish() } else { connection.answer() }
    }
  }

  private static func run(_ server: WildServer) async throws -> (RunAgreement, TrafficRow) {
    let folder = FileManager.default.temporaryDirectory.appending(path: "recovery-\(UUID())").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try contract.write(toFile: folder + "/queue.yaml", atomically: true, encoding: .utf8)
    try (scenario + "\ntarget: \(server.url)\n").write(
      toFile: folder + "/recovery.yaml", atomically: true, encoding: .utf8)
    let said = try await RunAgreement.of(folder + "/recovery.yaml")
    return (said, try #require(said.result.traffic.first { $0.kind == .recovery }, "\(said.outcome.output)"))
  }

  @Test func `a server that works on requests without a client does not recover`() async throws {
    let server = try Self.server(rejectsAfter: nil)
    defer { server.stop() }
    let (said, row) = try await Self.run(server)
    print(row.sentence)
    said.expect(.fail)
    #expect(said.outcome.output.contains("goodput recovers within 5s of the outage at 12s"), "\(said.outcome.output)")
    let finding = try #require(said.result.findings.first { $0.kind == .trafficRecovery })
    #expect(row.findings == [finding.fingerprint])
    let recovery = try #require(row.recovery)
    #expect((20...27).contains(recovery.before) && recovery.level ?? 1 < 0.5 && recovery.returned == nil)
    #expect(recovery.amplification ?? 0 > 3 && recovery.withheld >= 75, "\(recovery)")
  }

  @Test func `a server that rejects what it cannot finish recovers`() async throws {
    let server = try Self.server(rejectsAfter: 0.2)
    defer { server.stop() }
    let (said, row) = try await Self.run(server)
    print(row.sentence)
    said.expect(.pass)
    #expect(row.recovery?.returned ?? .seconds(9) <= .seconds(5))
    #expect(said.page.contains("Murphy withheld"))
  }
}
