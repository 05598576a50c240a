import MurphyModel
import MurphyScenario

/// Invariants over sessions, decided from the client's own log.
package enum StateJudge: Judge {
  /// Checks every invariant of the scenario.
  package static func rule(on run: FinishedRun) -> JudgeResult {
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

  private static func terms(of expectation: StateExpectation, _ run: FinishedRun, _ log: StateLog) -> StateTerms {
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
      unread: gaps.unreadResponses,
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
    case .fail:
      return "\(title): the responses of \(report.violations.count) of \(keys) violate the invariant.\(unsaid)"
    case .noData, .notTested: return "\(title) was not tested: \(reason).\(unsaid)"
    default:
      return
        "\(title): \(expectation.kind.promise), in all \(counted(max(report.power.reads, report.power.sharp), "response")) of \(keys); "
        + "\(report.power.sharp) of these responses could have shown a violation.\(unsaid)"
    }
  }

  private var unsaid: String {
    var text = ""
    for (reason, count) in report.inconclusive.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }) {
      text += " \(count) of \(counted(report.keys, "key")) \(count == 1 ? "has" : "have") no data: \(reason)."
    }
    if gaps.unreadResponses > 0, let first = gaps.firstUnread {
      text += " \(counted(gaps.unreadResponses, "response")) did not contain the value that the check reads (\(first))."
    }
    if gaps.failedReads > 0 {
      text += " \(gaps.failedReads) of murphy's own reads got no usable response."
    }
    return text
  }

  /// The reason why no response could have contradicted it.
  private var reason: String {
    if gaps.unreadWrites > 0, let first = gaps.firstUnread {
      return "the check could not read the values of \(counted(gaps.unreadWrites, "write")) (\(first))"
    }
    if report.power.writes == 0, report.power.reads == 0 {
      return "no request of the invariant's operations got a response"
    }
    if report.power.writes == 0 { return "the run changed no value that the invariant covers" }
    if report.power.reads == 0 { return "no response showed a value that the run had changed" }
    if !report.inconclusive.isEmpty, report.tested == 0, report.consistent == 0 { return "no key was checked" }
    return "no response could have shown a violation, whatever the API did with the writes"
  }
}

/// Findings of one invariant: one for each kind, with the violation that needs the fewest exchanges as proof.
struct StateFindings {
  private let expectation: StateExpectation
  private let report: StateReport
  private let log: StateLog
  private let target: String
  private let mask: SecretMask

  /// The maximum of other keys that a finding names.
  private static let mostOthers = 5

  init(_ expectation: StateExpectation, _ report: StateReport, _ record: RunRecord) {
    (self.expectation, self.report) = (expectation, report)
    (log, target, mask) = (record.stateLog, record.info.target, record.mask)
  }

  var findings: [Finding] {
    let kinds = Dictionary(grouping: report.violations) { $0.violation.kind }
    return kinds.sorted { $0.key.rawValue < $1.key.rawValue }.map { finding($0.key, $0.value) }
  }

  private func finding(_ kind: FindingKind, _ all: [(key: Int32, violation: StateViolation)]) -> Finding {
    let ordered = all.sorted { left, right in
      let (a, b) = (left.violation, right.violation)
      return (a.witness.count + a.more, a.witness.first ?? 0) < (b.witness.count + b.more, b.witness.first ?? 0)
    }
    let (key, violation) = ordered[0]
    let witness = witness(violation)
    var details = Finding.lines(of: witness)
    if violation.more > 0 { details.append("and \(counted(violation.more, "earlier write"))") }
    if let cause = violation.causeSentence { details.append(cause) }
    if ordered.count > 1 {
      let others = ordered.dropFirst().prefix(Self.mostOthers).map { log.names[$0.key] }.joined(separator: ", ")
      let more = ordered.count - 1 - min(ordered.count - 1, Self.mostOthers)
      details.append("Other keys with the same violation: \(others)\(more > 0 ? " and \(more) more" : "").")
    }
    if expectation.settle != nil, witness.contains(where: { $0.outcome == .unknown }) {
      details.append("Murphy assumes that a write without a response takes effect within `settle`, or never.")
    }
    // A merged log is not in the order of time: the last exchange of a proof is the one that was answered last.
    let moments = ordered.compactMap { $0.violation.witness.map { log.exchanges[$0].answered }.max() }
    let evidence = Evidence(source: expectation.mark)
    var finding = Finding(
      kind: kind, operation: witness.last?.operation, message: message(key, violation), details: details,
      count: all.count, firstSeen: .nanoseconds(moments.min() ?? 0), lastSeen: .nanoseconds(moments.max() ?? 0),
      discriminator: "\(expectation.kind.word) \(expectation.name)", evidence: evidence)
    finding.evidence?.witness = witness
    return finding
  }

