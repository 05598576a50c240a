import MurphyModel

extension ReportFormat {
  /// `metrics.txt`: figures by name, for tools that chart or compare them, such as GitLab's metrics reports.
  static let metrics = ReportFormat("metrics", fileName: "metrics.txt") { OpenMetricsReport($0).text }
}

/// A run as OpenMetrics text (openmetrics.io, version 1.0): one family after the other, times in seconds, `# EOF` last.
package struct OpenMetricsReport: Sendable {
  package let result: RunResult

  package init(_ result: RunResult) { self.result = result }

  /// The whole file.
  package var text: String {
    var writer = OpenMetricsWriter()
    writer.begin("murphy_verdict", .gauge, "The value is 1 for the verdict of the run, and 0 for the other verdicts.")
    for verdict in Verdict.allCases { writer.add([("verdict", verdict.rawValue)], verdict == result.verdict ? 1 : 0) }
    writer.begin(
      "murphy_duration_seconds", .gauge, "Time from the first planned arrival to the last response.", unit: "seconds")
    writer.add(result.run.duration.inSeconds)
    checks(&writer)
    let called = result.calledOperations
    requests(called, &writer)
    latency(called, &writer)
    generator(&writer)
    return writer.end()
  }

  private func checks(_ writer: inout OpenMetricsWriter) {
    let checks = result.checks
    writer.begin("murphy_promises", .gauge, "Number of checks by outcome.")
    for (name, state) in Self.states {
      writer.add([("outcome", name)], Double(checks.count { state.contains($0.outcome) }))
    }
    writer.begin("murphy_findings", .gauge, "Number of different findings by severity.")
    for severity in [Finding.Severity.error, .warning, .note] {
      writer.add([("severity", severity.rawValue)], Double(result.findings.count { $0.severity == severity }))
    }
  }

  private static let states: [(String, [Check.State])] = [
    ("passed", [.passed]), ("failed", [.failed]), ("no_data", [.noData, .doubtful]), ("unchecked", [.unchecked]),
    ("not_tested", [.notTested, .notRequired]),
  ]

  private func requests(_ called: [OperationResult], _ writer: inout OpenMetricsWriter) {
    writer.add(called.map { ($0.operation, $0.outcomes) })
    writer.begin("murphy_throughput", .gauge, "Responses per second over the run.")
    for operation in called { writer.add([("operation", operation.operation)], operation.throughput) }
    writer.begin(
      "murphy_received_bytes", .counter, "Bytes of all bodies as transferred over the network.", unit: "bytes")
    for operation in called { writer.add([("operation", operation.operation)], Double(operation.bytesReceived)) }
  }

  /// Only requests with a response: the latency of the others is an interval, which a summary cannot represent.
  private func latency(_ called: [OperationResult], _ writer: inout OpenMetricsWriter) {
    for (name, help, path) in [
      ("murphy_latency_seconds", "Latency of responses from the scheduled start.", \OperationResult.latency),
      ("murphy_service_seconds", "Service time of responses, from the actual send.", \OperationResult.service),
    ] {
      writer.begin(name, .summary, help, unit: "seconds")
      for operation in called { writer.add([("operation", operation.operation)], operation[keyPath: path]) }
    }
    writer.begin("murphy_phase_seconds", .summary, "Service time of responses by phase.", unit: "seconds")
    for operation in called {
      for (phase, summary) in operation.phases?.all ?? [] {
        writer.add([("operation", operation.operation), ("phase", phase.rawValue)], summary)
      }
    }
  }

  private func generator(_ writer: inout OpenMetricsWriter) {
    writer.begin(
      "murphy_lateness_seconds", .summary, "Delay between the scheduled and the actual send.", unit: "seconds")
    writer.add([], result.generator.lateness)
    writer.begin("murphy_offered", .gauge, "Planned requests per second.")
    writer.add(result.generator.offered)
    writer.begin("murphy_achieved", .gauge, "Sent requests per second.")
    writer.add(result.generator.achieved)
  }
}

/// Writes OpenMetrics text. Every family begins once, and all of its samples follow.
struct OpenMetricsWriter: Sendable {
  enum MetricType: String, Sendable { case gauge, counter, summary, histogram }

