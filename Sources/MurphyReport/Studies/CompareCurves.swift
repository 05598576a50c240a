import Foundation
import MurphyJudge
import MurphyModel

/// The whole distribution of latency of base and candidate, a percentile curve each.
struct CompareCurves {
  let result: CompareResult

  /// Further operations are omitted.
  static let curvesShown = 12

  @BlockBuilder var blocks: [Block] {
    let pairs = result.operations.compactMap(Pair.init).sorted { $0.count > $1.count }
    let shown = pairs.prefix(Self.curvesShown)
    if !shown.isEmpty {
      Block.lead(
        "Percentile curves: the percentile on x, its latency on y (logarithmic). Solid: candidate. Dashed: base. Latency is "
          + "measured from the scheduled start.")
      Block.multiples(shown.enumerated().map { $1.chart($0) }, DistributionSection.size)
      Block.cut(pairs.count - shown.count) { "\($0) operations with fewer requests are not shown." }
    }
  }

  private struct Pair {
    var operation: CompareOperation
    var base: LatencyHistogram
    var candidate: LatencyHistogram

    var count: UInt64 { min(base.count, candidate.count) }

    init?(_ operation: CompareOperation) {
      guard let latencies = operation.latencies else { return nil }
      self.operation = operation
      base = CompareLatencies.histogram(latencies.base)
      candidate = CompareLatencies.histogram(latencies.candidate)
      if base.isEmpty || candidate.isEmpty { return nil }
    }

    func chart(_ index: Int) -> Chart {
      let reach = max(log10(Double(max(base.count, candidate.count, 1))), 1)
      let arms = [base, candidate].map { $0.percentiles([50, 99]).map { Figure.latency(Double($0) / 1e3).text } }
      let ends = [base, candidate].flatMap { [Double(max($0.min, 1)) / 1e3, Double(max($0.max, 1)) / 1e3] }
      return Chart(
        id: "arms-\(index)", title: "\(operation.operation), latency of base and candidate",
        description: "Base: p50 \(arms[0][0]), p99 \(arms[0][1]). Candidate: p50 \(arms[1][0]), p99 \(arms[1][1]).",
        x: PercentileCurve.axis(reach), y: .latency(ends, title: ""),
        heading: [
          ChangeChart.short(operation.operation),
          "p50 \(arms[0][0]) → \(arms[1][0]) · p99 \(arms[0][1]) → \(arms[1][1])",
        ],
        marks: [
          Mark.line(PercentileCurve.points(base, reach), style: "service"),
          Mark.line(PercentileCurve.points(candidate, reach), style: "latency"),
        ])
    }
  }
}
