import MurphyModel

/// A run while it runs as OpenMetrics text, for a Prometheus that scrapes it: counters and a histogram only grow.
package struct LiveMetrics: Sendable {
  /// The timeline up to now, and the findings.
  package let result: RunResult
  /// How requests ended so far, by operation.
  package var operations: [(operation: String, outcomes: Outcomes)]
  package var elapsed: Double
  /// Of the latencies of all answers, seconds.
  package var latencySum: Double

  package init(
    _ result: RunResult, operations: [(operation: String, outcomes: Outcomes)], elapsed: Double, latencySum: Double
  ) {
    self.result = result
    self.operations = operations
    self.elapsed = elapsed
    self.latencySum = latencySum
  }

  /// The upper bounds of the histogram's buckets, seconds: those of the timeline, four an octave, from 128 µs to 67 s.
  static let bounds: [Double] = (17...35).flatMap { octave in
    (0..<4).map { Double(UInt64(4 + $0) << UInt64(octave - 2)) / 1e9 }
  }

  package var text: String {
    var writer = OpenMetricsWriter()
    writer.begin("murphy_elapsed_seconds", .gauge, "Since the load began.", unit: "seconds")
    writer.add("murphy_elapsed_seconds", [], elapsed)
    let last = result.timeline.last
    writer.begin("murphy_users", .gauge, "Users with a session running.")
    writer.add("murphy_users", [], Double(last?.users ?? 0))
    writer.begin("murphy_sent", .counter, "Requests that were sent.")
    writer.add("murphy_sent_total", [], Double(result.timeline.reduce(0) { $0 + $1.sent }))
    writer.begin("murphy_requests", .counter, "Requests that ended, by operation and outcome.")
    for (operation, outcomes) in operations {
      for (name, path) in OpenMetricsReport.outcomes {
        writer.add(
          "murphy_requests_total", [("operation", operation), ("outcome", name)], Double(outcomes[keyPath: path]))
      }
    }
    writer.begin("murphy_found", .counter, "Occurrences of findings, by kind and operation.")
    for finding in result.findings {
      writer.add(
        "murphy_found_total", [("kind", finding.kind.rawValue), ("operation", finding.operation ?? "")],
        Double(finding.count))
    }
    latency(&writer)
    return writer.end()
  }

  private func latency(_ writer: inout OpenMetricsWriter) {
    writer.begin(
      "murphy_latency_seconds", .histogram, "Of answers, from the intended start, all operations.", unit: "seconds")
    var counts: [Double: Double] = [:]
    for point in result.timeline {
      for index in stride(from: 0, to: point.buckets.count - 1, by: 2) {
        counts[point.buckets[index] / 1e6, default: 0] += point.buckets[index + 1]
      }
    }
    let sorted = counts.sorted { $0.key < $1.key }
    var (place, below) = (0, 0.0)
    for bound in Self.bounds {
      while place < sorted.count, sorted[place].key <= bound * 1.000_001 {
        below += sorted[place].value
        place += 1
      }
      writer.add("murphy_latency_seconds_bucket", [("le", String(bound))], below)
    }
    let all = sorted.reduce(0) { $0 + $1.value }
    writer.add("murphy_latency_seconds_bucket", [("le", "+Inf")], all)
    writer.add("murphy_latency_seconds_count", [], all)
    writer.add("murphy_latency_seconds_sum", [], latencySum)
  }
}
