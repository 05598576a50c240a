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
  package var relations: [RelationRow] = []
  /// Nil from all judges but that of coverage.
  package var coverage: Coverage?

  package init(findings: [Finding] = []) { self.findings = findings }

  mutating func add(_ other: Ruling) {
    findings += other.findings
    budgets += other.budgets
    traffic += other.traffic
    limits += other.limits
    state += other.state
    relations += other.relations
    coverage = other.coverage ?? coverage
  }
}

extension Ruling {
  /// A load that a lost budget ended, or that did not begin, says nothing of what its rest would have shown: operations that were not called
  /// yet, sessions that did not complete yet, parts of the contract, throughput. So does one of which shards are missing.
  ///
  /// - Parameters:
  ///   - reason: why, of a throughput.
  ///   - isTainted: the rest of the load was sent without working credentials: budgets and sessions are not judged.
  mutating func withholdUnfinished(_ reason: String, isTainted: Bool = false) {
    var withdrawn: Set<String> = []
    for index in traffic.indices
    where (isTainted || traffic[index].kind != .completed) && traffic[index].verdict == .fail {
      withdrawn.formUnion(traffic[index].findings)
      traffic[index].findings = []
      traffic[index].state = .noData(trials: traffic[index].state.trials)
    }
    for index in budgets.indices
    where (isTainted || budgets[index].metric == .throughput) && budgets[index].verdict == .fail {
      withdrawn.formUnion(budgets[index].findings)
      budgets[index].findings = []
      budgets[index].state = .noData(trials: budgets[index].state.trials)
      budgets[index].undecided = BudgetRow.Undecided(
        .tooFewSamples, reason)
    }
    if coverage?.verdict == .fail {
      withdrawn.formUnion(coverage?.findings ?? [])
      coverage?.findings = []
      let trials = coverage?.trials ?? 0
      coverage?.state = .noData(trials: trials)
    }
    findings.removeAll { withdrawn.contains($0.fingerprint) }
  }

  /// Every judge of a run. A new one is a file with its type, and a line here.
  package static var judges: [any Judge.Type] {
    [
      LimitJudge.self,
      CoverageJudge.self,
      RelationJudge.self,
      StallJudge.self,
      DriftJudge.self,
      BudgetJudge.self,
      ImpliedPromiseJudge.self,
      StateJudge.self,
      UncheckedJudge.self,
    ]
  }
}
