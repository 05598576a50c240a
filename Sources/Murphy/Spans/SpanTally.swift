import MurphyJudge
import MurphyModel

/// The spans of one operation, counted by their name and kind.
struct SpanTally {
  private struct Name: Hashable {
    var name: String
    var kind: SpanKind
  }

  private struct Row {
    let name: Name
    var histogram = LatencyHistogram()
  }

  /// The self times of one trace, by row.
  private struct Sample {
    var duration: Int64
    var parts: [(row: Int, time: Int64)]
  }

  private(set) var traces = 0
  private var rows: [Row] = []
  private var indices: [Name: Int] = [:]
  /// A uniform sample of the traces (Vitter 1985, algorithm R).
  private var samples: [Sample] = []
  private var random = RandomSource(seed: 1)

  /// A target that writes ids into names would otherwise need memory without a bound.
  private static let mostNames = 200
  private static let otherNames = Name(name: "other spans", kind: .unspecified)
  private static let mostSamples = 1_000
  private static let mostShown = 20
  private static let slowest = 0.95

  /// Adds a trace.
  ///
  /// - Parameter parent: the span id of the request, which is the parent of the target's first span.
  mutating func add(_ received: [ReceivedSpan], under parent: UInt64) {
    let spans = SelfTimes.distinct(received)
    traces += 1
    var sample = Sample(
      duration: spans.filter { $0.parent == parent }.map { Int64($0.end - $0.start) }.max() ?? 0, parts: [])
    for (span, time) in zip(spans, SelfTimes.of(spans)) {
      let row = row(Name(name: span.name, kind: span.kind))
      rows[row].histogram.record(time)
      sample.parts.append((row, time))
    }
    if samples.count < Self.mostSamples {
      samples.append(sample)
    } else {
      let place = Int(random.next() % UInt64(traces))
      if place < samples.count { samples[place] = sample }
    }
  }

  private mutating func row(_ name: Name) -> Int {
    if let known = indices[name] { return known }
    if rows.count >= Self.mostNames, name != Self.otherNames { return row(Self.otherNames) }
    indices[name] = rows.count
    rows.append(Row(name: name))
    return rows.count - 1
  }

  func result(_ operation: String, requests: Int) -> OperationSpans {
    let total = max(rows.reduce(0) { $0 + $1.histogram.sum }, 1)
    let slow = slowShares
    let ranked = rows.indices.sorted { rows[$0].histogram.sum > rows[$1].histogram.sum }
    let shown = ranked.prefix(Self.mostShown).map { index in
      let histogram = rows[index].histogram
      let percentiles = histogram.percentiles([50, 95])
      return SpanRow(
        name: rows[index].name.name, kind: rows[index].name.kind,
        perTrace: Double(histogram.count) / Double(max(traces, 1)),
        mean: .measured(Int64(saturating: histogram.sum / Double(max(histogram.count, 1)))),
        p50: .measured(percentiles[0]), p95: .measured(percentiles[1]), share: histogram.sum / total,
        shareOfSlowest: slow[index])
    }
    return OperationSpans(
      operation: operation, requests: requests, traces: traces, spans: shown, omitted: rows.count - shown.count)
  }

  /// By row: the share of the self time in the slowest twentieth of the sampled traces.
  private var slowShares: [Double] {
    let durations = samples.map(\.duration).sorted()
    var times = Array(repeating: 0.0, count: rows.count)
    guard !durations.isEmpty else { return times }
    let bound = durations[min(Int(saturating: Double(durations.count) * Self.slowest), durations.count - 1)]
    for sample in samples where sample.duration >= bound {
      for part in sample.parts { times[part.row] += Double(part.time) }
    }
    let total = max(times.reduce(0, +), 1)
    return times.map { $0 / total }
  }
}

extension SpanSample {
  private static let mostNames = 200

  /// Adds a trace. Names beyond the memory bound count together.
  mutating func add(_ received: [ReceivedSpan]) {
    let spans = SelfTimes.distinct(received)
    traces += 1
    for (span, time) in zip(spans, SelfTimes.of(spans)) {
      var name = Name(name: span.name, kind: span.kind)
      if totals[name] == nil, totals.count >= Self.mostNames { name = Name(name: "other spans", kind: .unspecified) }
      totals[name, default: Total()].count += 1
      totals[name, default: Total()].time += Double(time)
    }
  }
}

/// The time in which a span itself worked: its duration without the time in which one of its children ran.
enum SelfTimes {
  /// The spans without those that were received before: an exporter that got no response sends its spans again.
  static func distinct(_ received: [ReceivedSpan]) -> [ReceivedSpan] {
    var known: Set<UInt64> = []
    return received.filter { known.insert($0.id).inserted }
  }

  /// Nanoseconds, in the order of the spans, which have different ids and belong to one trace.
  static func of(_ spans: [ReceivedSpan]) -> [Int64] {
    var children: [UInt64: [(start: UInt64, end: UInt64)]] = [:]
    for span in spans where span.parent != span.id { children[span.parent, default: []].append((span.start, span.end)) }
    return spans.map { span in
      var covered: UInt64 = 0
      var until = span.start
      // Children may overlap, and a child may end after its parent.
      for child in (children[span.id] ?? []).sorted(by: { $0.start < $1.start }) {
        let start = max(child.start, until)
        let end = min(child.end, span.end)
        guard end > start else { continue }
        covered += end - start
        until = end
      }
      return Int64(span.end - span.start - covered)
    }
  }
}
