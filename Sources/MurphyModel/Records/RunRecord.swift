/// All that the engine measured: what the judges read, and nothing else.
public struct RunRecord: Sendable {
  package var info: RunInfo
  package var operations: [OperationRecord]
  package var sessions: [SessionResult]
  package var ledger: Ledger
  /// Contract and transport findings, counted while the load ran; masked.
  package var findings: [Finding]
  package var coverage: Coverage
  package var timeline: [TimelinePoint]
  package var limitLog: LimitLog
  package var generator: GeneratorReport
  package var answers: AnswerLog
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
