import MurphyContract
import MurphyJudge
import MurphyModel
import MurphyScenario

extension Gate {
  /// The policies to hold the API to: what the scenario promises and what the contract documents.
  ///
  /// - Parameter timeScale: factor on every window, as an embedded reference API was started with.
  func limitPolicies(timeScale: Double) -> [LimitPolicy] {
    let promised = scenario.expectations.limits.map(\.policy)
    let documented = LimitPolicy.documented(in: contract).filter { policy in
      !promised.contains { $0.says(policy) }
    }
    return (promised + documented).map { policy in
      var policy = policy
      policy.window = policy.window * timeScale
      return policy
    }
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
    judged.findings += contradictions + overlongWaits(record.limitLog)
    return judged
  }

  /// Where the scenario and the contract promise different things of one operation's limit.
  private var contradictions: [Finding] {
    let documented = LimitPolicy.documented(in: contract)
    return scenario.expectations.limits.map(\.policy).flatMap { promised in
      documented.filter { $0.isRival(of: promised) && !promised.agrees(with: $0) }.map { policy in
        Finding(
          kind: .limitContradiction, severity: .error, operation: promised.operations.first,
          message: "the scenario promises \(promised.text), but the contract documents \(policy.text)",
          details: ["One of the two is wrong: mend the scenario's expect.limits or the contract's x-ratelimit."])
      }
    }
  }
}

extension LimitPolicy {
  /// Whether this policy makes `other` redundant.
  fileprivate func says(_ other: LimitPolicy) -> Bool {
    if other.keyIsAssumed, allowance == other.allowance, window == other.window {
      // The same limit, and this one says by what it counts.
      return other.operations.allSatisfy(covers)
        && (algorithm == other.algorithm || other.algorithm == .any)
    }
    return agrees(with: other) && algorithm == other.algorithm && Set(operations) == Set(other.operations)
  }

  /// Whether both limit an operation by the same key.
  fileprivate func isRival(of other: LimitPolicy) -> Bool {
    key == other.key && operations.contains(where: other.operations.contains)
  }

  fileprivate func agrees(with other: LimitPolicy) -> Bool {
    allowance == other.allowance && window == other.window && key == other.key
      && (algorithm == other.algorithm || algorithm == .any || other.algorithm == .any)
  }
}
