import MurphyHTTP
import MurphyModel

/// The events of a loop or of a process, and how well it kept up: the data that cannot be summed.
///
/// Secrets that one request shows alone are masked.
package struct EventLog: Sendable, Codable {
  /// The number of the shard in the run, from 1.
  package var shard = 1
  /// A loop cannot determine how the load ended: the process sets that.
  package var info: RunInfo
  /// One entry for each loop.
  var ends: [LoopEnd] = []
  /// The report on how well the process kept up. Its percentages are those of this process.
  package var generator = GeneratorReport.idle
  /// The number of requests that it sent. The process sets this and the next two.
  package var requests = 0
  package var course = RateCourse()
  /// The number of sessions that began.
  package var begun = 0
  package var limits = LimitLog(start: Instant(nanoseconds: 0))
  package var state = StateLog()
  package var relations = RelationLog()
  package var answers = AnswerLog()
  /// True if it met more secrets than it could remember. The content of single requests must then not be shown.
  package var hidesContent = false
  /// Values that must not be in any output. In memory only.
  package var secrets: Set<Secret> = []
  /// The bounds on this machine's clock that the dates of responses give. For a single loop and in memory only.
  var dates = DateBounds()
  /// The same as `state` with unmasked requests, for the reads after the load. For a single loop and in memory only.
  var unmasked: StateRecorder?

  /// In a file, the other logs have separate lines.
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
  /// Responses are not added: gaps are common to all logs (``AnswerLog/init(_:)``).
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

  /// Removes the content of single requests if there were more secrets than could be remembered. The content may
  /// contain one of them.
  package mutating func hideForgotten() {
    guard hidesContent else { return }
    limits.hidesContent = true
    limits.secretHeaders.formUnion(limits.identities.flatMap(\.headers).map(\.name))
    for row in relations.doubts.indices { relations.doubts[row].evidence = nil }
    keepRequests(0)
  }
}

/// The time at which the load ended on one loop, nanoseconds since it began, and figures of the loop.
package struct LoopEnd: Sendable, Codable {
  var lastEnd: Int64
  /// The time at which the last response was complete; nil without responses.
  var lastAnswer: Int64?
  /// Requests that timed out after that: the time at which the first was sent, and the time at which the last ended.
  var timedOutSent: Int64?
  var timedOutEnded: Int64?
  /// The time at which the oldest request without a response at the end was sent; nil when all had ended.
  var oldestOpen: Int64?
  /// The time at which the remaining requests were cancelled.
  var ended: Int64
  /// The loop's number. Like its figures, in memory only.
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
