import ArgumentParser
import Foundation
import Murphy
import MurphyModel
import MurphyReport

/// The output of a run on standard output at its end.
struct RunOutput {
  /// True for all details instead of only the decision.
  var isVerbose = false
  var form = OutputForm.text
  /// True if the command can be repeated: a merge has no seed, and standard input is used up.
  var isRepeatable = false

  /// - Parameter report: the page that was written; nil if there is none.
  func text(_ result: RunResult, report: String?) -> String {
    if form == .json { return line(result, report: report) }
    guard isVerbose else {
      return TerminalSummary(
        result, width: Console.width, colour: Console.usesColour, report: report, again: again(result.run.seed),
        next: result.decidingDuration.flatMap { again(result.run.seed, duration: $0) }
      ).text
    }
    let details = TerminalDetails(
      result, width: Console.width, colour: Console.usesColour, report: report)
    return (report.map { "\nReport: \(TerminalText.safe($0))\n" } ?? "") + details.text
  }

  /// Writes the line of JSON into a file; an error is reported on standard error.
  func write(_ result: RunResult, report: String?, to file: String) {
    do { try AtomicFile.write(line(result, report: report), to: file) } catch { Console.error("murphy: \(error)") }
  }

  private func line(_ result: RunResult, report: String?) -> String {
    let folder = report.map { ($0 as NSString).deletingLastPathComponent }
    return TerminalText.harmless(RunLine(result, report: folder).text) + "\n"
  }

  /// The original command, with the seed of the run.
  ///
  /// - Parameter duration: replaces the duration of the load; nil for the original one.
  private func again(_ seed: UInt64, duration: String? = nil) -> String? {
    var given = Array(CommandLine.arguments.dropFirst())
    guard isRepeatable, !given.contains("-") else { return nil }
    let isSeeded = given.contains { $0 == "--seed" || $0.hasPrefix("--seed=") }
    if let duration {
      if let place = given.firstIndex(of: "--duration"), given.indices.contains(place + 1) {
        given[place + 1] = duration
      } else {
        given = given.filter { !$0.hasPrefix("--duration=") } + ["--duration", duration]
      }
    }
    let added = isSeeded ? [] : ["--seed", "\(seed)"]
    if Self.holdsSecret(given) {
      let options = (duration.map { ["--duration", $0] } ?? []) + added
      return "the same command" + (options.isEmpty ? "" : " with \(options.joined(separator: " "))")
    }
    return (["murphy"] + given + added).map(ShellWord.argument).joined(separator: " ")
  }

  /// True if a word contains credentials, or if a value for the scenario or of a header follows.
  private static func holdsSecret(_ words: [String]) -> Bool {
    words.contains { word in
      ["-e", "--env", "--header"].contains { word == $0 || word.hasPrefix($0 + "=") }
        || URLCredentials.masked(word) != word || !URLCredentials.passwords(in: word).isEmpty
        || Console.holdsSecret(word)
    }
  }
}

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
  @InSeconds var seconds: Duration
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
    slowestP95Ms = slowest.map { ($0.latency.p95.inMicroseconds / 10).rounded() / 100 }
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

/// The output for GitHub Actions: the step summary and annotations (workflow commands).
enum GitHubActions {
  static func publish(_ result: RunResult) {
    guard Console.isWorkflow else { return }
    let annotations = GitHubAnnotations(result).text
    if !annotations.isEmpty {
      Console.printWorkflowCommands(annotations.hasSuffix("\n") ? annotations : annotations + "\n")
    }
    append(MarkdownReport(result).text + "\n")
  }

  /// The verdict of a verb that is not a run, as an annotation unless it is a PASS.
  static func annotate(_ title: String, _ verdict: Verdict, reason: String?) {
    guard Console.isWorkflow, verdict != .pass else { return }
    let name = GitHubAnnotations.property("\(title): \(verdict.word)")
    let kind = verdict == .fail ? "error" : "warning"
    Console.printWorkflowCommands("::\(kind) title=\(name)::\(GitHubAnnotations.message(reason ?? verdict.word))\n")
  }

  /// Adds Markdown to the step's summary; no effect outside of a workflow.
  static func append(_ markdown: String) {
    guard Console.isWorkflow, let path = ProcessInfo.processInfo.environment["GITHUB_STEP_SUMMARY"], !path.isEmpty
    else { return }
    if !FileManager.default.fileExists(atPath: path) {
      _ = FileManager.default.createFile(atPath: path, contents: nil)
    }
    guard let handle = FileHandle(forWritingAtPath: path), (try? handle.seekToEnd()) != nil,
      (try? handle.write(contentsOf: Data(markdown.utf8))) != nil
    else {
      Console.error(
        """
        murphy: cannot append the summary to the file of $GITHUB_STEP_SUMMARY (\(path)). The summary is also in the \
        report folder.
        """)
      return
    }
  }
}
