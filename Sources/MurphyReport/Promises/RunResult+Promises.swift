import MurphyModel

extension RunResult {
  /// Every promise of the run in the order of the report; each error among the findings is behind at least one.
  package var promises: [Promise] {
    let list = findingList
    var promises =
      runPromises + contractPromises(list) + explorePromises(list) + budgetPromises(list) + trafficPromises(list)
      + limitPromises(list)
      + statePromises(list) + relationPromises(list)
    promises += coveragePromises(list) + regressionPromises(list)
    let told = Set(promises.flatMap(\.findings))
    promises += otherPromises(list, besides: told)
    if let scope = run.judgedScope { for index in promises.indices { promises[index].judge(scope) } }
    return promises + [generatorPromise]
  }

  /// One per operation that was called: every answer matches the contract. What was never called is told by coverage.
  private func contractPromises(_ list: FindingList) -> [Promise] {
    var broken: [String?: [Int]] = [:]
    for number in list.numbers(where: { $0.group == .contract }) {
      for operation in list[number].operations { broken[operation, default: []] += [number] }
    }
    // What departs from the contract on purpose is judged by what is tried, not by the contract.
    let called = operations.filter {
      ($0.requests > 0 || broken[$0.operation] != nil) && !(explored != nil && $0.undocumented == true)
    }
    var promises = called.map { operation in
      let name = "\(operation.operation) answers as documented"
      let trials = operation.contractTrials
      func promise(_ state: CheckState, _ sentence: String, _ findings: [Int] = []) -> Promise {
        Promise(.contract, name, state, sentence, subject: operation.operation, findings: findings)
      }
      if let found = broken.removeValue(forKey: operation.operation) {
        return promise(.failed(trials: trials), operation.violationText ?? counted(found.count, "finding"), found)
      }
      if operation.outcomes.answered == 0 { return promise(.notTested, "no response was received") }
      if operation.succeeded == 0 { return promise(.notTested, "no request succeeded: \(operation.endings)") }
      if let gap = unchecked(operation) {
        return trials == 0
          ? promise(.notTested, gap)
          : Promise(.contract, name, .unchecked, gap, trials: trials, subject: operation.operation)
      }
      if let shortfall = operation.strength?.shortfall { return promise(.noData(trials: trials), shortfall) }
      return Promise(
        .contract, name, CheckState(trials: trials), counted(operation.outcomes.answered, "answer"),
        subject: operation.operation, strength: operation.strength?.text)
    }
    for (operation, found) in broken.sorted(by: { ($0.key ?? "") < ($1.key ?? "") }) {
      let subject = operation ?? "the API"
      promises.append(
        Promise(
          .contract, "\(subject) answers as documented", .failed(trials: 0), counted(found.count, "finding"),
          subject: subject,
          findings: found))
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

  private func budgetPromises(_ list: FindingList) -> [Promise] {
    budgets.map { row in
      if row.outcome == .doubtful {
        return Promise(
          .budget, row.title, .doubtful, row.sentence, trials: row.trials, subject: "\(row.subject) \(row.metric.name)")
      }
      let remedy =
        decidingDuration(row).map {
          "; needs --duration \($0.text), this load was \(Figure.seconds(run.load.last?.end ?? 0).text)"
        } ?? ""
      return Promise(
        .budget, row.title, row.state, row.sentence + remedy, subject: "\(row.subject) \(row.metric.name)",
        findings: list.numbers(row.findings), strength: row.strength?.text)
    }
  }

  /// A load of this length brings the samples that a budget lacks, at the rate of this run and a tenth more; nil where
  /// the load was not sent in full, or would last for longer than a day.
  private func decidingDuration(_ row: BudgetRow) -> Duration? {
    guard row.verdict == .noData, row.undecided?.cause == .tooFewSamples, row.samples > 0, !run.cutShort,
      run.aborted == nil, let length = run.load.last?.end, length > 0
    else { return nil }
    let seconds = (length * 1.1 * Double(row.samplesNeeded) / Double(row.samples)).rounded(.up)
    return seconds > 86_400 ? nil : .saturating(seconds: seconds)
  }

  private func trafficPromises(_ list: FindingList) -> [Promise] {
    traffic.map { row in
      let findings = list.numbers(row.findings)
      // Its own finding tells the reasons; an outage does not.
      let isTold = findings.contains { list[$0].kind.family == .traffic }
      return Promise(
        .traffic, row.title, row.state, isTold ? row.share : row.sentence,
        subject: row.verdict == .fail ? row.subject : nil, findings: findings)
    }
  }

  private func limitPromises(_ list: FindingList) -> [Promise] {
    limits.flatMap { row -> [Promise] in
      let name = "\(row.name): \(row.policy)"
      let findings = list.numbers(row.findings)
      let seen = row.brief(isTold: !findings.isEmpty)
      if row.verdict == .inconclusive, !row.lacksEvidence {
        return [Promise(.limit, name, .unasked, seen, trials: row.trials, subject: row.name)]
      }
      let isKept = row.verdict == .consistent
      // What a limit that passed was not tested for is a row of its own; what its traffic would not have shown is one.
      let untested = isKept ? row.tests?.filter { $0.outcome == .notTested } ?? [] : []
      let unshown = untested.filter { !$0.test.isSeen }
      return [
        Promise(
          .limit, name, row.state, seen, subject: row.name, findings: findings,
          strength: isKept ? row.strength.map { "\($0.text). \($0.fitText)" } : nil)
      ]
        + untested.filter(\.test.isSeen).map {
          Promise(.limit, "\(name): \($0.test.text)", .unasked, $0.sentence, subject: row.name)
        }
        + (unshown.isEmpty
          ? []
          : [
            Promise(
              .limit, "\(name): \(unshown.map(\.test.text).joined(separator: ", "))", .unasked,
              unshown.map(\.sentence).joined(separator: "; "), subject: row.name)
          ])
    }
  }

  private func statePromises(_ list: FindingList) -> [Promise] {
    state.map { row in
      Promise(.state, row.name, row.state, row.sentence, findings: list.numbers(row.findings))
    }
  }

  private func coveragePromises(_ list: FindingList) -> [Promise] {
    let found = list.numbers(coverage.findings)
    guard coverage.required != nil || coverage.verdict != nil || !found.isEmpty else { return [] }
    let name = coverage.required.map { "contract coverage ≥ \(Figure(Figure.decimals($0, 2), "%").text)" }
    let observed = Figure.percent(coverage.seen, of: coverage.items.count).text
    return [
      Promise(
        .coverage, name ?? "contract coverage as in the baseline",
        found.isEmpty ? coverage.state ?? .notTested : .failed(trials: coverage.trials ?? coverage.items.count),
        "\(coverage.seen) of \(coverage.items.count) seen, \(observed)", subject: "coverage", findings: found)
    ]
  }

  private func regressionPromises(_ list: FindingList) -> [Promise] {
    guard let regression else { return [] }
    if regression.rows.isEmpty {
      return [
        Promise(
          .budget, "no slower than the baseline",
          regression.verdict == .fail ? .failed(trials: 0) : .notTested,
          regression.reasons.first?.withoutFullStop ?? "nothing was compared", subject: "the baseline")
      ]
    }
    return regression.rows.map { row in
      Promise(
        .budget, "\(row.operation) \(row.metric.rawValue) within \(row.text(row.margin)) of the baseline",
        CheckState(row.verdict, trials: row.requests), row.statement,
        subject: "\(row.operation) \(row.metric.rawValue)",
        findings: list.numbers(row.findings))
    }
  }

  /// Errors that no row of a table stands for: dishonest `Retry-After` headers, lost connections, and the like.
  private func otherPromises(_ list: FindingList, besides told: Set<Int>) -> [Promise] {
    let loose = list.numbers { _ in true }.filter { !told.contains($0) }
    let grouped = Dictionary(grouping: loose) { number in
      let finding = list[number]
      let what = finding.group == .transport ? "every request is answered" : "no \(finding.kind.rawValue)"
      return finding.operation.map { "\($0): \(what)" } ?? what
    }
    return grouped.sorted { $0.key < $1.key }.map { name, numbers in
      let found = numbers.map { list[$0] }
      let counts = found.map { "\($0.kind.name) × \(Figure.count($0.count).text)" }
      // For most rules, the responses that could have broken them are not counted.
      let isRequest = found[0].group == .transport
      return Promise(
        found[0].group, name, .failed(trials: isRequest ? found.reduce(0) { $0 + $1.count } : 0),
        isRequest || found.count > 1 ? counts.joined(separator: ", ") : found[0].occurrence,
        subject: found[0].operation
          ?? (found[0].kind == .transportOutage ? "outage" : found[0].kind.rawValue),
        findings: numbers)
    }
  }

  /// Only of a run that came to nothing: without them no case of `junit.xml` would say why.
  private var runPromises: [Promise] {
    if let reason = run.unreached { return [Promise(.transport, "the preflight check passes", .notTested, reason)] }
    if let reason = run.crashed { return [Promise(.traffic, Promise.whole, .doubtful, reason.withoutFullStop)] }
    let setup = run.setup?.failed.map { Promise(.traffic, "the setup comes to its end", .notTested, $0) }
    if let lost = run.lostCredentials { return [Promise(.traffic, "the credentials work", .doubtful, lost.sentence)] }
    let lost = run.shards?.doubts ?? []
    guard run.cutShort || !ledger.contradictions.isEmpty || !lost.isEmpty else { return [setup].compactMap(\.self) }
    let reasons = lost.map(\.withoutFullStop) + ledger.contradictions.map { "the ledger does not add up: \($0)" }
    return [setup].compactMap(\.self) + [
      Promise(
        .traffic, Promise.whole, .doubtful,
        ((run.cutShort && lost.isEmpty ? ["The run was cut short, so there is no verdict on the whole"] : []) + reasons)
          .joined(separator: "; "))
    ]
  }

  private var generatorPromise: Promise {
    let doubts = generator.shownDoubts
    let late = generator.lateness
    let name = "murphy kept up"
    if !doubts.isEmpty {
      return Promise(
        .generator, name, .doubtful, doubts.map(\.withoutFullStop).joined(separator: "; "), trials: late.count,
        subject: "murphy")
    }
    return late.count == 0
      ? Promise(.generator, name, .notTested, "nothing was sent", subject: "murphy")
      : Promise(
        .generator, name, CheckState(trials: late.count),
        "sends were at most \(Figure.latency(late.p99).text) late (p99)", subject: "murphy")
  }
}

extension TokenResult {
  fileprivate var sentence: String {
    let lost = failed == 0 ? "" : ", \(Figure.count(failed).text) of which brought none"
    return
      "Access tokens: \(Figure.count(requests).text) request\(requests == 1 ? "" : "s")\(lost); they stand in no other "
      + "count"
  }
}

extension RunInfo {
  /// What became of setup and teardown, a sentence for each; their requests stand in no other count.
  package var fixtures: [String] {
    [("Setup", setup), ("Teardown", teardown)].compactMap { name, fixture in
      fixture.map { "\(name): \($0.sentence)" }
    } + [tokens?.sentence].compactMap(\.self)
  }
}

extension RunResult {
  /// What is worth a sentence beside the account of requests.
  package var sideNotes: [String] { [sparedSentence, streamSentence].compactMap(\.self) }

  /// What streams of events brought; nil without any.
  private var streamSentence: String? {
    let streaming = operations.filter { $0.streams != nil }
    guard !streaming.isEmpty else { return nil }
    let each = streaming.prefix(5).map { operation in
      let figures = operation.streams ?? StreamFigures()
      return "\(operation.operation) \(counted(figures.streams, "stream")) with \(counted(figures.events, "event"))"
        + (figures.broken > 0 ? ", \(figures.broken) broken off" : "")
    }.joined(separator: ", ")
    return "Events are counted and not checked: \(each)\(streaming.count > 5 ? " and others" : "")."
  }

  /// What clients did not send, for they had the answer; nil where they sent everything.
  private var sparedSentence: String? {
    let spared = operations.filter { ($0.spared ?? 0) > 0 }
    guard !spared.isEmpty else { return nil }
    let sum = spared.reduce(0) { $0 + ($1.spared ?? 0) }
    let most = spared.sorted { ($1.spared ?? 0) < ($0.spared ?? 0) }.prefix(5)
      .map { "\($0.operation) \(Figure.count($0.spared ?? 0).text)" }.joined(separator: ", ")
    return
      "\(counted(sum, "request")) \(sum == 1 ? "was" : "were") not sent, for the client had the answer (`cache:` and "
      + "`dedupe:`): \(most)\(spared.count > 5 ? " and others" : ""). They are in no other count."
  }
}

extension FixtureResult {
  /// `3 requests in 120 ms, counted nowhere else.`
  fileprivate var sentence: String {
    let end = failed.map { "It failed: \($0)." } ?? "It came to its end."
    return "\(counted(requests, "request")) in \(Figure.seconds(duration).text), counted nowhere else. \(end)"
  }
}
