import MurphyModel

/// The spans of the target by operation: the parts of the API that take the time.
struct SpansSection: ReportSection {
  static let id = "spans"
  static let title = "Spans of the target"
  static let entry = "Spans"

  let result: RunResult

  var blocks: [Block] {
    if let spans = result.spans {
      Block.lead(
        "The self time of a span is its duration without the time in which one of its child spans ran. The share is a "
          + "share of the self time of all spans of the operation.")
      Block.text(Phrase(spans.sentence))
      for operation in spans.operations {
        Block.heading(operation.operation)
        Block.table(.spans(operation))
        Block.cut(operation.omitted) { "and \(counted($0, "more span name"))" }
      }
    }
  }
}

extension ReportTable {
  /// The spans of one operation.
  static func spans(_ operation: OperationSpans) -> ReportTable {
    ReportTable(
      "Spans of \(operation.operation)",
      [
        .text("span"), .text("kind", spare: 0), .number("per request", spare: 3), .number("mean", unit: "ms", spare: 4),
        .number("p50", unit: "ms", spare: 1), .number("p95", unit: "ms"), .number("share"),
        .number("share of slowest 5%", spare: 2),
      ],
      operation.spans.map { span in
        [
          .name(span.name), .text(span.kind.rawValue), .text(Figure.digits(span.perTrace)), .latency(span.mean),
          .latency(span.p50), .latency(span.p95), .text(Figure.percent(span.share).text),
          .text(Figure.percent(span.shareOfSlowest).text),
        ]
      }, style: "operations", noun: "span")
  }
}

extension SpanReport {
  /// How many requests have spans, and why some have none.
  package var sentence: String {
    let requests = operations.reduce(0) { $0 + $1.requests }
    guard traces > 0 else {
      return foreign > 0
        ? "Murphy received \(counted(foreign, "span")), but none of them belongs to a request of this run. Does the "
          + "target read the header traceparent?"
        : "Murphy received no spans. Does the target export spans to the endpoint that murphy printed?"
    }
    let notes = [
      (incomplete, "trace", "without the span that received the request"), (late, "span", "too late"),
      (foreign, "span", "of other traces"), (dropped, "span", "dropped"), (rejected, "export", "not readable"),
    ].filter { $0.0 > 0 }.map { "\(counted($0.0, $0.1)) \($0.2)" }
    return "\(traces.text) of \(requests.text) requests have spans."
      + (notes.isEmpty ? "" : " Not counted: \(notes.joined(separator: ", ")).")
  }
}
