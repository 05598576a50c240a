import Foundation
import MurphyJudge
import MurphyModel

/// The changes of all operations with their intervals: one forest plot for each metric that decides.
struct ChangeCharts {
  let result: CompareResult

  /// The maximum of operations; those with the worst changes are kept.
  static let rowsShown = 24

  @BlockBuilder var blocks: [Block] {
    let metrics = CompareMetric.deciding.filter { metric in rows(metric).isEmpty == false }
    if !metrics.isEmpty {
      Block.lead(
        "A line is the 90% confidence interval of a change. Its large dot is the mean. Small dots are single "
          + (result.mode == .live ? "groups" : "runs")
          + ". Right of 0, the candidate is worse. PASS requires that the whole line is left of the margin. "
          + "The shaded range is from the floor to the margin. A change in this range fails only if it is statistically "
          + "significant."
      )
      for metric in metrics { figure(metric) }
    }
  }

  @BlockBuilder private func figure(_ metric: CompareMetric) -> [Block] {
    let all = rows(metric)
    let shown = all.sorted { ($0.row.change ?? 0) > ($1.row.change ?? 0) }.prefix(Self.rowsShown)
    let height = 62 + Double(shown.count) * 30
    let chart = ChangeChart(metric: metric, rows: Array(shown)).chart
    element(.figure, .class("changes")) {
      element(.h3, text: ChangeChart.heading(metric))
      chart.responsive(
        wide: ChartSize(width: 960, height: height, left: 190, right: 30, top: 26),
        narrow: ChartSize(width: 360, height: height, left: 104, right: 14, top: 26))
    }
    Block.cut(all.count - shown.count) { "Not shown: \(counted($0, "operation")) with smaller changes." }
  }

  private func rows(_ metric: CompareMetric) -> [ChangeChart.Row] {
    result.operations.compactMap { operation in
      guard let row = operation[metric], row.decides, row.gap == nil, row.change != nil else { return nil }
      return ChangeChart.Row(operation: operation.operation, row: row)
    }
  }
}

/// The changes of one metric.
package struct ChangeChart {
  /// One operation of the chart.
  package struct Row {
    package var operation: String
    package var row: CompareRow

    package init(operation: String, row: CompareRow) { (self.operation, self.row) = (operation, row) }
  }

  let metric: CompareMetric
  /// The worst first.
  let rows: [Row]

  package init(metric: CompareMetric, rows: [Row]) { (self.metric, self.rows) = (metric, rows) }

  static func heading(_ metric: CompareMetric) -> String {
    let words = metric.words.hasPrefix("the ") ? String(metric.words.dropFirst(4)) : metric.words
    return words.capitalizedFirst
  }

  package var chart: Chart {
    let domain = domain
    let metric = metric
    let names = rows.map(\.operation)
    let margin = place(margin)
    let floor = place(rows.first?.row.floor ?? 0)
    let axis = Axis(domain, title: "", ticks: isWide ? wideTicks : nil) { [isWide] value in
      value == 0 ? "0" : metric.text(isWide ? value : metric.isRatio ? log1p(Swift.max(value, -0.999)) : value)
    }
    return Chart(
      id: "change-\(metric.rawValue)", title: "Change of \(metric.words), by operation",
      description: rows.map { sentence($0) }.joined(separator: " "), x: axis,
      y: Axis(
        -0.6...Double(max(rows.count, 1)) - 0.4, title: "", ticks: rows.indices.map { position($0) }
      ) { value in Self.short(names[min(max(names.count - 1 - Int(saturating: value.rounded()), 0), names.count - 1)])
      },
      marks: [
        Mark.band([max(floor, domain.lowerBound)...max(min(margin, domain.upperBound), floor)], style: "margin"),
        Mark.rule(x: 0, style: "zero", label: "no change", room: margin * 0.95),
        Mark.rule(x: margin, style: "limit", label: "margin \(text(self.margin))"),
      ] + rows.indices.flatMap(marks))
  }

  /// Rows go downwards, but the axis goes upwards.
  private func position(_ index: Int) -> Double { Double(rows.count - 1 - index) }

  private func text(_ change: Double) -> String {
    metric.text(metric.isRatio ? log1p(Swift.max(change, -0.999)) : change)
  }

  private func sentence(_ row: Row) -> String {
    var text = "\(row.operation): \(row.row.change.map(self.text) ?? "")"
    if let interval = row.row.intervalText { text += ", 90%: \(interval)" }
    return text + "."
  }

  private func marks(_ index: Int) -> [Mark] {
    let row = rows[index].row
    let y = position(index)
    let mean = row.change ?? 0
    let (low, high) = (clamped(place(row.low ?? mean)), clamped(place(row.high ?? mean)))
    let singles = row.differences.map { Point(clamped(place(metric.isRatio ? expm1($0) : $0)), y - 0.24) }
    return [
      Mark.scatter(singles, style: "single", radius: 1.6),
      Mark.line([Point(low, y), Point(high, y)], style: "change \(row.style)"),
      Mark.scatter([Point(clamped(place(mean)), y)], style: "change \(row.style)", radius: 4.5),
    ]
  }

  private func clamped(_ value: Double) -> Double { min(max(value, domain.lowerBound), domain.upperBound) }

  private var margin: Double { rows.first?.row.margin ?? metric.margin }

  /// The ends of all intervals.
  private var ends: [Double] {
    rows.flatMap { [$0.row.low, $0.row.high, $0.row.change].compactMap { $0 } }.filter(\.isFinite)
  }

  /// True if the ratios span more than a few margins; they are then shown by their logarithms.
  private var isWide: Bool { metric.isRatio && (ends.max() ?? 0 > 1.5 || ends.min() ?? 0 < -0.6) }

  private func place(_ change: Double) -> Double { isWide ? log1p(Swift.max(change, -0.999)) : change }

  private var wideTicks: [Double] {
    [-0.99, -0.9, -0.5, 0, 1, 9, 99, 999, 9999].map(place).filter(domain.contains)
  }

  /// All intervals and the margin; single groups far outside are shown at the edge.
  private var domain: ClosedRange<Double> {
    let places = ends.map(place)
    let low = min(places.min() ?? 0, -place(margin))
    let high = max(places.max() ?? 0, place(margin) * 1.3)
    let room = (high - low) * 0.04
    return (low - room)...(high + room)
  }

  /// A long name is cut at its end, because its beginning distinguishes versions and verbs more often.
  static func short(_ name: String) -> String { name.count > 26 ? name.prefix(25) + "…" : name }
}

