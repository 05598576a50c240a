import Foundation
import MurphyJudge
import MurphyModel
import Simulation
import Testing

/// Against numpy: `np.log(np.quantile(x, q + w, method='inverted_cdf')).mean()`.
@Suite struct SmoothQuantileTests {
  @Test func `agrees with numpy`() throws {
    let values = (1...2000).map { Int64(1000 + ($0 * $0 * 7919) % 100_003) }.sorted()
    let buckets = values.map { LatencyHistogram.Bucket(value: $0, count: 1) }
    let expected = [0.5: 10.855962160527676, 0.95: 11.475746193412286, 0.99: 11.515410724072373]
    for (quantile, value) in expected {
      let found = try #require(SmoothQuantile.log(quantile, of: buckets))
      #expect(abs(found - value) < 1e-12, "\(quantile): \(found)")
    }
  }

  @Test func `merging histograms is the same as merging samples`() {
    for seed in 0..<50 as Range<UInt64> {
      var random = RandomSource(seed: seed)
      var (whole, parts) = (LatencyHistogram(), [LatencyHistogram(), LatencyHistogram(), LatencyHistogram()])
      for _ in 0..<500 {
        let latency = Int64(random.logUniform(1e4, 1e9))
        whole.record(latency)
        parts[Int(random.next() % 3)].record(latency)
      }
      let merged = SmoothQuantile.merged(parts.map(\.buckets))
      for quantile in [0.5, 0.95, 0.99] {
        #expect(
          SmoothQuantile.log(quantile, of: merged) == SmoothQuantile.log(quantile, of: whole.buckets), "seed \(seed)")
      }
    }
  }

  @Test func `an arm that is slower by a share differs by its logarithm`() throws {
    let base = LatencyWorld(groups: 1, blocks: 2, requests: 500, slice: 1).sample(seed: 3)[0].base
    func level(_ factor: Double) throws -> Double {
      let buckets = base.map { LatencyHistogram.Bucket(value: Int64(Double($0) * factor), count: 1) }
      return try #require(SmoothQuantile.log(0.99, of: buckets))
    }
    #expect(abs(try level(1.05) - level(1) - log(1.05)) < 1e-6)
  }

  @Test func `without samples there is no quantile`() {
    #expect(SmoothQuantile.log(0.5, of: []) == nil)
  }
}

/// Against scipy.stats.t.
@Suite struct StudentTTests {
  struct Row: Sendable {
    var freedom: Int
    var quantiles: [Double]
    var below: Double
  }

  static let rows = [
    Row(freedom: 1, quantiles: [6.313751514675037, 31.820515953773935, 79.57328271164434], below: 0.7912855998398473),
    Row(
      freedom: 2, quantiles: [2.9199855803537242, 6.9645567342832715, 11.113145730715873], below: 0.8383764840919798),
    Row(freedom: 7, quantiles: [1.8945786050900062, 2.9979515668685277, 3.666613164195424], below: 0.8826160823038114),
    Row(freedom: 29, quantiles: [1.6991270265334972, 2.4620213601504126, 2.848269923153056], below: 0.898080408168985),
  ]

  @Test(arguments: rows) func `agrees with scipy`(row: Row) {
    let student = StudentT(freedom: row.freedom)
    for (share, expected) in zip([0.95, 0.99, 0.996], row.quantiles) {
      #expect(abs(student.quantile(share) / expected - 1) < 1e-9)
      #expect(abs(student.quantile(1 - share) / -expected - 1) < 1e-9)
    }
    #expect(abs(student.probability(below: 1.3) - row.below) < 1e-12)
    #expect(abs(student.probability(below: -1.3) - (1 - row.below)) < 1e-12)
  }
}