  private func message(_ key: Int32, _ violation: StateViolation) -> String {
    let name = if case .formula = expectation.kind { "the formula" } else { "state \"\(expectation.name)\"" }
    let thing = key >= 0 ? "\(name), key \(log.names[key])" : name
    let exchanges = violation.witness.count + violation.more
    return "\(thing): \(violation.sentence)" + (exchanges > 1 ? " (evidence: \(exchanges) exchanges)" : "")
  }

  private func witness(_ violation: StateViolation) -> [WitnessExchange] {
    let suspect: Int? = if case .lost(let index)? = violation.cause { index } else { nil }
    return violation.witness.sorted { (log.exchanges[$0].sent, $0) < (log.exchanges[$1].sent, $1) }.map { index in
      let exchange = log.exchanges[index]
      // The value from the response of a write follows the write in the log.
      let own = log.exchanges.indices.contains(index + 1) ? log.exchanges[index + 1] : nil
      let isFollowed = own.map { $0.role == .response && $0.sent == exchange.sent && $0.key == exchange.key } ?? false
      return WitnessExchange(
        operation: log.operations.indices.contains(Int(exchange.operation))
          ? log.operations[Int(exchange.operation)] : "",
        session: Int(exchange.session), outcome: exchange.witnessOutcome, status: Int(exchange.status),
        tells: tells(exchange, isFollowed ? own : nil), isRead: exchange.isReading,
        sent: .nanoseconds(exchange.sent), answered: .nanoseconds(exchange.answered),
        curl: log.command(exchange, target: target), isSuspect: index == suspect)
    }
  }

  // MARK: what an exchange requested or showed

  private func tells(_ exchange: StateExchange, _ own: StateExchange?) -> String {
    let shown = own.map { ", shows \(numbers($0))" } ?? ""
    switch exchange.role {
    case .write: return written(exchange) + shown
    case .read, .response: return read(exchange)
    case .conflict: return "shows version \(exchange.a)"
    case .delete: return "deletes"
    case .create: return "creates"
    case .shown: return "shows the item"
    case .absent: return "shows that the item does not exist"
    case .list: return "lists"
    case .batch: return "\(exchange.a) messages, \(exchange.b) tickets"
    case .ticket: return "ticket \(exchange.a + 1): \(exchange.c < 0 ? "an error" : log.names[exchange.c])"
    case .requested:
      return "requests the receipt of \(log.names[exchange.c]): \(exchange.a == 1 ? "found" : "not found")"
    case .receipt:
      let says = exchange.actor < 0 ? "" : ": \(value(exchange.actor))"
      return "shows the receipt of \(log.names[exchange.c])\(says)"
    }
  }

  private func written(_ exchange: StateExchange) -> String {
    switch expectation.kind {
    case .ledger: [1: "up", 2: "down", 4: "none"][exchange.a] ?? "votes"
    case .versions:
      "based on version \(exchange.a)" + (exchange.b == StateExchange.none ? "" : ", got version \(exchange.b)")
    case .session: "returns \(exchange.a)"
    case .register: "writes \(value(exchange.c))"
    case .formula: exchange.a == StateExchange.none ? "writes" : "writes \(numbers(exchange))"
    default: "writes"
    }
  }

  private func read(_ exchange: StateExchange) -> String {
    switch expectation.kind {
    case .versions: "shows version \(exchange.a)"
    case .register: "shows \(value(exchange.c))"
    default: "shows \(numbers(exchange))"
    }
  }

  private func numbers(_ exchange: StateExchange) -> String {
    let units: [String] =
      switch expectation.kind {
      case .ledger: ["up = ", "down = "]
      case .formula(_, let names) where exchange.role != .write: names.map { "\($0) = " } + ["", ""]
      default: ["", ""]
      }
    return zip([exchange.a, exchange.b], units).filter { $0.0 != StateExchange.none }.map { "\($1)\($0)" }
      .joined(separator: ", ")
  }

  /// Values are identified by their beginning.
  private func value(_ number: Int32) -> String {
    guard number >= 0 else { return "nothing" }
    // Masked first: a part of a secret would not be found later.
    let text = mask.masked(log.names[number])
    return "\"\(text.shortened(to: 24))\""
  }
}

extension StateExchange {
  fileprivate var witnessOutcome: WitnessExchange.Outcome {
    switch outcome {
    case .accepted: .accepted
    case .refused: .refused
    case .unknown: .unknown
    case .pending: .pending
    }
  }

  fileprivate var isReading: Bool {
    switch role {
    case .read, .shown, .absent, .list, .requested, .receipt: true
    case .write, .response, .delete, .create, .conflict, .batch, .ticket: false
    }
  }
}
