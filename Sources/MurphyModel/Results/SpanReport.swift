/// The spans that the target exported during a run, joined with the requests by their trace ids.
package struct SpanReport: Sendable, Codable, Hashable {
  /// Traces with the span of the target that received the request.
  package var traces = 0
  /// Traces without that span: it was not exported, or not in time.
  package var incomplete = 0
  /// Spans that arrived after murphy had evaluated their trace.
  package var late = 0
  /// Spans of traces that this run did not begin.
  package var foreign = 0
  /// Spans without valid ids and times, and spans beyond the memory bound.
  package var dropped = 0
  /// Exports that murphy could not read.
  package var rejected = 0
  /// In the order of the contract; only operations with a trace.
  package var operations: [OperationSpans] = []

  /// No spans.
  package init() {}

  /// The span with the most self time in the slowest requests of an operation, in words; nil without spans.
  package func cause(of operation: String) -> String? {
    let spans = operations.first { $0.operation == operation }?.spans ?? []
    guard let worst = spans.max(by: { $0.shareOfSlowest < $1.shareOfSlowest }), worst.shareOfSlowest > 0 else {
      return nil
    }
    return "\(Figure.percent(worst.shareOfSlowest).text) of the self time in the slowest 5% of the requests is "
      + "\"\(worst.name)\""
  }
}

/// The spans of one operation.
package struct OperationSpans: Sendable, Codable, Hashable {
  /// The operationId.
  package var operation: String
  /// The requests that carried a trace, and had a response.
  package var requests: Int
  /// The number of them with spans.
  package var traces: Int
  /// The spans with the most self time first.
  package var spans: [SpanRow]
  /// Further span names, which are left out.
  package var omitted: Int

  package init(operation: String, requests: Int, traces: Int, spans: [SpanRow], omitted: Int) {
    (self.operation, self.requests, self.traces) = (operation, requests, traces)
    (self.spans, self.omitted) = (spans, omitted)
  }
}

/// All spans of one name and kind in one operation.
///
/// The self time of a span is its duration without the time in which one of its child spans ran.
package struct SpanRow: Sendable, Codable, Hashable {
  /// The name as the target wrote it.
  package var name: String
  package var kind: SpanKind
  /// Spans in each trace, on average.
  package var perTrace: Double
  /// The mean self time of one span.
  @InMicroseconds package var mean: Duration
  /// The median self time of one span.
  @InMicroseconds package var p50: Duration
  /// The 95th percentile of the self time of one span.
  @InMicroseconds package var p95: Duration
  /// The share of the self time of all spans of the operation, from 0 to 1.
  package var share: Double
  /// The same share in the slowest twentieth of the traces.
  package var shareOfSlowest: Double

  package init(
    name: String, kind: SpanKind, perTrace: Double, mean: Duration, p50: Duration, p95: Duration, share: Double,
    shareOfSlowest: Double
  ) {
    (self.name, self.kind, self.perTrace) = (name, kind, perTrace)
    (self.mean, self.p50, self.p95) = (mean, p50, p95)
    (self.share, self.shareOfSlowest) = (share, shareOfSlowest)
  }
}

/// The role of a span (OpenTelemetry, trace API, SpanKind).
package enum SpanKind: String, Sendable, Codable, Hashable {
  case unspecified, `internal`, server, client, producer, consumer

  /// - Parameter number: the number in OTLP; unknown numbers are `unspecified`.
  package init(number: UInt64) {
    let kinds: [SpanKind] = [.unspecified, .internal, .server, .client, .producer, .consumer]
    self = number < UInt64(kinds.count) ? kinds[Int(number)] : .unspecified
  }
}
