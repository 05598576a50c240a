import MurphyJudge
import MurphyModel
import Simulation
import Testing

/// Limiters with the headers of every family: no honest one is accused, and each lie is found.
@Suite struct HeaderSimulationTests {
  /// 10,000 honest logs in all.
  private static let logs = 10_000 / HeaderWorld.Family.allCases.count

  private static func findings(_ world: HeaderWorld, _ random: inout RandomSource) -> [Finding] {
    LimitJudge.judge(
      log: world.log(&random), policies: [world.policy], options: LimitJudgeOptions(startsQuiet: true)
    ).findings.filter { $0.severity != .note }
  }

  @Test(arguments: HeaderWorld.Family.allCases)
  func `no honest server is accused, and a late one has only warnings`(_ family: HeaderWorld.Family) {
    var random = RandomSource(seed: 36, stream: UInt64(HeaderWorld.Family.allCases.firstIndex(of: family)!))
    var judged = 0
    for index in 0..<Self.logs {
      let world = HeaderWorld(
        algorithm: LimitAlgorithm.concrete[index % 5], allowance: 2 + Int(random.unit() * 7),
        window: family == .kong ? 60 : 3 + Int(random.unit() * 20), family: family,
        tick: index % 3 == 0 ? 1 : 0.001, delay: random.logUniform(0.002, 0.5), isLate: index % 2 == 0)
      let found = Self.findings(world, &random)
      let wrong = world.isLate ? found.filter { $0.severity == .error } : found
      #expect(wrong.map(\.message) == [], "\(world)")
      judged += 1
      if !wrong.isEmpty { return }
    }
    #expect(judged == Self.logs)
  }

  @Test(arguments: HeaderWorld.Lie.allCases)
  func `each lie is found in the headers of each family that can tell it`(_ lie: HeaderWorld.Lie) {
    for family in lie.families {
      var random = RandomSource(seed: 37, stream: UInt64(HeaderWorld.Family.allCases.firstIndex(of: family)!))
      let logs = 20
      var caught = 0
      for _ in 0..<logs {
        let world = HeaderWorld(
          algorithm: .fixed, allowance: 4 + Int(random.unit() * 6), window: family == .kong ? 60 : 5, family: family,
          lie: lie)
        if Self.findings(world, &random).contains(where: { lie.kinds.contains($0.kind) }) { caught += 1 }
      }
      #expect(caught >= logs * 9 / 10, "\(lie) in \(family): \(caught) of \(logs)")
    }
  }
}
