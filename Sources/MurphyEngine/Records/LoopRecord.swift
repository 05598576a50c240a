import MurphyContract
import MurphyModel
import MurphyTransport

/// What one loop hands over when its part of the run has ended.
struct LoopRecord: Sendable {
  /// The loop's number.
  var loop: Int
  /// Counts, histograms and findings.
  var sums: RunSums
  var limitLog: LimitLog
  /// What the observations of the log were sent as, unmasked.
  var limitRequests: [HTTPRequest]
  var issues: IssueRecorder
  var state: StateRecorder
  var relations: RelationLog
  /// What its pages were asked with, unmasked.
  var relationRequests: [HTTPRequest]
  var lastEnd: Instant
  /// When the last answer was complete; nil without answers.
  var lastAnswer: Instant?
  /// Requests that timed out since then: when the first was sent, and when the last ended.
  var timedOut: (sent: Instant, ended: Instant)?
  /// When the oldest of the requests without an answer at the end was sent; nil when all had ended.
  var oldestOpen: Instant?
  /// When what still ran was cut.
  var ended: Instant
  var answers: AnswerLog
  /// What the dates of answers say of this machine's clock.
  var dates: DateBounds
  var figures: LoopFigures
  var secrets: Set<Secret>
  /// Whether the sessions met more secrets than are kept.
  var hasForgottenSecrets: Bool
}

extension LoopRun {
  /// Everything measured, as values that may leave the loop.
  func finish() -> LoopRecord {
    findStrays()
    recorder.ledger.reusable = transport.reusable
    recorder.ledger.reopened = transport.reopened
    for index in recorder.sessions.indices { recorder.sessions[index].close() }
    for (operation, vacuous) in judge.vacuousSchemas {
      let occurrence = Occurrence(
        kind: vacuous.kind, severity: .warning, operation: operation, message: vacuous.message,
        details: vacuous.details,
        discriminator: vacuous.discriminator, at: recorder.lastEnd)
      recorder.find(occurrence) {
        Evidence(
          instancePointer: vacuous.instancePointer, schemaPointer: vacuous.schemaPointer, source: vacuous.source)
      }
    }
    var relations = recorder.relations.log
    judge.relations?.fill(&relations)
    return LoopRecord(
      loop: number, sums: sums, limitLog: recorder.limits.log, limitRequests: recorder.limits.requests,
      issues: recorder.issues, state: recorder.state, relations: relations,
      relationRequests: recorder.relations.requests, lastEnd: recorder.lastEnd, lastAnswer: recorder.lastAnswer,
      timedOut: recorder.timedOut, oldestOpen: recorder.oldestOpen, ended: recorder.closed ?? .now,
      answers: recorder.answers.closed, dates: recorder.dates, figures: loop.currentFigures(),
      secrets: recorder.secrets, hasForgottenSecrets: recorder.hasForgottenSecrets)
  }

  private var sums: RunSums {
    var sums = RunSums(RunFrame(context))
    sums.operations = zip(context.contract.operations, recorder.operations).map { operation, tally in
      tally.map { tally in
        var record = OperationRecord(operation: operation.id, method: operation.method, path: operation.path)
        tally.fill(&record)
        return record
      }
    }
    sums.stages = recorder.operations.map { $0?.endedByStage }
    (sums.sessions, sums.tags) = (recorder.sessions, recorder.tags)
    (sums.ledger, sums.dropped, sums.unchecked) = (recorder.ledger, recorder.dropped, recorder.unchecked)
    (sums.seconds, sums.lateness, sums.samples) = (recorder.seconds, recorder.lateness, recorder.samples)
    (sums.lacking, sums.peakUsers) = (recorder.lacking, peakUsers)
    sums.rows = recorder.findings.rows.values.sorted { $0.finding.fingerprint < $1.finding.fingerprint }
    sums.beyond = recorder.findings.beyond
    (sums.coverage, sums.traffic) = (judge.coverage(), judge.traffic())
    return sums
  }
}

/// One time that something was found.
struct Occurrence {
  var kind: FindingKind
  /// Nil for what is usual for the kind.
  var severity: Finding.Severity?
  /// Index into the contract's operations; nil for the whole run.
  var operation: Int?
  /// What failed and what was expected; holds no value of one answer, and does not begin with the operation, which
  /// every report says before it.
  var message: String
  var details: [String] = []
  /// Equal for equal findings: holds no value of one answer.
  var discriminator: String
  var at: Instant
  /// The whole sentence, for when all that was found is equal; nil where it is the message and what was found.
  var whole: String?
  /// What was found this time, once for each place; counted by value and said behind the message.
  var found: [String] = []
  /// What a step of the scenario expected.
  var expectation: StepExpectation?
  /// Places of the answer that show it.
  var places = 1
  /// Equal for findings of one kind that one mistake explains; nil where the message says it.
  var cause: String?
}
