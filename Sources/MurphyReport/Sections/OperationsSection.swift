import MurphyModel

/// A row per operation.
struct OperationsSection: ReportSection {
  static let id = "operations"
  static let title = "Operations"

  let result: RunResult

  private static let rowsShown = 300

  var content: Markup? {
    guard !result.operations.isEmpty else { return nil }
    let called = result.calledOperations
    let shown = called.prefix(Self.rowsShown)
    let range = LatencySpark.range(of: called.map(\.latency))
    return .group([
      lead(
        "Large is the latency, what a user waits from the intended start; small below it the service time, from the "
          + "actual send. Where they are far apart, requests had to wait their turn."),
      Table(
        caption: "Requests, outcomes and latency of each operation",
        columns: [
          .text("operation"), .number("requests"), .number("/s"), .text("outcomes"), .number("p50 ms"),
          .number("p95 ms"), .number("p99 ms"), .number("max ms"), .text("latency spread"),
        ], rows: shown.map { row($0, range) }, style: "operations"
      ).markup,
      rest(called.count),
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
    let (latency, service) = (operation.shownLatency, operation.shownService)
    return [
      .group([
        element(.span, .class("name"), text: operation.operation),
        element(.small, text: "\(operation.method) \(operation.path)"),
        operation.unansweredText == nil
          ? .nothing
          : element(.small, text: "no answer: \(operation.censored?.words ?? "")"),
      ]),
      .text(Figure.count(operation.requests).text), .text(Figure.digits(operation.throughput)),
      .group([OutcomeBar(outcomes: operation.outcomes).markup, element(.small, text: operation.endings)]),
      pair(latency?.p50, service?.p50), pair(latency?.p95, service?.p95), pair(latency?.p99, service?.p99),
      pair(latency?.max, service?.max), LatencySpark(summary: operation.latency, range: range).markup,
    ]
  }

  @MarkupBuilder private func rest(_ called: Int) -> Markup {
    let uncalled = result.operations.count - called
    if called > Self.rowsShown {
      element(.p, .class("cut"), text: "and \(counted(called - Self.rowsShown, "more operation"))")
    }
    if uncalled > 0 {
      element(.p, .class("cut"), text: "\(counted(uncalled, "operation")) of the contract never called.")
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
