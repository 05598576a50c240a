import MurphyModel

extension ReportTable {
  /// The outcomes of the requests of each operation.
  static func ends(_ operations: [OperationResult]) -> ReportTable {
    ReportTable(
      "Results by operation",
      [.text("operation"), .number("requests")] + RequestEnds().shown.map { .number($0.name) } + [.text("statuses")],
      operations.map { operation in
        let name = Markup.group([
          element(.span, .class("name"), text: operation.operation),
          element(.small, text: "\(operation.method) \(operation.path)"),
        ])
        let bar = Markup.group([
          operation.shownEnds.map { shareBar($0.map { ($0.style, Double($0.count)) }) } ?? .nothing,
          element(.small, text: operation.endings),
        ])
        return [Cell(operation.operation, markup: name), .count(operation.requests)]
          + (operation.shownEnds?.map(Cell.end) ?? RequestEnds().shown.map { _ in "–" })
          + [Cell(operation.endings, markup: bar)]
      }, style: "operations ends", noun: "operation")
  }

  /// Responses and latency of each operation.
  ///
  /// - Parameter order: the operations that stand out in HTML; nil for none.
  static func latency(_ operations: [OperationResult], _ order: OutlierRanking? = nil) -> ReportTable {
    let range = LatencySpark.range(of: operations.map(\.latency))
    return ReportTable(
      "Latency of each operation",
      [
        .text("operation"), .number("responses/s", spare: 1), .number("p50", unit: "ms", spare: 3),
        .number("p95", unit: "ms"), .number("p99", unit: "ms", spare: 2), .number("max", unit: "ms", spare: 0),
        .text("latency spread"),
      ],
      operations.map { operation in
        let (latency, service) = (operation.shownLatency, operation.shownService)
        let name = Markup.group([
          element(.span, .class("name"), text: operation.operation),
          order?.words(operation).map { element(.small, text: $0) } ?? .nothing,
          operation.unansweredText == nil
            ? .nothing : element(.small, text: "without a complete response: \(operation.censored?.words ?? "")"),
        ])
        return [
          Cell(operation.operation, markup: name), .text(Figure.digits(operation.throughput)),
          .pair(latency?.p50, service?.p50), .pair(latency?.p95, service?.p95), .pair(latency?.p99, service?.p99),
          .pair(latency?.max, service?.max),
          Cell("", markup: LatencySpark(summary: operation.latency, range: range).markup),
        ]
      }, style: "operations", noun: "operation")
  }

  /// Requests and latency of each tag.
  static func tags(_ tags: [TagResult]) -> ReportTable {
    ReportTable(
      "Requests by tag, and the latency of their responses",
      [
        .text("tag"), .number("requests"), .number("errors"), .number("p50", spare: 1), .number("p95"),
        .number("p99", spare: 2), .number("max", spare: 0),
      ],
      tags.map { tag in
        let latency = tag.latency
        let figures = [latency.p50, latency.p95, latency.p99, latency.max].map { Figure.latency($0).text }
        return [.name(tag.tag), .count(tag.requests), .count(tag.errors)]
          + (latency.count == 0 ? figures.map { _ in "–" } : figures.map(Cell.text))
      })
  }

  /// The outcomes of each kind of session.
  static func sessions(_ sessions: [SessionResult]) -> ReportTable {
    ReportTable(
      "Sessions started, completed and ended early",
      [
        .text("session"), .number("began", spare: 2), .number("completed"), .number("left", spare: 0),
        .number("failed"), .number("unfinished", spare: 1), .note("early ends"),
      ],
      sessions.map { session in
        let counts = [session.started, session.completed, session.leftTotal, session.failedTotal, session.unfinished]
        return [.name(session.session)] + counts.map(Cell.count)
          + [session.earlyEnds.isEmpty ? "–" : .list(session.earlyEnds, "reason")]
      })
  }
}

extension ReportTable.Cell {
  fileprivate static func end(_ end: RequestEnd) -> Self {
    let text = end.count.text
    return Self(
      text,
      markup: .group([
        element(.span, .class(end.count == 0 ? "zero" : "figure \(end.style)"), text: text),
        end.note.map { element(.small, text: $0) } ?? .nothing,
      ]))
  }

  /// Latency; in HTML over the service time.
  fileprivate static func pair(_ latency: LatencyInterval?, _ service: LatencyInterval?) -> Self {
    guard let latency, let service else { return .latency(latency, markup: .text("–")) }
    return .latency(
      latency,
      markup: .group([
        .text(Figure.milliseconds(latency)),
        element(.small) {
          element(.span, .class("spoken"), text: "service ")
          Figure.milliseconds(service)
        },
      ]))
  }
}