  private var lines: [String] = []
  /// The current family, and the suffix of its samples.
  private var (family, ending) = ("", "")

  /// - Parameter name: of the family; it ends with its unit.
  mutating func begin(_ name: String, _ kind: MetricType, _ help: String, unit: String? = nil) {
    (family, ending) = (name, kind == .counter ? "_total" : "")
    lines.append("# TYPE \(name) \(kind.rawValue)")
    if let unit { lines.append("# UNIT \(name) \(unit)") }
    lines.append("# HELP \(name) \(Self.escaped(help))")
  }

  /// A sample of the family.
  ///
  /// - Parameter part: of a summary or a histogram: `_sum`, `_count`, `_bucket`.
  mutating func add(_ labels: [(String, String)], _ value: Double, part: String = "") {
    let pairs = labels.map { "\($0)=\"\(Self.escaped($1))\"" }
    lines.append(
      "\(family)\(part)\(ending)\(pairs.isEmpty ? "" : "{\(pairs.joined(separator: ","))}") \(Self.number(value))")
  }

  mutating func add(_ value: Double, part: String = "") { add([], value, part: part) }

  /// A summary's quantiles, sum and count, in seconds.
  mutating func add(_ labels: [(String, String)], _ summary: LatencySummary) {
    for (quantile, value) in [("0.5", summary.p50), ("0.9", summary.p90), ("0.95", summary.p95), ("0.99", summary.p99)]
    where summary.count > 0 {
      add(labels + [("quantile", quantile)], value.inMicroseconds / 1e6)
    }
    add(labels, summary.mean.inMicroseconds * Double(summary.count) / 1e6, part: "_sum")
    add(labels, Double(summary.count), part: "_count")
  }

  /// The family of requests, by operation and outcome.
  mutating func add(_ requests: [(operation: String, outcomes: Outcomes)]) {
    begin("murphy_requests", .counter, "Number of requests that ended, by operation and outcome.")
    for (operation, outcomes) in requests {
      for (name, path) in Self.outcomes {
        add([("operation", operation), ("outcome", name)], Double(outcomes[keyPath: path]))
      }
    }
  }

  private static let outcomes: [(String, KeyPath<Outcomes, Int> & Sendable)] = [
    ("ok", \.ok), ("limited", \.limited), ("client_error", \.clientError), ("server_error", \.serverError),
    ("transport", \.transport), ("cancelled", \.cancelled),
  ]

  func end() -> String { (lines + ["# EOF", ""]).joined(separator: "\n") }

  /// Whole numbers without a decimal point; NaN and infinity as OpenMetrics writes them.
  private static func number(_ value: Double) -> String {
    if value.isNaN { return "NaN" }
    if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
    return value == value.rounded() && value.magnitude < 1e15 ? String(Int64(saturating: value)) : String(value)
  }

  private static func escaped(_ text: String) -> String {
    text.escaping(["\\": "\\\\", "\"": "\\\"", "\n": "\\n"])
  }
}

/// A running test as OpenMetrics text, for a Prometheus that scrapes it: counters and a histogram only grow.
package struct LiveMetrics: Sendable {
  /// The timeline up to now, and the findings.
  let result: RunResult
  /// The outcomes of requests so far, by operation.
  let operations: [(operation: String, outcomes: Outcomes)]
  let elapsed: Duration
  /// The sum of the latencies of all responses.
  let latencySum: Duration

  package init(
    _ result: RunResult, operations: [(operation: String, outcomes: Outcomes)], elapsed: Duration, latencySum: Duration
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
    writer.begin("murphy_elapsed_seconds", .gauge, "Time since the load began.", unit: "seconds")
    writer.add(elapsed.inSeconds)
    writer.begin("murphy_users", .gauge, "Number of users with a running session.")
    writer.add(Double(result.timeline.last?.users ?? 0))
    writer.begin("murphy_sent", .counter, "Number of sent requests.")
    writer.add(Double(result.timeline.reduce(0) { $0 + $1.sent }))
    writer.add(operations)
    writer.begin("murphy_found", .counter, "Number of occurrences of findings by kind and operation.")
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
    writer.add(latencySum.inSeconds, part: "_sum")
  }
}
