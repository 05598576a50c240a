import MurphyCompare
import MurphyModel

/// `compare.md`, in GitHub Flavored Markdown: what a reviewer reads of a comparison in a pull request.
package struct CompareMarkdown: Sendable {
  package let result: CompareResult

  package init(_ result: CompareResult) { self.result = result }

  private static let rowsShown = 100
  private static let findingsShown = 20

  package var text: String {
    [heading, table, findings].filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n"
  }

  private var heading: String {
    let title = "# \(result.verdict.sign) \(result.verdict.word) · \(MarkdownText.plain(result.scenario)), compared"
    return ([title, ""] + result.reasons.map { "- \(MarkdownText.plain($0))" }).joined(separator: "\n")
  }

  private var table: String {
    let rows = result.operations.flatMap { operation in operation.rows.map { (operation.operation, $0) } }
      .filter { $0.1.decides }
    guard !rows.isEmpty else { return "" }
    var lines = [
      "| operation | metric | base | candidate | change | 90 % interval | could see | |",
      "|---|---|---:|---:|---:|---:|---:|---|",
    ]
    lines += rows.prefix(Self.rowsShown).map { operation, row in
      var cells = [operation, row.metric.title]
      if let gap = row.gap {
        cells += ["", "", "", "", "", "not tested: \(gap)"]
      } else {
        cells += [
          row.base.map(row.metric.valueText) ?? "", row.candidate.map(row.metric.valueText) ?? "",
          row.change.map(row.text) ?? "",
          row.intervalText ?? "",
          row.smallestEffect.map(row.text) ?? "", row.word,
        ]
      }
      return "| " + cells.map(MarkdownText.plain).joined(separator: " | ") + " |"
    }
    if rows.count > Self.rowsShown { lines += ["", "…and \(rows.count - Self.rowsShown) more."] }
    return lines.joined(separator: "\n")
  }

  private var findings: String {
    let new = result.findings.new
    guard !new.isEmpty else { return "" }
    let lines = new.prefix(Self.findingsShown).flatMap { change in
      ["- \(change.severity.rawValue): \(MarkdownText.plain(change.sentence))"]
        + [change.reproduction.map { "\n\(MarkdownText.block($0.text, language: "sh"))\n" }].compactMap(\.self)
    }
    let more = new.count > Self.findingsShown ? ["", "…and \(new.count - Self.findingsShown) more."] : []
    return (["## New in the candidate", ""] + lines + more).joined(separator: "\n")
  }
}
