import Foundation
import MurphyJudge
import MurphyModel
import Testing

@Suite struct TrendTests {
  /// So many runs on successive days, the later ones slower.
  static func runs(_ count: Int, slowerFrom: Int, by factor: Double = 1.5) -> [StoredComparison.Run] {
    let base = StoredComparisonTests.runs("b", count: count)
    let slow = StoredComparisonTests.runs("c", slower: factor, count: count)
    return (0..<count).map { index in
      var run = index < slowerFrom ? base[index] : slow[index]
      run.result.run.started = "2026-11-\(index < 9 ? "0" : "")\(index + 1)T08:00:00Z"
      return run
    }
  }

  @Test func `runs are ordered by time and the change is found`() throws {
    let runs = Self.runs(16, slowerFrom: 10)
    let trend = Trend.of(runs.reversed())
    let scenario = try #require(trend.scenarios.first)
    #expect(scenario.runs.map(\.started) == scenario.runs.map(\.started).sorted())
    let series = try #require(scenario.operations.first?[.p50])
    #expect(series.values.count == 16)
    #expect(series.changes.map(\.run) == [10])
    let change = try #require(series.changes.first)
    #expect(abs(change.change - 0.5) < 0.05, "\(change)")
    #expect(change.after > change.before)
  }

  @Test func `an invalid run is drawn and makes no change`() throws {
    var runs = Self.runs(16, slowerFrom: 16)
    let slow = Self.runs(16, slowerFrom: 0, by: 30)
    for index in 12..<16 {
      runs[index].result.operations = slow[index].result.operations
      runs[index].result.verdict = .invalid
    }
    let scenario = try #require(Trend.of(runs).scenarios.first)
    let series = try #require(scenario.operations.first?[.p50])
    #expect(series.changes.isEmpty)
    #expect(series.values[13] != nil)
    #expect(scenario.runs.map(\.isSound) == Array(repeating: true, count: 12) + Array(repeating: false, count: 4))
  }

  @Test func `scenarios are parts of their own`() {
    var runs = Self.runs(4, slowerFrom: 4)
    runs[1].result.run.scenario = "other"
    #expect(Trend.of(runs).scenarios.map(\.runs.count) == [3, 1])
    #expect(Trend.of([]).scenarios.isEmpty)
  }

  @Test func `an operation that a run did not call is a gap`() throws {
    var runs = Self.runs(5, slowerFrom: 5)
    runs[2].result.operations = []
    let series = try #require(Trend.of(runs).scenarios.first?.operations.first?[.p50])
    #expect(series.values.map { $0 == nil } == [false, false, true, false, false])
  }
}
