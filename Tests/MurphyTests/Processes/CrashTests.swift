import Foundation
import Murphy
import Testing

/// A murphy that crashes: no result of an earlier run is left, and the end is INVALID.
@Suite(.serialized) struct CrashTests {
  private static let scenario = """
    name: Crash
    contract: CONTRACT
    target: embedded:murphys-laws
    sessions: { read: { steps: [{ call: getLawOfTheDay }] } }
    load: [{ hold: 5/s, for: 60s }]
    """

  /// Runs murphy, and sends it the signal once it has printed `sign`: there is load.
  private func crash(
    _ arguments: [String], with signal: Int32, after sign: String = " req/s "
  ) async throws -> Program.Outcome {
    let murphy = try WatchedProgram(arguments)
    defer { murphy.end() }
    guard try await murphy.waits(for: sign) else { return try await murphy.outcome() }
    murphy.send(signal)
    return try await murphy.outcome()
  }

  private func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

  @Test(arguments: [(SIGILL, "SIGILL"), (SIGTRAP, "SIGTRAP"), (SIGSEGV, "SIGSEGV"), (SIGABRT, "SIGABRT")])
  func `a run that crashes is invalid in every report`(signal: Int32, name: String) async throws {
    try await withScenario(Self.scenario) { file in
      let folder = (file as NSString).deletingLastPathComponent + "/r"
      let passed = try await Program().run(["run", file, "--report", folder, "--duration", "1s"])
      #expect(passed.lastLine == "PASS")
      let outcome = try await crash(["run", file, "--report", folder], with: signal)
      #expect(outcome.status == 4)
      #expect(outcome.lastLine == "INVALID", "\(outcome)")
      #expect(outcome.errors.contains("murphy: crashed with \(name)"), "\(outcome.errors)")
      let result = try ResultFile.read(folder + "/result.json")
      #expect(result.verdict == .invalid)
      #expect(result.exitStatus == .invalid)
      #expect(result.reasons.first?.hasPrefix("murphy crashed with \(name), so the ") == true, "\(result.reasons)")
      for report in ["report.html", "junit.xml", "summary.md", "findings.sarif", "metrics.txt", "result.json"] {
        let text = try text(folder + "/" + report)
        #expect(!text.contains("SIGXYZQ"), "\(report)")
      }
      for report in ["report.html", "junit.xml", "summary.md"] {
        let text = try text(folder + "/" + report)
        #expect(text.contains("INVALID") && text.contains("crashed with \(name)"), "\(report)")
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 6)
    }
  }

  @Test func `the line of JSON says it too`() async throws {
    try await withScenario(Self.scenario) { file in
      let folder = (file as NSString).deletingLastPathComponent + "/r"
      let outcome = try await crash(["run", file, "--report", folder, "--output", "json"], with: SIGILL)
      #expect(outcome.status == 4)
      let line = try #require(try JSONSerialization.jsonObject(with: Data(outcome.lastLine.utf8)) as? [String: Any])
      #expect(line["verdict"] as? String == "INVALID")
      #expect(line["exit_status"] as? Int == 4)
    }
  }

  /// Verbs whose result has a form of its own, and what they print once they send requests.
  private static let others = [
    (["capacity"], "s  "), (["limits", "--operation", "getLawOfTheDay"], "request"),
    (["compare", "--base", "embedded:murphys-laws", "--candidate", "embedded:murphys-laws"], "group"),
  ]

  @Test(arguments: others) func `each verb leaves its own result`(verb: [String], sign: String) async throws {
    try await withScenario(Self.scenario) { file in
      let folder = (file as NSString).deletingLastPathComponent
      let json = folder + "/own.json"
      try "{\"verdict\": \"pass\"}".write(toFile: json, atomically: true, encoding: .utf8)
      let outcome = try await crash([verb[0], file] + verb.dropFirst() + ["--json", json], with: SIGSEGV, after: sign)
      #expect(outcome.status == 4)
      #expect(outcome.lastLine == "INVALID", "\(outcome)")
      let result = try JSONValue.parse(try text(json))
      #expect(result["verdict"]?.string == "invalid", "\(result.text)")
      #expect(result["reasons"]?.text.contains("murphy crashed with SIGSEGV") == true, "\(result.text)")
    }
  }

  @Test func `a merge that crashes leaves no result of an earlier one`() async throws {
    try await withScenario(Self.scenario) { file in
      let folder = (file as NSString).deletingLastPathComponent
      // A named pipe that nothing writes to: the merge waits for it.
      let pipe = folder + "/shard.json.gz"
      #expect(mkfifo(pipe, 0o600) == 0)
      let json = folder + "/merged.json"
      try "{\"verdict\": \"pass\"}".write(toFile: json, atomically: true, encoding: .utf8)
      let murphy = try WatchedProgram(["merge", pipe, "--scenario", file, "--output", json, "--report", folder + "/r"])
      defer { murphy.end() }
      try await Task.sleep(for: .seconds(1))
      murphy.send(SIGSEGV)
      let outcome = try await murphy.outcome()
      #expect(outcome.status == 4, "\(outcome)")
      #expect(outcome.lastLine == "INVALID", "\(outcome)")
      #expect(try ResultFile.read(json).verdict == .invalid)
      #expect(try ResultFile.read(folder + "/r/result.json").verdict == .invalid)
    }
  }

  @Test func `files of somebody else stay as they are`() async throws {
    try await withScenario(Self.scenario) { file in
      let folder = (file as NSString).deletingLastPathComponent
      try "my own".write(toFile: folder + "/report.html", atomically: true, encoding: .utf8)
      let murphy = try WatchedProgram([
        "explore", Repository.scenarios + "/openapi.yaml", "--target", "embedded:murphys-laws", "--report", folder,
      ])
      defer { murphy.end() }
      guard try await murphy.waits(for: " requests ") else {
        Issue.record("\(try await murphy.outcome())")
        return
      }
      murphy.send(SIGILL)
      let outcome = try await murphy.outcome()
      #expect(outcome.status == 4)
      #expect(outcome.lastLine == "INVALID", "\(outcome)")
      #expect(try text(folder + "/report.html") == "my own")
      #expect(!FileManager.default.fileExists(atPath: folder + "/result.json"))
    }
  }
}
