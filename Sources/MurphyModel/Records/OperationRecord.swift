/// What the loops measured of one operation, merged.
package struct OperationRecord: Sendable, Codable {
  package var operation: String
  package var method: String
  package var path: String
  package var planned = 0
  package var sent = 0
  package var outcomes = Outcomes()
  package var statuses: [StatusCount] = []
  /// Responses with a status of 2xx, or one that their step expects in place of 2xx.
  package var succeeded = 0
  /// The latency of every request that came due, answered or not, except those that a rate limit rejected.
  package var account = LatencyAccount()
  /// The latency of the responses that a rate limit rejected: slow ones break a budget, quick ones do not help to pass it.
  package var rejections: LatencyAccount?
  /// Where the service time of the answers went.
  package var phases = PhaseAccount()
  /// Of the requests without an answer at the end: those that waited too long to pass for merely under way.
  package var overdueAtEnd = 0
  /// Of the transport failures: those that this machine caused, for want of a port, a file or memory.
  package var exhausted = 0
  /// Of those overdue at the end: those that an outage explains, when the rest is judged as if they had not been sent.
  package var explained = 0
  package var bytesReceived = 0
  /// The answers that were streams of events, and what they brought.
  package var streams = StreamFigures()
  /// Of the sent requests: those that their clients sent again by themselves, as `retry:` says.
  package var retries = 0
  /// Requests that clients did not send, for they had the answer: `cache:` and `dedupe:`.
  package var spared = 0
  package var conformance = Conformance()
  package var ends = RequestEnds()
  /// In how many different paths, queries and seconds its checked answers lie.
  package var checked = CheckedUnits()
  /// Counts by second and latency, of an operation with a latency budget: one from the intended start, one from the
  /// actual send, as its budgets ask for them.
  package var ladders: [LatencyLadder] = []
  /// What became of its requests, second by second.
  package var course = OperationCourse()
  /// False for requests that the scenario makes outside of the contract.
  package var isDocumented = true

  package init(operation: String, method: String, path: String) {
    self.operation = operation
    self.method = method
    self.path = path
  }

  /// Answers, from the intended start.
  package var latency: LatencyHistogram {
    get { account.latency }
    _modify { yield &account.latency }
  }

  /// Answers, from the actual send.
  package var service: LatencyHistogram {
    get { account.service }
    _modify { yield &account.service }
  }

  /// Adds what was measured elsewhere of the same operation, or of another one for the sum over several.
  package mutating func merge(_ part: OperationRecord) {
    planned += part.planned
    sent += part.sent
    outcomes += part.outcomes
    succeeded += part.succeeded
    account.merge(part.account)
    if let more = part.rejections {
      if rejections == nil { rejections = more } else { rejections?.merge(more) }
    }
    phases.merge(part.phases)
    overdueAtEnd += part.overdueAtEnd
    exhausted += part.exhausted
    explained += part.explained
    bytesReceived += part.bytesReceived
    streams += part.streams
    retries += part.retries
    spared += part.spared
    conformance += part.conformance
    ends += part.ends
    checked.merge(part.checked)
    course.merge(part.course)
    for ladder in part.ladders {
      if let index = ladders.firstIndex(where: { $0.isService == ladder.isService }) {
        ladders[index].merge(ladder)
      } else {
        ladders.append(ladder)
      }
    }
    for entry in part.statuses {
      if let index = statuses.firstIndex(where: { $0.status == entry.status }) {
        statuses[index].count += entry.count
      } else {
        statuses.append(entry)
      }
    }
  }
}

extension OperationRecord {
  /// Why no response could be checked against the contract, of an operation that succeeded; nil where one could.
  package var lackOfChecks: String? {
    guard isDocumented, succeeded > 0, conformance.trials == 0, let first = conformance.unchecked.first else {
      return nil
    }
    return "none of \(conformance.answers) responses could be checked (\(first.reason))"
  }

  /// `no request succeeded (429 × 400, no response × 3)`
  package var lackOfSuccess: String {
    let silent = sent - outcomes.answered
    let ends =
      statuses.sorted { ($1.count, $0.status) < ($0.count, $1.status) }.map { "\($0.status) × \($0.count)" }
      + (silent > 0 ? ["no response × \(silent)"] : [])
    return ends.isEmpty
      ? "no request was sent"
      : "no request succeeded (\(ends.prefix(4).joined(separator: ", "))\(ends.count > 4 ? ", …" : ""))"
  }

  /// Requests that came due, that no rate limit rejected and that the client did not cancel: those that could have been
  /// errors, of which the error share is a part.
  package var due: Int {
    outcomes.answered - outcomes.limited + outcomes.transport + unansweredAtEnd + account.censored.unsentMurphy
      - exhausted
      - explained
  }

  /// In flight, or waiting for one of the user's connections, when the run ended.
  private var unansweredAtEnd: Int { account.censored.count(.end) + account.censored.count(.unsentApi) }

  /// Surely errors: error statuses, lost connections, timeouts, and what was overdue when the run ended.
  /// Documented refusals of a rate limiter are not errors; an undocumented one is a contract finding.
  package var errors: Int {
    outcomes.clientError + outcomes.serverError + outcomes.transport - exhausted + max(overdueAtEnd - explained, 0)
  }

  /// Perhaps errors: under way when the run ended, or never sent by murphy.
  package var perhapsErrors: Int { unansweredAtEnd - overdueAtEnd + account.censored.unsentMurphy }

  /// The API had fallen silent when the run ended: what was open then is an error like what timed out before.
  package mutating func countOpenAsErrors() { overdueAtEnd = unansweredAtEnd }
}

/// What was measured of the requests of one tag.
package struct TagRecord: Sendable, Codable {
  /// As the scenario writes it.
  package var tag: String
  package var outcomes = Outcomes()
  /// Answers, from the intended start.
  package var latency = LatencyHistogram()

  package init(tag: String) { self.tag = tag }

  /// Adds what another loop measured.
  package mutating func merge(_ other: TagRecord) {
    outcomes += other.outcomes
    latency.merge(other.latency)
  }
}
