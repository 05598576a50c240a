import MurphyModel

/// A running test as OpenMetrics text, for a Prometheus that scrapes it: counters and a histogram only grow.
package struct LiveMetrics: Sendable {
  /// The timeline up to now, and the findings.
  let result: RunResult
  /// The outcomes of requests so far, by operation.
  let operations: [(operation: String, outcomes: Outcomes)]
  let elapsed: Double
  /// The sum of the latencies of all responses, in seconds.
  let latencySum: Double

  package init(
    _ result: RunResult, operations: [(operation: String, outcomes: Outcomes)], elapsed: Double, latencySum: Double
  ) {
    (self.result, self.operations) = (result, operations)
    (self.elapsed, self.latencySum) = (elapsed, latencySum)
  }

  /// The upper bounds of the histogram's buckets, in seconds. They are those of the timeline, four per octave, from 128
  /// µs to 67 s.
  static let bounds: [Double] = (17...35).flatMap { octave in
    (0..<4).map { Double(UInt64(4 + $0) << UInt64(octave - 2)) / 1e9 }
  }

  /// The whole response for a scrape.
  package var text: String {
    var writer = OpenMetricsWriter()
    writer.begin("murphy_elapsed_seconds", .gauge, "Since the load began.", unit: "seconds")
    writer.add(elapsed)
    writer.begin("murphy_users", .gauge, "Users with a session running.")
    writer.add(Double(result.timeline.last?.users ?? 0))
    writer.begin("murphy_sent", .counter, "Requests that were sent.")
    writer.add(Double(result.timeline.reduce(0) { $0 + $1.sent }))
    writer.add(operations)
    writer.begin("murphy_found", .counter, "Occurrences of findings, by kind and operation.")
    for finding in result.findings {
      writer.add([("kind", finding.kind.rawValue), ("operation", finding.operation ?? "")], Double(finding.count))
    }
    latency(&writer)
    return writer.end()
  }

  private func latency(_ writer: inout OpenMetricsWriter) {
    writer.begin(
      "murphy_latency_seconds", .histogram, "Latency of responses from the scheduled start, all operations.",
      unit: "seconds")
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
      writer.add([("le", String(bound))], below, part: "_bucket")
    }
    let all = sorted.reduce(0) { $0 + $1.value }
    writer.add([("le", "+Inf")], all, part: "_bucket")
    writer.add(all, part: "_count")
    writer.add(latencySum, part: "_sum")
  }
}
