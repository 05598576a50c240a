import Foundation
import Murphy
import TestSupport
import Testing
import WildServer

/// Servers whose responses never end: the run ends by itself, and blames the server.
@Suite(.serialized, .requires(.openssl)) struct HostileServerTests {
  /// Seconds that a run of half a second with a grace of one may take on a machine that is busy.
  private static let bound = 60.0

  private static let load = "[{ hold: 10/s, for: 500ms }]"
  private static let scenario = OutcomeCase.shop(settings: "timeout: 20s", load: load)
    .replacing("grace: 2s", with: "grace: 1s")

  private static let endless: [(name: String, begin: String, more: String)] = [
    ("interim responses", "", "HTTP/1.1 100 Continue\r\n\r\n"),
    ("trailers", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n", "X-A: b\r\n"),
    ("a header", "HTTP/1.1 200 OK\r\nX-A: ", "xxxxxxxxxxxxxxxx"),
    ("headers", "HTTP/1.1 200 OK\r\n", "X-A: b\r\n"), ("a status line", "HTTP/1.1 200 ", "OKOKOKOK"),
    ("a chunk extension", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1", ";x=y"),
    ("chunks of one byte", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "1\r\n \r\n"),
    ("blank lines", "", "\r\n"), ("what is not HTTP", "", "lorem ipsum "),
  ]

  @Test(arguments: [0, 20], endless.indices) func `a response without end ends`(pause: Int, index: Int) async throws {
    let (name, begin, more) = Self.endless[index]
    let outcome = OutcomeCase("endless \(name)", .fail, .fail, Self.scenario) { _, connection in
      connection.send(begin)
      let bytes = Array(String(repeating: more, count: pause == 0 ? 2000 : 1).utf8)
      while connection.send(bytes) { connection.pause(milliseconds: pause) }
    }
    let begun = ContinuousClock.now
    try await outcome.perform { file, said in
      #expect(ContinuousClock.now - begun < .seconds(Self.bound), "\(name)")
      let agreement = try RunAgreement(said, folder: OutcomeCase.reports(of: file))
      // A flood of chunks may reach the limit of a body before its time is up: then it is cut there, and unchecked.
      if agreement.result.ledger.answered == 0 { agreement.expect(agreement.verdict(.fail), name) }
      #expect(!said.output.contains("memory"), "\(name): \(said.output)")
      // On a starved machine a flood may be all that a loop has time for; then murphy says so.
      guard agreement.result.generator.doubts.isEmpty else { return agreement.expect(agreement.result.verdict, name) }
      #expect(agreement.result.findings.contains { $0.kind.family == .transport }, "\(name): \(said.output)")
    }
  }

  @Test func `a TLS handshake that never ends gets no load`() async throws {
    // Reads the client's first message, and says nothing.
    let outcome = OutcomeCase(
      "handshake", .unreachable, .invalid, Self.scenario.replacing("URL", with: "https://localhost:PORT"))
    let server = try WildServer { _, _ in }
    defer { server.stop() }
    try await ShopAPI.withFiles(outcome.scenario.replacing("PORT", with: "\(server.port)")) { file in
      let begun = ContinuousClock.now
      let agreement = try RunAgreement(try await OutcomeCase.murphy(file), folder: OutcomeCase.reports(of: file))
      agreement.expect(.invalid, status: .unreachable)
      #expect(ContinuousClock.now - begun < .seconds(Self.bound))
    }
  }

  @Test func `a header of 5 MB over TLS is the server's fault, not murphy's memory`() async throws {
    try await withTemporaryFolder { folder in
      let tls = try await TestAuthority(in: folder)
      let head =
        "HTTP/1.0 200 OK\r\nX-Long: " + String(repeating: "x", count: 5 << 20) + "\r\nContent-Length: 2\r\n\r\n{}"
      try head.write(toFile: folder + "/items", atomically: true, encoding: .utf8)
      try await tls.serving { url in
        let outcome = OutcomeCase(
          "header", .fail, .fail, Self.scenario,
          run: { try await OutcomeCase.murphy($0, ["--target", url, "--cacert", tls.authority]) })
        try await outcome.perform { file, said in
          let agreement = try RunAgreement(said, folder: OutcomeCase.reports(of: file))
          agreement.expect(agreement.verdict(.fail))
          #expect(agreement.result.findings.contains { $0.kind == .transportHeaderSize }, "\(said.output)")
          #expect(!said.output.contains("memory"), "\(said.output)")
          #expect(agreement.result.generator.reservations?.contains { $0.kind == .exhausted } != true)
        }
      }
    }
  }

  @Test func `a scenario that never waits ends with its grace`() async throws {
    let scenario = OutcomeCase.shop(
      steps: "- burst: 1000000\n  over: 0s\n  steps: [{ set: { a: \"${index}\" } }]\n- call: listItems",
      load: "[{ hold: 2/s, for: 1s }]")
    let outcome = OutcomeCase("burst", .noData, .noData, scenario, respond: OutcomeCase.healthy)
    let begun = ContinuousClock.now
    try await outcome.perform { file, said in
      #expect(ContinuousClock.now - begun < .seconds(Self.bound))
      let agreement = try RunAgreement(said, folder: OutcomeCase.reports(of: file))
      #expect(agreement.result.sessions[0].unfinished + agreement.result.sessions[0].completed == 2)
      agreement.expect(agreement.result.verdict)
    }
  }
}
