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

  /// Runs murphy, and sends it the signal once there is load.
  private func crash(_ arguments: [String], with signal: Int32) async throws -> Program.Outcome {
    let murphy = try WatchedProgram(arguments)
    defer { murphy.end() }
    guard try await murphy.waits(for: " req/s ") else { return try await murphy.outcome() }
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
      #expect(result.reasons.first?.hasPrefix("murphy crashed with \(name), so nothing") == true, "\(result.reasons)")
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
