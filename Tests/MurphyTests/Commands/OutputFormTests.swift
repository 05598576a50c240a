import Foundation
import Murphy
import TestSupport
import Testing

/// `--format` and `--output` mean the same for each verb; what earlier versions called them still works.
@Suite struct OutputFormTests {
  private static let tune = ["tune", Repository.scenarios + "/rate-limits.yaml", "--sessions", "200"]

  @Test(arguments: [(["--format", "json"], false), (["--json", "-"], true)])
  func `standard output holds JSON alone`(arguments: [String], isEarlier: Bool) async throws {
    try await withTemporaryFolder { folder in
      let outcome = try await Program().run(Self.tune + ["--report", folder + "/r"] + arguments)
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(throws: Never.self) { try JSONValue.parse(Array(outcome.output.utf8)) }
      #expect(outcome.errors.contains("--json is an old name of --format json") == isEarlier, "\(outcome.errors)")
    }
  }

  @Test(arguments: [("--output", false), ("--json", true)])
  func `a file holds the JSON, and standard output the text`(option: String, isEarlier: Bool) async throws {
    try await withTemporaryFolder { folder in
      let file = folder + "/tune.json"
      let outcome = try await Program().run(Self.tune + ["--report", folder + "/r", option, file])
      #expect(outcome.status == 0 && outcome.output.contains("Report: "), "\(outcome)")
      #expect(throws: Never.self) { try JSONValue.parse(Array(try Data(contentsOf: URL(filePath: file)))) }
      #expect(outcome.errors.contains("--json is an old name of --output FILE") == isEarlier, "\(outcome.errors)")
    }
  }

  @Test func `the form that --output named is a form still`() async throws {
    let target = "http://127.0.0.1:\(try FreePort.find())"
    try await withTemporaryFolder { folder in
      let outcome = try await Program().run(
        ["run", CommandTests.smoke, "--target", target, "--report", folder, "--output", "json"])
      #expect(outcome.status == 3 && outcome.errors.contains("To choose the format, use --format json."), "\(outcome)")
      #expect(try JSONValue.parse(outcome.lastLine)["verdict"] == "INVALID")
    }
  }
}
