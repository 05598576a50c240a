import MurphyJudge
import MurphyModel

extension RunResult {
  /// Every check of the run in the order of the report. Each error among the findings belongs to at least one.
  package var checks: [Check] {
    let list = findingList
    var checks =
      runChecks + contractChecks(list) + exploreChecks(list) + budgetChecks(list) + trafficChecks(list)
      + limitChecks(list)
      + stateChecks(list) + relationChecks(list)
    checks += coverageChecks(list) + regressionChecks(list)
    let told = Set(checks.flatMap(\.findings))
    checks += otherChecks(list, besides: told)
    if let scope = run.judgedScope { for index in checks.indices { checks[index].judge(scope) } }
    return checks + [generatorCheck]
  }

  /// One check per called operation: every response matches the contract. Coverage reports the operations that were not
  /// called.
  private func contractChecks(_ list: FindingList) -> [Check] {
    var broken = list.numbers(of: .contract)
    // Requests that violate the contract on purpose are judged by the explore checks, not by this one.
    let called = operations.filter {
      ($0.requests > 0 || broken[$0.operation] != nil) && !(explored != nil && $0.undocumented == true)
    }
    var checks = called.map { operation in
      let name = "\(operation.operation) responds as documented"
      let trials = operation.contractTrials
      func check(_ state: CheckState, _ sentence: String, _ findings: [Int] = []) -> Check {
        Check(.contract, name, state, sentence, subject: operation.operation, findings: findings)
      }
      if let found = broken.removeValue(forKey: operation.operation) {
        return check(.failed(trials: trials), operation.violationText ?? counted(found.count, "finding"), found)
      }
      if operation.outcomes.answered == 0 { return check(.notTested, "no response was received") }
      if operation.succeeded == 0 { return check(.notTested, "no request succeeded: \(operation.endings)") }
      if let gap = unchecked(operation) {
        return trials == 0
          ? check(.notTested, gap)
          : Check(.contract, name, .unchecked, gap, trials: trials, subject: operation.operation)
      }
      if let shortfall = operation.strength?.shortfall { return check(.noData(trials: trials), shortfall) }
      return Check(
        .contract, name, CheckState(trials: trials), counted(operation.outcomes.answered, "response"),
        subject: operation.operation, strength: operation.strength?.text)
    }
    for (operation, found) in broken.sorted(by: { ($0.key ?? "") < ($1.key ?? "") }) {
      let subject = operation ?? "the API"
      checks.append(
        Check(
          .contract, "\(subject) responds as documented", .failed(trials: 0), counted(found.count, "finding"),
          subject: subject,
          findings: found))
    }
    return checks
  }

  /// The unchecked responses of an operation, and the reason; nil if all of them were checked.
  private func unchecked(_ operation: OperationResult) -> String? {
    guard let counts = operation.conformance else {
      // An older result counted them for the whole run, so no operation counts as fully checked.
      return ledger.uncheckedTotal > 0
        ? "\(counted(operation.outcomes.answered, "response")), some of which may be unchecked" : nil
    }
    guard counts.uncheckedTotal > 0 else { return nil }
    return counts.uncheckedText
  }

  private func budgetChecks(_ list: FindingList) -> [Check] {
    budgets.map { row in
      let subject = "\(row.subject) \(row.metric.name)"
      if row.outcome == .doubtful {
        var check = Check(.budget, row.title, .doubtful, row.sentence, trials: row.trials, subject: subject)
        check.row = row
        return check
      }
      let remedy =
        decidingDuration(row).map {
          "; --duration \($0.notation) gives enough samples (the load of this run lasted "
            + "\(Figure.time(run.load.last?.end ?? .zero).text))"
        } ?? ""
      return Check(
        .budget, row.title, of: row, list, row.sentence + remedy, subject: subject, strength: row.strength?.text
      )
    }
  }

  /// The load duration that decides all open checks, in the notation of `--duration`; nil if it would not decide them.
  package var decidingDuration: String? {
    guard verdict == .noData else { return nil }
    // Murphy's own delay does not prevent a decision; otherwise the run is invalid.
    let open = checks.open.filter { $0.outcome != .unchecked && $0.family != .generator }
    let durations = open.compactMap { ($0.row as? BudgetRow).flatMap(decidingDuration) }
    return durations.count == open.count ? durations.max()?.notation : nil
  }

