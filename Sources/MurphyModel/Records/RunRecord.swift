/// All measurements of the engine: the complete input of the judges.
public struct RunRecord: Sendable {
  package var info: RunInfo
  package var operations: [OperationRecord]
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
  /// The requests that the limit judge reads.
  package var limitLog: LimitLog
  /// The exchanges that the state judge reads.
  package var stateLog = StateLog()
  /// How well murphy itself kept up with the load.
  package var generator: GeneratorReport
  /// The signs of activity of the target, and the lost requests.
  package var answers: AnswerLog
  /// The data for the relations between responses.
  package var relations = RelationLog()
  /// Every response separately, in no order; nil unless requested.
  package var samples: [LatencySample]?
  /// Removes the run's secrets from all output of the record.
  package var mask = SecretMask()

  package init(
    info: RunInfo, operations: [OperationRecord], sessions: [SessionResult], ledger: Ledger, findings: [Finding],
    coverage: Coverage, timeline: [TimelinePoint], limitLog: LimitLog, generator: GeneratorReport,
    answers: AnswerLog = AnswerLog()
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
    self.answers = answers
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
