import MurphyModel

/// Judges rate limits from the client's log alone: a pure function, never a false alarm.
public enum LimitJudge {
  /// One row per policy, and a finding for every broken promise: of the limits and of what the limiter says.
  ///
  /// Near-linear in the log: a million requests on one key take well under a second in a release build.
  public static func judge(
    log: LimitLog, policies: [LimitPolicy], options: LimitJudgeOptions = LimitJudgeOptions()
  ) -> (rows: [LimitRow], findings: [Finding]) {
    let judged = policies.map { policy in
      JudgedPolicy(
        policy, log: log, shared: policies.contains { $0 != policy && $0.overlaps(policy) }, options: options)
    }
    let answers = log.headerSets.map { LimitAnswer($0) }
    var rows: [LimitRow] = []
    var findings: [Finding] = []
    for (index, policy) in judged.enumerated() {
      var inexplicable: Set<Int>?
      if policy.isShared {
        let others = judged.enumerated().filter { $0.offset != index && $0.element.policy.overlaps(policy.policy) }
        inexplicable = others.reduce(policy.unexplained) { left, other in
          // Another policy excuses a refusal only of an operation that it covers.
          left.filter { other.element.unexplained.contains($0) || !other.element.covers($0) }
        }
      }
      let verdicts = policy.proofs(inexplicable: inexplicable)
      rows.append(policy.row(verdicts))
      findings += policy.findings(verdicts)
      let honesty = HonestyJudge(
        policy, answers: answers,
        longestWindow: policies.filter { $0.overlaps(policy.policy) }.map(\.window.inSeconds).max() ?? 0,
        keepsPolicy: verdicts.isEmpty)
      findings += honesty.findings()
    }
    rows += AnnouncedQuotas.rows(in: log, answers: answers, besides: policies)
    return (rows, findings)
  }
}

extension LimitPolicy {
  /// Whether some operation is counted by both.
  func overlaps(_ other: LimitPolicy) -> Bool {
    operations.isEmpty || other.operations.isEmpty || operations.contains(where: other.operations.contains)
  }
}
