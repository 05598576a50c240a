import MurphyModel

/// What does not add up of one process's part of a run: its events, and how it fared itself. Masked, as far as one request
/// by itself tells what is secret in it.
package struct ProcessLog: Sendable, Codable {
  /// Which shard of the run it is, from 1.
  package var shard = 1
  package var info: RunInfo
  /// Moments of the load's end on each loop.
  var ends: [LoopEnd]
  /// How the process kept up; its percentages are of this process.
  package var generator: GeneratorReport
  /// Requests that it sent.
  package var requests = 0
  package var course = RateCourse()
  /// Sessions that began.
  package var begun = 0
  package var limits: LimitLog
  package var state: StateLog
  package var relations: RelationLog
  package var answers: AnswerLog
  /// Whether it met more secrets than it could remember, so that no content of single requests may be shown.
  package var hidesContent = false
  /// Values that no output may show. In memory only.
  package var secrets: Set<Secret> = []

  /// The logs are written apart.
  private enum CodingKeys: String, CodingKey {
    case shard, info, ends, generator, requests, course, begun, answers, hidesContent
  }

  init(info: RunInfo, generator: GeneratorReport, start: Instant, invariants: Int) {
    self.info = info
    self.generator = generator
    ends = []
    limits = LimitLog(start: start)
    state = StateLog(invariants: invariants)
    relations = RelationLog()
    answers = AnswerLog()
  }

  /// Leaves out what single requests said, where the process met more secrets than it could remember.
  package mutating func hideForgotten() {
    guard hidesContent else { return }
    limits.hideContent()
    relations.hideContent()
  }

  /// Without events.
  init(empty other: ProcessLog) {
    self.init(
      info: other.info, generator: other.generator, start: other.limits.start, invariants: other.state.gaps.count)
  }

  package func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    // Its histogram is among the sums.
    var generator = generator
    generator.lateness.histogram = LatencyHistogram()
    try values.encode(shard, forKey: .shard)
    try values.encode(info, forKey: .info)
    try values.encode(ends, forKey: .ends)
    try values.encode(generator, forKey: .generator)
    try values.encode(requests, forKey: .requests)
    try values.encode(course, forKey: .course)
    try values.encode(begun, forKey: .begun)
    try values.encode(answers, forKey: .answers)
    try values.encode(hidesContent, forKey: .hidesContent)
  }

  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    shard = try values.decode(Int.self, forKey: .shard)
    info = try values.decode(RunInfo.self, forKey: .info)
    ends = try values.decode([LoopEnd].self, forKey: .ends)
    generator = try values.decode(GeneratorReport.self, forKey: .generator)
    requests = try values.decode(Int.self, forKey: .requests)
    course = try values.decode(RateCourse.self, forKey: .course)
    begun = try values.decode(Int.self, forKey: .begun)
    answers = try values.decode(AnswerLog.self, forKey: .answers)
    hidesContent = try values.decode(Bool.self, forKey: .hidesContent)
    limits = LimitLog(start: Instant(nanoseconds: 0))
    state = StateLog()
    relations = RelationLog()
  }
}

/// When the load ended on one loop; nanoseconds since it began.
package struct LoopEnd: Sendable, Codable {
  var lastEnd: Int64
  /// When the last answer was complete; nil without answers.
  var lastAnswer: Int64?
  /// Requests that timed out since then: when the first was sent, and when the last ended.
  var timedOutSent: Int64?
  var timedOutEnded: Int64?
  /// When the oldest of the requests without an answer at the end was sent; nil when all had ended.
  var oldestOpen: Int64?
  /// When what still ran was cut.
  var ended: Int64

  init(_ record: LoopRecord, _ context: RunContext) {
    lastEnd = context.elapsed(record.lastEnd)
    lastAnswer = record.lastAnswer.map(context.elapsed)
    timedOutSent = record.timedOut.map { context.elapsed($0.sent) }
    timedOutEnded = record.timedOut.map { context.elapsed($0.ended) }
    oldestOpen = record.oldestOpen.map(context.elapsed)
    ended = context.elapsed(record.ended)
  }
}
