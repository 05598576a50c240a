import MurphyContract
import MurphyModel

/// What one loop measured of one operation.
final class OperationTally {
  var planned = 0
  var sent = 0
  var outcomes = Outcomes()
  var statuses: [StatusCount] = []
  var latency = LatencyHistogram()
  var service = LatencyHistogram()
  var bytesReceived = 0
  private var conformant = 0
  private var violating = 0
  private var unchecked: [String: Int] = [:]
  /// Answers by load stage.
  var answeredByStage: [Int]

  init(stages: Int) { answeredByStage = Array(repeating: 0, count: max(stages, 1)) }

  /// - Parameter isExpected: the scenario asked for this failure, so it is no error.
  func count(status: Int, isExpected: Bool) {
    if let index = statuses.firstIndex(where: { $0.status == status }) {
      statuses[index].count += 1
    } else {
      statuses.append(StatusCount(status: status, count: 1))
    }
    switch status {
    case _ where isExpected: outcomes.ok += 1
    case 429: outcomes.limited += 1
    case 400..<500: outcomes.clientError += 1
    case 500...: outcomes.serverError += 1
    default: outcomes.ok += 1
    }
  }

  func count(_ judgement: Judgement) {
    switch judgement {
    case .conformant: conformant += 1
    case .violating: violating += 1
    case .unchecked(let reason): unchecked.count(reason)
    }
  }

  func add(to record: inout OperationRecord) {
    record.planned += planned
    record.sent += sent
    record.outcomes += outcomes
    record.latency.merge(latency)
    record.service.merge(service)
    record.bytesReceived += bytesReceived
    record.conformance += Conformance(conformant: conformant, violating: violating, unchecked: unchecked.reasons)
    for entry in statuses {
      if let index = record.statuses.firstIndex(where: { $0.status == entry.status }) {
        record.statuses[index].count += entry.count
      } else {
        record.statuses.append(entry)
      }
    }
  }
}
