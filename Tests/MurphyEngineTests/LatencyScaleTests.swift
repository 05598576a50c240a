import MurphyEngine
import MurphyModel
import Testing

@Suite struct LatencyScaleTests {
  @Test(arguments: 0..<20) func `a bucket holds its latency to 3.2 %, and buckets ascend`(_ seed: UInt64) {
    var random = RandomSource(seed: seed)
    var last = 0
    for exponent in 10..<41 {
      let latency = Int64.random(in: 1 << exponent..<1 << (exponent + 1), using: &random)
      let bucket = LatencyScale.bucket(of: latency)
      let highest = LatencyScale.highest(in: bucket)
      #expect(highest >= latency && Double(highest) <= Double(latency) * 1.032, "seed \(seed), \(latency) ns")
      #expect(bucket >= last)
      last = bucket
    }
  }

  @Test func `percentiles of a second come from its own responses`() {
    var second = SecondTally()
    #expect(second.percentile(0.5) == nil)
    for milliseconds in 1...100 { second.record(latency: Int64(milliseconds) * 1_000_000) }
    let median = second.percentile(0.5) ?? .zero
    #expect(median >= .milliseconds(50) && median < .microseconds(51_700))
    #expect(second.point(second: 3).max == .milliseconds(100))
    let counts = second.point(second: 3).buckets.enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
    #expect(counts.reduce(0, +) == 100)
  }
}
