import Foundation
import MurphyModel

/// Two rows per operation: what became of its requests, and its latency.
struct OperationsSection: ReportSection {
  static let id = "operations"
  static let title = "Operations"

  let result: RunResult

  private static let rowsShown = 300

  var count: Int? { result.calledOperations.count }

  var content: Markup? {
    guard !result.operations.isEmpty else { return nil }
    let called = result.calledOperations
    let shown = Array(called.prefix(Self.rowsShown))
    return .group([
      shown.isEmpty ? .nothing : ends(shown), rest(called.count), shown.isEmpty ? .nothing : latency(shown),
    ])
  }

  private func ends(_ operations: [OperationResult]) -> Markup {
    let names = RequestEnds().shown.map(\.name)
    return .group([
      lead(
        "Each request counts once, under the first that fits: violating answers break the contract, a rule of HTTP or "
          + "what their step expects; unchecked ones could not be checked in full; refused are rejected by a rate limit, errors are other 4xx "
          + "and 5xx as documented, ok is every other answer; the rest is unanswered."),
      Table(
        caption: "What became of the requests of each operation",
        columns: [.text("operation"), .number("requests")] + names.map { .number($0) } + [.text("statuses")],
        rows: operations.map(endsRow), style: "operations ends"
      ).markup,
    ])
  }

  private func endsRow(_ operation: OperationResult) -> [Markup] {
    let ends = operation.shownEnds
    let figures: [Markup] =
      ends?.map { end in
        .group([
          element(.span, .class(end.count == 0 ? "zero" : "figure \(end.style)"), text: Figure.count(end.count).text),
          end.note.map { element(.small, text: $0) } ?? .nothing,
        ])
      } ?? Array(repeating: .text("–"), count: RequestEnds().shown.count)
    return [
      .group([
        element(.span, .class("name"), text: operation.operation),
        element(.small, text: "\(operation.method) \(operation.path)"),
      ]), .text(Figure.count(operation.requests).text),
    ] + figures + [
      .group([
        ends.map { OutcomeBar(ends: $0).markup } ?? .nothing, element(.small, text: operation.endings),
      ])
    ]
  }

  private func latency(_ operations: [OperationResult]) -> Markup {
    let range = LatencySpark.range(of: operations.map(\.latency))
    let order = StandOut(operations)
    return .group([
      element(.h3, text: "Latency"),
      lead(
        "Large is the latency, what a user waits from the intended start; small below it the service time, from the "
          + "actual send. Where they are far apart, requests had to wait their turn. A figure such as 1.5 .. 1.7 lies between "
          + "its two ends: of requests without an answer, or that murphy sent late, no more is known."
          + (order.ratios.isEmpty ? "" : " The operation that is slowest compared with the others (p95) comes first.")),
      Table(
        caption: "Latency of each operation",
        columns: [
          .text("operation"), .number("answers/s"), .number("p50 ms"), .number("p95 ms"), .number("p99 ms"),
          .number("max ms"), .text("latency spread"),
        ], rows: order.ranked.map { latencyRow($0, range, order.words($0)) }, style: "operations"
      ).markup, PhaseTable(operations: order.ranked).markup,
    ])
  }

  private func latencyRow(
    _ operation: OperationResult, _ range: ClosedRange<Double>?, _ standOut: String?
  ) -> [Markup] {
    let (latency, service) = (operation.shownLatency, operation.shownService)
    return [
      .group([
        element(.span, .class("name"), text: operation.operation),
        standOut.map { element(.small, text: $0) } ?? .nothing,
        operation.unansweredText == nil
          ? .nothing : element(.small, text: "without a complete response: \(operation.censored?.words ?? "")"),
      ]), .text(Figure.digits(operation.throughput)), pair(latency?.p50, service?.p50),
      pair(latency?.p95, service?.p95), pair(latency?.p99, service?.p99), pair(latency?.max, service?.max),
      LatencySpark(summary: operation.latency, range: range).markup,
    ]
  }

  @MarkupBuilder private func rest(_ called: Int) -> Markup {
    let uncalled = result.operations.filter { $0.requests == 0 }
    if called > Self.rowsShown {
      element(.p, .class("cut"), text: "and \(counted(called - Self.rowsShown, "more operation"))")
    }
    if !uncalled.isEmpty {
      let names = uncalled.prefix(20).map(\.operation).joined(separator: ", ")
      element(
        .p, .class("cut"),
        text: "Never called: \(names)" + (uncalled.count > 20 ? " and \(uncalled.count - 20) more." : "."))
    }
  }

  /// Latency over service time.
  private func pair(_ latency: LatencyInterval?, _ service: LatencyInterval?) -> Markup {
    guard let latency, let service else { return .text("–") }
    return .group([
      .text(Figure.milliseconds(latency)),
      element(.small) {
        element(.span, .class("spoken"), text: "service ")
        Figure.milliseconds(service)
      },
    ])
  }
}

extension RunResult {
  /// The operations that the run sent requests to, in the contract's order.
  package var calledOperations: [OperationResult] { operations.filter { $0.requests > 0 } }
}

/// What became of an operation's requests, as a bar.
struct OutcomeBar {
  let ends: [RequestEnd]

  var markup: Markup {
    let parts = ends.filter { $0.count > 0 }
    let total = parts.reduce(0) { $0 + $1.count }
    guard total > 0 else { return .nothing }
    return element(.span, .class("outcomes"), .decorative) {
      for part in parts {
        element(.i, .class(part.style), .width(percent: max(Double(part.count) * 100 / Double(total), 0.8)))
      }
    }
  }
}

/// A histogram small enough for a table's cell; all rows share one logarithmic axis, so shapes compare.
struct LatencySpark {
  let summary: LatencySummary
  /// The axis in microseconds; nil without samples.
  let range: ClosedRange<Double>?

  private static let bins = 28
  private static let height = 26.0
  private static let width = 112.0

  static func range(of summaries: [LatencySummary]) -> ClosedRange<Double>? {
    let measured = summaries.filter { $0.count > 0 }
    guard let low = measured.map(\.min).min(), let high = measured.map(\.max).max() else { return nil }
    return max(low, 1)...max(high, low * 2, 2)
  }

  var markup: Markup {
    guard let range, summary.count > 0 else { return .text("–") }
    let counts = bins(range)
    let highest = Double(counts.max() ?? 1)
    let step = Self.width / Double(Self.bins)
    var path = ""
    for (index, count) in counts.enumerated() where count > 0 {
      // A square root keeps the tail visible beside the peak.
      let height = max(sqrt(Double(count) / highest) * Self.height, 1)
      path += "M\(Coordinate.text(Double(index) * step)) \(Coordinate.text(Self.height - height))"
      path += "h\(Coordinate.text(step - 1))v\(Coordinate.text(height))h\(Coordinate.text(1 - step))z"
    }
    return element(
      .svg, .class("spark"), Attribute("viewBox", "0 0 \(Coordinate.text(Self.width)) \(Coordinate.text(Self.height))"),
      Attribute("role", "img"),
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
