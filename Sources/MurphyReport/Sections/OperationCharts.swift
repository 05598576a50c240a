import Foundation
import MurphyModel

/// Latency, errors and responses of each operation over time, as small charts next to each other.
struct OperationCharts {
  let result: RunResult

  /// The number of charts: those of the operations with the most requests.
  private static let drawn = 12
  private static let size = ChartSize(width: 320, height: 150, left: 56, right: 14, top: 40)

  @BlockBuilder var blocks: [Block] {
    let operations = result.operations.filter { $0.timeline != nil }
    if operations.count > 1 {
      let drawn = operations.sorted { $0.requests > $1.requests }.prefix(Self.drawn)
      let charts = drawn.flatMap { operation -> [Block] in
        guard let timeline = operation.timeline else { return [] }
        return [.heading(operation.operation), .multiples(self.charts(operation, timeline), Self.size)]
      }
      Block.fold(
        "Each operation over time",
        charts + Block.cut(operations.count - Self.drawn) { "Not shown: \(counted($0, "operation"))." })
    }
  }

  private func charts(_ operation: OperationResult, _ timeline: OperationTimeline) -> [Chart] {
    let step = Double(timeline.step)
    func points(_ values: [Double]) -> [Point] {
      values.enumerated().map { Point((Double($0.offset) + 0.5) * step, $0.element) }
    }
    let rates = timeline.requests.map { Double($0) / step }
    let shares = zip(timeline.errors, timeline.requests).map { $1 > 0 ? Double($0) * 100 / Double($1) : 0 }
    let latencies = points(timeline.latency).map { $0.y > 0 ? $0 : nil }
    return [
      chart(
        operation, "latency", "latency (geometric mean)", latencies, .latency(timeline.latency, title: ""),
        budget(operation, timeline)),
      chart(
        operation, "errors", "errors", points(shares),
        Axis(0...max(shares.max() ?? 0, 1), title: "") {
          "\(Figure.digits($0))%"
        }, []),
      chart(operation, "rate", "requests/s", points(rates), .quantity(to: rates.max() ?? 0, title: ""), []),
    ]
  }

  /// The operation's p95 budget, unless it is far above the values.
  private func budget(_ operation: OperationResult, _ timeline: OperationTimeline) -> [Mark] {
    let high = timeline.latency.max() ?? 0
    let row = result.budgets.first { $0.operation == operation.operation && $0.metric == .latency(percentile: 95) }
    guard let limit = row?.limit.value, limit <= high * 3 else { return [] }
    return [
      Mark.rule(y: limit, style: "limit", label: "p95 budget \(Figure.latency(.microseconds(saturating: limit)).text)")
    ]
  }

  private func chart(
    _ operation: OperationResult, _ name: String, _ title: String, _ points: [Point?], _ axis: Axis, _ rules: [Mark]
  ) -> Chart {
    let known = points.compactMap { $0?.y }
    let highest = axis.label(known.max() ?? 0)
    return Chart(
      id: "operation-\(operation.operation)-\(name)", title: "\(operation.operation), \(title), over time",
      description: "The highest value is \(highest).",
      x: .time(to: .saturating(seconds: Double(points.count * (operation.timeline?.step ?? 1)))),
      y: axis, heading: [title, "at most \(highest)"],
      marks: rules + [Mark.line(points, style: "p50", label: title, hasEndLabel: false)])
  }
}

/// Shares of a whole as a bar; the smallest of them is still visible.
func shareBar(_ parts: [(style: String, amount: Double)], style: String = "outcomes") -> Markup {
  let total = parts.reduce(0) { $0 + $1.amount }
  guard total > 0 else { return .nothing }
  return element(.span, .class(style), .decorative) {
    for part in parts where part.amount > 0 {
      element(.i, .class(part.style), .width(percent: max(part.amount * 100 / total, 0.8)))
    }
  }
}

/// A histogram small enough for a table cell. All rows share one logarithmic axis, so that shapes can be compared.
struct LatencySpark {
  let summary: LatencySummary
  /// The axis in microseconds; nil without samples.
  let range: ClosedRange<Double>?

