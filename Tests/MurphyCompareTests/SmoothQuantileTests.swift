import Foundation
import MurphyCompare
import MurphyModel
import Simulation
import Testing

/// Against numpy: `np.log(np.quantile(x, q + w, method='inverted_cdf')).mean()`.
@Suite struct SmoothQuantileTests {
  @Test func agreesWithNumpy() throws {
    let values = (1...2000).map { Int64(1000 + ($0 * $0 * 7919) % 100_003) }.sorted()
    let buckets = values.map { LatencyHistogram.Bucket(value: $0, count: 1) }
    let expected = [0.5: 10.855962160527676, 0.95: 11.475746193412286, 0.99: 11.515410724072373]
    for (quantile, value) in expected {
      let found = try #require(SmoothQuantile.log(quantile, of: buckets))
      #expect(abs(found - value) < 1e-12, "\(quantile): \(found)")
    }
  }

  @Test func mergingHistogramsIsTheSameAsMergingSamples() {
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

  @Test func anArmThatIsSlowerByAShareDiffersByItsLogarithm() throws {
    let base = LatencyWorld(groups: 1, blocks: 2, requests: 500, slice: 1).sample(seed: 3)[0].base
    func level(_ factor: Double) throws -> Double {
      let buckets = base.map { LatencyHistogram.Bucket(value: Int64(Double($0) * factor), count: 1) }
      return try #require(SmoothQuantile.log(0.99, of: buckets))
    }
    #expect(abs(try level(1.05) - level(1) - log(1.05)) < 1e-6)
  }

  @Test func withoutSamplesThereIsNoQuantile() {
    #expect(SmoothQuantile.log(0.5, of: []) == nil)
  }
}
