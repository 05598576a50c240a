import Foundation
import MurphyJudge
import MurphyModel
import Simulation
import Testing

@Suite struct TunerTests {
  static func population(_ users: Int = 4000, seed: UInt64 = 1) -> DemandTrace {
    DemandTrace(sessions: PageModel().sessions(users, duration: 3600, seed: seed), sharing: .usual, seed: seed)
  }

  @Test func `limits by address need far more room than limits by user`() throws {
    let users = SimulationSize.count(4000, least: 1500)
    let clock = ContinuousClock()
    var result: TuneResult?
    let took = try clock.measure {
      result = Tuner(
        Self.population(users),
        options: TunerOptions(
          targets: [0.01], questions: [try WhatIf("30/60s key=address"), try WhatIf("60/60s key=user")])
      ).run()
    }
    let found = try #require(result)
    print("tune: \(found.points.count) policies in \(took.text)")
    found.sentences.forEach { print("  " + $0) }
    found.replays.forEach {
      print("  replay \($0.policy): refused \($0.refused), failed \($0.failed), p95 +\($0.delay) s")
    }
    let byAddress = try #require(found.outcomes.first)
    let byUser = try #require(found.outcomes.last)
    #expect(byAddress.point.throttled > 0.05 && byUser.point.throttled < 0.01)
    #expect(byAddress.upperBound >= byAddress.point.throttled)
    let best = Dictionary(grouping: found.recommendations, by: \.point.key).mapValues { $0[0].point.abusePerMinute }
    if let address = best["address"], let user = best["user"] { #expect(address > 2 * user) }
    #expect(found.timeline?.strip.requests.contains { $0.decision == .refused } == true)
    // Allowances only ever help.
    for curve in found.curves {
      #expect(zip(curve.satisfied, curve.satisfied.dropFirst()).allSatisfy { $0 <= $1 + 1e-12 })
    }
    #expect(found.points.contains { $0.isOnFront })
    let copy = try JSONDecoder().decode(TuneResult.self, from: JSONEncoder().encode(found))
    #expect(copy == found)
  }

  @Test(arguments: [0, 1, 2, 5, 20])
  func `the upper bound is at least the exact one, also with few throttled sessions`(hits: Int) throws {
    let sessions = (0..<600).map { [Double](repeating: Double($0 * 100), count: $0 < hits ? 9 : 1) }
    let options = TunerOptions(
      windows: [60], allowances: [5], algorithms: [.fixed], targets: [], questions: [try WhatIf("5/60s key=user")])
    let result = Tuner(DemandTrace(sessions: sessions, sharing: .usual, seed: 1), options: options).run()
    let outcome = try #require(result.outcomes.first)
    #expect(outcome.point.throttled == Double(hits) / 600)
    #expect(outcome.upperBound >= upperShare(hits, of: 600) - 1e-9, "\(outcome.upperBound)")
  }

  @Test(arguments: LimitAlgorithm.concrete)
  func `a session needs exactly the allowance below which a real limiter rejects it`(_ algorithm: LimitAlgorithm) {
    var random = RandomSource(seed: 9, stream: UInt64(algorithm.rawValue.count))
    for _ in 0..<40 {
      var moments: [Double] = []
      var moment = 0.0
      for _ in 0..<60 {
        moment += random.exponential(mean: random.unit() < 0.5 ? 0.05 : 2)
        moments.append(moment)
      }
      let trace = DemandTrace(sessions: [moments], sharing: .none, seed: 1)
      for allowance in [1, 2, 3, 5, 8, 13, 21] {
        let window = 10.0
        var limiter = LimiterModel(algorithm, allowance: allowance, window: window)
        let refuses = moments.contains { !limiter.admits(at: $0) }
        let policy = LimitPolicy(
          name: "x", operations: [], algorithm: algorithm, allowance: allowance, window: .seconds(window),
          key: .sourceAddress)
        let result = Tuner(
          trace, options: TunerOptions(windows: [], allowances: [], targets: [], declared: [policy])
        ).run()
        #expect((result.outcomes[0].point.throttled > 0) == refuses, "\(policy.text)")
      }
    }
  }

  @Test func `a policy reads as it is typed`() throws {
    #expect(try WhatIf("30/60s key=address").policy.text == "30 per 60 s, fixed window, key address")
    #expect(
      try WhatIf("5/min key=X-Device-ID algorithm=sliding-log").policy.text
        == "5 per 60 s, sliding log, key x-device-id"
    )
    #expect(try WhatIf("4/s burst=20 key=global").policy.text == "burst 20 at 4/s, token bucket, key global")
  }

  @Test(arguments: [
    ("", "no limit given"), ("lots key=address", "\"lots\" is not a limit"), ("30/60", "is not a limit"),
    ("30/60s kee=address", "unknown word"), ("30/60s algorithm=slidinglog", "Did you mean \"sliding-log\"?"),
    ("4/s burst=0", "expected a whole number above 0"),
  ])
  func `a policy that cannot be read says what was expected`(_ text: String, _ part: String) {
    #expect { try WhatIf(text) } throws: { "\($0)".contains(part) }
  }

  @Test func `few addresses cannot prove a small share`() {
    let trace = DemandTrace(sessions: (0..<100).map { [Double($0)] }, sharing: .none, seed: 1)
    let result = Tuner(trace, options: TunerOptions(targets: [0.001])).run()
    #expect(result.recommendations.isEmpty)
    #expect(result.sentences.contains { $0.contains("needs 3,000 addresses") })
  }
}
