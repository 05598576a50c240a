import Foundation
import MurphyJudge
import MurphyModel
import Simulation
import Testing

@Suite struct LiveJudgeTests {
  /// Eight groups whose candidate takes longer by the group's factor.
  static func groups(_ factors: [Double], requests: Int = 400, errors: Int = 0) -> [GroupSample] {
    factors.map { factor in
      func arm(_ factor: Double, _ errors: Int) -> ArmSample {
        var sample = ArmSample()
        sample.latencies = (0..<requests).map {
          LatencyHistogram.Bucket(value: Int64((1e6 + Double($0) * 1e4) * factor), count: 1)
        }
        (sample.requests, sample.responses, sample.errors) = (requests, requests - errors, errors)
        sample.succeeded = requests - errors
        return sample
      }
      return GroupSample(base: ["list": arm(1, 0)], candidate: ["list": arm(factor, errors)])
    }
  }

  static let judge = LiveJudge(ComparePromise(), operations: ["list"])
  static let around5 = [1.05, 1.06, 1.04, 1.055, 1.045, 1.05, 1.052, 1.048]
  static let around0 = [1.001, 0.998, 1.002, 0.999, 1.0, 1.001, 0.997, 1.001]

  @Test func `eight groups that agree fail with the size of the slowdown`() throws {
    let groups = Self.groups(Self.around5)
    let row = try #require(Self.judge.operationRows(groups, at: Look.due(at: 8))[0][.p50])
    #expect(row.verdict == .fail)
    #expect(abs(try #require(row.change) - 0.05) < 0.001)
    #expect(try #require(row.low) < 0.05 && #require(row.high) > 0.05)
    #expect(row.pValue == 1.0 / 256)
  }

  @Test func `margins that are kept pass`() {
    let decision = Self.judge.decide(Self.groups(Self.around0), at: Look.usual[0])
    #expect(decision.verdict == .pass)
    #expect(decision.rows.count == 3)
  }

  /// Real, and below what is worth a red build.
  @Test func `a slowdown below the floor does not fail`() {
    let slightly = Self.around5.map { 1 + ($0 - 1) / 5 }
    #expect(Self.judge.decide(Self.groups(slightly), at: Look.usual[0]).verdict == .pass)
  }

  @Test func `noise as large as the margin is no data`() throws {
    let noisy = [1.09, 0.95, 1.08, 0.93, 1.07, 0.94, 1.1, 0.96]
    let groups = Self.groups(noisy)
    #expect(Self.judge.decide(groups, at: Look.usual[0]).verdict == .noData)
    let row = try #require(Self.judge.operationRows(groups, at: Look.usual[0])[0][.p50])
    #expect(try #require(row.smallestEffect) > 0.05, "the row says that it could not have seen the margin")
  }

  @Test func `too few requests for a percentile are a gap and no pass`() throws {
    let groups = Self.groups(Self.around0, requests: 100)
    #expect(Self.judge.decide(groups, at: Look.usual[0]).verdict == .noData)
    let row = try #require(Self.judge.operationRows(groups, at: Look.usual[0])[0][.p99])
    #expect(row.gap == "group 1 has only 100 requests on one side, but 200 are needed")
    let median = LiveJudge(ComparePromise(metrics: [.p50, .errors]), operations: ["list"])
    #expect(median.decide(groups, at: Look.usual[0]).verdict == .pass)
  }

  /// Without an error in 240 requests 1.2 % of errors are still possible.
  @Test func `no errors in few requests keep no margin`() throws {
    let groups = Self.groups(Self.around0, requests: 30)
    let judge = LiveJudge(ComparePromise(metrics: [.errors]), operations: ["list"])
    #expect(judge.decide(groups, at: Look.usual[0]).verdict == .noData)
  }

  @Test func `more errors fail`() {
    let groups = Self.groups(Self.around0, errors: 8)
    let decision = Self.judge.decide(groups, at: Look.usual[0])
    #expect(decision.verdict == .fail)
    #expect(decision.rows.first { $0.key.metric == .errors }?.value == .fail)
    #expect(decision.rows.first { $0.key.metric == .p50 }?.value == .pass)
  }

  /// Over all 4,096 ways in which the coins could have fallen, whatever the differences are, the first two looks
  /// together raise an alarm in 0.7 % at most.
  @Test func `two looks keep their level over all flips`() {
    for seed in 0..<3 as Range<UInt64> {
      var random = RandomSource(seed: seed)
      let factors = (0..<12).map { _ in exp(0.05 * random.normal() + 0.02 * random.normal()) }
      let judge = LiveJudge(ComparePromise(metrics: [.p50]), operations: ["list"])
      let whole = Self.groups(factors, requests: 20)
      let looks = Look.usual.prefix(2)
      let alarms = (0..<4096).count { flips in
        let groups = whole.enumerated().map { number, group in
          flips >> number & 1 == 0 ? group : GroupSample(base: group.candidate, candidate: group.base)
        }
        return looks.contains { judge.decide(Array(groups.prefix($0.groups)), at: $0).verdict == .fail }
      }
      print("two looks: \(alarms) of 4096 flips raise an alarm")
      #expect(Double(alarms) <= 0.007 * 4096, "seed \(seed)")
      #expect(alarms > 10, "a test that never alarms keeps any level")
    }
  }

  @Test func `seven groups decide nothing`() {
    #expect(Look.last(at: 7) == nil)
    #expect(Look.usual.allSatisfy { $0.alarm <= 0.01 })
    #expect(Look.usual.reduce(0) { $0 + $1.pass } <= 0.05 + 1e-12)
    let rows = Self.judge.operationRows(Self.groups([1.1, 1.1, 1.1]), at: nil)
    #expect(rows[0].rows.allSatisfy { $0.verdict != .fail && $0.verdict != .pass })
  }

  /// Anyone can draw the coins again.
  @Test func `the coins come from their seed`() {
    let coins = (0..<200).map { GroupCoins(seed: 5, group: $0, blocks: 4) }
    #expect(coins == (0..<200).map { GroupCoins(seed: 5, group: $0, blocks: 4) })
    let firsts = coins.count { $0.blocks[0] == .base }
    #expect(70...130 ~= firsts)
    for group in coins { #expect(group.blocks[0] != group.blocks[1] && group.blocks[2] != group.blocks[3]) }
  }
}
