/// All measurements of the engine: the complete input of the judges.
public struct RunRecord: Sendable {
  /// The description of the run: scenario, load, machine and times.
  package var info: RunInfo
  /// The measurements of each operation, in the order of the contract.
  package var operations: [OperationRecord]
  /// The results of each type of session.
  package var sessions: [SessionResult]
  /// In the order of the scenario.
  package var tags: [TagRecord] = []
  /// The account of all requests of the run.
  package var ledger: Ledger
  /// Contract and transport findings, counted while the load ran; masked.
  package var findings: [Finding]
  /// The parts of the contract that the run covered.
  package var coverage: Coverage
  /// One point for each second of the run.
  package var timeline: [TimelinePoint]
  /// The counts of each second for the check of recovery.
  package var course: [RecoverySecond] = []
  /// The requests that the limit judge reads.
  package var limitLog: LimitLog
  /// The exchanges that the state judge reads.
  package var stateLog = StateLog()
  /// How well murphy itself kept up with the load.
  package var generator: GeneratorReport
  /// The signs of activity of the target, and the lost requests.
  package var responses: ResponseLog
  /// The data for the relations between responses.
  package var relations = RelationLog()
  /// The changes of operations that then failed until the end of the load; empty for merged shards.
  package var changes: [FailureChange] = []
  /// By operation that failed until the end of the load: what a few requests showed afterwards.
  package var aftermath: [String: Aftermath] = [:]
  /// The tests of limits with concurrent requests after the load; empty for a run without limits.
  package var races: [RaceTest] = []
  /// The spans of the target; nil without a receiver.
  package var spans: SpanReport?
  /// Every response separately, in no order; nil unless requested.
  package var samples: [LatencySample]?
  /// Removes the run's secrets from all output of the record.
  package var mask = SecretMask()

  package init(
    info: RunInfo, operations: [OperationRecord], sessions: [SessionResult], ledger: Ledger, findings: [Finding],
    coverage: Coverage, timeline: [TimelinePoint], limitLog: LimitLog, generator: GeneratorReport,
    responses: ResponseLog = ResponseLog()
  ) {
    self.info = info
    self.operations = operations
    self.sessions = sessions
    self.ledger = ledger
    self.findings = findings
    self.coverage = coverage
    self.timeline = timeline
    self.limitLog = limitLog
    self.generator = generator
    self.responses = responses
  }
}

/// One response as passed to the recorder, before any histogram.
package struct LatencySample: Sendable, Hashable, Codable {
  /// The index of the operation in the contract.
  package var operation: Int32
  /// The intended start.
  package var due: Instant
  /// The time from the intended start to the last byte, in nanoseconds.
  package var latency: Int64
  /// The time from the actual send to the last byte, in nanoseconds.
  package var service: Int64

  package init(operation: Int32, due: Instant, latency: Int64, service: Int64) {
    self.operation = operation
    self.due = due
    self.latency = latency
    self.service = service
  }
}

/// The measurements of the loops for one operation, merged.
package struct OperationRecord: Sendable, Codable {
  /// The operationId.
  package var operation: String
  /// The HTTP method.
  package var method: String
  /// The path template of the contract.
  package var path: String
  /// Requests that came due: those that were sent and those that were dropped.
  package var planned = 0
  /// Automatic repetitions of a lost attempt are not counted again.
  package var sent = 0
  /// Responses and failures by their outcome.
  package var outcomes = Outcomes()
  /// Statuses of the responses, each with its count.
  package var statuses: [StatusCount] = []
  /// Responses with a status of 2xx, or with one that their step expects instead.
  package var succeeded = 0
  /// The latency of every request that came due, answered or not, except those that a rate limit rejected.
  package var account = LatencyAccount()
  /// The latency of the responses that a rate limit rejected: slow ones break a budget, quick ones do not help to pass
  /// it.
  package var rejections: LatencyAccount?
  /// The parts of the service time of the responses.
  package var phases = PhaseAccount()
  /// The requests without a response at the end that waited too long to count as in flight.
  package var overdueAtEnd = 0
  /// The transport failures that this machine caused, by lack of a port, a file or memory.
  package var exhausted = 0
  /// The overdue requests at the end that an outage explains, if the rest is judged as if they had not been sent.
  package var explained = 0
  /// The bytes of all bodies.
  package var bytesReceived = 0
  /// The responses that were streams of events, and their contents.
  package var streams = StreamFigures()
  /// The sent requests that their clients repeated automatically, as `retry:` defines.
  package var retries = 0
  /// Requests that clients did not send, because they had the response: `cache:` and `dedupe:`.
  package var spared = 0
  /// The responses by the result of the contract check.
  package var conformance = Conformance()
  /// Every sent request in exactly one category.
  package var ends = RequestEnds()
  /// The number of different paths, queries and seconds of its checked responses.
  package var checked = CheckedUnits()
  /// Counts by second and latency, for an operation with a latency budget: one from the intended start, one from the
  /// actual send, as its budgets require.
  package var ladders: [LatencyLadder] = []
  /// The results of its requests for each second.
  package var course = OperationCourse()
  /// False for requests of the scenario that are not in the contract.
  package var isDocumented = true

  package init(operation: String, method: String, path: String) {
    self.operation = operation
    self.method = method
    self.path = path
  }

  /// The latency of responses from the intended start.
  package var latency: LatencyHistogram {
    get { account.latency }
    _modify { yield &account.latency }
  }

  /// The latency of responses from the actual send.
  package var service: LatencyHistogram {
    get { account.service }
    _modify { yield &account.service }
  }

  /// Adds the measurements of another part of the same operation, or of another operation for the sum over several.
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

  /// The reason why no response of a successful operation could be checked against the contract; nil if one could.
  package var lackOfChecks: String? {
    guard isDocumented, succeeded > 0, conformance.trials == 0, let first = conformance.unchecked.first else {
      return nil
    }
    return "none of \(conformance.responses.text) responses could be checked (\(first.reason))"
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

  /// Requests that came due, except those that a rate limit rejected or the client cancelled: they could have been
  /// errors, and are the denominator of the error rate.
  package var due: Int {
    outcomes.answered - outcomes.limited + outcomes.transport + unansweredAtEnd + account.censored.unsentMurphy
      - exhausted
      - explained
  }

  /// In flight, or waiting for one of the user's connections, when the run ended.
  private var unansweredAtEnd: Int { account.censored.count(.end) + account.censored.count(.unsentApi) }

  /// Certain errors: error statuses, lost connections, timeouts, and requests that were overdue when the run ended.
  /// Documented rejections of a rate limiter are not errors; an undocumented one is a contract finding.
  package var errors: Int {
    outcomes.clientError + outcomes.serverError + outcomes.transport - exhausted + max(overdueAtEnd - explained, 0)
  }

  /// Possible errors: in flight when the run ended, or never sent by murphy.
  package var perhapsErrors: Int { unansweredAtEnd - overdueAtEnd + account.censored.unsentMurphy }

  /// The API was silent when the run ended: requests that were open then are errors, as those that timed out before.
  package mutating func countOpenAsErrors() { overdueAtEnd = unansweredAtEnd }
}

/// The measurements of the requests with one tag.
package struct TagRecord: Sendable, Codable {
  /// The tag as the scenario writes it.
  package var tag: String
  package var outcomes = Outcomes()
  /// The latency of responses from the intended start.
  package var latency = LatencyHistogram()

  package init(tag: String) { self.tag = tag }

  /// Adds the measurements of another loop.
  package mutating func merge(_ other: TagRecord) {
    outcomes += other.outcomes
    latency.merge(other.latency)
  }
}
