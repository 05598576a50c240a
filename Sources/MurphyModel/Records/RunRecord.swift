/// All that the engine measured: what the judges read, and nothing else.
public struct RunRecord: Sendable {
  package var info: RunInfo
  package var operations: [OperationRecord]
  package var sessions: [SessionResult]
  /// In the order in which the scenario names them.
  package var tags: [TagRecord] = []
  package var ledger: Ledger
  /// Contract and transport findings, counted while the load ran; masked.
  package var findings: [Finding]
  package var coverage: Coverage
  package var timeline: [TimelinePoint]
  package var limitLog: LimitLog
  package var stateLog = StateLog()
  package var generator: GeneratorReport
  package var answers: AnswerLog
  /// What relations between answers are judged by.
  package var relations = RelationLog()
  /// Every answer by itself, in no order; nil unless it was asked for.
  package var samples: [LatencySample]?
  /// Takes the run's secrets out of what is made of the record.
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

/// One answer as the recorder got it, before any histogram.
package struct LatencySample: Sendable, Hashable, Codable {
  /// The operation's place in the contract.
  package var operation: Int32
  /// The intended start.
  package var due: Instant
  /// From the intended start to the last byte, nanoseconds.
  package var latency: Int64
  /// From the actual send to the last byte, nanoseconds.
  package var service: Int64

  package init(operation: Int32, due: Instant, latency: Int64, service: Int64) {
    self.operation = operation
    self.due = due
    self.latency = latency
    self.service = service
  }
}
