import MurphyModel
import MurphyScenario

/// `expect: strength:` removes the verdict from rows that passed with less than the required sensitivity, and suggests
/// a sufficient load.
struct StrengthGate {
  let expected: StrengthExpectation
  let record: RunRecord

  /// Applies it to budgets and limits.
  func hold(_ checks: inout [any CheckRow]) {
    checks.update(BudgetRow.self) { row in
      guard row.verdict == .pass, let sentence = shortfall(of: row) else { return }
      row.state = .noData(trials: row.state.trials)
      row.undecided = BudgetRow.Undecided(.tooWeak, sentence)
    }
    checks.update(LimitRow.self) { row in
      guard row.verdict == .consistent, let sentence = shortfall(of: row) else { return }
      row.conclude(.inconclusive, trials: row.trials ?? 0)
      row.sentence += " \(sentence)."
      row.strength?.shortfall = sentence
    }
  }

  /// The sensitivity of the checks on an operation's responses, with the missing coverage.
  func strength(of operation: OperationRecord, coverage: [CoverageItem]) -> ContractStrength? {
    guard var strength = ContractStrength(operation, coverage: coverage) else { return nil }
    if let share = expected.contract, strength.answers.missed > share {
      strength.shortfall = Self.shortfall(strength.answers, "response", share)
    } else if let share = expected.entities, let entities = strength.entities, entities.missed > share {
      strength.shortfall = Self.shortfall(entities, "different path", share)
    }
    return strength
  }

  /// The shortfall in `expect: strength:` for an operation with responses of which none was checked in full.
  func uncheckedShortfall(of operation: OperationRecord) -> String? {
    let conformance = operation.conformance
    guard let share = expected.contract ?? expected.entities, operation.isDocumented,
      conformance.conformant == conformance.rejected ?? 0, conformance.violating == 0, operation.outcomes.answered > 0
    else { return nil }
    return
      "no response was checked in full, and \(ContractStrength.Units.needed(for: share)) are needed to detect a fault in "
      + "\(percentText(share)) of them, as `expect: strength:` requires"
  }

  private static func shortfall(_ units: ContractStrength.Units, _ noun: String, _ share: Double) -> String {
    let needed = ContractStrength.Units.needed(for: share)
    return "\(units.seen) \(noun)\(units.seen == 1 ? "" : "s"), and \(needed) are needed to detect a fault in "
      + "\(percentText(share)) of them, as `expect: strength:` requires"
  }

  private func shortfall(of row: BudgetRow) -> String? {
    if row.metric == .errors { return shortfall(ofErrors: row) }
    guard let percentile = row.metric.percentile, percentile < 100, case .microseconds = row.limit.unit else {
      return nil
    }
    let limit = Duration.nanoseconds(Int64(saturating: row.limit.value * 1000))
    if row.patient != nil, expected.latency != nil || expected.stall != nil {
      return "its sensitivity is unknown, because only requests whose user waited long enough decided it; "
        + "`expect: strength:` requires a minimum"
    }
    if let asked = expected.latency, row.strength?.likely.map({ $0.share > asked }) ?? true {
      let found = row.strength?.likely.map { "only a slowdown by \(percentText($0.share)) or more" } ?? "no slowdown"
      return "\(found) would surely have failed it, and `expect: strength:` requires \(percentText(asked)); "
        + advice(row, percentile, limit, asked)
    }
    if let asked = expected.stall, row.strength?.stall.map({ $0 > asked.inSeconds }) ?? true {
      let found =
        row.strength?.stall.map { "only a freeze of \(Self.text($0)) or more" } ?? "no freeze within the run"
      let most = (asked.inSeconds - limit.inSeconds) / (1 - percentile / 100)
      return "\(found) would surely have failed it, and `expect: strength:` requires \(asked.text); "
        + (most > 1
          ? "a freeze fails it only in a load of less than \(Self.text(most)), so add a `max:` budget"
          : "short freezes cannot fail this percentile, so add a `max:` budget")
    }
    return nil
  }

  private func shortfall(ofErrors row: BudgetRow) -> String? {
    guard let asked = expected.errors, let most = row.shareAtMost, most > asked else { return nil }
    let needed = ContractStrength.Units.needed(for: asked)
    return "up to \(percentText(most)) of the requests could fail undetected, and `expect: strength:` requires "
      + "\(percentText(asked)): \(needed) requests without an error are needed"
  }

  /// The load or limit that would be sufficient.
  private func advice(_ row: BudgetRow, _ percentile: Double, _ limit: Duration, _ asked: Double) -> String {
    let whole = record.operations.filter { row.operation == "*" || $0.operation == row.operation }
      .reduce(into: OperationRecord(operation: "*", method: "", path: "")) { $0.merge($1) }
    let ladder = whole.ladders.first { $0.isService == row.metric.isService }
    let factor = ladder.flatMap {
      SlowdownSearch($0, percentile: percentile, limit: limit).timesAsLong(toSee: asked)
    }
    if let factor, factor < 100 {
      return "hold the load about \(Self.decimal(max(factor, 1.1))) times as long"
    }
    guard let least = row.strength?.inThisRun else { return "the limit is too far above the measured values" }
    let nearer = limit.inSeconds * (1 + asked) / (1 + least.share) / 1.1
    return
      "the limit is too far above the measured values: \(Self.text(nearer)) is sufficient in a load that is long enough"
  }

  private func shortfall(of row: LimitRow) -> String? {
    guard !expected.limits.isEmpty else { return nil }
    guard let strength = row.strength else {
      return "The sensitivity of this limit check is unknown, but `expect: strength:` requires a minimum"
    }
    let open = expected.limits.filter { aspect in
      strength.mutants.contains { aspect.limiters.contains($0.limiter) && $0.exposure != .surely }
    }
    guard !open.isEmpty else { return nil }
    let limiters = strength.mutants.filter { mutant in
      mutant.exposure != .surely && open.contains { $0.limiters.contains(mutant.limiter) }
    }.map(\.limiter.text)
    let allowance = Int(saturating: row.allowance ?? 1)
    let advice =
      open == [.key]
      ? "let several clients, and clients that differ in more than the key, send requests at the same time"
      : "let one key send \(2 * allowance + 1) requests within \(Self.text(0.6 * (row.window ?? 1))), and again after "
        + "\(Self.text(1.2 * (row.window ?? 1)))"
    return "This traffic cannot surely distinguish the declared limit from a limiter with "
      + "\(limiters.joined(separator: ", ")), and `expect: strength:` requires it: \(advice)"
  }

  private static func text(_ seconds: Double) -> String {
    let digits = seconds < 10 ? 100.0 : 10
    return Duration.saturating(seconds: (seconds * digits).rounded() / digits).text
  }

  private static func decimal(_ value: Double) -> String { String((value * 10).rounded(.up) / 10) }
}