  /// The load duration that provides the missing samples of a budget, at the rate of this run, plus a tenth. Nil if the
  /// load was not sent in full, or if the duration would exceed a day.
  private func decidingDuration(_ row: BudgetRow) -> Duration? {
    guard row.verdict == .noData, row.undecided?.cause == .tooFewSamples, row.samples > 0, !run.cutShort,
      run.aborted == nil, let length = run.load.last?.end, length > .zero
    else { return nil }
    let seconds = (length.inSeconds * 1.1 * Double(row.samplesNeeded) / Double(row.samples)).rounded(.up)
    return seconds > 86_400 ? nil : .saturating(seconds: seconds)
  }

  private func trafficChecks(_ list: FindingList) -> [Check] {
    traffic.map { row in
      // Its own finding reports the reasons; an outage does not.
      let isTold = list.numbers(row.findings).contains { list[$0].kind.family == .traffic }
      return Check(
        .traffic, row.title, of: row, list, isTold ? row.share : row.sentence,
        subject: row.verdict == .fail ? row.subject : nil)
    }
  }

  private func limitChecks(_ list: FindingList) -> [Check] {
    limits.flatMap { row -> [Check] in
      let name = "\(row.name): \(row.policy)"
      let seen = row.brief(isTold: !list.numbers(row.findings).isEmpty)
      if row.verdict == .inconclusive, !row.isOpen {
        return [Check(.limit, name, .notRequired, seen, trials: row.trials, subject: row.name)]
      }
      let isPassed = row.verdict == .consistent
      // Each untested property of a passed limit has a row. Properties that its traffic would not have shown share one
      // row.
      let untested = isPassed ? row.tests?.filter { $0.outcome == .notTested } ?? [] : []
      let unshown = untested.filter { !$0.test.isSeen }
      return [
        Check(
          .limit, name, of: row, list, seen, subject: row.name,
          strength: isPassed ? row.strength.map { "\($0.text). \($0.fitText)" } : nil)
      ]
        + untested.filter(\.test.isSeen).map {
          Check(.limit, "\(name): \($0.test.text)", .notRequired, $0.sentence, subject: row.name)
        }
        + (unshown.isEmpty
          ? []
          : [
            Check(
              .limit, "\(name): \(unshown.map(\.test.text).joined(separator: ", "))", .notRequired,
              unshown.map(\.sentence).joined(separator: "; "), subject: row.name)
          ])
    }
  }

  private func stateChecks(_ list: FindingList) -> [Check] {
    state.map { Check(.state, $0.name, of: $0, list, $0.sentence) }
  }

  private func coverageChecks(_ list: FindingList) -> [Check] {
    let found = list.numbers(coverage.findings)
    guard coverage.required != nil || coverage.verdict != nil || !found.isEmpty else { return [] }
    let name = coverage.required.map { "contract coverage ≥ \(Figure.percentage($0, 2).text)" }
    let observed = Figure.percent(coverage.seen, of: coverage.items.count).text
    return [
      Check(
        .coverage, name ?? "contract coverage as in the baseline",
        found.isEmpty ? coverage.state : .failed(trials: coverage.trials ?? coverage.items.count),
        "\(coverage.seen) of \(coverage.items.count) exercised, \(observed)", subject: "coverage", findings: found)
    ]
  }

  /// Errors without a row in a table: incorrect `Retry-After` headers, lost connections, and similar errors.
  private func otherChecks(_ list: FindingList, besides told: Set<Int>) -> [Check] {
    let loose = list.numbers { _ in true }.filter { !told.contains($0) }
    let grouped = Dictionary(grouping: loose) { number in
      let finding = list[number]
      let isTransport = finding.kind.family == .transport
      let what = isTransport ? "every request gets a response" : "no finding of the kind \(finding.kind.rawValue)"
      return finding.operation.map { "\($0): \(what)" } ?? what
    }
    return grouped.sorted { $0.key < $1.key }.map { name, numbers in
      let found = numbers.map { list[$0] }
      let counts = found.map { "\($0.kind.name) × \($0.count.text)" }
      // For most rules, the responses that could have broken them are not counted.
      let isRequest = found[0].kind.family == .transport
      return Check(
        found[0].kind.family, name, .failed(trials: isRequest ? found.reduce(0) { $0 + $1.count } : 0),
        isRequest || found.count > 1 ? counts.joined(separator: ", ") : found[0].occurrence,
        subject: found[0].operation
          ?? (found[0].kind == .transportOutage ? "outage" : found[0].kind.rawValue),
        findings: numbers)
    }
  }

