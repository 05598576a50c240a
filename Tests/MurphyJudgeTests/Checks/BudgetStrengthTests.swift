import Foundation
import MurphyJudge
import MurphyModel
import Simulation
import Testing

/// The slowdown and the freeze that a kept budget is said to show, planted in a second run (docs/strength.md §3).
@Suite struct BudgetStrengthTests {
  /// Latencies, seconds, of 60 seconds at 40 requests a second; the state of the API drifts with a time of `drift`
  /// seconds, or not.
  static func world(_ random: inout RandomSource, seconds: Int = 60, drift: Double?) -> [[Double]] {
    var state = random.normal()
    return (0..<seconds).map { _ in
      if let drift {
        let keep = exp(-1 / drift)
        state = keep * state + (1 - keep * keep).squareRoot() * random.normal()
      }
      let level = drift == nil ? 0 : 0.25 * state
      return (0..<40).map { _ in 0.05 * exp(0.6 * random.normal() + level) }
    }
  }

  static func record(_ seconds: [[Double]], _ budget: Budget) -> RunRecord {
    var record = RunRecord.sample
    guard case .atMost(let limit) = budget.limit,
      let scale = LatencyLadder.Scale(limits: [limit.nanoseconds])
    else { return record }
    var ladder = LatencyLadder(scale: scale, isService: false)
    var operation = OperationRecord(operation: budget.operation, method: "GET", path: "/laws")
    operation.account = LatencyAccount(bounds: BoundCount.bounds(of: [budget]))
    for (second, latencies) in seconds.enumerated() {
      for latency in latencies {
        let nanoseconds = Int64(latency * 1e9)
        ladder.record(nanoseconds, second: second)
        operation.account.countResponse(latency: nanoseconds, service: nanoseconds)
      }
    }
    operation.ladders = [ladder]
    record.operations = [operation]
    return record
  }

  static func budget(_ limit: Double, percentile: Double = 95) -> Budget {
    Budget(
      operation: "listLaws", metric: .latency(percentile: percentile), limit: .atMost(.saturating(seconds: limit)))
  }

  @Test(arguments: [nil, 3.0])
  func `the slowdown that is said to break the budget breaks a second run of it`(_ drift: Double?) {
    let seed: UInt64 = 10
    var random = RandomSource(seed: seed)
    let long = Self.world(&random, seconds: 3_000, drift: drift).joined().sorted()
    let runs = SimulationSize.count(2_000, least: 60, part: 0.03)
    var (broken, tried, none) = (0, 0, 0)
    var sizes: [Double] = []
    while tried < runs {
      let limit = long[long.count * 95 / 100] * random.uniform(1.15, 2)
      let row = BudgetJudge.judge(
        [Self.budget(limit)], record: Self.record(Self.world(&random, drift: drift), Self.budget(limit)))[0]
      guard row.verdict == .pass, let strength = row.strength else { continue }
      tried += 1
      guard let likely = strength.likely else {
        none += 1
        continue
      }
      #expect(strength.inThisRun.map { $0.share <= likely.share } == true)
      sizes.append(likely.share)
      let byFactor = random.next() & 1 == 0
      let second = Self.world(&random, drift: drift).map {
        $0.map { byFactor ? $0 * (1 + likely.share) : $0 + likely.added.inSeconds }
      }
      if BudgetJudge.judge([Self.budget(limit)], record: Self.record(second, Self.budget(limit)))[0].verdict == .fail {
        broken += 1
      }
    }
    let share = Double(broken) / Double(max(tried - none, 1))
    print(
      "slowdown, seed \(seed), drift \(drift.map { "\($0) s" } ?? "none"): \(broken) of \(tried - none) second runs broken, no size \(none), median \(sizes.sorted()[sizes.count / 2])"
    )
    #expect(share >= 0.93)
  }

  @Test func `the freeze that is said to break the budget breaks it`() {
    let seed: UInt64 = 11
    var random = RandomSource(seed: seed)
    let runs = SimulationSize.count(2_000, least: 60, part: 0.03)
    var (broken, halves, tried) = (0, 0, 0)
    while tried < runs {
      let limit = random.uniform(0.2, 0.8)
      let budget = Self.budget(limit, percentile: random.next() & 1 == 0 ? 95 : 99)
      let base = Self.world(&random, seconds: 30, drift: nil)
      let row = BudgetJudge.judge([budget], record: Self.record(base, budget))[0]
      guard row.verdict == .pass, let stall = row.strength?.stall?.inSeconds, stall < 29 else { continue }
      tried += 1
      for factor in [1, 0.5] {
        let length = stall * factor
        let from = random.uniform(0, 30 - length)
        // Requests are spread evenly over their second, as a load has them.
        let frozen = Self.world(&random, seconds: 30, drift: nil).enumerated().map { second, latencies in
          latencies.enumerated().map { index, latency in
            let sent = Double(second) + (Double(index) + random.unit()) / Double(latencies.count)
            return sent >= from && sent <= from + length ? max(latency, from + length - sent) : latency
          }
        }
        guard BudgetJudge.judge([budget], record: Self.record(frozen, budget))[0].verdict == .fail else { continue }
        if factor == 1 { broken += 1 } else { halves += 1 }
      }
    }
    print("freeze, seed \(seed): \(broken) of \(tried) budgets broken, by half of it \(halves)")
    #expect(Double(broken) >= 0.9 * Double(tried))
    #expect(Double(halves) <= 0.3 * Double(tried))
  }

  @Test func `a slowdown of the run itself is counted request by request`() throws {
    // 94 of 100 take 100 ms and 6 take 10 ms less than the limit of p95 ≤ 200 ms.
    let seconds = (0..<10).map { _ in Array(repeating: 0.1, count: 94) + Array(repeating: 0.19, count: 6) }
    let row = BudgetJudge.judge([Self.budget(0.2)], record: Self.record(seconds, Self.budget(0.2)))[0]
    let found = try #require(row.strength?.inThisRun)
    #expect(found.share >= 0.2 / 0.19 - 1 && found.share < 0.2 / 0.19 - 1 + 0.06)
    #expect(found.added >= .milliseconds(10) && found.added < .milliseconds(20))
  }
}