  private static let bins = 28
  private static let height = 26.0
  private static let width = 112.0

  static func range(of summaries: [LatencySummary]) -> ClosedRange<Double>? {
    let measured = summaries.filter { $0.count > 0 }
    guard let low = measured.map(\.min.inMicroseconds).min(),
      let high = measured.map(\.max.inMicroseconds).max()
    else { return nil }
    return max(low, 1)...max(high, low * 2, 2)
  }

  var markup: Markup {
    guard let range, summary.count > 0 else { return .text("–") }
    let counts = bins(range)
    let highest = Double(counts.max() ?? 1)
    let step = Self.width / Double(Self.bins)
    var path = ""
    for (index, count) in counts.enumerated() where count > 0 {
      // A square root keeps the tail visible next to the peak.
      let height = max(sqrt(Double(count) / highest) * Self.height, 1)
      let left = Double(index) * step
      path += ("M\(left) \(Self.height - height)h\(step - 1)v\(height)h\(1 - step)z" as PathData).text
    }
    return element(
      .svg, .class("spark"), .viewBox(Self.width, Self.height), Attribute("role", "img"),
      .label("from \(Figure.latency(summary.min).text) to \(Figure.latency(summary.max).text)")
    ) { element(.path, Attribute("d", path)) }
  }

  private func bins(_ range: ClosedRange<Double>) -> [UInt64] {
    let scale = Scale(.log, range, from: 0, to: Double(Self.bins))
    var counts = [UInt64](repeating: 0, count: Self.bins)
    for bucket in summary.histogram.buckets {
      let bin = Int(saturating: scale.position(Double(bucket.value) / 1e3))
      counts[min(bin, Self.bins - 1)] += bucket.count
    }
    return counts
  }
}

/// The phases of the service time of each operation. It has a bar of the mean, and the usual and the slow case of each
/// phase.
struct PhaseTable {
  let operations: [OperationResult]

  @BlockBuilder var blocks: [Block] {
    let measured = operations.filter { $0.phases != nil }
    let used = PhaseSummary.Phase.allCases.filter { phase in
      measured.contains { $0.phases?.all.contains { $0.phase == phase } ?? false }
    }
    if !measured.isEmpty {
      let table = ReportTable(
        "Service time of each operation by phase",
        [.text("operation"), .text("mean service time")] + used.map { .number($0.words) },
        measured.map { row($0, used) }, style: "operations")
      Block.fold(
        "Service time breakdown", style: "numbers",
        [
          .lead(
            "Each bar shows the mean service time of an operation by phase. The longest phases are named below the "
              + "bar. Large numbers are the median of a phase. Small numbers are the p95 of the phase. All times are "
              + "in ms. Connection phases count only the requests that opened a connection."),
          .table(table),
        ])
    }
  }

  private func row(_ operation: OperationResult, _ used: [PhaseSummary.Phase]) -> [ReportTable.Cell] {
    let shares = PhaseShare.shares(of: [operation]).map { ($0.phase.style, $0.share) }
    let mean = [
      shareBar(shares, style: "outcomes phases"), element(.small, text: PhaseShare.words(of: [operation], most: 2)),
    ]
    return [.name(operation.operation), .init("", markup: .group(mean))]
      + used.map { phase in
        guard let summary = operation.phases?.all.first(where: { $0.phase == phase })?.summary else { return "–" }
        let parts: [Markup] = [
          .text(Figure.milliseconds(summary.p50)),
          element(.small) {
            element(.span, .class("spoken"), text: "p95 ")
            Figure.milliseconds(summary.p95)
          },
          summary.count < operation.service.count
            ? element(.small, text: "of \(summary.count.text)") : .nothing,
        ]
        return .init("", markup: .group(parts))
      }
  }
}

extension PhaseSummary.Phase {
  /// Its class in the style of a report.
  fileprivate var style: String {
    switch self {
    case .held: "cancelled"
    case .connect: "connect"
    case .tls: "tls"
    case .firstByte: "wait"
    case .body: "body"
    }
  }
}
