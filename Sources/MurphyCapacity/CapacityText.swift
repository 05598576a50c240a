import Foundation
import MurphyModel

/// A search as a terminal shows it: one line a window, what was found, and the last word.
package struct CapacityText {
  private let result: CapacityResult

  package init(_ result: CapacityResult) { self.result = result }

  package var text: String {
    let parts = [head, table, result.reasons.map { "- \($0)" }.joined(separator: "\n")].filter { !$0.isEmpty }
    return parts.joined(separator: "\n\n") + "\n\n" + result.verdict.word + "\n"
  }

  private var head: String {
    "\(result.scenario)\n\(result.target)  windows of \(String(format: "%g", result.window)) s, seed \(result.seed), "
      + "\(Int(saturating: result.duration)) s in all"
  }

  private var table: String {
    let rows = result.steps.filter { $0.purpose != .recover }.map { Self.cells($0, result.text($0.load)) }
    guard !rows.isEmpty else { return "" }
    let all = [["load", "answers/s", "p50", "p95", "p99", "", ""]] + rows
    let widths = all[0].indices.map { column in all.map { $0[column].count }.max() ?? 0 }
    return all.map { cells in
      let line = cells.enumerated().map { column, cell in
        let space = String(repeating: " ", count: max(widths[column] - cell.count, 0))
        return column >= 5 ? cell + space : space + cell
      }.joined(separator: "  ")
      return line.replacing(/\s+$/, with: "")
    }.joined(separator: "\n")
  }

  private static func cells(_ step: CapacityStep, _ load: String) -> [String] {
    func latency(_ value: Double?) -> String {
      value.map { $0 < 1000 ? String(format: "%.0f µs", $0) : String(format: "%.3g ms", $0 / 1000) } ?? ""
    }
    return [
      load, String(format: "%.1f", step.throughput), latency(step.p50), latency(step.p95), latency(step.p99),
      step.outcome.word, step.causes.first?.sentence ?? "",
    ]
  }

  /// A window in a line, as progress shows it.
  package static func line(_ step: CapacityStep, of result: CapacityResult) -> String {
    let cause = step.causes.first.map { ": " + $0.sentence } ?? ""
    return "\(step.purpose.word) \(result.text(step.load))  \(step.outcome.word)\(cause)"
  }
}

extension CapacityStep.Standing {
  package var word: String {
    switch self {
    case .held: "held"
    case .broke: "did not hold"
    case .generator: "murphy was the bottleneck"
    case .untested: "not tested"
    case .interrupted: "interrupted"
    }
  }
}

extension CapacityStep.Purpose {
  package var word: String { rawValue }
}
