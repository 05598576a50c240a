import MurphyContract
import MurphyModel
import MurphyScenario

/// A finished run with all that was promised of it: what every judge reads, and nothing else.
package struct JudgedRun: Sendable {
  package let record: RunRecord
  package let scenario: Scenario
  /// With the operations that the run called outside of it.
  package let contract: Contract
  /// What earlier runs saw of the contract; nil without a file of it.
  package var coverageBaseline: CoverageBaseline?
  /// Every answer is asked to be checked.
  package var failsOnUnchecked: Bool
  /// How to read the limit log, beside the policies.
  package var limits: LimitJudgeOptions
  /// Nobody but this run writes to the target.
  package var isAlone = false
  /// Its requests are made to fail, as those of an exploration are.
  package var provokesFailures = false
  /// Factor on every limiter's window, as an embedded reference API was started with.
  package var timeScale = 1.0
  /// Stretches in which the target answered nobody.
  package let outages: [Outage]

  package init(_ record: RunRecord, _ scenario: Scenario, _ contract: Contract) {
    var record = record
    // What comes after credentials that stopped working is not the API's doing.
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
  /// For a target that was started for this run, on this machine's clock, read to the nanosecond.
  package mutating func isEmbedded(timeScale: Double) {
    isAlone = true
    limits.startsQuiet = true
    limits.sharesClock = true
    limits.tick = .milliseconds(1)
    self.timeScale = timeScale
  }
}

extension JudgedRun {
  /// What one shard of a run shows by itself: what its answers broke. All promises are judged on all shards together, for a
  /// part of the traffic neither keeps nor breaks them.
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
          + "moved by that.")
    }
    return result
  }
}
