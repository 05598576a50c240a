import Foundation
import MurphyJudge
import MurphyModel
import Testing

/// The causes of a slowdown, with simulated spans of which the change is known.
@Suite struct SpanJudgeTests {
  /// Spans of one operation on a machine whose speed drifts: ten parts, with noise of the machine, of each slice and of
  /// each part.
  private struct World {
    var random: RandomSource
    var groups = 12

    mutating func noise(_ deviation: Double) -> Double {
      // Box and Muller.
      let (first, second) = (max(random.unit(), 1e-12), random.unit())
      return exp(deviation * (-2 * log(first)).squareRoot() * cos(2 * .pi * second))
    }

    /// - Parameters:
    ///   - factor: of the time of part 3 in the candidate.
    ///   - count: the number of its spans.
    mutating func pairs(factor: Double = 1, count: Int = 1) -> [(base: SpanSample, candidate: SpanSample)] {
      (0..<groups).map { _ in
        let machine = noise(0.05)
        let arms = [false, true].map { isCandidate -> SpanSample in
          var sample = SpanSample()
          sample.traces = 1_000
          let slice = machine * noise(0.01)
          for part in 1...10 {
            let isChanged = isCandidate && part == 3
            var total = SpanSample.Total()
            total.count = 1_000 * (isChanged ? count : 1)
            total.time = Double(part) * 1e9 * slice * noise(0.008) * (isChanged ? factor * Double(count) : 1)
            sample.totals[SpanSample.Name(name: "part \(part)", kind: .internal)] = total
          }
          return sample
        }
        return (arms[0], arms[1])
      }
    }
  }

  private static func causes(_ world: inout World, factor: Double, count: Int = 1, isSlower: Bool = true) -> [String] {
    SpanJudge.rows("listLaws", world.pairs(factor: factor, count: count), isSlower: isSlower).filter(\.isCause)
      .map(\.name)
  }

  @Test(arguments: [(1.05, 1), (1.0, 2), (1.3, 1)]) func `the changed span is named, and no other`(
    _ factor: Double, _ count: Int
  ) {
    let trials = 400
    var world = World(random: RandomSource(seed: 17))
    var (found, wrong) = (0, 0)
    for _ in 0..<trials {
      let causes = Self.causes(&world, factor: factor, count: count)
      if causes.contains("part 3") { found += 1 }
      if causes.contains(where: { $0 != "part 3" }) { wrong += 1 }
    }
    #expect(found * 100 >= 95 * trials, "found \(found) of \(trials)")
    // 1 %, and three standard deviations of a count of 4.
    #expect(wrong <= 10, "wrong in \(wrong) of \(trials)")
  }

  @Test func `equal arms have a cause in at most one of a hundred comparisons`() {
    let trials = 1_000
    var world = World(random: RandomSource(seed: 23))
    let wrong = (0..<trials).count { _ in !Self.causes(&world, factor: 1).isEmpty }
    // 1 %, and three standard deviations of a count of 10.
    #expect(wrong <= 20, "wrong in \(wrong) of \(trials)")
    #expect((0..<20).allSatisfy { _ in Self.causes(&world, factor: 2, isSlower: false).isEmpty })
  }

  @Test func `a new span is a cause, and a comparison without spans has none`() throws {
    var world = World(random: RandomSource(seed: 5))
    var pairs = world.pairs()
    for index in pairs.indices {
      var total = SpanSample.Total()
      (total.count, total.time) = (2_000, 5e9)
      pairs[index].candidate.totals[SpanSample.Name(name: "new lookup", kind: .client)] = total
    }
    let row = try #require(SpanJudge.rows("listLaws", pairs, isSlower: true).first)
    #expect(row.name == "new lookup" && row.isCause && row.change == nil)
    #expect(
      row.sentence
        == "the slowdown of listLaws is in the span \"new lookup\": 5 ms instead of 0 µs of self time per request "
        + "(2 instead of 0 spans)")
    #expect(SpanJudge.rows("listLaws", [], isSlower: true).isEmpty)
    #expect(SpanJudge.rows("listLaws", [(SpanSample(), SpanSample())], isSlower: true).isEmpty)
  }
}
