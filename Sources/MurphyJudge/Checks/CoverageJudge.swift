import MurphyContract
import MurphyModel
import MurphyScenario

/// Checks the coverage of the contract against the scenario's expectation: a share, and the coverage of earlier runs.
package enum CoverageJudge: Judge {
  package static func rule(on run: JudgedRun) -> JudgeResult {
    let seen = run.record.coverage
    guard let expected = run.scenario.expectations.coverage else { return JudgeResult(checks: [seen]) }
    let counted = Coverage(items: seen.items.filter { expected.kinds.isEmpty || expected.kinds.contains($0.kind) })
    var judged = seen
    var findings: [Finding] = []
    if let required = expected.atLeast {
      judged.required = required
      judged.state = CheckState(trials: counted.items.count, isBroken: counted.percent.map { $0 < required } ?? false)
      if let percent = counted.percent, percent < required { findings.append(below(percent, required, expected.kinds)) }
    }
    if let baseline = run.coverageBaseline {
      let lost = baseline.lost(in: counted.items)
      findings += lost.map(self.lost)
      if !lost.isEmpty { judged.state = .failed(trials: counted.items.count) }
    } else if expected.baseline != nil, judged.verdict != .fail {
      // Required, but no baseline exists: `--update-baseline` creates the file.
      judged.state = .noData(trials: 0)
    }
    judged.findings = findings.map(\.fingerprint)
    return JudgeResult(checks: [judged], findings: findings)
  }

  private static func below(_ percent: Double, _ required: Double, _ kinds: [String]) -> Finding {
    let subject = kinds.isEmpty ? "" : " of " + kinds.joined(separator: ", ")
    return Finding(
      kind: .coverageBelow, severity: .error, operation: nil,
      message: "contract coverage\(subject) is \(percentText(percent / 100)), below the required "
        + "\(percentText(required / 100))",
      details: [
        "The report lists the contract elements that were not covered. Let the sessions exercise them, or lower `at-least`."
      ],
      discriminator: "coverage")
  }

  private static func lost(_ item: CoverageItem) -> Finding {
    Finding(
      kind: .coverageLost, severity: .error, operation: item.operation,
      message: "\(item.kind) \(item.name) was seen in earlier runs and not in this one",
      details: ["If that is intended, remove its line from the baseline file and run with --update-baseline."])
  }
}

/// One finding for each reason why responses could not be checked, where the scenario requires that all are checked.
package enum UncheckedJudge: Judge {
  package static func rule(on run: JudgedRun) -> JudgeResult {
    guard run.failsOnUnchecked else { return JudgeResult() }
    return JudgeResult(findings: run.record.operations.flatMap(findings))
  }

  private static func findings(_ record: OperationRecord) -> [Finding] {
    record.conformance.unchecked.map { entry in
      Finding(
        kind: .contractUnchecked, severity: .error, operation: record.operation,
        message: "\(entry.count.text) of \(record.conformance.answers.text) responses were not checked: "
          + entry.reason,
        details: ["`fail-on-unchecked` requires that every response is checked."], count: entry.count,
        lastSeen: 0, discriminator: entry.reason)
    }
  }
}