/// The whole distribution of latency of base and candidate, a percentile curve each.
struct CompareCurves {
  let result: CompareResult

  /// Further operations are omitted.
  static let curvesShown = 12

  @BlockBuilder var blocks: [Block] {
    let pairs = result.operations.compactMap(Pair.init).sorted { $0.count > $1.count }
    let shown = pairs.prefix(Self.curvesShown)
    if !shown.isEmpty {
      Block.lead(
        "Each curve shows the latency (y, logarithmic) at each percentile (x). Solid: candidate. Dashed: base. "
          + "Latency starts at the scheduled send time.")
      Block.multiples(shown.enumerated().map { $1.chart($0) }, DistributionSection.size)
      Block.cut(pairs.count - shown.count) { "Not shown: \(counted($0, "operation")) with fewer requests." }
    }
  }

  private struct Pair {
    var operation: CompareOperation
    var base: LatencyHistogram
    var candidate: LatencyHistogram

    var count: UInt64 { min(base.count, candidate.count) }

    init?(_ operation: CompareOperation) {
      guard let latencies = operation.latencies else { return nil }
      self.operation = operation
      base = CompareLatencies.histogram(latencies.base)
      candidate = CompareLatencies.histogram(latencies.candidate)
      if base.isEmpty || candidate.isEmpty { return nil }
    }

    func chart(_ index: Int) -> Chart {
      let reach = max(log10(Double(max(base.count, candidate.count, 1))), 1)
      let arms = [base, candidate].map { $0.percentiles([50, 99]).map { Figure.latency(.nanoseconds($0)).text } }
      let ends = [base, candidate].flatMap { [Double(max($0.min, 1)) / 1e3, Double(max($0.max, 1)) / 1e3] }
      return Chart(
        id: "arms-\(index)", title: "\(operation.operation), latency of base and candidate",
        description: "Base: p50 \(arms[0][0]), p99 \(arms[0][1]). Candidate: p50 \(arms[1][0]), p99 \(arms[1][1]).",
        x: PercentileCurve.axis(reach), y: .latency(ends, title: ""),
        heading: [
          ChangeChart.short(operation.operation),
          "p50 \(arms[0][0]) → \(arms[1][0]) · p99 \(arms[0][1]) → \(arms[1][1])",
        ],
        marks: [
          Mark.line(PercentileCurve.points(base, reach), style: "service"),
          Mark.line(PercentileCurve.points(candidate, reach), style: "latency"),
        ])
    }
  }
}

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
          ? "Each dot is the difference of one group, in the order of time. If both targets are equally fast, positive "
            + "and negative differences are equally likely."
          : "Each dot is a run. Rings are runs of the base, filled dots are runs of the candidate.")
      Block.multiples(shown.enumerated().map { chart($0, $1.operation, $1.row) }, Self.size)
      Block.cut(rows.count - shown.count) { "Not shown: \(counted($0, "row")). The JSON file has all rows." }
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
