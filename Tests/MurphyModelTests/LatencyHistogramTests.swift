import Foundation
import MurphyModel
import Testing

@Suite struct LatencyHistogramTests {
  /// Value × count of all samples is beyond 64 bits: a trillion of an hour.
  @Test func `a histogram of many long samples is read`() throws {
    var histogram = LatencyHistogram()
    histogram.record(1_000)
    histogram.record(LatencyHistogram.highest, count: 999_999_999_999)
    #expect(histogram.buckets.map(\.count) == [1, 999_999_999_999])
    #expect(abs(histogram.mean / Double(LatencyHistogram.highest) - 1) < 0.001)
    let read = try JSONDecoder().decode(LatencyHistogram.self, from: JSONEncoder().encode(histogram))
    #expect(read.buckets == histogram.buckets)
    let summary = LatencySummary(read)
    #expect(summary.count == 1_000_000_000_000)
    #expect(summary.p50 > .seconds(3590))
  }

  /// The buckets are those that hold the samples, ascending, whatever the values are.
  @Test func `buckets hold all samples`() {
    var random = RandomSource(seed: 7)
    for _ in 0..<200 {
      var histogram = LatencyHistogram()
      var expected: [Int64: UInt64] = [:]
      for _ in 0..<Int.random(in: 1...40, using: &random) {
        let value = Int64.random(in: 0...1 << Int64.random(in: 0...41, using: &random), using: &random)
        histogram.record(value)
        expected[LatencyHistogram.highest(inBucketOf: min(value, LatencyHistogram.highest)), default: 0] += 1
      }
      #expect(histogram.buckets.map(\.value) == expected.keys.sorted())
      #expect(histogram.buckets.allSatisfy { expected[$0.value] == $0.count })
    }
  }

  /// The rank of HdrHistogram, counted in the samples themselves.
  @Test func `percentiles are those of the samples, to a bucket`() {
    var random = RandomSource(seed: 11)
    let percents = [0, 0.001, 1, 33, 50, 75, 90, 95, 99, 99.9, 99.999, 100]
    for _ in 0..<200 {
      var histogram = LatencyHistogram()
      var samples: [Int64] = []
      for _ in 0..<Int.random(in: 1...300, using: &random) {
        let value = Int64.random(in: 0...1 << Int64.random(in: 0...41, using: &random), using: &random)
        histogram.record(value)
        samples.append(value)
      }
      samples.sort()
      for (percent, found) in zip(percents, histogram.percentiles(percents)) {
        let rank = max(1, Int((percent.nextDown * Double(samples.count) / 100).rounded(.up)))
        let bucket = LatencyHistogram.highest(inBucketOf: samples[min(rank, samples.count) - 1])
        #expect(found == (percent == 0 ? histogram.min : min(bucket, samples[samples.count - 1])), "\(percent) %")
        #expect(found == histogram.percentile(percent))
      }
    }
    #expect(LatencyHistogram().percentiles([50, 100]) == [0, 0])
  }

  @Test func `an empty histogram has no buckets`() {
    #expect(LatencyHistogram().buckets.isEmpty)
    #expect(LatencyHistogram().mean == 0)
  }
}
