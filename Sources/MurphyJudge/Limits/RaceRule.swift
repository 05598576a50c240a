import MurphyModel

/// Decides from requests after a load if concurrent requests exceed the quota of a limit.
///
/// A new client gets more than its quota within a small part of a window only if the limiter is wrong, or if a window
/// that is aligned to a clock ends in this time. Two clients with separate, later requests exclude the second cause:
/// such a window ends for both at once. If a third client gets no more than the quota with the same requests one after
/// the other, the quota is right and only the concurrency exceeds it.
package struct RaceRule {
  private let policy: LimitPolicy
  private let test: RaceTest
  private let options: LimitJudgeOptions

  /// The result of the test.
  package struct Conclusion {
    /// Whether concurrent requests exceeded the quota.
    package var test: LimitTest
    /// What they prove; nil for nothing.
    package var finding: Finding?
  }

  /// - Parameter options: of the judge of the load.
  package init(policy: LimitPolicy, test: RaceTest, options: LimitJudgeOptions = LimitJudgeOptions()) {
    (self.policy, self.test, self.options) = (policy, test, options)
  }

  /// The requests of two clients must take less than a window divided by this number.
  private static let longest = 2

  /// The result.
  package func conclude() -> Conclusion {
    guard let first = test.bursts.first else { return open(test.gap ?? "no request was sent") }
    guard first.isDecided else { return open(failures(of: first)) }
    let most = policy.most(within: .nanoseconds(first.ended - first.began))
    let sent = "after the load, a new client sent \(first.concurrent) requests at the same time near its quota"
    guard first.admitted > most else {
      guard first.rejected > 0, first.admitted >= policy.allowance else {
        return open(test.gap ?? "\(sent), but the limiter admitted only \(first.admitted) of \(policy.allowance)")
      }
      return Conclusion(
        test: result(.kept, "\(sent), and \(first.admitted) of \(first.requests) were admitted"), finding: nil)
    }
    if let race = race(first) { return race }
    if let finding = overAdmission {
      let alone = test.sequence.map { ", and \(policy.amount($0.admitted)) of another client in sequence" } ?? ""
      let message = "\(sent): the limiter admitted \(policy.amount(first.admitted)) in total\(alone)"
      return Conclusion(test: result(.broken, message), finding: finding)
    }
    return open(
      test.gap.map { "\(sent), but \($0)" }
        ?? "\(sent): the limiter admitted \(first.admitted), but a time window that ended meanwhile also explains this")
  }

  private func race(_ first: RaceTest.Round) -> Conclusion? {
    guard test.bursts.count > 1, let sequence = test.sequence, sequence.isDecided, sequence.rejected > 0 else {
      return nil
    }
    let second = test.bursts[1]
    let alone = policy.most(within: .nanoseconds(sequence.ended - sequence.began))
    let whole = Duration.nanoseconds(second.ended - first.began)
    guard second.isDecided, whole * Self.longest < policy.window, sequence.admitted <= alone,
      second.admitted > policy.most(within: .nanoseconds(second.ended - second.began))
    else { return nil }
    let least = min(first.admitted, second.admitted)
    let excess = least - policy.allowance
    let message =
      "concurrent requests exceeded the quota by \(counted(excess, "admission")): the limiter admitted \(least) requests "
      + "of a new client, of which \(first.concurrent) were concurrent, but only \(sequence.admitted) in sequence "
      + "(\(policy.text))"
    let (known, start) = (overAdmission, test.log?.start ?? first.began)
    let finding = Finding(
      kind: .limitRace, operation: test.operation, message: message,
      details: [
        "Murphy sent these requests after the load. Two new clients exceeded the quota with concurrent requests. A "
          + "third client sent \(sequence.requests) requests in sequence over as many connections."
      ] + (known?.details ?? []),
      count: 2, firstSeen: .nanoseconds(first.began - start), lastSeen: .nanoseconds(second.ended - start),
      discriminator: policy.name + " " + policy.notation, evidence: known?.evidence)
    return Conclusion(test: result(.broken, message), finding: finding)
  }

  /// The proof that the clients got too many, of whatever cause.
  private var overAdmission: Finding? {
    guard let log = test.log else { return nil }
    var options = options
    options.measuresStrength = false
    return LimitJudge.judge(log: log, policies: [policy], options: options).findings.first {
      $0.kind == .limitOverAdmission
    }
  }

  private func failures(of round: RaceTest.Round) -> String {
    let statuses = round.failures.keys.sorted().map { $0 == 0 ? "no response" : "status \($0)" }
    return "requests of a new client after the load got \(statuses.joined(separator: " and "))"
  }

  private func open(_ reason: String) -> Conclusion { Conclusion(test: result(.notTested, reason), finding: nil) }

  private func result(_ outcome: LimitTest.State, _ sentence: String) -> LimitTest {
    LimitTest(test: .race, outcome: outcome, sentence: sentence, required: policy.requires(.race))
  }
}

extension LimitJudge {
  /// Adds the tests after the load to the rows.
  static func add(
    _ tests: [RaceTest], of policies: [LimitPolicy], to rows: inout [LimitRow], options: LimitJudgeOptions
  ) -> [Finding] {
    var findings: [Finding] = []
    for test in tests {
      guard let policy = policies.first(where: { $0.name == test.limit }),
        let index = rows.firstIndex(where: { $0.name == test.limit && $0.policy == policy.text })
      else { continue }
      let conclusion = RaceRule(policy: policy, test: test, options: options).conclude()
      rows[index].add(conclusion)
      if let finding = conclusion.finding, !findings.contains(where: { $0.fingerprint == finding.fingerprint }) {
        findings.append(finding)
      }
    }
    return findings
  }
}

extension LimitRow {
  fileprivate mutating func add(_ conclusion: RaceRule.Conclusion) {
    tests = (tests ?? []) + [conclusion.test]
    let heading = conclusion.test.outcome == .kept ? "Checked" : "Not tested"
    let text = "\(heading): \(conclusion.test.test.text) (\(conclusion.test.sentence))."
    switch (conclusion.test.outcome, verdict) {
    case (.broken, .consistent), (.broken, .inconclusive):
      conclude(.overAdmission, trials: max(trials ?? 0, 1))
      sentence = conclusion.test.sentence + "."
    case (.notTested, .consistent) where conclusion.test.required:
      conclude(.inconclusive, trials: trials ?? 0)
      sentence = text
    case (_, .consistent), (_, .inconclusive): sentence += " " + text
    default: break
    }
    if let finding = conclusion.finding { findings.append(finding.fingerprint) }
  }
}
