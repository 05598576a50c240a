import MurphyModel

/// One question about a finished run: a pure function of the record and of what was promised.
package protocol Judge {
  static func rule(on run: JudgedRun) -> Ruling
}

/// What one judge found: rows for the promises that it decides, and findings.
package struct Ruling: Sendable {
  package var findings: [Finding]
  package var budgets: [BudgetRow] = []
  package var traffic: [TrafficRow] = []
  package var limits: [LimitRow] = []
  package var state: [StateRow] = []
  /// Nil from all judges but that of coverage.
  package var coverage: Coverage?

  package init(findings: [Finding] = []) { self.findings = findings }

  mutating func add(_ other: Ruling) {
    findings += other.findings
    budgets += other.budgets
    traffic += other.traffic
    limits += other.limits
    state += other.state
    coverage = other.coverage ?? coverage
  }
}

extension Ruling {
  /// Every judge of a run. A new one is a file with its type, and a line here.
  package static var judges: [any Judge.Type] {
    [
      LimitJudge.self,
      CoverageJudge.self,
      StallJudge.self,
      BudgetJudge.self,
      ImpliedPromiseJudge.self,
      StateJudge.self,
      UncheckedJudge.self,
    ]
  }
}
