/// One of the few exchanges that prove a finding of the state judge, in the order of their sends.
package struct WitnessExchange: Sendable, Codable, Hashable {
  /// The outcome, as far as the client can determine it.
  package enum Outcome: String, Sendable, Codable, Hashable {
    case accepted, refused, unknown, pending
  }

  /// The operationId.
  package var operation: String
  /// The session that sent it; -1 for murphy's own reads before and after the load.
  package var session: Int
  /// Whether the exchange took effect.
  package var outcome: Outcome
  /// 0 without a response.
  package var status: Int
  /// The request or the values in the response, for people: `up`, `shows 9 up, 2 down`.
  package var tells: String
  /// True if it only reads.
  package var isRead: Bool
  /// Since the load began.
  @InSeconds package var sent: Duration
  /// Since the load began; without a response, the time when it was abandoned.
  @InSeconds package var answered: Duration
  /// The command that reproduces it; nil if it was not kept.
  package var curl: ShellScript?
  /// True if it may contain the fault that explains the finding: an accepted write that was lost.
  package var isSuspect: Bool

  package init(
    operation: String, session: Int, outcome: Outcome, status: Int, tells: String, isRead: Bool, sent: Duration,
    answered: Duration, curl: ShellScript?, isSuspect: Bool
  ) {
    self.operation = operation
    self.session = session
    self.outcome = outcome
    self.status = status
    self.tells = tells
    self.isRead = isRead
    self.sent = sent
    self.answered = answered
    self.curl = curl
    self.isSuspect = isSuspect
  }

  /// `session 17  voteLaw  200  up`
  fileprivate var line: String {
    let who = session < 0 ? "murphy" : "session \(session)"
    let end = outcome == .unknown ? "unknown" : "\(status)"
    return "\(who)  \(operation)  \(end)  \(tells)" + (isSuspect ? "  (perhaps lost)" : "")
  }
}

extension Finding {
  /// The exchanges of its witness, numbered: its first details, which pages chart and terminals list separately.
  package var witnessLines: [String] { Self.lines(of: evidence?.witness ?? []) }

  /// Its details after those.
  package var remarks: [String] { Array(details.dropFirst(evidence?.witness?.count ?? 0)) }

  /// `1  12.031 s .. 12.051 s  session 17  voteLaw  200  up`
  package static func lines(of witness: [WitnessExchange]) -> [String] {
    let times = Figure.exact(witness.map { ($0.sent, $0.answered) })
    return witness.indices.map { "\($0 + 1)  \(times[$0])  \(witness[$0].line)" }
  }
}
