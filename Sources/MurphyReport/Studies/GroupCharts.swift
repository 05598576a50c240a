import Foundation
import MurphyJudge

/// The difference of every group in the order of measurement: it shows drift, and the effect of single groups.
struct GroupCharts {
  let result: CompareResult

  /// Further rows are omitted.
  static let chartsShown = 12

  @BlockBuilder var blocks: [Block] {
    let shown = rows.prefix(Self.chartsShown)
    if !shown.isEmpty {
      Block.lead(
        result.mode == .live
          ? "Each dot is the difference of one group, in the order of time. Under the null hypothesis "
            + "each difference is equally likely to be positive or negative."
          : "Each dot is a run: rings are the base, filled dots the candidate.")
      Block.multiples(shown.enumerated().map { chart($0, $1.operation, $1.row) }, Self.size)
      Block.cut(rows.count - shown.count) { "\($0) more are only in the JSON file." }
    }
  }

  private static let size = ChartSize(width: 320, height: 180, left: 52, right: 14, top: 40)

  /// The rows that decide, failed ones first.
  private var rows: [(operation: String, row: CompareRow)] {
    let all = result.operations.flatMap { operation in operation.rows.map { (operation.operation, $0) } }
      .filter { $0.1.decides && ($0.1.differences.count > 1 || $0.1.baseRuns.count > 1) }
    func rank(_ row: CompareRow) -> Int { row.verdict == .fail ? 0 : row.verdict == .noData ? 1 : 2 }
    return all.enumerated().sorted { (rank($0.element.1), $0.offset) < (rank($1.element.1), $1.offset) }.map(\.element)
  }

  private func chart(_ index: Int, _ operation: String, _ row: CompareRow) -> Chart {
    var chart = row.differences.isEmpty ? runs(row) : groups(row)
    chart.id = "group-\(index)"
    chart.title = "\(operation), \(row.metric.words)"
    chart.heading = [
      "\(ChangeChart.short(operation)) \(row.metric.rawValue)",
      "\(row.change.map(row.text) ?? "") · detectable \(row.smallestEffect.map(row.text) ?? "–")",
    ]
    return chart
  }

  private func groups(_ row: CompareRow) -> Chart {
    let values = row.differences.map { row.metric.isRatio ? expm1($0) : $0 }
    let high = max(values.max() ?? 0, row.margin) * 1.1
    let low = min(values.min() ?? 0, 0) * 1.1
    return Chart(
      id: "", title: "", description: "The mean of \(values.count) groups is \(row.change.map(row.text) ?? "unknown").",
      x: .ordinal(values.count, title: "group"),
      y: Axis(low...high, title: "") { $0 == 0 ? "0" : row.text($0) },
      marks: [
        Mark.rule(y: 0, style: "zero"),
        Mark.rule(y: row.margin, style: "limit"),
        Mark.scatter(
          values.enumerated().map { Point(Double($0.offset + 1), $0.element) }, style: "change \(row.style)", radius: 3),
      ])
  }

  private func runs(_ row: CompareRow) -> Chart {
    let base = row.baseRuns.map { row.metric.value(level: $0) }
    let candidate = row.candidateRuns.map { row.metric.value(level: $0) }
    let (low, high) = ((base + candidate).min() ?? 0, (base + candidate).max() ?? 1)
    let room = max((high - low) * 0.1, high * 0.01, 1e-9)
    return Chart(
      id: "", title: "", description: "\(base.count) runs of the base, \(candidate.count) of the candidate.",
      x: .ordinal(base.count + candidate.count, title: "run"),
      y: Axis((low - room)...(high + room), title: "") { row.metric.valueText($0) },
      marks: [
        Mark.scatter(
          base.enumerated().map { Point(Double($0.offset + 1), $0.element) }, style: "base", radius: 3.5, ring: true),
        Mark.scatter(
          candidate.enumerated().map { Point(Double(base.count + $0.offset + 1), $0.element) },
          style: "change \(row.style)", radius: 3.5),
      ])
  }
}
