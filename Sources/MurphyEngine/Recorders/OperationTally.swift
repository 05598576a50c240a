import MurphyContract
import MurphyModel

final class OperationTally {
  /// Without the data that exists only at the end: the reasons why responses were not checked, and the results of all
  /// requests.
  var record: OperationRecord
  /// Requests that ended, with a response or a failure, by load stage.
  var endedByStage: [Int]
  private var unchecked: [String: Int] = [:]
  /// The category in which the last response was counted.
  private var lastEnd = LastEnd.ok

  private enum LastEnd { case ok, refused, errors, violating, unchecked }

  /// - Parameters:
  ///   - bounds: the limits for which requests are counted one by one, in nanoseconds.
  ///   - ladders: empty ladders for the same limits.
  init(_ operation: Contract.Operation, stages: Int, bounds: [BoundCount], ladders: [LatencyLadder]) {
    record = OperationRecord(operation: operation.id, method: operation.method, path: operation.path)
    record.account = LatencyAccount(bounds: bounds)
    record.ladders = ladders
    endedByStage = Array(repeating: 0, count: max(stages, 1))
  }

  func count(status: Int) {
    if let index = record.statuses.firstIndex(where: { $0.status == status }) {
      record.statuses[index].count += 1
    } else {
      record.statuses.append(StatusCount(status: status, count: 1))
    }
  }

  func count(_ judgement: Judgement, status: Int, _ outcome: StepOutcome, isBroken: Bool) {
    switch judgement {
    case .conformant:
      record.conformance.conformant += 1
      if outcome.isRejected { record.conformance.rejected = (record.conformance.rejected ?? 0) + 1 }
      lastEnd =
        outcome.isRejected ? .refused : outcome.isExpectedFailure || status < 400 ? .ok : .errors
    case .violating:
      record.conformance.violating += 1
      lastEnd = .violating
    case .unchecked(let reason):
      unchecked.count(reason)
      lastEnd = .unchecked
    case .opaque(let reason):
      record.conformance.opaque = (record.conformance.opaque ?? 0) + 1
      unchecked.count(reason)
      lastEnd = .unchecked
    }
    if isBroken { lastEnd = .violating }
    changeLastEnd(by: 1)
  }

  /// Records that the response counted last is not the one that its step expects.
  func expectationFailed() {
    changeLastEnd(by: -1)
    lastEnd = .violating
    changeLastEnd(by: 1)
  }

  /// Records lower bounds of the latency and the service time of a request, nanoseconds.
  func recordLowerBound(latency: Int64, service: Int64, second: Int) {
    for index in record.ladders.indices {
      record.ladders[index].record(record.ladders[index].isService ? service : latency, second: second)
    }
  }

  /// Records the times of a response that a rate limit rejected, nanoseconds, as `LatencyAccount` takes them.
  @inline(never)
  func reject(latency: Int64, late: Int64, unread: Int64, service: Int64) {
    if record.rejections == nil {
      let bounds = record.account.bounds.map { BoundCount(isService: $0.isService, limit: $0.limit) }
      record.rejections = LatencyAccount(bounds: bounds)
    }
    record.rejections?.answer(latency: latency, late: late, unread: unread, service: service)
  }

  private func changeLastEnd(by change: Int) {
    switch lastEnd {
    case .ok: record.ends.ok += change
    case .refused: record.ends.refused += change
    case .errors: record.ends.errors += change
    case .violating: record.ends.violating += change
    case .unchecked: record.ends.unchecked += change
    }
  }

  /// The record with the data that exists only at the end.
  var closed: OperationRecord {
    var record = record
    record.conformance.unchecked = unchecked.reasons
    record.ends.cancelled = record.outcomes.cancelled
    record.ends.unanswered = record.sent - record.ends.answers - record.outcomes.cancelled
    return record
  }
}

extension Outcomes {
  /// Counts a response. A failure that the scenario expects is not an error.
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
