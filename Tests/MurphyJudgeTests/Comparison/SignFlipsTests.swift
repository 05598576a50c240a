import Foundation
import MurphyJudge
import MurphyModel
import Simulation
import Testing

/// The expected numbers are those of an enumeration of all 1,024 patterns of signs with numpy.
@Suite struct SignFlipsTests {
  static let differences = [0.031, -0.012, 0.044, 0.027, 0.008, -0.003, 0.052, 0.019, 0.033, -0.021]
  static let small = [0.002, -0.004, 0.003, 0.001, -0.002, 0.005, -0.001, 0.002, 0, -0.003]

  /// At a first look.
  private static func corrected(_ metrics: [[Double]]) -> [Double] {
    var looks = FlipLooks()
    return looks.pValues(metrics)
  }

  @Test func `every pattern of signs is counted`() {
    let values = Self.differences
    #expect(PermutationTest.pValue(values) * 1024 == 27)
    #expect(PermutationTest.pValue(values.map { -$0 }) * 1024 == 999)
    #expect(PermutationTest.pValue(values.map { log(1.05) - $0 }) * 1024 == 2)
  }

  @Test func `the interval is what the test does not refute`() throws {
    let interval = try #require(PermutationTest.interval(Self.differences, alpha: 0.05))
    #expect(abs(interval.lowerBound - 0.0036666667) < 1e-9)
    #expect(abs(interval.upperBound - 0.032) < 1e-9)
    for seed in 0..<200 as Range<UInt64> {
      var random = RandomSource(seed: seed)
      let values = (0..<9).map { _ in 0.01 + 0.02 * random.normal() }
      let interval = try #require(PermutationTest.interval(values, alpha: 0.05))
      for (shift, sign) in [(interval.lowerBound, 1.0), (interval.upperBound, -1.0)] {
        let inside = values.map { sign * ($0 - shift) - 1e-7 }
        let outside = values.map { sign * ($0 - shift) + 1e-7 }
        #expect(PermutationTest.pValue(inside) > 0.05, "seed \(seed)")
        #expect(PermutationTest.pValue(outside) <= 0.05, "seed \(seed)")
      }
    }
  }

  @Test func `the largest metric of each flip corrects for all`() {
    let second = Self.differences.reversed().map { $0 * 0.5 + 0.01 }
    let corrected = Self.corrected([Self.differences, second, Self.small]).map { $0 * 1024 }
    #expect(corrected == [75, 3, 711])
    #expect(Self.corrected([Self.differences])[0] == PermutationTest.pValue(Self.differences))
  }

  @Test func `a metric that never differs is never slower`() {
    let zeros = [Double](repeating: 0, count: 10)
    #expect(PermutationTest.pValue(zeros) == 1)
    #expect(Self.corrected([zeros, Self.differences]) == [1, 27.0 / 1024])
  }

  @Test func `eight groups that all agree are one in 256`() {
    #expect(PermutationTest.pValue([Double](repeating: 0.01, count: 8)) == 1.0 / 256)
    #expect(PermutationTest.interval([0.01, 0.02, 0.03], alpha: 0.05) == nil, "eight patterns refute nothing at 5 %")
  }
}
