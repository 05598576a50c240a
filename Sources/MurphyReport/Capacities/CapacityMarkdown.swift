import MurphyCapacity
import MurphyModel

/// `capacity.md`, in GitHub Flavored Markdown: what a reviewer reads of a search in a pull request.
package struct CapacityMarkdown: Sendable {
  package let result: CapacityResult

  package init(_ result: CapacityResult) { self.result = result }

  private static let rowsShown = 60

  package var text: String {
    let title = "# \(result.verdict.word) · \(MarkdownText.plain(result.scenario)), capacity"
    let reasons = result.reasons.map { "- \(MarkdownText.plain($0))" }
    let steps = result.steps.filter { $0.purpose != .recover }
    var lines = [title, ""] + reasons
    guard !steps.isEmpty else { return lines.joined(separator: "\n") + "\n" }
    lines += ["", "| load | came out | answers/s | p50 | p95 | p99 | why |", "|---:|---|---:|---:|---:|---:|---|"]
    lines += steps.suffix(Self.rowsShown).map(row)
    let cut = steps.count - Self.rowsShown
    if cut > 0 { lines.append("\nThe first \(cut) windows are left out.") }
    return lines.joined(separator: "\n") + "\n"
  }

  private func row(_ step: CapacityStep) -> String {
    let latencies = [step.p50, step.p95, step.p99].map { $0.map { Figure.latency($0).text } ?? "–" }
    let why = MarkdownText.plain(step.causes.first?.sentence ?? "")
    let cells = [result.text(step.load), step.outcome.word, Figure.digits(step.throughput)] + latencies + [why]
    return "| \(cells.joined(separator: " | ")) |"
  }
}
