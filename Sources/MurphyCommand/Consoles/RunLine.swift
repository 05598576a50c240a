import ArgumentParser
import Foundation
import Murphy

/// The content of standard output after a run.
enum OutputForm: String, ExpressibleByArgument, CaseIterable {
  case text, json
}

/// A run in one line of JSON, for scripts: `--format json`. The whole result is in `result.json`.
struct RunLine: Encodable {
  let verdict: String
  let exitStatus: Int32
  let scenario: String
  let seed: UInt64
  /// Sent requests, and received responses.
  let requests: Int
  let answers: Int
  /// Different findings.
  let errors: Int
  let warnings: Int
  /// The highest p95 of all operations, in milliseconds; nil without a response.
  let slowestP95Ms: Double?
  let slowestOperation: String?
  let reasons: [String]
  /// The errors and warnings, worst first; a limited number of them.
  let findings: [Line]
  /// From the first request to the last response.
  let seconds: Double
  /// The folder of the reports.
  let report: String?

  struct Line: Encodable {
    let kind: String
    let severity: String
    let operation: String?
    let message: String
    let count: Int
  }

  private static let mostFindings = 100

  init(_ result: RunResult, report: String?) {
    verdict = result.verdict.word
    exitStatus = result.exitStatus.rawValue
    scenario = result.run.scenario
    seed = result.run.seed
    requests = result.ledger.sent
    answers = result.ledger.answered
    errors = result.findings.count { $0.severity == .error }
    warnings = result.findings.count { $0.severity == .warning }
    let slowest = result.operations.filter { ($0.answered ?? $0.requests) > 0 }.max { $0.latency.p95 < $1.latency.p95 }
    slowestP95Ms = slowest.map { ($0.latency.p95 / 10).rounded() / 100 }
    slowestOperation = slowest?.operation
    reasons = result.reasons
    findings = result.findings.filter { $0.severity > .note }.prefix(Self.mostFindings).map {
      Line(
        kind: $0.kind.rawValue, severity: $0.severity.rawValue, operation: $0.operation, message: $0.message,
        count: $0.count)
    }
    seconds = result.run.duration
    self.report = report
  }

  var text: String { (try? OutputFile.text(self, isPretty: false)) ?? "{}" }
}
