import MurphyModel

/// One finding for each reason for which answers could not be checked, where every answer is asked to be.
package enum UncheckedJudge: Judge {
  package static func rule(on run: JudgedRun) -> Ruling {
    guard run.failsOnUnchecked else { return Ruling() }
    return Ruling(findings: run.record.operations.flatMap(findings))
  }

  private static func findings(_ record: OperationRecord) -> [Finding] {
    record.conformance.unchecked.map { entry in
      Finding(
        kind: .contractUnchecked, severity: .error, operation: record.operation,
        message: "\(entry.count) of \(record.conformance.answers) answers were not checked: \(entry.reason)",
        details: ["`fail-on-unchecked` asks for every answer to be checked."], count: entry.count,
        lastSeen: 0, discriminator: entry.reason)
    }
  }
}
