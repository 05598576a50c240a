import Foundation
import MurphyJudge
import MurphyModel
import MurphyReport
import Simulation

/// Comparisons as `murphy compare` finds them, judged by the real judges from made-up latencies.
enum CompareSample {
  /// Live: one operation slower by an eighth, one alike, with new and old findings.
  static let slower = live(slowdown: 1.125)
  static let alike = live(slowdown: 1)
  static let cutShort: CompareResult = {
    var result = CompareResult(
      mode: .live, scenario: "Nothing measured", base: CompareSide(sources: []), candidate: CompareSide(sources: []))
    result.overrule(.invalid, "the comparison was cut short after 0 groups")
    return result
  }()

  static let stored: CompareResult = {
    var result = CompareResult(
      mode: .stored, scenario: "Nightly", base: CompareSide(sources: (1...10).map { "base/\($0)/result.json" }),
      candidate: CompareSide(sources: (1...3).map { "candidate/\($0)/result.json" }))
    let samples = groups(13, slowdown: 1.3)
    result.operations = StoredJudge(ComparePromise()).operationRows(
      base: samples.prefix(10).map(\.base), candidate: samples.suffix(3).map(\.candidate), operations: operations)
    result.limitsChanged = [LimitChange(name: "votes", base: "30 per 60 s", candidate: nil)]
    result.conclude()
    return result
  }()

  /// Every text is an attack.
  static let hostile: CompareResult = {
    var result = slower
    let all = HostileSample.texts.joined(separator: " ")
    result.scenario = all
    result.reasons = HostileSample.texts
    result.base.sources = HostileSample.texts
    result.base.machine = all
    for index in result.operations.indices { result.operations[index].operation = all }
    result.operations[0].rows[0].gap = all
    result.coverageLost = [CoverageItem(kind: all, operation: all, name: all, count: .max)]
    result.limitsChanged = [LimitChange(name: all, base: all, candidate: all)]
    for index in result.findings.new.indices { result.findings.new[index].message = all }
    for index in result.findings.new.indices { result.findings.new[index].reproduction = ShellScript(all) }
    return result
  }()

  static let all: [(String, CompareResult)] = [
    ("slower", slower), ("alike", alike), ("cut-short", cutShort), ("stored", stored), ("hostile", hostile),
  ]

  private static let operations = ["listLaws", "getLaw"]

  private static func live(slowdown: Double) -> CompareResult {
    let groups = groups(20, slowdown: slowdown)
    var result = CompareResult(
      mode: .live, scenario: "Regressions", base: CompareSide(sources: ["murphy serve murphys-laws --port 0"]),
      candidate: CompareSide(sources: ["murphy serve murphys-laws --port 0 --fault slow-5-percent"]))
    var design = CompareDesign(coins: 4, seed: 3, restarts: true, slice: .seconds(2), settling: .milliseconds(200))
    design.groups = groups.indices.map { GroupCoins(seed: 4, group: $0, blocks: 4) }
    design.duration = .milliseconds(431_500)
    let judge = LiveJudge(ComparePromise(), operations: operations)
    design.looks = Look.usual.map { LookRecord($0, judge.decide(Array(groups.prefix($0.groups)), at: $0)) }
    result.design = design
    result.operations = judge.operationRows(groups, at: Look.usual[2])
    let finding = Finding(
      kind: .contractBody, operation: "getLaw", message: "the member \"title\" is missing")
    if slowdown > 1 {
      result.findings = FindingChanges(
        base: groups.map { _ in [] }, candidate: groups.map { _ in [finding] }, isPaired: true)
    }
    result.coverageLost = [CoverageItem(kind: "status", operation: "getLaw", name: "404", count: 12)]
    result.conclude()
    return result
  }

  private static func groups(_ count: Int, slowdown: Double) -> [GroupSample] {
    var random = RandomSource(seed: 9)
    return (0..<count).map { _ in
      let mood = exp(0.02 * random.normal())
      func arm(_ median: Double, _ factor: Double) -> ArmSample {
        var histogram = LatencyHistogram()
        let own = mood * exp(0.01 * random.normal())
        for _ in 0..<600 { histogram.record(Int64(median * own * factor * exp(0.3 * random.normal()))) }
        var sample = ArmSample()
        sample.latencies = histogram.buckets
        sample.succeeded = 600
        (sample.requests, sample.responses, sample.sessions, sample.length) = (600, 600, 600, .milliseconds(7200))
        sample.bytes = 600 * 280
        return sample
      }
      return GroupSample(
        base: ["listLaws": arm(4e6, 1), "getLaw": arm(9e5, 1)],
        candidate: ["listLaws": arm(4e6, slowdown), "getLaw": arm(9e5, 1)])
    }
  }
}
