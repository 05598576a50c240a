import Foundation
import MurphyJudge
import MurphyModel
import Testing

@Suite struct PercentileRuleTests {
  /// An API of whose requests exactly the allowed share is slow shows none of them with probability p^n ≤ 5 %, and
  /// with one request fewer more often.
  @Test func `the least number of samples shows a slow request in nineteen runs of twenty`() {
    for percentile in [50.0, 75, 80, 90, 95, 98, 99, 99.5, 99.9, 99.99] {
      let needed = PercentileRule(percentile: percentile).samplesNeeded
      #expect(pow(percentile / 100, Double(needed)) <= 0.05)
      #expect(pow(percentile / 100, Double(needed - 1)) > 0.05)
    }
    #expect([95.0, 99, 99.9, 100].map { PercentileRule(percentile: $0).samplesNeeded } == [59, 299, 2995, 1])
  }

  @Test func `the allowance is what lies above the rank`() {
    #expect(PercentileRule(percentile: 95).allowance(of: 100) == 5)
    #expect(PercentileRule(percentile: 95).allowance(of: 59) == 2)
    #expect(PercentileRule(percentile: 99.9).allowance(of: 3000) == 3)
    #expect(PercentileRule(percentile: 100).allowance(of: 3000) == 0)
  }

  @Test func `one request more than allowed breaks a percentile`() {
    let rule = PercentileRule(percentile: 95)
    #expect(rule.verdict(samples: 100, over: 5, maybe: 0) == .kept)
    #expect(rule.verdict(samples: 100, over: 5, maybe: 1) == .open)
    #expect(rule.verdict(samples: 100, over: 6, maybe: 0) == .broken)
    #expect(rule.verdict(samples: 0, over: 0, maybe: 0) == .tooFew)
  }

  /// The buckets of the two histograms are the same, so that one may be taken from the other.
  @Test func `buckets of both histograms agree`() {
    var random = RandomSource(seed: 5)
    for _ in 0..<200 {
      let value = Int64(exp(random.unit() * 28))
      var dense = LatencyHistogram()
      var sparse = SparseHistogram()
      dense.record(value)
      sparse.record(value)
      #expect(dense.buckets == sparse.buckets)
      #expect(LatencyHistogram.lowest(inBucketOf: value) <= value)
      #expect(LatencyHistogram.lowest(inBucketOf: LatencyHistogram.lowest(inBucketOf: value) - 1) < value || value == 0)
      #expect(dense.count(within: LatencyHistogram.lowest(inBucketOf: value)...sparse.buckets[0].value) == 1)
    }
  }

  /// Published tables: 0 of 300 is below 0.994 %, 3 of 100 below 7.57 %; at the bound, 5 % are still below.
  @Test func `the upper share is that of tables`() {
    #expect(abs(upperShare(0, of: 300) - 0.00994) < 1e-5)
    #expect(abs(upperShare(3, of: 100) - 0.0757) < 1e-4)
    #expect(abs(1 - binomialTail(atLeast: 4, of: 100, probability: upperShare(3, of: 100)) - 0.05) < 1e-6)
    #expect(upperShare(5, of: 5) == 1)
  }

  @Test func `the binomial tail is that of textbooks`() {
    // Ten fair coins: P(X ≥ 8) = 56/1024.
    #expect(abs(binomialTail(atLeast: 8, of: 10, probability: 0.5) - 56.0 / 1024) < 1e-12)
    #expect(binomialTail(atLeast: 0, of: 10, probability: 0.5) == 1)
    #expect(binomialTail(atLeast: 11, of: 10, probability: 0.5) == 0)
  }
}
