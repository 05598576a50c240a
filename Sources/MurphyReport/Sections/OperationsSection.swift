import MurphyModel

/// A row per operation.
struct OperationsSection: ReportSection {
  static let id = "operations"
  static let title = "Operations"

  let result: RunResult

  var content: Markup? {
    guard !result.operations.isEmpty else { return nil }
    let range = LatencySpark.range(of: result.operations.map(\.latency))
    return .group([
      lead(
        "Latency is what a user waits, from the intended start; service is the server's part, from the actual send. "
          + "Where latency is far above service, requests had to wait their turn."),
      Table(
        caption: "Requests, outcomes and latency of each operation",
        columns: [
          .text("operation"), .number("requests"), .number("/s"), .text("outcomes"), .number("p50 ms"),
          .number("p95 ms"), .number("p99 ms"), .number("max ms"), .number("service p50"), .number("service p95"),
          .number("service p99"), .text("latency spread"),
        ], rows: result.operations.map { row($0, range) }, style: "operations"
      ).markup,
      element(.p, .class("key"), .decorative) {
        for (name, style) in [
          ("ok", "ok"), ("limited (429)", "limited"), ("client error", "client"), ("server error", "server"),
          ("lost", "lost"), ("cancelled", "cancelled"),
        ] {
          element(.span) {
            element(.i, .class(style))
            name
          }
        }
      },
    ])
  }

  private func row(_ operation: OperationResult, _ range: ClosedRange<Double>?) -> [Markup] {
    let answered = operation.latency.count > 0
    func milliseconds(_ value: Double) -> Markup { .text(answered ? Figure.milliseconds(value) : "–") }
    return [
      .group([
        element(.span, .class("name"), text: operation.operation),
        element(.small, text: "\(operation.method) \(operation.path)"),
      ]),
      .text(Figure.count(operation.requests).text), .text(Figure.digits(operation.throughput)),
      OutcomeBar(outcomes: operation.outcomes).markup,
      milliseconds(operation.latency.p50), milliseconds(operation.latency.p95), milliseconds(operation.latency.p99),
      milliseconds(operation.latency.max), milliseconds(operation.service.p50), milliseconds(operation.service.p95),
      milliseconds(operation.service.p99), LatencySpark(summary: operation.latency, range: range).markup,
    ]
  }
}
