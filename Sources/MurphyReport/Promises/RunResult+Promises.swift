import MurphyModel

extension RunResult {
  /// Every promise of the run in the order of the report; each finding that breaks one is behind exactly one.
  package var promises: [Promise] {
    contractPromises + budgetPromises + trafficPromises + limitPromises + statePromises + otherBrokenPromises
      + coveragePromises
      + [generatorPromise]
  }

  /// One per operation that was called: every answer matches the contract. What was never called is told by coverage.
  private var contractPromises: [Promise] {
    let broken = Dictionary(
      grouping: findings.filter { $0.group == .contract && $0.severity == .error }, by: \.operation)
    let called = operations.filter { $0.requests > 0 || broken[$0.operation] != nil }
    var promises = called.map { operation in
      let name = "\(operation.operation) answers as documented"
      let answers = operation.outcomes.answered
      if let found = broken[operation.operation] { return Promise(.contract, name, .broken, Self.sentence(found)) }
      if answers == 0 { return Promise(.contract, name, .noData, "no answer was received") }
      if let gap = unchecked(operation) { return Promise(.contract, name, .unchecked, gap) }
      return Promise(.contract, name, .kept, "\(Figure.count(answers).text) \(answers == 1 ? "answer" : "answers")")
    }
    let named = Set(operations.map(\.operation))
    for (operation, found) in broken.sorted(by: { ($0.key ?? "") < ($1.key ?? "") }) {
      if let operation, named.contains(operation) { continue }
      promises.append(
        Promise(.contract, "\(operation ?? "the API") answers as documented", .broken, Self.sentence(found)))
    }
    return promises
  }

  /// What of an operation's answers could not be checked, and why; nil when all of them were.
  private func unchecked(_ operation: OperationResult) -> String? {
    guard let counts = operation.conformance else {
      // An older result counted them for the whole run: none of its operations can be called checked.
      return ledger.uncheckedTotal > 0
        ? "\(counted(operation.outcomes.answered, "answer")), some of which may be unchecked" : nil
    }
    guard counts.uncheckedTotal > 0 else { return nil }
    return counts.uncheckedText
  }

  private var budgetPromises: [Promise] {
    budgets.map { row in
      Promise(.budget, row.title, row.outcome, row.sentence)
    }
  }

  private var trafficPromises: [Promise] {
    traffic.map { Promise(.traffic, $0.title, Promise.Outcome($0.verdict), $0.sentence) }
  }

  private var limitPromises: [Promise] {
    limits.flatMap { row in
      let outcome: Promise.Outcome =
        switch row.verdict {
        case .overAdmission, .overThrottling, .contradictory: .broken
        case .consistent: .kept
        case .inconclusive: row.lacksEvidence ? .noData : .untested
        }
      let name = "\(row.name): \(row.policy)"
      // What a kept limit was not tested for stands beside it, never under its tick.
      let untested = outcome == .kept ? row.tests?.filter { $0.outcome == .notTested } ?? [] : []
      return [Promise(.limit, name, outcome, row.sentence)]
        + untested.map { Promise(.limit, "\(name): \($0.test.rawValue)", .untested, $0.sentence) }
    }
  }

  private var statePromises: [Promise] {
    state.map { row in
      Promise(.state, row.name, Promise.Outcome(row.verdict), row.sentence)
    }
  }

  /// Errors that no row of a table stands for: dishonest `Retry-After` headers, lost connections, and the like.
  private var otherBrokenPromises: [Promise] {
    let accounted: Set<Promise.Group> = [
      .contract, .budget, .traffic, .generator, .coverage,
    ]
    let rowKinds: Set<String> = ["limit.over-admission", "limit.over-throttling", "limit.contradictory"]
    let loose = findings.filter { finding in
      guard finding.severity == .error, !accounted.contains(finding.group) else { return false }
      if rowKinds.contains(finding.kind) { return limits.isEmpty }
      return finding.group != .state || state.allSatisfy { $0.verdict != .fail }
    }
    let grouped = Dictionary(grouping: loose) { finding in
      let what = finding.group == .transport ? "every request is answered" : "no \(finding.kind)"
      return finding.operation.map { "\($0): \(what)" } ?? what
    }
    return grouped.sorted { $0.key < $1.key }.map { name, found in
      Promise(found[0].group, name, .broken, Self.sentence(found))
    }
  }

  private var coveragePromises: [Promise] {
    guard let required = coverage.required else { return [] }
    let limit = Figure(Figure.decimals(required, 2), "%").text
    let observed = Figure.percent(coverage.seen, of: coverage.items.count).text
    let outcome = Promise.Outcome(coverage.verdict ?? .noData)
    return [
      Promise(
        .coverage, "contract coverage ≥ \(limit)", outcome,
        "\(coverage.seen) of \(coverage.items.count) seen, \(observed)")
    ]
  }

  private var generatorPromise: Promise {
    let doubts = generator.shownDoubts
    return Promise(
      .generator, "murphy kept up", doubts.isEmpty ? .kept : .doubtful,
      doubts.isEmpty
        ? "sends were at most \(Figure.latency(generator.lateness.p99).text) late (p99)"
        : doubts.map(\.withoutFullStop).joined(separator: "; "))
  }

  private static func sentence(_ findings: [Finding]) -> String {
    guard let worst = findings.max(by: { $0.count < $1.count }) else { return "" }
    let more = findings.count - 1
    let many =
      worst.group == .contract ? "in \(counted(worst.count, "answer"))" : "\(Figure.count(worst.count).text) times"
    let times = worst.count == 1 ? "once" : many
    return "\(worst.message) (\(times))"
      + (more == 0 ? "" : more == 1 ? ", and 1 more finding" : ", and \(more) more findings")
  }
}

extension GeneratorReport {
  /// Everything that murphy itself did to the run, also what leaves the verdict as it is.
  var shownDoubts: [String] {
    doubts + (reservations ?? []).map(\.sentence).filter { !doubts.contains($0) }
  }
}

extension BudgetRow {
  /// What murphy alone leaves open is in doubt, not short of data.
  var outcome: Promise.Outcome { undecided?.cause == .generator ? .doubtful : Promise.Outcome(verdict) }
}

extension String {
  /// A sentence as part of another one.
  var withoutFullStop: String { hasSuffix(".") ? String(dropLast()) : self }
}
