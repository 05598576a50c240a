import Foundation
import Murphy
import MurphyEngine
import MurphyModel
import MurphyProbe
import TestSupport
import Testing
import WildServer

/// `murphy tune --apply`: a hook of the user, and the measurement after it.
@Suite(.timed) struct DeploymentTests {
  @Test func `a hook gets the path of the configuration`() async throws {
    let file = NSTemporaryDirectory() + "murphy-hook-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: file) }
    try await DeploymentHook(option: "--apply", command: "echo \"$MURPHY_CONFIGURATION\" > '\(file)'")
      .run(configuration: "/limits.conf")
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "/limits.conf\n")
  }

  @Test func `a hook that fails or hangs is an error`() async throws {
    let failed = await #expect(throws: GateError.self) {
      try await DeploymentHook(option: "--apply", command: "exit 3").run(configuration: nil)
    }
    #expect(failed?.description.contains("--apply: the command exited with status 3.") == true)
    let endless = await #expect(throws: GateError.self) {
      try await DeploymentHook(option: "--apply", command: "sleep 1000").run(
        configuration: nil, patience: .milliseconds(200))
    }
    #expect(endless?.description.contains("did not end within 200 ms") == true)
  }

  @Test func `a hook may start a daemon`() async throws {
    try await DeploymentHook(option: "--apply", command: "sleep 20 & exit 0").run(
      configuration: nil, patience: .seconds(15))
  }

  @Test func `a contradicted limit is not measured to the end`() async throws {
    let gate = try ProbeBench.gate("voting-bursts")
    let policy = LimitPolicy(
      name: "voteLaw", operations: ["voteLaw"], algorithm: .fixed, allowance: 45, window: .seconds(60),
      key: .header("X-Device-ID"))
    let result = try await gate.verify(policy, LimitsOptions(), stop: StopSignal()) { _, _ in }
    #expect(result.verdict == .fail, "\(result.reasons)")
    // The API has windows of 60 s.
    #expect(result.limits.allSatisfy { $0.report.duration < .seconds(30) }, "\(result.limits.map(\.report.duration))")
  }

  private static func contract(_ rejection: String) -> String {
    """
    openapi: 3.1.0
    info: { title: Page, version: "1" }
    paths:
      /index.html:
        get:
          operationId: getPage
          responses:
            "200": { description: OK }
            "429": \(rejection)
    """
  }

  private static let scenario = """
    name: Page
    contract: openapi.yaml
    sessions:
      read: { steps: [{ call: getPage }] }
    load: [{ hold: 5/s, for: 1s }]
    """

  /// - Parameter rejection: the entry of the contract for status 429.
  private static func tune(
    in folder: String, target: String, apply: String, restore: String,
    rejection: String = "{ description: Too Many Requests }"
  ) async throws -> Program.Outcome {
    try contract(rejection).write(toFile: folder + "/openapi.yaml", atomically: true, encoding: .utf8)
    try scenario.write(toFile: folder + "/scenario.yaml", atomically: true, encoding: .utf8)
    return try await Program().run(
      [
        "tune", "scenario.yaml", "--operation", "getPage", "--sessions", "100", "--what-if",
        "20/s burst=20 key=address", "--emit", "nginx", "--target", target, "--apply", apply, "--restore", restore,
      ], in: folder, limit: 300)
  }

  /// Runs `murphy tune` against an nginx whose limits a hook writes.
  ///
  /// - Parameter hook: puts the configuration into `limits.conf`.
  private static func deploy(
    _ hook: String, rejection: String = "{ description: Too Many Requests }"
  ) async throws -> (outcome: Program.Outcome, restored: Bool) {
    let nginx = try LimiterProgram.nginx("include limits*.conf;")
    defer { nginx.stop() }
    let folder = nginx.folder
    let reload = "kill -HUP $(cat '\(folder)/pid')"
    let outcome = try await tune(
      in: folder, target: nginx.url, apply: "\(hook) && \(reload)",
      restore: "touch '\(folder)/restored' && : > '\(folder)/limits.conf' && \(reload)", rejection: rejection)
    return (outcome, FileManager.default.fileExists(atPath: folder + "/restored"))
  }

  /// Signals while the hook runs, in the pause after it, and while murphy measures.
  @Test(arguments: ["kill -INT $PPID; sleep 0.1", "(sleep 0.3; kill -TERM $PPID) &", "(sleep 1.2; kill -HUP $PPID) &"])
  func `a signal restores the former limit`(hook: String) async throws {
    // A server without a limit: murphy sends requests for minutes to confirm one.
    let server = try WildServer { _, connection in
      connection.pause(milliseconds: 300)
      connection.answer()
    }
    defer { server.stop() }
    try await withTemporaryFolder { folder in
      let outcome = try await Self.tune(in: folder, target: server.url, apply: hook, restore: "touch restored")
      #expect(FileManager.default.fileExists(atPath: folder + "/restored"), "\(outcome.errors)")
      #expect(outcome.status == 5 && outcome.lastLine == "NO DATA", "\(outcome.output)\(outcome.errors)")
      #expect(outcome.errors.contains("Stopping: "), "\(outcome.errors)")
    }
  }

  @Test(.requires(.nginx)) func `a limit that nginx applies is confirmed`() async throws {
    let (outcome, restored) = try await Self.deploy("cp \"$MURPHY_CONFIGURATION\" limits.conf")
    #expect(outcome.lastLine == "PASS" && outcome.status == 0, "\(outcome.output)\(outcome.errors)")
    #expect(!restored)
  }

  @Test(.requires(.nginx)) func `a page of nginx in place of the documented rejection does not refute the limit`()
    async throws
  {
    let json = "{ description: Too Many Requests, content: { application/json: { schema: { type: object } } } }"
    let (outcome, _) = try await Self.deploy("cp \"$MURPHY_CONFIGURATION\" limits.conf", rejection: json)
    #expect(outcome.lastLine == "PASS" && outcome.status == 0, "\(outcome.output)\(outcome.errors)")
  }

  @Test(.requires(.nginx)) func `a limit that nginx does not apply is restored`() async throws {
    let (outcome, restored) = try await Self.deploy("sed 's/20r.s/5r\\/s/' \"$MURPHY_CONFIGURATION\" > limits.conf")
    #expect(outcome.lastLine == "FAIL" && outcome.status == 1, "\(outcome.output)\(outcome.errors)")
    #expect(outcome.errors.contains("Running the command of --restore."))
    #expect(restored)
  }
}
