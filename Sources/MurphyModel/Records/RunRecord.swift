/// All that the engine measured: what the judges read, and nothing else.
public struct RunRecord: Sendable {
  public var info: RunInfo
  public var operations: [OperationRecord]
  public var sessions: [SessionResult]
  public var ledger: Ledger
  /// Contract and transport findings, counted while the load ran; masked.
  public var findings: [Finding]
  public var coverage: Coverage
  public var timeline: [TimelinePoint]
  public var limitLog: LimitLog
  public var generator: GeneratorReport
  public var answers: AnswerLog
  /// Takes the run's secrets out of what is made of the record.
  public var mask = SecretMask()

  public init(
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
