import MurphyCompare
import MurphyModel

/// `compare.md`, in GitHub Flavored Markdown: what a reviewer reads of a comparison in a pull request.
package struct CompareMarkdown: Sendable {
  package let result: CompareResult

  package init(_ result: CompareResult) { self.result = result }

  private static let rowsShown = 100
  private static let findingsShown = 20

  package var text: String {
    let table = CompareTables(result: result).deciding
    let parts = [heading, table.rows.isEmpty ? "" : table.markdown(most: Self.rowsShown), findings]
    return parts.filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n"
  }

  private var heading: String {
    let title = "# \(result.verdict.sign) \(result.verdict.word) · \(MarkdownText.plain(result.scenario)), compared"
    return ([title, ""] + result.reasons.map { "- \(MarkdownText.plain($0))" }).joined(separator: "\n")
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
