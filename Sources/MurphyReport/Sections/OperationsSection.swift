import MurphyModel

/// Two rows per operation: what became of its requests, and its latency.
struct OperationsSection: ReportSection {
  static let id = "operations"
  static let title = "Operations"

  let result: RunResult

  private static let rowsShown = 300

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
          + "what their step expects; unchecked ones could not be checked in full; refused are 429, errors are other 4xx "
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
    return .group([
      element(.h3, text: "Latency"),
      lead(
        "Large is the latency, what a user waits from the intended start; small below it the service time, from the "
          + "actual send. Where they are far apart, requests had to wait their turn."),
      Table(
        caption: "Latency of each operation",
        columns: [
          .text("operation"), .number("answers/s"), .number("p50 ms"), .number("p95 ms"), .number("p99 ms"),
          .number("max ms"), .text("latency spread"),
        ], rows: operations.map { latencyRow($0, range) }, style: "operations"
      ).markup,
    ])
  }

  private func latencyRow(_ operation: OperationResult, _ range: ClosedRange<Double>?) -> [Markup] {
    let (latency, service) = (operation.shownLatency, operation.shownService)
    return [
      .group([
        element(.span, .class("name"), text: operation.operation),
        operation.unansweredText == nil
          ? .nothing : element(.small, text: "without an answer: \(operation.censored?.words ?? "")"),
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