  /// Only for a run without any result: without them no case of `junit.xml` would state the reason.
  private var runChecks: [Check] {
    if let reason = run.unreached { return [Check(.transport, "the preflight check passes", .notTested, reason)] }
    if let reason = run.crashed { return [Check(.traffic, Check.whole, .doubtful, reason.withoutFullStop)] }
    let setup = run.setup?.failed.map { Check(.traffic, "the setup completes", .notTested, $0) }
    if let lost = run.lostCredentials { return [Check(.traffic, "the credentials work", .doubtful, lost.sentence)] }
    let lost = run.shards?.doubts ?? []
    guard run.cutShort || !ledger.contradictions.isEmpty || !lost.isEmpty else { return [setup].compactMap(\.self) }
    let reasons =
      lost.map(\.withoutFullStop) + ledger.contradictions.map { "the request totals are inconsistent: \($0)" }
    return [setup].compactMap(\.self) + [
      Check(
        .traffic, Check.whole, .doubtful,
        ((run.cutShort && lost.isEmpty ? ["The run was cut short, so there is no verdict on the whole run"] : [])
          + reasons)
          .joined(separator: "; "))
    ]
  }

  private var generatorCheck: Check {
    let doubts = generator.shownDoubts
    let late = generator.lateness
    let name = "load generator kept the schedule"
    if !doubts.isEmpty {
      return Check(
        .generator, name, .doubtful, doubts.map(\.withoutFullStop).joined(separator: "; "), trials: late.count,
        subject: "load generator")
    }
    return late.count == 0
      ? Check(.generator, name, .notTested, "no request was sent", subject: "load generator")
      : Check(
        .generator, name, CheckState(trials: late.count),
        "the send delay was at most \(Figure.latency(late.p99).text) for 99% of the requests",
        subject: "load generator")
  }
}

extension TokenResult {
  /// The numbers in words.
  package var sentence: String {
    let renewed = renewals.map { ", \($0.text) of which renewed a token" } ?? ""
    let lost = failed == 0 ? "" : ", \(failed.text) of which failed"
    return "Access tokens: \(counted(requests, "request"))\(renewed)\(lost). No other count includes these requests."
  }
}

extension RunInfo {
  /// The outcome of setup and teardown, a sentence for each; their requests are in no other count.
  package var fixtures: [String] {
    [("Setup", setup), ("Teardown", teardown)].compactMap { name, fixture in
      fixture.map { "\(name): \($0.sentence)" }
    } + [tokens?.sentence].compactMap(\.self)
  }
}

extension RunResult {
  /// Additional notes on the request accounting.
  package var sideNotes: [String] { [sparedSentence, withheldSentence, streamSentence].compactMap(\.self) }

  /// The data of event streams; nil without any.
  private var streamSentence: String? {
    let streaming = operations.filter { $0.streams != nil }
    guard !streaming.isEmpty else { return nil }
    let each = streaming.prefix(5).map { operation in
      let figures = operation.streams ?? StreamFigures()
      return "\(operation.operation) \(counted(figures.streams, "stream")) with \(counted(figures.events, "event"))"
        + (figures.broken > 0 ? ", \(counted(figures.broken, "stream")) interrupted" : "")
    }.joined(separator: ", ")
    return "Murphy counts the events of streams, but does not check them: \(each)"
      + (streaming.count > 5 ? " and others." : ".")
  }

  private var withheldSentence: String? {
    ledger.withheld.map {
      "Murphy withheld \(counted($0, "request")) during an outage of the load. They are in no other count."
    }
  }

  /// The requests that clients did not send because they had the response; nil if they sent everything.
  private var sparedSentence: String? {
    let spared = operations.filter { ($0.spared ?? 0) > 0 }
    guard !spared.isEmpty else { return nil }
    let sum = spared.reduce(0) { $0 + ($1.spared ?? 0) }
    let most = spared.sorted { ($1.spared ?? 0) < ($0.spared ?? 0) }.prefix(5)
      .map { "\($0.operation) \(($0.spared ?? 0).text)" }.joined(separator: ", ")
    return
      "\(counted(sum, "request")) \(sum == 1 ? "was" : "were") not sent, because the client already had the "
      + "response (`cache:`, `dedupe:`): \(most)\(spared.count > 5 ? " and others" : ""). No other count includes "
      + "these requests."
  }
}

extension FixtureResult {
  /// `3 requests in 120 ms. No other count includes these requests. All steps completed.`
  fileprivate var sentence: String {
    let end = failed.map { "The steps did not complete: \($0)." } ?? "All steps completed."
    return "\(counted(requests, "request")) in \(Figure.time(duration).text). No other count includes these requests. "
      + end
  }
}
