import Foundation
import MurphyJudge
import MurphyModel
import Simulation
import Testing

/// How often whole comparisons are right, on a machine with drift, neighbours, pauses and processes that differ.
///
/// `MURPHY_SIMULATIONS=full` runs the published numbers of trials.
@Suite struct LiveSimulationTests {
  /// 12 groups of 16 slices of 125 requests: 24,000 requests per arm.
  static let short = LatencyWorld(groups: 12, blocks: 16, requests: 125, slice: 0.25)

  /// Runs trials on all processors.
  static func trials(_ count: Int, seed: UInt64, _ trial: @escaping @Sendable (UInt64) -> Verdict) async -> [Verdict] {
    await withTaskGroup(of: Verdict.self, returning: [Verdict].self) { group in
      for number in 0..<count { group.addTask { trial(seed * 1_000_000 + UInt64(number)) } }
      return await group.reduce(into: []) { $0.append($1) }
    }
  }

  static func rate(_ verdicts: [Verdict], _ verdict: Verdict, _ what: String) -> Double {
    let share = Double(verdicts.count { $0 == verdict }) / Double(verdicts.count)
    print("\(what): \(String(format: "%.2f", share * 100)) % \(verdict.word) of \(verdicts.count) comparisons")
    return share
  }

  /// Three operations with three metrics each and all three looks.
  @Test(.timeLimit(.minutes(20))) func `two copies of one program rarely fail`() async {
    let judge = LiveJudge(ComparePromise(), operations: ["list", "get", "vote"])
    let world = LatencyWorld(groups: 20, blocks: 16, requests: 42, slice: 0.25)
    let verdicts = await Self.trials(SimulationSize.count(1200, least: 40), seed: 21) { seed in
      let groups = judge.operations.enumerated().map { index, name in
        world.groups(name, seed: seed * 3 + UInt64(index), errors: (0.01, 0.01))
      }
      return judge.compare(joined(groups)).verdict
    }
    #expect(Self.rate(verdicts, .fail, "A/A") * Double(verdicts.count) <= max(Double(verdicts.count) / 100, 1))
  }

  /// Without restarts one process is compared with one other.
  @Test(.timeLimit(.minutes(20))) func `without restarts two copies rarely fail either`() async {
    let judge = LiveJudge(ComparePromise(restarts: false), operations: ["list"])
    var world = Self.short
    world.keepsInstances = true
    let chosen = world
    let verdicts = await Self.trials(SimulationSize.count(1000, least: 40), seed: 22) { seed in
      judge.compare(chosen.groups("list", seed: seed)).verdict
    }
    #expect(
      Self.rate(verdicts, .fail, "A/A without restarts") * Double(verdicts.count)
        <= max(Double(verdicts.count) / 100, 1))
  }

  @Test(.timeLimit(.minutes(20))) func `five percent at the median are found in 24000 requests per arm`() async {
    let judge = LiveJudge(ComparePromise(), operations: ["list"])
    let verdicts = await Self.trials(SimulationSize.count(400, least: 20), seed: 23) { seed in
      let decision = judge.compare(Self.short.groups("list", seed: seed, .all(0.05))).decision
      let isNamed = decision?.rows.contains { $0.key.metric == .p50 && $0.value == .fail } ?? false
      return isNamed ? .fail : .noData
    }
    #expect(Self.rate(verdicts, .fail, "p50 +5 %, 24k requests per arm") >= 0.95)
  }

  /// In nine minutes: what comes every few seconds, as pauses do, needs time and not only requests.
  @Test(.timeLimit(.minutes(20))) func `ten percent at the 99 th percentile are found in 100000 requests per arm`()
    async
  {
    let judge = LiveJudge(ComparePromise(), operations: ["list"])
    let world = LatencyWorld(groups: 20, blocks: 26, requests: 192, slice: 0.5)
    let verdicts = await Self.trials(SimulationSize.count(1000, least: 40), seed: 24) { seed in
      let decision = judge.compare(world.groups("list", seed: seed, .tail(0.10))).decision
      let isNamed = decision?.rows.contains { $0.key.metric == .p99 && $0.value == .fail } ?? false
      return isNamed ? .fail : .noData
    }
    // Of 1,000 comparisons 95 % and more; few have a sampling error of their own.
    let least = verdicts.count < 200 ? 0.85 : 0.95
    #expect(Self.rate(verdicts, .fail, "p99 +10 %, 100k requests per arm") >= least)
  }

  @Test(.timeLimit(.minutes(20))) func `a slowdown of twice the margin never passes`() async {
    let judge = LiveJudge(ComparePromise(), operations: ["list"])
    let verdicts = await Self.trials(SimulationSize.count(200, least: 20), seed: 25) { seed in
      judge.compare(Self.short.groups("list", seed: seed, .all(0.10))).verdict
    }
    #expect(!verdicts.contains(.pass))
  }

  /// The interval of all groups, whether or not an earlier look decided.
  @Test(.timeLimit(.minutes(20))) func `the interval holds the truth`() async {
    let judge = LiveJudge(ComparePromise(), operations: ["list"])
    let verdicts = await Self.trials(SimulationSize.count(400, least: 40), seed: 26) { seed in
      let groups = Self.short.groups("list", seed: seed, .all(0.05))
      let row = judge.operationRows(groups, at: Look.last(at: groups.count))[0][.p50]
      guard let low = row?.low, let high = row?.high else { return .noData }
      return low <= 0.05 && 0.05 <= high ? .pass : .fail
    }
    let least = verdicts.count < 200 ? 0.8 : 0.9
    #expect(Self.rate(verdicts, .pass, "the 90 % interval holds +5 %") >= least)
  }
}
