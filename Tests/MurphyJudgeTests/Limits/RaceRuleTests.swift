import MurphyJudge
import MurphyModel
import Testing

/// Concurrent requests that exceed a quota are called a race only if nothing else explains them.
@Suite struct RaceRuleTests {
  private static func policy(_ algorithm: LimitAlgorithm = .fixed, tested: [LimitAspect]? = nil) -> LimitPolicy {
    var policy = LimitPolicy(
      name: "votes", operations: ["voteLaw"], algorithm: algorithm, allowance: 30, window: .seconds(60),
      key: .header("X-Device-ID"))
    policy.tested = tested
    return policy
  }

  private static func round(
    _ admitted: Int, _ rejected: Int, at begin: Double, for time: Double = 0.05, failed: Int? = nil
  ) -> RaceTest.Round {
    let start = Instant(nanoseconds: 1_000_000_000)
    var round = RaceTest.Round(began: start + Int64(begin * 1e9))
    (round.admitted, round.rejected, round.concurrent) = (admitted, rejected, 32)
    round.ended = round.began + Int64(time * 1e9)
    if let failed { round.failures[failed] = 1 }
    return round
  }

  private static func conclude(
    _ bursts: [RaceTest.Round], sequence: RaceTest.Round? = nil, _ policy: LimitPolicy = policy()
  ) -> RaceRule.Conclusion {
    var test = RaceTest(limit: "votes")
    test.operation = "voteLaw"
    (test.bursts, test.sequence) = (bursts, sequence)
    return RaceRule(policy: policy, test: test).conclude()
  }

  @Test func `two bursts above the quota and a sequence within it are a race`() {
    let conclusion = Self.conclude(
      [Self.round(34, 12, at: 0), Self.round(36, 10, at: 0.1)], sequence: Self.round(30, 8, at: 0.2))
    #expect(conclusion.finding?.kind == .limitRace)
    #expect(conclusion.finding?.message.contains("exceeded the quota by 4 admissions") == true)
    #expect(conclusion.test.outcome == .broken)
  }

  @Test func `one burst above the quota may be at the end of a window`() {
    let conclusion = Self.conclude(
      [Self.round(34, 12, at: 0), Self.round(30, 16, at: 0.1)], sequence: Self.round(30, 8, at: 0.2))
    #expect(conclusion.finding == nil && conclusion.test.outcome == .notTested)
  }

  @Test func `a sequence above the quota is no race`() {
    let conclusion = Self.conclude(
      [Self.round(46, 0, at: 0), Self.round(46, 0, at: 0.1)], sequence: Self.round(38, 0, at: 0.2))
    #expect(conclusion.finding?.kind != .limitRace)
  }

  @Test func `bursts that are half a window apart prove nothing`() {
    let conclusion = Self.conclude(
      [Self.round(34, 12, at: 0), Self.round(36, 10, at: 31)], sequence: Self.round(30, 8, at: 32))
    #expect(conclusion.finding == nil)
  }

  @Test(arguments: [LimitAlgorithm.tokenBucket, .any]) func `quota that returns during a slow burst is no excess`(
    _ algorithm: LimitAlgorithm
  ) {
    let conclusion = Self.conclude([Self.round(34, 12, at: 0, for: 8)], Self.policy(algorithm))
    #expect(conclusion.finding == nil && conclusion.test.outcome == .kept, "\(conclusion.test.sentence)")
  }

  @Test func `a burst within the quota passes, and a burst that another limit ends does not`() {
    #expect(Self.conclude([Self.round(30, 16, at: 0)]).test.outcome == .kept)
    #expect(Self.conclude([Self.round(12, 34, at: 0)]).test.outcome == .notTested)
    #expect(Self.conclude([Self.round(0, 0, at: 0, failed: 401)]).test.sentence.contains("status 401"))
  }

  @Test func `the reason for a missing test is in the result`() {
    let test = RaceTest(limit: "votes", gap: "the scenario creates no new client for the key address")
    let conclusion = RaceRule(policy: Self.policy(tested: [.race]), test: test).conclude()
    #expect(conclusion.test.outcome == .notTested && conclusion.test.required)
    #expect(conclusion.test.sentence == "the scenario creates no new client for the key address")
  }
}
