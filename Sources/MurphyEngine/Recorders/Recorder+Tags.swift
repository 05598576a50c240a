import MurphyModel
import MurphyTransport

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
