import Foundation
import Murphy
import Testing

/// All that one run says of its outcome: the exit status, the last word, and each of its reports.
struct RunAgreement {
  let outcome: Program.Outcome
  let result: RunResult
  let junit: String
  let summary: String
  let page: String
  let sarif: JSONValue

  /// - Parameter folder: the run's reports.
  init(_ outcome: Program.Outcome, folder: String) throws {
    self.outcome = outcome
    result = try ResultFile.read(folder + "/result.json")
    junit = try String(contentsOfFile: folder + "/junit.xml", encoding: .utf8)
    summary = try String(contentsOfFile: folder + "/summary.md", encoding: .utf8)
    page = try String(contentsOfFile: folder + "/report.html", encoding: .utf8)
    sarif = try JSONValue.parse(String(contentsOfFile: folder + "/findings.sarif", encoding: .utf8))
  }

  /// Runs `murphy run` on a scenario file and collects what it says.
  static func of(_ file: String, _ arguments: [String] = []) async throws -> RunAgreement {
    let folder = file + ".report"
    let outcome = try await Program().run(["run", file, "-v", "--seed", "7", "--report", folder] + arguments)
    return try RunAgreement(outcome, folder: folder)
  }

  /// Everything says `verdict`, and nothing else.
  ///
  /// - Parameters:
  ///   - status: the exit status, where it is not the verdict's own.
  ///   - name: what is run, for messages.
  func expect(
    _ verdict: Verdict, status: RunStatus? = nil, _ name: String = "",
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let status = (status ?? verdict.exitStatus).rawValue
    let all: Comment = "\(name)\n\(outcome.output)\(outcome.errors)"
    #expect(outcome.status == status, all, sourceLocation: sourceLocation)
    #expect(outcome.lastLine == verdict.word, all, sourceLocation: sourceLocation)
    #expect(result.verdict == verdict, all, sourceLocation: sourceLocation)
    #expect(result.exitStatus.rawValue == status, all, sourceLocation: sourceLocation)
    #expect(summary.contains("# ") && summary.contains(" \(verdict.word) · "), all, sourceLocation: sourceLocation)
    #expect(page.contains("<title>\(verdict.word) · "), all, sourceLocation: sourceLocation)
    #expect(result.reasons.isEmpty == (verdict == .pass), "\(name) \(result.reasons)", sourceLocation: sourceLocation)
    #expect(result.ledger.contradictions == [], all, sourceLocation: sourceLocation)
    #expect(junit.contains("value=\"\(verdict.word)\""), all, sourceLocation: sourceLocation)
    let invocation = sarif["runs"]?[0]?["invocations"]?[0]
    #expect(invocation?["exitCode"]?.number?.int == Int(status), all, sourceLocation: sourceLocation)
    #expect(
      invocation?["executionSuccessful"] == .bool(verdict != .invalid), all, sourceLocation: sourceLocation)
    // What a run that was cut short found is shown all the same.
    if verdict != .invalid { #expect((failures > 0) == (verdict == .fail), all, sourceLocation: sourceLocation) }
    if verdict != .fail { #expect((errors > 0) == (verdict != .pass), all, sourceLocation: sourceLocation) }
  }

  /// What a run must say whose load may have been sent late: the verdict wanted, or none where murphy says that the
  /// machine was busy.
  func verdict(_ wanted: Verdict) -> Verdict {
    result.verdict == .invalid && !result.generator.doubts.isEmpty ? .invalid : wanted
  }

  func row(_ kind: TrafficRow.Rule) -> TrafficRow? { result.traffic.first { $0.kind == kind } }

  private var failures: Int { count("failures") }
  private var errors: Int { count("errors") }

  /// An attribute of the root element.
  private func count(_ name: String) -> Int {
    guard let root = junit.firstRange(of: "<testsuites "),
      let start = junit[root.upperBound...].firstRange(of: "\(name)=\"")
    else { return -1 }
    return Int(junit[start.upperBound...].prefix { $0.isNumber }) ?? -1
  }
}
