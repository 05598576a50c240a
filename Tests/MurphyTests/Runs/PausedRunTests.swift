import Foundation
import Murphy
import TestSupport
import Testing

/// A murphy, or a target, that is stopped for seconds while there is load. On a busy machine either stands still besides.
@Suite(.timed) struct PausedRunTests {
  @Test func `a target that stands still and responds late is one warning`() async throws {
    let port = try FreePort.find()
    let server = try await DeadTargetTests.serve(port)
    defer { server.end() }
    let said = try await DeadTargetTests.run(port, load: "{ hold: 30/s, for: 12s }", settings: "abort-after: off") {
      try await Task.sleep(for: .seconds(1))
      server.send(SIGSTOP)
      try await Task.sleep(for: .seconds(3))
      server.send(SIGCONT)
    }
    let stall = try #require(
      said.result.findings.first { $0.kind == .transportStalled }, "\(said.result.findings.map(\.message))")
    #expect(stall.severity == .warning)
    #expect(stall.message.contains("requests waited and were answered afterwards"), "\(stall.message)")
    #expect(stall.lastSeen - stall.firstSeen > .seconds(2))
    #expect(said.result.findings.allSatisfy { $0.kind == .transportStalled || $0.kind.family != .transport })
  }

  @Test func `a pause of murphy itself is the generator's`() async throws {
    let port = try FreePort.find()
    let server = try await DeadTargetTests.serve(port)
    defer { server.end() }
    let said = try await DeadTargetTests.run(port, load: "{ hold: 30/s, for: 12s }", settings: "abort-after: off") {
      murphy in
      try await Task.sleep(for: .seconds(1))
      murphy.send(SIGSTOP)
      try await Task.sleep(for: .seconds(3))
      murphy.send(SIGCONT)
    }
    #expect(
      said.result.findings.allSatisfy { $0.kind.family != .transport }, "\(said.result.findings.map(\.message))")
    #expect(said.result.generator.longestStall > .milliseconds(2500))
    said.expect(.invalid)
    #expect(said.result.reasons.contains { $0.contains("loop of murphy was blocked") }, "\(said.result.reasons)")
  }
}
