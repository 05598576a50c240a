import Foundation
import Murphy
import TestSupport
import Testing
import WildServer

/// A server process that is killed, stopped and started again while it is under load.
@Suite(.serialized, .timed) struct DeadTargetTests {
  @Test(arguments: [SIGKILL, SIGSTOP]) func `a target that dies fails the run with one finding`(signal: Int32)
    async throws
  {
    let port = try FreePort.find()
    let server = try await Self.serve(port)
    defer { server.end() }
    let said = try await Self.run(port, load: "{ hold: 20/s, for: 120s }") { server.send(signal) }
    said.expect(.fail)
    #expect(said.result.findings.first?.kind == .transportOutage)
    // A busy machine may make the server stand still besides, which is a warning.
    let errors = said.result.findings.filter { $0.kind.family == .transport && $0.severity == .error }
    #expect(errors.count == 1, "\(said.result.findings.map(\.message))")
    #expect(said.result.findings.first?.message.contains(" to the end (") == true)
    #expect(said.result.reasons.first?.hasPrefix("no response from ") == true, "\(said.result.reasons)")
    let aborted = try #require(said.result.run.aborted)
    #expect(aborted < .seconds(100) && !said.result.run.cutShort)
    #expect(said.result.ledger.answered > 0)
    #expect(said.result.run.duration < .seconds(100))
    #expect(said.junit.contains("no response from "))
  }

  @Test func `a restart is named with its gap`() async throws {
    let port = try FreePort.find()
    let first = try await Self.serve(port)
    defer { first.end() }
    var second: WatchedProgram?
    let said = try await Self.run(port, load: "{ hold: 20/s, for: 12s }", settings: "abort-after: off") {
      first.end()
      try await Task.sleep(for: .seconds(2))
      second = try await Self.serve(port)
    }
    second?.end()
    said.expect(.fail)
    #expect(said.result.run.aborted == nil)
    let outage = try #require(said.result.findings.first)
    #expect(outage.kind == .transportOutage)
    #expect(outage.lastSeen - outage.firstSeen > .milliseconds(1500))
    #expect(!outage.message.contains(" to the end ("), "\(outage.message)")
    // A busy machine may make the server stand still besides, which is a warning.
    let errors = said.result.findings.filter { $0.kind.family == .transport && $0.severity == .error }
    #expect(errors.count == 1, "\(said.result.findings.map(\.message))")
  }

  @Test func `a target that dies right after it was reached fails`() async throws {
    let server = try WildServer { _, connection in connection.finish() }
    let url = server.url
    let watcher = Task.detached {
      while server.connections == 0, !Task.isCancelled { try await Task.sleep(for: .milliseconds(1)) }
      server.stop()
    }
    defer { watcher.cancel() }
    let said = try await ShopAPI.withFiles(ShopAPI.scenario(url: url)) { try await RunAgreement.of($0) }
    said.expect(.fail)
    #expect(said.result.ledger.answered == 0)
    #expect(said.result.findings.first?.message.hasPrefix("no response at all") == true)
  }

  @Test func `a target that was never reached is status three and invalid`() async throws {
    let port = try FreePort.find()
    try await ShopAPI.withFiles(ShopAPI.scenario(url: "http://127.0.0.1:\(port)")) { file in
      let outcome = try await Program().run(["run", file, "--report", file + ".report"])
      #expect(outcome.status == 3)
      #expect(outcome.lastLine == "INVALID")
    }
  }

  @Test func `a silent server is an outage in a short run too`() async throws {
    let count = Counter()
    let server = try WildServer { _, connection in
      if count.add() > 60 { _ = connection.waitForClose(atMost: 60) } else { connection.answer(body: ShopAPI.body) }
    }
    defer { server.stop() }
    let said = try await ShopAPI.withFiles(ShopAPI.scenario(url: server.url)) { try await RunAgreement.of($0) }
    said.expect(.fail)
    #expect(said.result.findings.first?.kind == .transportOutage)
    #expect(said.row(.completed)?.verdict != .pass)
  }

  static func serve(_ port: Int) async throws -> WatchedProgram {
    let server = try WatchedProgram(["serve", "murphys-laws", "--port", "\(port)"])
    for _ in 0..<600 where !FreePort.isTaken(port) { try await Task.sleep(for: .milliseconds(50)) }
    return server
  }

  /// Runs a load against the port; `strike` happens once the first requests have been sent.
  static func run(
    _ port: Int, load: String, settings: String = "abort-after: 4s", strike: () async throws -> Void
  ) async throws -> RunAgreement {
    try await run(port, load: load, settings: settings) { _ in try await strike() }
  }

  /// Runs a load against the port; `strike` gets the murphy that makes it, once the first requests have been sent.
  static func run(
    _ port: Int, load: String, settings: String, strike: (WatchedProgram) async throws -> Void
  ) async throws -> RunAgreement {
    let scenario = """
      name: Outage
      contract: CONTRACT
      target: http://127.0.0.1:\(port)
      client: { headers: { X-Device-ID: "${uuid()}" } }
      settings: { grace: 2s, \(settings) }
      sessions:
        look:
          steps:
            - call: getLawOfTheDay
            - call: listLaws
              query: { limit: 5 }
      load: [\(load)]
      """
    return try await withScenario(scenario) { file in
      let murphy = try WatchedProgram(["run", file, "--seed", "7", "--report", file + ".report"])
      defer { murphy.end() }
      #expect(try await murphy.waits(for: " req/s "))
      try await strike(murphy)
      return try RunAgreement(try await murphy.outcome(), folder: file + ".report")
    }
  }
}
