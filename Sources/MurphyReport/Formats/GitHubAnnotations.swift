import MurphyModel

/// Findings as workflow commands, which GitHub Actions shows next to the lines of a change.
package struct GitHubAnnotations: Sendable {
  package let result: RunResult

  package init(_ result: RunResult) { self.result = result }

  /// GitHub shows ten errors and ten warnings of a step.
  private static let shownOfEach = 10

  /// One command a line, the worst first, and finally a notice with the omitted findings; empty without a finding.
  package var text: String {
    let findings = result.findingList.entries.map(\.finding)
    let errors = findings.filter { $0.severity == .error }
    let warnings = findings.filter { $0.severity == .warning }
    let shown = errors.prefix(Self.shownOfEach) + warnings.prefix(Self.shownOfEach)
    var lines = shown.map(command)
    if let reason = result.run.unreached ?? result.run.crashed {
      lines.append("::error title=murphy::\(Self.message(reason))")
    }
    if let reason = result.run.setup?.failed {
      lines.append("::error title=murphy::\(Self.message("the setup failed: \(reason)"))")
    }
    let cut = errors.count + warnings.count - shown.count
    if cut > 0 {
      lines.append(
        "::notice title=murphy::The report of \(Self.message(result.run.scenario)) has \(counted(cut, "more finding"))")
    }
    return lines.map { $0 + "\n" }.joined()
  }

  private func command(_ finding: Finding) -> String {
    var properties: [(String, String)] = []
    if let source = finding.evidence?.source {
      properties += [("file", source.file), ("line", "\(source.line)"), ("col", "\(source.column)")]
    } else if !result.run.scenarioFile.isEmpty {
      properties.append(("file", result.run.scenarioFile))
    }
    properties.append(("title", [finding.kind.rawValue, finding.operation].compactMap { $0 }.joined(separator: " ")))
    let list = properties.map { "\($0)=\(Self.property($1))" }.joined(separator: ",")
    let threshold = finding.loadThreshold.map { ", \($0)" } ?? ""
    return "::\(finding.severity.rawValue) \(list)::"
      + Self.message("\(finding.message) (\(finding.occurrence)\(threshold))")
  }

  private static let escapes: [Unicode.Scalar: String] = ["%": "%25", "\r": "%0D", "\n": "%0A"]

  /// The escapes of actions/toolkit, `command.ts`. They work on scalars, because a carriage return with a line feed is
  /// one character.
  package static func message(_ text: String) -> String { text.escaping(escapes) }

  /// Escapes a property of a workflow command.
  package static func property(_ text: String) -> String {
    text.escaping(escapes.merging([":": "%3A", ",": "%2C"]) { $1 })
  }
}
