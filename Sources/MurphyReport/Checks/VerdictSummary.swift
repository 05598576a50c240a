import MurphyModel

/// The reason for a run's verdict, in a few lines; the next step; and the untested parts.
package struct VerdictSummary: Sendable {
  /// A text that leads to a place in the report.
  package struct Link: Sendable, Hashable {
    package var text: String
    /// The id of an element of the page.
    package var anchor: String

    package init(_ text: String, _ anchor: String) {
      self.text = text
      self.anchor = anchor
    }
  }

  /// A reason or a step, with its links.
  package struct Line: Sendable, Hashable {
    package var lead: String
    package var links: [Link]
    /// The link of the lead itself, by the id of a section.
    package var section: String?

    package init(_ lead: String, _ links: [Link] = [], section: String? = nil) {
      self.lead = lead
      self.links = links
      self.section = section
    }

    /// At most six of the links, and the number of the others.
    package static let linksShown = 6
    /// The links that fit in the line.
    package var shown: [Link] { Array(links.prefix(Self.linksShown)) }
    /// The number of links that do not fit.
    package var more: Int { max(links.count - Self.linksShown, 0) }

    /// Without links: `Contract violations: getLaw, listLaws`.
    package var text: String {
      links.isEmpty
        ? lead
        : "\(lead): " + shown.map(\.text).joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
    }
  }

  /// The most important first.
  package var lines: [Line] = []
  /// The next step, and the place on the page to start with; nil after a pass.
  package var advice: String?
  package var beginning: String?
  /// True if the step follows from more than the first finding.
  let isSpecific: Bool
  package var untested: [Link] = []

  package init(_ result: RunResult) { self.init(result, result.checks, result.findingList) }

  init(_ result: RunResult, _ checks: [Check], _ list: FindingList) {
    untested = Self.untested(result, checks)
    isSpecific = list.entries.first.flatMap { Self.specificAdvice(result, $0) } != nil
    guard result.verdict != .pass else { return }
    if result.run.unreached != nil { lines.append(Line("The preflight check failed", section: RunSection.id)) }
    if let crash = result.run.crashed { lines.append(Line(crash.withoutFullStop, section: RunSection.id)) }
    if result.run.setup?.failed != nil { lines.append(Line("The setup failed", section: SessionsSection.id)) }
    if let lost = result.run.lostCredentials {
      lines.append(Line(lost.sentence.capitalizedFirst, section: RunSection.id))
    }
    if let lost = result.run.shards?.doubts, !lost.isEmpty {
      lines += lost.prefix(5).map { Line($0.withoutFullStop, section: ShardsSection.id) }
    } else if result.run.cutShort {
      lines.append(Line("The run was cut short", section: RunSection.id))
    }
    if !result.ledger.contradictions.isEmpty {
      lines.append(Line("The request totals are inconsistent", section: LedgerSection.id))
    }
    if let first = list.entries.first, first.chapter == .outage {
      lines.append(Line("No response was received", [Link("outage", FindingArticle.anchor(first.number))]))
    }
    let numbered = checks.enumerated().map { (number: $0 + 1, check: $1) }
    var told: Set<Int> = []
    var sentences = 0
    for (family, lead) in Self.leads {
      let broken = numbered.filter { numbered in
        numbered.check.family == family && numbered.check.outcome == .failed
          && (family != .transport || numbered.check.findings.contains { list[$0].kind != .transportOutage })
      }
      var rest: [(number: Int, check: Check)] = []
      for (number, check) in broken {
        // One finding can fail several checks.
        let news = check.findings.first { !told.contains($0) }
        guard sentences < Self.sentencesShown, news != nil || check.findings.isEmpty else {
          rest.append((number, check))
          continue
        }
        sentences += 1
        if let news { told.insert(news) }
        let isShared = news.map { list[$0].isOfSeveralOperations } == true
        let subject = isShared ? "API" : check.subject
        lines.append(Line(subject, [Link(Self.sentence(check, news, list), check.anchor(number, news))]))
      }
      let others = rest.map { Link($0.check.subject, $0.check.anchor($0.number, $0.check.findings.first)) }
      if !others.isEmpty { lines.append(Line(lead, others)) }
    }
    if result.verdict != .fail {
      if result.verdict == .invalid,
        numbered.contains(where: { $0.check.family == .generator && $0.check.outcome == .doubtful })
      {
        lines.append(Line("Murphy was the bottleneck", section: GeneratorSection.id))
      }
      let open = numbered.filter {
        $0.check.family != .generator && [.noData, .notTested, .doubtful].contains($0.check.outcome)
      }
      if result.ledger.answered == 0 { lines.append(Line("No request got a response", section: LedgerSection.id)) }
      if !open.isEmpty {
        lines.append(Line("Undecided", open.map { Link($0.check.subject, Check.anchor($0.number)) }))
      }
    }
    if lines.isEmpty || (result.explored != nil && result.verdict == .noData) {
      lines = result.reasons.prefix(5).map { Line($0) }
    }
    advice = Self.advice(result, checks, list)
    if result.verdict == .fail, list.entries.first?.finding.severity == .error { beginning = FindingArticle.anchor(1) }
  }

  /// Failed checks that have a sentence; further ones are only named.
  private static let sentencesShown = 6
  private static let longestSentence = 140

  /// The failure: `102 of 153: the required property "created_at" is missing`.
  private static func sentence(_ check: Check, _ number: Int?, _ list: FindingList) -> String {
    guard let number else { return shortened(check.sentence) }
    let finding = list[number]
    // The count is of several operations, and the trials are of one.
    let share = check.trials.flatMap { trials -> String? in
      guard finding.count > 1 else { return nil }
      if finding.isOfSeveralOperations { return "\(finding.count.text) times: " }
      return trials >= finding.count ? "\(finding.count.text) of \(trials.text): " : nil
    }
    let more = check.findings.count - 1
    return (share ?? "") + shortened(finding.message) + (more > 0 ? " and \(counted(more, "more finding"))" : "")
  }

  private static func shortened(_ text: String) -> String {
    text.count > longestSentence ? text.prefix(longestSentence - 1) + "…" : text
  }

  private static let leads: [(FindingRule.Family, String)] = [
    (.contract, "Contract violations"), (.explore, "Input validation errors"),
    (.relation, "Inconsistent responses"), (.state, "State invariants"),
    (.limit, "Rate limits"),
    (.transport, "Failed requests"), (.budget, "Budgets"), (.traffic, "Sessions"),
    (.coverage, "Coverage"),
    (.generator, "Murphy"),
  ]

  private static func untested(_ result: RunResult, _ checks: [Check]) -> [Link] {
    var links: [Link] = []
    func add(_ count: Int, _ text: String, _ anchor: String) { if count > 0 { links.append(Link(text, anchor)) } }
    func add(_ checks: [Check], _ noun: String) {
      let isListed = checks.contains { $0.outcome == .notRequired }
      add(checks.count, counted(checks.count, noun), isListed ? ChecksSection.untestedID : ChecksSection.id)
    }
    let limits = checks.notTested.filter { $0.family == .limit }
    add(limits, "rate limit check")
    add(checks.notTested.filter { $0.family != .limit }, limits.isEmpty ? "check" : "other check")
    let unchecked = result.ledger.uncheckedTotal
    add(unchecked, "\(counted(unchecked, "response")) not checked", LedgerSection.id)
    let uncalled = result.operations.count { $0.requests == 0 && $0.undocumented != true }
    add(uncalled, "\(counted(uncalled, "operation")) never called", OperationsSection.id)
    let items = result.coverage.items.count
    let unseen = items - result.coverage.seen
    add(
      unseen, "\(unseen.text) of \(items.text) contract elements not exercised",
      CoverageSection.id)
    return links
  }

  /// True if every failure was a 4xx status, and none was the rejection of a rate limiter.
  private static func isRefusal(_ result: RunResult) -> Bool {
    let outcomes = result.operations.map(\.outcomes)
    return outcomes.contains { $0.clientError > 0 }
      && outcomes.allSatisfy { $0.serverError == 0 && $0.transport == 0 && $0.limited == 0 }
  }

  /// The step for a failed run that its first finding alone does not suggest.
  private static func specificAdvice(_ result: RunResult, _ first: FindingList.Entry) -> String? {
    if first.chapter == .outage {
      let end = result.run.aborted.map {
        "The load ended early, at \(Figure.time($0).text), because the target sent no response. "
      }
      let time = result.run.clockTime(first.finding.firstSeen).map { "from \($0) on" } ?? "at the time of the outage"
      return (end ?? "") + "In the API's log, look for a crash or a restart \(time)." + cleared(result, first.finding)
        + (end == nil ? "" : " Make sure that the API responds before you run again.")
    }
    if first.chapter == .load, first.finding.cause != nil { return nil }
    if let reason = result.sessionEnd(behind: first.finding) {
      let times = counted(reason.count, "time")
      return "Find out why sessions end early. The most frequent reason (\(times)) is: \(reason.reason)."
    }
    if first.finding.kind == .contractStatus, first.finding.status == 401 {
      return "Give murphy credentials that the API accepts, then run again. Finding 1 says which ones it needs."
    }
    if first.finding.kind == .budgetRegression {
      return "Check what changed in the API since the runs of the baseline. Keep the load: a run with another load is "
        + "not comparable with these runs."
    }
    guard first.chapter == .load else { return nil }
    if let median = result.median(over: first.finding) {
      return "Measure a request without load, because even the median (\(median)) exceeds the budget. If this request "
        + "is as slow, look for a slow query or slow code. Otherwise look for a bottleneck under load."
    }
    return isRefusal(result)
      ? "Find out why the API rejects these requests (4xx). Reducing the load will not help."
      : "Re-run at half load (--load 0.5) to see whether load is the cause."
  }

  /// Murphy's longest pause; empty if it lasted half of the outage. Only a pause that is much shorter rules murphy out.
  private static func cleared(_ result: RunResult, _ outage: Finding) -> String {
    let stall = result.generator.longestStall
    guard outage.lastSeen - outage.firstSeen > stall * 2 else { return "" }
    let longest = result.generator.loopStalls == 0 ? "under 50 ms" : Figure.latency(stall).text
    let conclusion = outage.lastSeen - outage.firstSeen > stall * 10 ? ", so murphy did not cause the outage" : ""
    return " Murphy's own longest pause was \(longest)\(conclusion)."
  }

  private static func advice(_ result: RunResult, _ checks: [Check], _ list: FindingList) -> String {
    switch result.verdict {
    case .pass: return ""
    case .shard: return "Run `murphy merge` on the report folders of all shards."
    case .fail:
      guard let first = list.entries.first, first.finding.severity == .error else {
        return "Start with the first failed check."
      }
      return specificAdvice(result, first)
        ?? (first.finding.evidence?.curl == nil
          ? "Start with finding 1." : "Start with finding 1. Its command reproduces the finding.")
    case .invalid:
      if result.run.unreached != nil { return "Fix the cause of the failed preflight check, then run again." }
      if result.run.crashed != nil {
        return "This is a bug in murphy. Please report it with the command and its output."
      }
      if let lost = result.run.lostCredentials {
        return lost.after.map { "Remove \($0) from the sessions, or log in again after it." }
          ?? "Provide credentials that stay valid for the whole load, or log in again during the load."
      }
      if result.run.shards?.doubts.isEmpty == false {
        return
          "Check the output of the failed shards, then re-run all shards. To evaluate only the shards that finished, "
          + "use --tolerate-lost."
      }
      if result.run.cutShort { return "Run again, and do not interrupt the run." }
      if result.run.setup?.failed != nil {
        return "Fix the failed step of `setup:`. Murphy sends no load if the setup fails."
      }
      if !result.ledger.contradictions.isEmpty { return "This is a bug in murphy. Please report it." }
      return "Run murphy on more cores or a dedicated machine, or reduce the load (--load 0.5)."
    case .noData:
      if let explored = result.explored, result.ledger.answered > 0 { return explored.advice(result.findings) }
      if let duration = result.decidingDuration {
        return "Run longer: --duration \(duration) gives every budget enough samples."
      }
      return result.ledger.answered == 0
        ? "No response was received. Check that the API is up and that sessions reach their first call."
        : UndecidedAdvice(result: result, open: checks.open).text
    }
  }
}

extension Check {
  /// The row of the page.
  static func anchor(_ number: Int) -> String { "promise-\(number)" }

  /// The finding. The row, if that shows more or without a finding.
  fileprivate func anchor(_ number: Int, _ finding: Int?) -> String {
    family == .budget ? Self.anchor(number) : finding.map(FindingArticle.anchor) ?? Self.anchor(number)
  }
}

extension RunResult {
  /// The median of the operation if it exceeds the budget of the finding.
  func median(over finding: Finding) -> String? {
    guard let row = budgets.first(where: { $0.findings.contains(finding.fingerprint) }),
      row.limit.unit == .microseconds,
      let median = operations.first(where: { $0.operation == row.operation })?.shownLatency?.p50,
      median.low.inMicroseconds > row.limit.value
    else { return nil }
    return Figure.interval(median)
  }

  /// The most frequent reason why sessions ended early, if the finding reports it.
  fileprivate func sessionEnd(behind finding: Finding) -> ReasonCount? {
    guard finding.kind.family == .traffic else { return nil }
    return traffic.first { $0.kind == .completed }?.exceptions.first
  }
}
