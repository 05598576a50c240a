import MurphyModel
import MurphyScenario

/// Invariants over sessions, decided from the client's own log.
package enum StateJudge: Judge {
  package static func rule(on run: JudgedRun) -> JudgeResult {
    var ruling = JudgeResult()
    let log = run.record.stateLog
    for (number, expectation) in run.scenario.expectations.state.enumerated() {
      let terms = terms(of: expectation, run, log)
      let report = StateReport(expectation.kind.rule(expectation), terms, number: number, log: log)
      let findings = StateFindings(expectation, report, run.record).findings
      var row = row(expectation, report, log, number: number, failsOnUnchecked: run.failsOnUnchecked)
      row.findings = findings.map(\.fingerprint)
      ruling.checks.append(row)
      ruling.findings += findings
    }
    return ruling
  }

  private static func terms(of expectation: StateExpectation, _ run: JudgedRun, _ log: StateLog) -> StateTerms {
    var terms = StateTerms()
    terms.startsQuiet = run.limits.startsQuiet
    terms.isExclusive = expectation.isExclusive ?? run.limits.startsQuiet
    if let settle = expectation.settle { terms.settle = settle.nanoseconds }
    terms.within = expectation.within.nanoseconds
    for (index, operation) in log.operations.enumerated() {
      let lag = expectation.stale[operation] ?? expectation.stale["*"]
      if let lag, lag > .zero { terms.lags[index] = lag.nanoseconds }
    }
    return terms
  }

  private static func row(
    _ expectation: StateExpectation, _ report: StateReport, _ log: StateLog, number: Int, failsOnUnchecked: Bool
  ) -> StateRow {
    let gaps = log.gaps.indices.contains(number) ? log.gaps[number] : StateGaps()
    let unsaid = report.inconclusive.values.reduce(0, +)
    let isUndecided = report.tested == 0 || (failsOnUnchecked && unsaid > 0)
    let power = report.power
    let state = CheckState(
      trials: report.tested == 0 ? 0 : power.sharp, isBroken: !report.violations.isEmpty, isOpen: isUndecided)
    let sentence = StateSentence(expectation: expectation, report: report, gaps: gaps)
    var row = StateRow(
      name: expectation.name, sentence: sentence.text(state.verdict), samples: power.reads, state: state)
    row.kind = expectation.kind.word
    row.test = StateTest(
      keys: report.keys, tested: report.tested, violated: report.violations.count,
      inconclusive: report.inconclusive.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        .map { ReasonCount(reason: $0.key, count: $0.value) },
      writes: power.writes, reads: power.reads, sharp: power.sharp,
      slack: power.sharp > 0 ? (Double(power.slack) / Double(power.sharp) * 100).rounded() / 100 : 0,
      unread: gaps.unreadAnswers,
      ownRequests: Set(log.exchanges.lazy.filter { $0.isOwn && Int($0.invariant) == number }.map(\.sent)).count)
    return row
  }
}

extension StateExpectation.Invariant {
  fileprivate func rule(_ expectation: StateExpectation) -> StateRule {
    switch self {
    case .ledger(let toggles): toggles ? .toggles : .ledger
    case .counter: .counter
    case .versions: .versions
    case .register: .register
    case .set(let isSnapshot): .set(isSnapshot: isSnapshot)
    case .delivery: .delivery(within: expectation.within.nanoseconds)
    case .session: .session
    case .formula(let condition, let names): .formula(condition, names: names)
    }
  }
}

/// The sentence of an invariant's row.
private struct StateSentence {
  let expectation: StateExpectation
  let report: StateReport
  let gaps: StateGaps

  func text(_ verdict: RowVerdict) -> String {
    let title = expectation.title.capitalizedFirst
    let keys = counted(report.keys, "key")
    switch verdict {
    case .fail: return "\(title): \(report.violations.count) of \(keys) contradict it.\(unsaid)"
    case .noData, .notTested: return "\(title) was not tested: \(reason).\(unsaid)"
    default:
      return
        "\(title): \(expectation.kind.promise), in all \(counted(max(report.power.reads, report.power.sharp), "response")) of \(keys); "
        + "\(report.power.sharp) of them could have contradicted it.\(unsaid)"
    }
  }

  private var unsaid: String {
    var text = ""
    for (reason, count) in report.inconclusive.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }) {
      text += " \(count) of \(counted(report.keys, "key")) have no data: \(reason)."
    }
    if gaps.unreadAnswers > 0, let first = gaps.firstUnread {
      text += " \(counted(gaps.unreadAnswers, "response")) did not show the value that the check reads (\(first))."
    }
    if gaps.failedReads > 0 {
      text += " \(gaps.failedReads) of murphy's own reads got no usable response."
    }
    return text
  }

  /// The reason why no response could have contradicted it.
  private var reason: String {
    if gaps.unreadWrites > 0, let first = gaps.firstUnread {
      return "\(counted(gaps.unreadWrites, "write")) could not be read (\(first))"
    }
    if report.power.writes == 0, report.power.reads == 0 { return "no request of its operations was answered" }
    if report.power.writes == 0 { return "the run changed none of its values" }
    if report.power.reads == 0 { return "no response showed a value that the run had changed" }
    if !report.inconclusive.isEmpty, report.tested == 0, report.consistent == 0 { return "no key was checked" }
    return "every response would have been correct whatever the API had done with the writes"
  }
}
