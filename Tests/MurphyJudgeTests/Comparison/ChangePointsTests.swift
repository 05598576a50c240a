import Foundation
import MurphyJudge
import MurphyModel
import Simulation
import Testing

@Suite struct ChangePointsTests {
  /// Levels of a noisy series, one after the other: how many runs, and their mean.
  static func series(_ levels: [(count: Int, mean: Double)], noise: Double, seed: UInt64) -> [Double] {
    var random = RandomSource(seed: seed, stream: 3)
    return levels.flatMap { level in (0..<level.count).map { _ in level.mean + noise * random.normal() } }
  }

  @Test func `what never changed is rarely marked`() {
    let count = 600
    var marked = 0
    for seed in 0..<UInt64(count) {
      // Every tenth run is slow by itself, as on a busy machine.
      var random = RandomSource(seed: seed, stream: 11)
      let values = Self.series([(30, 0)], noise: 0.03, seed: seed).map { $0 + (random.next() % 10 == 0 ? 0.2 : 0) }
      if !ChangePoints().find(values).isEmpty { marked += 1 }
    }
    print("false marks: \(marked) of \(count)")
    // 1 % are 6; 99.9 % of all simulations lie below 15.
    #expect(marked < 15)
  }

  @Test func `a change is found where it is`() {
    var found = 0
    let count = 200
    for seed in 0..<UInt64(count) {
      let starts = ChangePoints().find(Self.series([(20, 0), (10, 0.1)], noise: 0.03, seed: seed))
      if starts.contains(where: { (19...21).contains($0) }) { found += 1 }
    }
    print("a change by a tenth, found within a run of its place: \(found) of \(count)")
    #expect(found > 190)
  }

  @Test func `several levels are told`() {
    let starts = ChangePoints().find(Self.series([(15, 0), (15, 0.5), (15, 0.2)], noise: 0.02, seed: 5))
    #expect(starts == [15, 30])
  }

  @Test(arguments: [[], [1], [1, 1, 1, 1, 1, 1, 1], [1, 2, 3, 4, 5], [0, 0, 0, 0, 9, 0, 0, 0, 0, 0]] as [[Double]])
  func `too little and one odd run are no change`(values: [Double]) {
    #expect(ChangePoints().find(values).isEmpty)
  }

  @Test func `a small change gets no mark`() {
    let values = Self.series([(20, 0), (20, 0.01)], noise: 0.0005, seed: 2)
    #expect(ChangePoints().find(values) == [20])
    #expect(ChangePoints(smallest: 0.02).find(values).isEmpty)
  }

  @Test func `thousands of runs take little time`() {
    #expect(ChangePoints().find(Self.series([(2000, 0), (1000, 1)], noise: 0.1, seed: 1)) == [2000])
  }
}
