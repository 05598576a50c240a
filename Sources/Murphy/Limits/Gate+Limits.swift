import MurphyContract
import MurphyJudge
import MurphyModel
import MurphyScenario

extension Gate {
  /// The policies to hold the API to.
  ///
  /// - Parameter timeScale: factor on every window, as an embedded reference API was started with.
  func limitPolicies(timeScale: Double) -> [LimitPolicy] {
    LimitExpectations.policies(scenario.expectations.limits, contract, timeScale: timeScale)
  }

  /// Rows and findings on rate limits.
  func judgeLimits(_ record: RunRecord, options: RunOptions) -> (rows: [LimitRow], findings: [Finding]) {
    var judging = LimitJudgeOptions()
    judging.target = record.info.target
    judging.operations = contract.summaries
    judging.refusalBudget = scenario.expectations.limits.compactMap(\.refusalBudget).min()
    if case .embedded = try? effectiveTarget(options) {
      // Started for this run, on this machine's clock, read to the nanosecond.
      judging.startsQuiet = true
      judging.sharesClock = true
      judging.tick = .milliseconds(1)
    }
    let scale = (try? timeScale(options)) ?? 1
    var judged = LimitJudge.judge(log: record.limitLog, policies: limitPolicies(timeScale: scale), options: judging)
    let expected = scenario.expectations.limits
    judged.findings +=
      LimitExpectations.contradictions(expected, contract)
      + LimitExpectations.overlongWaits(expected, record.limitLog)
    return judged
  }
}
