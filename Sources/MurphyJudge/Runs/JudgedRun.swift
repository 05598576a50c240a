import MurphyContract
import MurphyModel
import MurphyScenario

/// A finished run with all its expectations: the only input of every judge.
package struct JudgedRun: Sendable {
  /// The measurements.
  package let record: RunRecord
  /// The expectations.
  package let scenario: Scenario
  /// Includes the undocumented operations that the run called.
  package let contract: Contract
  /// The coverage of the contract by earlier runs; nil without a file of it.
  package var coverageBaseline: CoverageBaseline?
  /// True if every response must be checked.
  package var failsOnUnchecked: Bool
  /// The options for the limit log, in addition to the policies.
  package var limits: LimitJudgeOptions
  /// True if only this run writes to the target.
  package var isAlone = false
  /// True if its requests are made to fail, as those of an exploration are.
  package var provokesFailures = false
  /// The factor on every limiter's window, as set at the start of an embedded reference API.
  package var timeScale = 1.0
  /// Stretches in which no client got a response from the target.
  package let outages: [Outage]

  /// Leaves out findings after the time at which the credentials stopped working.
  package init(_ record: RunRecord, _ scenario: Scenario, _ contract: Contract) {
    var record = record
    // Findings after the credentials stopped working are not caused by the API.
    if let lost = record.info.lostCredentials { record.findings.removeAll { $0.firstSeen >= lost.at } }
    self.record = record
    self.scenario = scenario
    self.contract = contract.adding(undocumentedOf: record.operations)
    failsOnUnchecked = scenario.expectations.failOnUnchecked
    limits = LimitJudgeOptions()
    limits.target = record.info.target
    limits.measuresStrength = true
    limits.operations = self.contract.summaries
    limits.refusalBudget = scenario.expectations.limits.compactMap(\.refusalBudget).min()
    outages = OutageJudge.outages(in: record)
  }
}

extension JudgedRun {
  /// For a target that was started for this run, on this machine's clock, exact to the nanosecond.
  package mutating func isEmbedded(timeScale: Double) {
    isAlone = true
    limits.startsQuiet = true
    limits.sharesClock = true
    limits.tick = .milliseconds(1)
    self.timeScale = timeScale
  }
}

extension JudgedRun {
  /// The result of one shard alone: the violations in its responses. All other checks are judged on all shards
  /// together, because they cannot pass or fail on a part of the traffic.
  package var shardResult: RunResult {
    var result = result(judges: [])
    guard let shard = record.info.shard else { return result }
    let isWhole = !record.info.cutShort && record.info.setup?.failed == nil && record.ledger.contradictions.isEmpty
    guard isWhole else {
      result.verdict = .invalid
      return result
    }
    result.verdict = .shard
    result.reasons = result.generator.doubts
    if shard.late > 1 {
      result.reasons.append("It began \(Duration.saturating(seconds: (shard.late * 10).rounded() / 10).text) late.")
    }
    if let corrected = shard.corrected {
      result.reasons.append(
        "This machine's clock is off by \(Duration.saturating(seconds: (abs(corrected) * 10).rounded() / 10).text): its start was "
          + "corrected by that.")
    }
    return result
  }
}
