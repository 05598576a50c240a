import Foundation
import MurphyModel

/// The check as a terminal shows it: the distributions with the true values, the conditions, the reasons, and the
/// verdict.
package struct SelfcheckText {
  private let result: SelfcheckResult

  package init(_ result: SelfcheckResult) { self.result = result }

  package var text: String {
    let parts = [head, distributions, checks, result.reasons.joined(separator: "\n")].filter { !$0.isEmpty }
    return parts.joined(separator: "\n\n") + "\n\n" + result.verdict.word + "\n"
  }

  private var head: String {
    "murphy \(result.murphy) on \(result.machine), \(result.loops) loops, seed \(result.seed), "
      + "\(Int(saturating: result.duration)) s"
  }

  private var distributions: String {
    let titles = ["", "samples", "", "imposed", "measured", "reported", "error", "of which histogram"]
    let rows = (result.distributions + [result.freeze.row]).flatMap { row in
      [[row.distribution, "\(row.samples)"] + Array(repeating: "", count: 6)]
        + row.quantiles.map { quantile in
          ["", "", quantile.title]
            + [
              quantile.imposed, quantile.recorded, quantile.reported, quantile.measuringError, quantile.recordingError,
            ].map(milliseconds)
        }
    }
    let all = [titles] + rows
    let widths = titles.indices.map { column in all.map(\.[column].count).max() ?? 0 }
    return "milliseconds\n"
      + all.map { cells in
        let used = cells.lastIndex { !$0.isEmpty } ?? 0
        return cells[...used].enumerated().map { column, cell in
          let space = String(repeating: " ", count: widths[column] - cell.count)
          return column == 0 ? cell + space : space + cell
        }.joined(separator: "  ")
      }.joined(separator: "\n")
  }

  private func milliseconds(_ microseconds: Double) -> String { String(format: "%.3f", microseconds / 1000) }

  private var checks: String {
    let width = result.checks.map(\.check.title.count).max() ?? 0
    return result.checks.map { row in
      "\(row.verdict == .pass ? "✓" : "✗") \(row.check.title.padding(toLength: width, withPad: " ", startingAt: 0))  "
        + row.sentence
    }.joined(separator: "\n")
  }
}
