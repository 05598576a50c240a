import MurphyHTTP
import MurphyModel

/// The events of a loop or of a process, and how well it kept up: what does not add up.
///
/// Secrets that one request shows by itself are masked.
package struct EventLog: Sendable, Codable {
  /// Which shard of the run it is, from 1.
  package var shard = 1
  /// A loop does not know how the load ended: the process enters that.
  package var info: RunInfo
  /// One for each loop.
  var ends: [LoopEnd] = []
  /// How the process kept up; its percentages are of this process.
  package var generator = GeneratorReport.idle
  /// Requests that it sent. The process enters this and the next two.
  package var requests = 0
  package var course = RateCourse()
  /// Sessions that began.
  package var begun = 0
  package var limits = LimitLog(start: Instant(nanoseconds: 0))
  package var state = StateLog()
  package var relations = RelationLog()
  package var answers = AnswerLog()
  /// Whether it met more secrets than it could remember, so that no content of single requests may be shown.
  package var hidesContent = false
  /// Values that no output may show. In memory only.
  package var secrets: Set<Secret> = []
  /// What the dates of answers say of this machine's clock. Of a loop alone, in memory only.
  var dates = DateBounds()
  /// The same as `state` with unmasked requests, for the reads after the load. Of a loop alone, in memory only.
  var unmasked: StateRecorder?

  /// A file has the other logs on lines of their own.
  private enum CodingKeys: String, CodingKey {
    case shard, info, ends, generator, requests, course, begun, answers, hidesContent
  }

  init(_ context: RunContext) {
    info = RunInfo(context)
    shard = context.options.shardInfo?.number ?? 1
    limits.start = context.start
    limits.operations = context.contract.operations.map(\.id)
    state = StateLog(invariants: context.state.invariants.count)
    state.operations = limits.operations
  }

  /// Adds another log's requests and secrets after its own.
  ///
  /// Answers are not added: gaps are common to all logs (``AnswerLog/init(_:)``).
  mutating func append(_ other: EventLog) {
    limits.append(other.limits)
    state.append(other.state)
    relations.append(other.relations)
    hidesContent = hidesContent || other.hidesContent
    secrets.formUnion(other.secrets)
  }

  mutating func keepRequests(_ most: Int) {
    limits.keepRequests(most)
    state.keepRequests(most)
    relations.keepRequests(most)
  }

  /// Leaves out what single requests said, if there were more secrets than could be remembered. It may hold one of them.
  package mutating func hideForgotten() {
    guard hidesContent else { return }
    limits.hidesContent = true
    limits.secretHeaders.formUnion(limits.identities.flatMap(\.headers).map(\.name))
    for row in relations.doubts.indices { relations.doubts[row].evidence = nil }
    keepRequests(0)
  }
}

/// When the load ended on one loop, nanoseconds since it began, and how the loop fared.
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
  /// The loop's number. In memory only, as its figures.
  var loop = 0
  var figures = LoopFigures()

  private enum CodingKeys: String, CodingKey {
    case lastEnd, lastAnswer, timedOutSent, timedOutEnded, oldestOpen, ended
  }

  init(_ recorder: Recorder, _ context: RunContext) {
    lastEnd = context.elapsed(recorder.lastEnd)
    lastAnswer = recorder.lastAnswer.map(context.elapsed)
    timedOutSent = recorder.timedOut.map { context.elapsed($0.sent) }
    timedOutEnded = recorder.timedOut.map { context.elapsed($0.ended) }
    oldestOpen = recorder.oldestOpen.map(context.elapsed)
    ended = context.elapsed(recorder.closed ?? .now)
  }
}
