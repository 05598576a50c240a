import Foundation
import Murphy
import Testing

/// All that one run says of its outcome: the exit status, the last word, `result.json`, `junit.xml` and `summary.md`.
struct RunAgreement {
  let outcome: Program.Outcome
  let result: RunResult
  let junit: String
  let summary: String

  /// - Parameter folder: the run's reports.
  init(_ outcome: Program.Outcome, folder: String) throws {
    self.outcome = outcome
    result = try ResultFile.read(folder + "/result.json")
    junit = try String(contentsOfFile: folder + "/junit.xml", encoding: .utf8)
    summary = try String(contentsOfFile: folder + "/summary.md", encoding: .utf8)
  }

  /// Runs `murphy run` on a scenario file and collects what it says.
  static func of(_ file: String, _ arguments: [String] = []) async throws -> RunAgreement {
    let folder = file + ".report"
    let outcome = try await Program().run(["run", file, "--seed", "7", "--report", folder] + arguments)
    return try RunAgreement(outcome, folder: folder)
  }

  /// Everything says `verdict`, and nothing else.
  func expect(_ verdict: Verdict, sourceLocation: SourceLocation = #_sourceLocation) {
    let all = "\(outcome.output)\(outcome.errors)"
    #expect(outcome.status == verdict.exitStatus.rawValue, "\(all)", sourceLocation: sourceLocation)
    #expect(outcome.lastLine == verdict.word, "\(all)", sourceLocation: sourceLocation)
    #expect(result.verdict == verdict, "\(all)", sourceLocation: sourceLocation)
    #expect(summary.contains("# ") && summary.contains(" \(verdict.word) · "), sourceLocation: sourceLocation)
    #expect(result.reasons.isEmpty == (verdict == .pass), "\(result.reasons)", sourceLocation: sourceLocation)
    #expect(result.ledger.contradictions == [], sourceLocation: sourceLocation)
    #expect(junit.contains("value=\"\(verdict.word)\""), sourceLocation: sourceLocation)
    #expect((failures > 0) == (verdict == .fail), "\(failures) failures\n\(all)", sourceLocation: sourceLocation)
    if verdict != .fail {
      #expect((errors > 0) == (verdict != .pass), "\(errors) errors\n\(all)", sourceLocation: sourceLocation)
    }
  }

  func row(_ kind: TrafficRow.Kind) -> TrafficRow? { result.traffic.first { $0.kind == kind } }

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
