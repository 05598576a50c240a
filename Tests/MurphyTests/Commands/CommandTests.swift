import Foundation
import Murphy
import Testing

/// The binary's promises: exit statuses, the last word, sentences.
@Suite(.serialized) struct CommandTests {
  static let smoke = Repository.scenarios + "/smoke.yaml"

  @Test func `a run that passes ends with pass and status zero`() async throws {
    try await withTemporaryFolder { folder in
      let outcome = try await Program().run(["run", Self.smoke, "--duration", "2s", "--report", folder + "/report"])
      #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
      #expect(outcome.lastLine == "PASS")
      #expect(FileManager.default.fileExists(atPath: folder + "/report/report.html"))
    }
  }

  @Test func `a broken promise ends with fail and status one`() async throws {
    try await withTemporaryFolder { folder in
      let outcome = try await Program().run(
        ["run", Self.smoke, "--duration", "2s", "--fault", "missing-field", "--report", folder])
      #expect(outcome.status == 1)
      #expect(outcome.lastLine == "FAIL")
      #expect(outcome.output.contains("getLaw"))
      #expect(outcome.output.contains("created_at"))
    }
  }

  @Test func `ctrl c writes the reports and ends invalid`() async throws {
    try await withTemporaryFolder { folder in
      let outcome = try await Program().run(
        ["run", Self.smoke, "--duration", "60s", "--report", folder], interruptAfter: .seconds(3))
      #expect(outcome.status == 4, "\(outcome.errors)")
      #expect(outcome.lastLine == "INVALID")
      let result = try ResultFile.read(folder + "/result.json")
      #expect(result.verdict == .invalid)
      #expect(result.ledger.answered > 0)
      #expect(result.ledger.contradictions == [])
    }
  }

  @Test func `a target that is down is status three`() async throws {
    try await withTemporaryFolder { folder in
      let outcome = try await Program().run(["run", Self.smoke, "--target", "http://127.0.0.1:1", "--report", folder])
      #expect(outcome.status == 3)
      #expect(outcome.lastLine == "INVALID")
      #expect(outcome.errors.contains("connection refused"))
    }
  }

  @Test func `a budget on an operation that is never called is no data`() async throws {
    var scenario = EveryOperation.scenario(for: "1s").replacing(
      "getLaw: { p50: 400ms, p95: 800ms }", with: "listAttributions: { p99.9: 3s }")
    // What is called keeps its budgets on any machine.
    for budget in ["400ms", "800ms", "900ms", "1200ms"] { scenario = scenario.replacing(": \(budget)", with: ": 60s") }
    try await withScenario(scenario) { file in
      let outcome = try await Program().run(["run", file, "--only", "overdo", "--report", file + ".report"])
      #expect(outcome.status == 5, "\(outcome.output)")
      #expect(outcome.lastLine == "NO DATA")
    }
  }

  /// Each verb that talks to a target takes the certificate that it is given.
  @Test(arguments: [
    ["run", smoke], ["try", smoke], ["limits", smoke], ["capacity", smoke],
    ["init", "scenarios/murphys-laws/openapi.yaml", "--target", "embedded:murphys-laws", "-o", "-"],
    ["explore", "scenarios/murphys-laws/openapi.yaml", "--target", "embedded:murphys-laws"],
    ["compare", smoke, "--base", "embedded:murphys-laws", "--candidate", "embedded:murphys-laws"],
    ["record", "--target", "http://127.0.0.1:1", "-o", "-"],
  ])
  func `a certificate that cannot be read is named`(_ arguments: [String]) async throws {
    let outcome = try await Program().run(arguments + ["--cert", "/nowhere/own.pem"])
    #expect(outcome.status == 2, "\(outcome.output)\(outcome.errors)")
    #expect(outcome.errors.contains("cannot read the client certificate /nowhere/own.pem"), "\(outcome.errors)")
  }

  @Test(arguments: [
    (["run", "nowhere.yaml"], "no such file"), (["run", smoke, "--target", "localhost"], "is not a URL"),
    (
      ["run", smoke, "--target", "http://127.0.0.1:1", "--fault", "stall"], "--fault is an option of the reference API"
    ),
    (["run", smoke, "--target", "http://127.0.0.1:1", "--limiter", "fixed"], "--limiter is an option of the"),
    (["run", smoke, "--fault", "stal"], "Did you mean \"stall\"?"), (["run", smoke, "--loda", "2"], "--load"),
    (["rnu", smoke], "unknown command \"rnu\". Did you mean \"run\"?"),
    (["run", smoke, "--duration", "10"], "Did you mean \"10s\"?"),
    (["run", smoke, "--duration", "fast"], "--duration takes a time"), (["serve", "nothing"], "murphys-laws"),
    (["report", "/dev/null", "--format", "htm"], "Did you mean \"html\"?"),
    (["jsonpath", "$.a[", "/dev/null"], "^"), (["run", smoke, "--report", "/proc/nowhere"], "/proc/nowhere"),
  ]) func `wrong usage is status two and a sentence`(arguments: [String], sentence: String) async throws {
    let outcome = try await Program().run(arguments)
    #expect(outcome.status == 2, "\(outcome.errors)")
    #expect(outcome.errors.contains(sentence), "\(outcome.errors)")
  }

  @Test func `the version is a verb too and names libcurl`() async throws {
    let outcome = try await Program().run(["version"])
    #expect(outcome.output.hasPrefix("\(ProductVersion.text)") && outcome.output.contains("\nlibcurl/"))
    #expect(try await outcome.output == Program().run(["--version"]).output && outcome.status == 0)
    #expect(outcome.output.contains(/(?m)^libcurl\/[0-9]+\./), "\(outcome)")
  }

  @Test func `the faults are listed with one line each`() async throws {
    let outcome = try await Program().run(["serve", "--faults"])
    #expect(outcome.status == 0)
    for fault in ReferenceAPI.murphysLaws.faults {
      #expect(outcome.output.contains("  \(fault.name) "), "\(fault.name)")
    }
  }

  @Test func `under git hub actions the summary is appended`() async throws {
    try await withTemporaryFolder { folder in
      let summary = folder + "/summary"
      let outcome = try await Program().run(
        ["run", Self.smoke, "--duration", "2s", "--fault", "missing-field", "--report", folder + "/report"],
        environment: ["GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": summary])
      #expect(outcome.output.contains("::error "))
      #expect(outcome.lastLine == "FAIL")
      #expect(try String(contentsOfFile: summary, encoding: .utf8).contains("getLaw"))
    }
  }

  @Test func `a session written in swift runs under the same judges`() async throws {
    try await withTemporaryFolder { folder in
      let outcome = try await Program(name: "SwiftSession").run([folder])
      #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
      #expect(outcome.lastLine == "PASS")
      let result = try ResultFile.read(folder + "/result.json")
      #expect(result.operations.contains { $0.operation == "voteLaw" && $0.requests > 10 })
    }
  }
}
