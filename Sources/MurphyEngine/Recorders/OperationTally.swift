import MurphyContract
import MurphyModel
import MurphyTransport

/// What one loop measured of one operation.
final class OperationTally {
  var planned = 0
  var sent = 0
  var outcomes = Outcomes()
  var statuses: [StatusCount] = []
  /// The latency of every request that came due, answered or not.
  var account: LatencyAccount
  /// The latency of the responses that a rate limit rejected; nil without any.
  private(set) var rejections: LatencyAccount?
  private let bounds: [BoundCount]
  /// Where the service time of the answers went.
  var phases = PhaseAccount()
  /// Unanswered at the end, for longer than a request that is merely under way.
  var overdueAtEnd = 0
  /// Failed for want of a port, a file or memory on this machine.
  var exhausted = 0
  var bytesReceived = 0
  var streams = StreamFigures()
  /// Requests that clients sent again by themselves.
  var retries = 0
  /// Requests that clients did not send, for they had the answer.
  var spared = 0
  private var conformant = 0
  private var violating = 0
  private var unchecked: [String: Int] = [:]
  private var opaque = 0
  /// Conformant, and rejected by a rate limit.
  private var rejected = 0
  /// Responses with a status of 2xx, or one that their step expects in place of 2xx.
  var succeeded = 0
  /// Of the answers that conform.
  private var checked = CheckedUnits()
  private var ladders: [LatencyLadder]
  /// What became of the requests, by the second in which they came due.
  var course = OperationCourse()
  /// Of the answers; the rest is added at the end.
  private var ends = RequestEnds()
  /// Where the last answer was counted.
  private var lastEnd = LastEnd.ok

  private enum LastEnd { case ok, refused, errors, violating, unchecked }
  /// Requests that ended, answered or failed, by load stage.
  var endedByStage: [Int]

  /// - Parameters:
  ///   - bounds: the limits for which requests are counted one by one, in nanoseconds.
  ///   - ladders: empty ones, for the same limits.
  init(stages: Int, bounds: [BoundCount] = [], ladders: [LatencyLadder] = []) {
    account = LatencyAccount(bounds: bounds)
    self.bounds = bounds
    self.ladders = ladders
    endedByStage = Array(repeating: 0, count: max(stages, 1))
  }

  /// - Parameter isExpected: the scenario asked for this failure, so it is not an error.
  func count(status: Int, _ outcome: StepOutcome) {
    if let index = statuses.firstIndex(where: { $0.status == status }) {
      statuses[index].count += 1
    } else {
      statuses.append(StatusCount(status: status, count: 1))
    }
    outcomes.count(status: status, outcome)
  }

  /// - Parameter isBroken: the answer breaks a rule of HTTP.
  func count(_ judgement: Judgement, status: Int, _ outcome: StepOutcome, isBroken: Bool) {
    switch judgement {
    case .conformant:
      conformant += 1
      if outcome.isRejected { rejected += 1 }
      lastEnd =
        outcome.isRejected ? .refused : outcome.isExpectedFailure || status < 400 ? .ok : .errors
    case .violating:
      violating += 1
      lastEnd = .violating
    case .unchecked(let reason):
      unchecked.count(reason)
      lastEnd = .unchecked
    case .opaque(let reason):
      opaque += 1
      unchecked.count(reason)
      lastEnd = .unchecked
    }
    if isBroken { lastEnd = .violating }
    note(1)
  }

  /// The answer that was counted last is not what its step expects.
  func expectationFailed() {
    note(-1)
    lastEnd = .violating
    note(1)
  }

  /// The answer that was counted last conforms.
  func check(_ target: String, second: Int) { checked.count(target, second: second) }

  /// What the latency and the service time of a request surely are at least, nanoseconds.
  func recordLowerBound(latency: Int64, service: Int64, second: Int) {
    for index in ladders.indices {
      ladders[index].record(ladders[index].isService ? service : latency, second: second)
    }
  }

  /// The times of a response that a rate limit rejected, nanoseconds, as `LatencyAccount` takes them.
  @inline(never)
  func reject(latency: Int64, late: Int64, unread: Int64, service: Int64) {
    if rejections == nil { rejections = LatencyAccount(bounds: bounds) }
    rejections?.answer(latency: latency, late: late, unread: unread, service: service)
  }

  private func note(_ change: Int) {
    switch lastEnd {
    case .ok: ends.ok += change
    case .refused: ends.refused += change
    case .errors: ends.errors += change
    case .violating: ends.violating += change
    case .unchecked: ends.unchecked += change
    }
  }

  func fill(_ record: inout OperationRecord) {
    record.planned = planned
    record.sent = sent
    record.outcomes = outcomes
    record.account = account
    record.rejections = rejections
    record.phases = phases
    record.overdueAtEnd = overdueAtEnd
    record.exhausted = exhausted
    record.bytesReceived = bytesReceived
    record.streams = streams
    record.retries = retries
    record.spared = spared
    record.statuses = statuses
    record.succeeded = succeeded
    record.conformance = Conformance(
      conformant: conformant, violating: violating, unchecked: unchecked.reasons, opaque: opaque, rejected: rejected)
    record.checked = checked
    record.ladders = ladders
    record.course = course
    record.ends = ends
    record.ends.cancelled = outcomes.cancelled
    record.ends.unanswered = sent - ends.answers - outcomes.cancelled
  }
}

extension Recorder {
  /// Counts an ended request for each tag of its step.
  func note(tags named: [Int], _ transfer: Transfer, _ intent: Intent, _ outcome: StepOutcome) {
    var outcomes = Outcomes()
    var latency: Int64?
    switch transfer.ending {
    case .answered:
      outcomes.count(status: transfer.status, outcome)
      if outcomes.limited == 0, !transfer.isCutOff, intent.due >= context.settled {
        latency = transfer.ended - intent.due
      }
    case .failed: outcomes.transport = 1
    case .cancelled: outcomes.cancelled = 1
    case .abandoned, .inFlight: return
    }
    for index in named {
      if tags[index] == nil { tags[index] = TagRecord(tag: context.scenario.tags[index]) }
      tags[index]?.outcomes += outcomes
      if let latency { tags[index]?.latency.record(latency) }
    }
  }
}

extension Outcomes {
  /// Counts a response; a failure that the scenario asked for is not an error.
  mutating func count(status: Int, _ outcome: StepOutcome) {
    switch status {
    case _ where outcome.isExpectedFailure: ok += 1
    case _ where outcome.isRejected: limited += 1
    case 400..<500: clientError += 1
    case 500...: serverError += 1
    default: ok += 1
    }
  }
}
