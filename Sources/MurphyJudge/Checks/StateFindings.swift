import MurphyModel
import MurphyScenario

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
    if violation.more > 0 { details.append("and \(violation.more) writes before these") }
    if let cause = violation.causeSentence { details.append(cause) }
    if ordered.count > 1 {
      let others = ordered.dropFirst().prefix(Self.mostOthers).map { log.names[$0.key] }.joined(separator: ", ")
      let more = ordered.count - 1 - min(ordered.count - 1, Self.mostOthers)
      details.append("The same holds for \(others)\(more > 0 ? " and \(more) more" : "").")
    }
    if expectation.settle != nil, witness.contains(where: { $0.outcome == .unknown }) {
      details.append("Murphy assumes that a write without a response takes effect within `settle`, or never.")
    }
    // A merged log is not in the order of time: the last exchange of a proof is the one that was answered last.
    let moments = ordered.compactMap { $0.violation.witness.map { log.exchanges[$0].answered }.max() }
    let evidence = Evidence(source: expectation.mark)
    var finding = Finding(
      kind: kind, operation: witness.last?.operation, message: message(key, violation), details: details,
      count: all.count, firstSeen: Double(moments.min() ?? 0) / 1e9, lastSeen: Double(moments.max() ?? 0) / 1e9,
      discriminator: "\(expectation.kind.word) \(expectation.name)", evidence: evidence)
    finding.evidence?.witness = witness
    return finding
  }

  private func message(_ key: Int32, _ violation: StateViolation) -> String {
    let name = if case .formula = expectation.kind { "the formula" } else { "state \"\(expectation.name)\"" }
    let thing = key >= 0 ? "\(name), key \(log.names[key])" : name
    let exchanges = violation.witness.count + violation.more
    return "\(thing): \(violation.sentence)" + (exchanges > 1 ? " (\(exchanges) exchanges)" : "")
  }

  private func witness(_ violation: StateViolation) -> [WitnessExchange] {
    let suspect: Int? = if case .lost(let index)? = violation.cause { index } else { nil }
    return violation.witness.sorted { (log.exchanges[$0].sent, $0) < (log.exchanges[$1].sent, $1) }.map { index in
      let exchange = log.exchanges[index]
      // The value from the response of a write follows the write in the log.
      let own = log.exchanges.indices.contains(index + 1) ? log.exchanges[index + 1] : nil
      let isFollowed = own.map { $0.role == .answer && $0.sent == exchange.sent && $0.key == exchange.key } ?? false
      return WitnessExchange(
        operation: log.operations.indices.contains(Int(exchange.operation))
          ? log.operations[Int(exchange.operation)] : "",
        session: Int(exchange.session), outcome: exchange.witnessOutcome, status: Int(exchange.status),
        tells: tells(exchange, isFollowed ? own : nil), isRead: exchange.isReading,
        sent: Double(exchange.sent) / 1e9, answered: Double(exchange.answered) / 1e9,
        curl: log.command(exchange, target: target), isSuspect: index == suspect)
    }
  }

  // MARK: what an exchange asked for or showed

  private func tells(_ exchange: StateExchange, _ own: StateExchange?) -> String {
    let shown = own.map { ", shows \(numbers($0))" } ?? ""
    switch exchange.role {
    case .write: return written(exchange) + shown
    case .read, .answer: return read(exchange)
    case .conflict: return "shows version \(exchange.a)"
    case .delete: return "deletes"
    case .create: return "creates"
    case .shown: return "shows it"
    case .absent: return "shows that it does not exist"
    case .list: return "lists"
    case .batch: return "\(exchange.a) messages, \(exchange.b) tickets"
    case .ticket: return "ticket \(exchange.a + 1): \(exchange.c < 0 ? "an error" : log.names[exchange.c])"
    case .asked: return "requests the receipt of \(log.names[exchange.c]): \(exchange.a == 1 ? "there" : "not there")"
    case .receipt:
      let says = exchange.actor < 0 ? "" : ": \(value(exchange.actor))"
      return "shows the receipt of \(log.names[exchange.c])\(says)"
    }
  }

  private func written(_ exchange: StateExchange) -> String {
    switch expectation.kind {
    case .ledger: [1: "up", 2: "down", 4: "none"][exchange.a] ?? "votes"
    case .versions:
      "based on \(exchange.a)" + (exchange.b == StateExchange.none ? "" : ", given version \(exchange.b)")
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
      case .ledger: [" up", " down"]
      case .formula(_, let names) where exchange.role != .write: names.map { " \($0)" } + ["", ""]
      default: ["", ""]
      }
    return zip([exchange.a, exchange.b], units).filter { $0.0 != StateExchange.none }.map { "\($0)\($1)" }
      .joined(separator: ", ")
  }

  /// Values are identified by their beginning.
  private func value(_ number: Int32) -> String {
    guard number >= 0 else { return "nothing" }
    // Masked first: a part of a secret would not be found later.
    let text = mask.masked(log.names[number])
    return "\"\(text.prefix(24))\(text.count > 24 ? "…" : "")\""
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
    case .read, .shown, .absent, .list, .asked, .receipt: true
    case .write, .answer, .delete, .create, .conflict, .batch, .ticket: false
    }
  }
}
