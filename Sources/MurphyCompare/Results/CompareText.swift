import Foundation
import MurphyModel

/// A comparison as a terminal shows it: a table for each operation, what changed beside the numbers, the reasons and
/// the last word.
package struct CompareText {
  private let result: CompareResult
  private let page: String?

  /// - Parameter page: the file that shows the same in a browser; nil where there is none.
  package init(_ result: CompareResult, page: String? = nil) {
    self.result = result
    self.page = page
  }

  package var text: String {
    let parts = [head, tables, findings, coverage, limits, reasons, page.map { "Report: \($0)" } ?? ""].filter {
      !$0.isEmpty
    }
    return parts.joined(separator: "\n\n") + "\n\n" + result.verdict.word + "\n"
  }

  private var head: String {
    func side(_ name: String, _ side: CompareSide) -> String {
      let sources = side.sources.prefix(3).joined(separator: ", ")
      let more = side.sources.count > 3 ? " and \(side.sources.count - 3) more" : ""
      return "\(name)  \(sources)\(more)  (\(side.requests) requests, \(side.sessions) sessions)"
    }
    var lines = [result.scenario, side("base     ", result.base), side("candidate", result.candidate)]
    if let design = result.design {
      let slices = design.groups.first.map { 2 * $0.blocks.count } ?? 0
      lines.append(
        "\(design.groups.count) groups of \(slices) slices of \(number(design.slice)) s, "
          + "\(design.restarts ? "both targets started again for each" : "targets not started anew"); coins "
          + "\(design.coins), seed \(design.seed), \(Int(saturating: design.duration)) s in all")
    }
    return lines.joined(separator: "\n")
  }

  // MARK: tables

  private static let titles = ["", "base", "candidate", "change", "90 % interval", "p", "could see", ""]

  private var tables: String {
    let rows = result.operations.flatMap { operation -> [[String]] in
      [[operation.operation] + Array(repeating: "", count: Self.titles.count - 1)] + operation.rows.map(cells)
    }
    guard !rows.isEmpty else { return "" }
    let all = [Self.titles] + rows
    // The heading of an operation may run over the columns to its right.
    let widths = Self.titles.indices.map { column in
      all.filter { column > 0 || $0[1...].contains { !$0.isEmpty } }.map(\.[column].count).max() ?? 0
    }
    return all.map { cells in
      let line = cells.enumerated().map { column, cell in
        let space = String(repeating: " ", count: max(widths[column] - cell.count, 0))
        return column == 0 || column == cells.count - 1 ? cell + space : space + cell
      }
      return String(line.joined(separator: "  ").trimmingSuffix(while: \.isWhitespace))
    }.joined(separator: "\n")
  }

  private func cells(_ row: CompareRow) -> [String] {
    let name = "  " + row.metric.title
    if let gap = row.gap {
      return [name, "", "", "", "", "", "", row.decides ? "not tested: \(gap)" : "–"]
    }
    return [
      name, row.base.map(row.metric.valueText) ?? "", row.candidate.map(row.metric.valueText) ?? "",
      row.change.map(row.text) ?? "", row.intervalText ?? "", row.pText,
      row.smallestEffect.map(row.text) ?? "", row.word,
    ]
  }

  private func number(_ value: Double) -> String { String(format: "%g", value) }

  // MARK: beside the numbers

  private var findings: String {
    var lines: [String] = []
    for (title, changes) in [
      ("new", result.findings.new), ("gone", result.findings.gone), ("still there", result.findings.still),
    ] where !changes.isEmpty {
      lines.append("findings \(title): \(changes.count)")
      lines += changes.prefix(10).flatMap { change in
        ["  \(change.severity.rawValue): \(change.sentence)"]
          + [change.reproduction.map { "    reproduce: \($0)" }].compactMap(\.self)
      }
      if changes.count > 10 { lines.append("  and \(changes.count - 10) more") }
    }
    return lines.joined(separator: "\n")
  }

  private var coverage: String {
    let lost = result.coverageLost
    guard !lost.isEmpty else { return "" }
    let lines = lost.prefix(10).map { "  \($0.operation) \($0.kind) \($0.name) (\($0.count) times in the base)" }
    return
      (["coverage lost: \(lost.count)"] + lines + (lost.count > 10 ? ["  and \(lost.count - 10) more"] : []))
      .joined(separator: "\n")
  }

  private var limits: String {
    guard !result.limitsChanged.isEmpty else { return "" }
    let lines = result.limitsChanged.map { change in
      "  \(change.name): \(change.base ?? "none") → \(change.candidate ?? "none")"
    }
    return (["limits changed:"] + lines).joined(separator: "\n")
  }

  private var reasons: String { result.reasons.map { "- \($0)" }.joined(separator: "\n") }
}

extension CompareMetric {
  /// As a table names it.
  package var title: String {
    switch self {
    case .requestsPerSession: "requests/session"
    case .limited: "rejected by a limit"
    case .bytes: "bytes/answer"
    default: rawValue
    }
  }

  /// `12.3 ms`, `0.40%`, `118/s`
  package func valueText(_ value: Double) -> String {
    if value.magnitude < 1e-9 { return isShare ? "0%" : "0" }
    return switch self {
    case .p50, .p95, .p99:
      value < 1000
        ? String(format: "%.0f µs", value) : String(format: value < 1e5 ? "%.2f ms" : "%.0f ms", value / 1000)
    case .errors, .limited: String(format: "%.2f%%", value * 100)
    case .throughput: String(format: "%.1f/s", value)
    case .bytes: String(format: "%.0f B", value)
    case .requestsPerSession: String(format: "%.2f", value)
    }
  }
}

extension StringProtocol {
  fileprivate func trimmingSuffix(while predicate: (Character) -> Bool) -> SubSequence {
    var end = endIndex
    while end > startIndex, predicate(self[index(before: end)]) { end = index(before: end) }
    return self[..<end]
  }
}
