import Foundation
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
    if let share = expected.contract, strength.responses.missed > share {
      strength.shortfall = Self.shortfall(strength.responses, "response", share)
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
      "no response was checked in full, but \(ContractStrength.Units.needed(for: share)) checked responses are needed "
      + "to detect a fault in \(percentText(share)) of the responses, as `expect: strength:` requires"
  }

  private static func shortfall(_ units: ContractStrength.Units, _ noun: String, _ share: Double) -> String {
    let needed = ContractStrength.Units.needed(for: share)
    return "\(counted(units.seen, noun)), but \(needed.text) are needed to detect a fault in "
      + "\(percentText(share)) of them, as `expect: strength:` requires"
  }

  private func shortfall(of row: BudgetRow) -> String? {
    if row.metric == .errors { return shortfall(ofErrors: row) }
    guard let percentile = row.metric.percentile, percentile < 100, case .microseconds = row.limit.unit else {
      return nil
    }
    let limit = Duration.nanoseconds(Int64(saturating: row.limit.value * 1000))
    if row.patient != nil, expected.latency != nil || expected.stall != nil {
      return "the sensitivity of this budget is unknown, because only requests whose user waited long enough count; "
        + "`expect: strength:` requires a minimum"
    }
    if let required = expected.latency, row.strength?.likely.map({ $0.share > required }) ?? true {
      let found = row.strength?.likely.map { "only a slowdown of \(percentText($0.share)) or more" } ?? "no slowdown"
      return "this budget detects \(found), but `expect: strength:` requires \(percentText(required)); "
        + advice(row, percentile, limit, required)
    }
    if let required = expected.stall, row.strength?.stall.map({ $0 > required }) ?? true {
      let found =
        row.strength?.stall.map { "only a freeze of \(Self.text($0.inSeconds)) or more" } ?? "no freeze within the run"
      let most = (required.inSeconds - limit.inSeconds) / (1 - percentile / 100)
      return "this budget detects \(found), but `expect: strength:` requires \(required.text); "
        + (most > 1
          ? "this percentile detects such a freeze only in a load of less than \(Self.text(most)), so add a `max:` "
            + "budget"
          : "this percentile cannot detect short freezes, so add a `max:` budget")
    }
    return nil
  }

  private func shortfall(ofErrors row: BudgetRow) -> String? {
    guard let required = expected.errors, let most = row.shareAtMost, most > required else { return nil }
    let needed = ContractStrength.Units.needed(for: required)
    return "up to \(percentText(most)) of the requests could fail undetected, but `expect: strength:` allows "
      + "only \(percentText(required)): \(needed.text) requests without an error are needed"
  }

  /// The load or limit that would be sufficient.
  private func advice(_ row: BudgetRow, _ percentile: Double, _ limit: Duration, _ required: Double) -> String {
    let whole = record.operations.filter { row.operation == "*" || $0.operation == row.operation }
      .reduce(into: OperationRecord(operation: "*", method: "", path: "")) { $0.merge($1) }
    let ladder = whole.ladders.first { $0.isService == row.metric.isService }
    let factor = ladder.flatMap {
      SlowdownSearch($0, percentile: percentile, limit: limit).timesAsLong(toSee: required)
    }
    if let factor, factor < 100 {
      return "hold the load about \(Self.decimal(max(factor, 1.1))) times as long"
    }
    guard let least = row.strength?.inThisRun else { return "the limit is too far above the measured values" }
    let nearer = limit.inSeconds * (1 + required) / (1 + least.share) / 1.1
    return
      "the limit is too far above the measured values: a limit of \(Self.text(nearer)) is low enough if the load is "
      + "long enough"
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
      ? "send requests from several clients at the same time, and from clients that differ in more than the key"
      : "let one key send \(2 * allowance + 1) requests within \(Self.text(0.6 * (row.window ?? 1))), and again after "
        + "\(Self.text(1.2 * (row.window ?? 1)))"
    return "This traffic does not distinguish the declared limit from a limiter with "
      + "\(limiters.joined(separator: ", ")), but `expect: strength:` requires this: \(advice)"
  }

  private static func text(_ seconds: Double) -> String {
    Duration.saturating(seconds: seconds).text(places: seconds < 10 ? 2 : 1)
  }

  private static func decimal(_ value: Double) -> String { String((value * 10).rounded(.up) / 10) }
}

extension BudgetStrength {
  /// The sensitivity of a passed row on a percentile or a maximum. Nil for other rows, and where no counts by second
  /// exist.
  init?(_ row: BudgetRow, _ ladders: [LatencyLadder], limit: Duration) {
    guard row.verdict == .pass, let percentile = row.metric.percentile, let over = row.over, let maybe = row.maybe,
      row.patient == nil, let ladder = ladders.first(where: { $0.isService == row.metric.isService }),
      ladder.rows > 0
    else { return nil }
    self.init(seconds: ladder.rows * ladder.width)
    if percentile < 100 { overAtMost = upperShare(over + maybe, of: row.samples) }
    (inThisRun, likely) = SlowdownSearch(ladder, percentile: percentile, limit: limit).slowdowns()
    stall = StallSearch.shortest(ladder, percentile: percentile, limit: limit, over: over)
  }
}

extension ContractStrength {
  /// The sensitivity of an operation whose responses all conform to the contract. Nil when none was checked, one did
  /// not conform, or no request succeeded.
  ///
  /// - Parameter coverage: all coverable elements of the contract, of which the operation's are read.
  package init?(_ record: OperationRecord, coverage: [CoverageItem]) {
    let checked = record.conformance.conformant - (record.conformance.rejected ?? 0)
    guard record.isDocumented, record.succeeded > 0, checked > 0, record.conformance.violating == 0 else { return nil }
    self.init(responses: Units(checked), seconds: Units(max(record.checked.secondCount, 1)))
    let own = coverage.filter { $0.operation == record.operation }
    if record.path.contains("{") { entities = Units(max(record.checked.paths.count, 1)) }
    if record.checked.queries.count > 1 { pages = Units(record.checked.queries.count) }
    let statuses = own.filter { $0.kind == "status" }
    untestedStatuses = statuses.filter { $0.count == 0 }.map(\.name)
    // The elements of a status that was not received are reported with the status.
    let came = Set(statuses.filter { $0.count > 0 }.map(\.name))
    let missing = own.filter { item in
      item.count == 0 && ["property", "enum", "branch"].contains(item.kind)
        && came.contains(String(item.name.prefix { $0 != " " }))
    }
    unseenCount = missing.count
    unseen = missing.prefix(Self.unseenShown).map(\.name)
  }
}

extension ContractStrength.Units {
  /// - Parameter seen: above 0.
  init(_ seen: Int) { self.init(seen: seen, missed: Self.missed(seen)) }

  /// The share of units that is missed with a probability of 5 %: (1 − q)^u = 0.05.
  package static func missed(_ seen: Int) -> Double { 1 - pow(0.05, 1 / Double(seen)) }

  /// The minimum of units that detect a share of `share` with 95 %: 299 for one per cent.
  package static func needed(for share: Double) -> Int {
    guard share < 1 else { return 1 }
    return Int(saturating: (log(0.05) / log1p(-share) - 1e-9).rounded(.up))
  }
}
