import MurphyModel

/// The spans of one operation in one group of a comparison.
package struct SpanSample: Sendable, Hashable {
  /// A span name with its kind.
  package struct Name: Sendable, Hashable {
    package var name: String
    package var kind: SpanKind

    package init(name: String, kind: SpanKind) { (self.name, self.kind) = (name, kind) }
  }

  /// All spans of one name.
  package struct Total: Sendable, Hashable {
    package var count = 0
    /// The sum of their self times, in nanoseconds.
    package var time = 0.0

    package init() {}
  }

  /// The number of traces.
  package var traces = 0
  package var totals: [Name: Total] = [:]

  package init() {}

  /// Spans in each trace, and self time in each trace in nanoseconds.
  fileprivate func level(_ name: Name) -> (count: Double, time: Double) {
    let total = totals[name] ?? Total()
    return (Double(total.count) / Double(max(traces, 1)), total.time / Double(max(traces, 1)))
  }
}

/// One span name in both arms of a comparison.
package struct ComparedSpan: Sendable, Codable, Hashable {
  /// One arm.
  package struct Level: Sendable, Codable, Hashable {
    /// Spans in each trace, on average.
    package var perTrace: Double
    /// The self time of all of them in a trace, on average.
    @InMicroseconds package var time: Duration
  }

  /// The operationId.
  package var operation: String
  /// The name as the target wrote it.
  package var name: String
  package var kind: SpanKind
  package var base: Level
  package var candidate: Level
  /// The probability that any span of the operation differs that much in two copies of one program.
  package var pValue: Double
  /// True if the span explains a part of a slowdown that the comparison detected.
  package var isCause: Bool
}

extension ComparedSpan {
  /// The change of the time in a trace, relative to the base; nil for a span that only the candidate has.
  package var change: Double? {
    base.time > .zero ? candidate.time.inMicroseconds / base.time.inMicroseconds - 1 : nil
  }

  /// A cause in words, without a full stop.
  package var sentence: String {
    let times = "\(Figure.latency(candidate.time).text) instead of \(Figure.latency(base.time).text)"
    let counts =
      abs(candidate.perTrace - base.perTrace) < 0.05 * max(base.perTrace, candidate.perTrace)
      ? "" : " (\(Figure.digits(candidate.perTrace)) instead of \(Figure.digits(base.perTrace)) spans)"
    return "the slowdown of \(operation) is in the span \"\(name)\": \(times) of self time per request\(counts)"
  }
}

/// Finds the spans that explain why an operation of the candidate is slower: a pure function of the groups.
///
/// The test is the flip test of the latencies, on the self time and on the number of spans in a trace. The largest
/// statistic over all spans of the operation corrects for their number. So if no span of a slower operation changed,
/// the probability that any span is named is at most 1 %. An operation that is not slower has no cause.
package enum SpanJudge {
  private static let level = 0.01
  /// The minimum share of the whole increase that a cause has.
  private static let fewest = 0.1
  /// Further names have the least time.
  private static let mostTested = 50

  /// - Parameters:
  ///   - groups: the same groups of both arms.
  ///   - isSlower: true if the comparison detected a slowdown of the operation.
  /// - Returns: the causes first, then the spans with the largest change.
  package static func rows(
    _ operation: String, _ groups: [(base: SpanSample, candidate: SpanSample)], isSlower: Bool
  ) -> [ComparedSpan] {
    let groups = groups.filter { $0.base.traces > 0 && $0.candidate.traces > 0 }.suffix(PermutationTest.mostGroups)
    guard !groups.isEmpty else { return [] }
    var sums: [SpanSample.Name: Double] = [:]
    for group in groups {
      for (name, total) in group.base.totals { sums[name, default: 0] += total.time }
      for (name, total) in group.candidate.totals { sums[name, default: 0] += total.time }
    }
    let names = sums.sorted { ($0.value, $0.key.name) > ($1.value, $1.key.name) }.prefix(mostTested).map(\.key)
    let pairs = names.map { name in groups.map { ($0.base.level(name), $0.candidate.level(name)) } }
    let times = pairs.map { $0.map { difference($0.0.time, $0.1.time) } }
    let counts = pairs.map { $0.map { difference($0.0.count, $0.1.count) } }
    var looks = FlipLooks()
    let pValues = looks.pValues(times + counts)
    let increases = pairs.map { $0.reduce(0) { $0 + $1.1.time - $1.0.time } }
    let whole = increases.reduce(0) { $0 + max($1, 0) }
    let rows = names.indices.map { index in
      let pValue = min(pValues[index], pValues[names.count + index])
      return ComparedSpan(
        operation: operation, name: names[index].name, kind: names[index].kind, base: level(pairs[index].map(\.0)),
        candidate: level(pairs[index].map(\.1)), pValue: pValue,
        isCause: isSlower && pValue <= level && increases[index] >= fewest * whole)
    }
    return rows.enumerated().sorted { left, right in
      if left.element.isCause != right.element.isCause { return left.element.isCause }
      return increases[left.offset] > increases[right.offset]
    }.map(\.element)
  }

  /// Between −2 and 2; its sign changes if the arms are exchanged.
  private static func difference(_ base: Double, _ candidate: Double) -> Double {
    base + candidate > 0 ? 2 * (candidate - base) / (candidate + base) : 0
  }

  private static func level(_ groups: [(count: Double, time: Double)]) -> ComparedSpan.Level {
    ComparedSpan.Level(
      perTrace: groups.map(\.count).mean, time: .measured(Int64(saturating: groups.map(\.time).mean)))
  }
}
