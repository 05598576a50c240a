import Foundation
import MurphyModel
import Testing

@Suite struct PackedNumbersTests {
  private func again(_ packed: PackedNumbers) throws -> PackedNumbers {
    try JSONDecoder().decode(PackedNumbers.self, from: JSONEncoder().encode(packed))
  }

  @Test func `numbers come back`() throws {
    #expect(try again(PackedNumbers([])).numbers == [])
    let edges: [Int64] = [0, -1, 1, 63, 64, -64, -65, 127, 128, .max, .min, .max - 1, .min + 1]
    #expect(try again(PackedNumbers(edges)).numbers == edges)
    #expect(try again(PackedNumbers(edges).deltas).sums.numbers == edges)
    var random = RandomSource(seed: 3)
    for length in 0..<300 {
      let numbers = (0..<length).map { _ in Int64(bitPattern: random.next() >> UInt64(random.unit() * 64)) }
      #expect(try again(PackedNumbers(numbers)).numbers == numbers)
    }
    let whole: [UInt64] = [0, .max, 1 << 63]
    #expect(try again(PackedNumbers(column: whole)).values(as: UInt64.self) == whole)
  }

  @Test(arguments: ["\"A\"", "\"gA==\"", "\"*AAA\"", "\"////////////////AQ==\"", "7", "\"A=AA\""])
  func `what is not packed is rejected`(text: String) {
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(PackedNumbers.self, from: Data(text.utf8)) }
  }

  /// Percentiles, mean, shortest and longest, exactly: what is merged from a file is what was measured.
  @Test func `histograms come back exactly`() throws {
    let encoder = JSONEncoder()
    let decoder = JSONDecoder()
    (encoder.userInfo[.isExact], decoder.userInfo[.isExact]) = (true, true)
    var random = RandomSource(seed: 9)
    for count in [0, 1, 2, 3, 10, 1_000] {
      var histogram = LatencyHistogram()
      var sparse = SparseHistogram()
      for _ in 0..<count {
        let value = Int64(1) << Int64(saturating: random.unit() * 40)
        histogram.record(value + Int64(saturating: random.unit() * 1e6))
        sparse.record(value + Int64(saturating: random.unit() * 1e6))
      }
      let read = try decoder.decode(LatencyHistogram.self, from: encoder.encode(histogram))
      #expect(read.buckets == histogram.buckets && read.sum == histogram.sum)
      #expect(read.min == histogram.min && read.max == histogram.max)
      #expect(read.percentiles([0, 50, 99, 99.9, 100]) == histogram.percentiles([0, 50, 99, 99.9, 100]))
      let other = try decoder.decode(SparseHistogram.self, from: encoder.encode(sparse))
      #expect(
        other.buckets == sparse.buckets && other.sum == sparse.sum && other.min == sparse.min && other.max == sparse.max
      )
    }
  }
}
