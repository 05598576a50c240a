import MurphyModel
import MurphyReport
import Testing

@Suite("Percentile curve")
struct PercentileCurveTests {
  @Test func `the curve never falls, ends at the slowest request, and is short however many buckets there are`() throws
  {
    let seed: UInt64 = 11
    var random = RandomSource(seed: seed)
    for _ in 0..<50 {
      var histogram = LatencyHistogram()
      for _ in 0..<Int(1 + random.unit() * 5_000) { histogram.record(Int64(1e5 / (random.unit() + 1e-4))) }
      let points = PercentileCurve.points(histogram, 4).compactMap { $0 }
      #expect(points.map(\.x) == points.map(\.x).sorted(), "seed \(seed)")
      #expect(points.map(\.y) == points.map(\.y).sorted(), "seed \(seed)")
      #expect(try #require(points.last).y == Double(histogram.max) / 1e3, "seed \(seed)")
      #expect(points.count <= 242, "seed \(seed)")
    }
  }

  @Test func `half of the requests lie below the point at 50%`() throws {
    var histogram = LatencyHistogram()
    for index in 1...1000 { histogram.record(Int64(index) * 1_000_000) }
    let half = PercentileCurve.points(histogram, 3).compactMap { $0 }.last { $0.x <= 0.30103 }
    #expect(abs(try #require(half).y - 500_000) < 12_000)
  }
}
