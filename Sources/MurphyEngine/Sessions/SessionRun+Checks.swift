import MurphyJSON
import MurphyModel
import MurphyScenario
import MurphyTransport

extension SessionRun {
  /// Whether the answer is what the step's `expect:` says; each miss is a finding.
  func check(
    _ step: CallStep, _ transfer: Transfer, _ request: PreparedRequest, _ body: AnswerBody
  ) throws(SessionEnd) -> Bool {
    var misses: [(what: String, message: String)] = []
    if !step.checks.statuses.isEmpty, !step.checks.names(transfer.status) {
      misses.append(("status", "found status \(transfer.status), which the scenario does not expect"))
    }
    for expected in step.checks.headers {
      let value = try evaluate(expected.value).interpolated
      let found = transfer.headers.first { $0.name == expected.name.lowercased() }?.value
      if found != value {
        misses.append(
          ("header \(expected.name)", "found header \(expected.name): \(found ?? "none"), expected \(value)"))
      }
    }
    for expected in step.checks.body {
      let value = try evaluate(expected.value)
      let found = body.values(expected.path)
      if !found.contains(value) {
        let text = found.first.map { String($0.text.prefix(100)) } ?? "nothing"
        misses.append(("\(expected.path)", "found \(text) at \(expected.path), expected \(value.text)"))
      }
    }
    for miss in misses {
      let occurrence = Occurrence(
        kind: "contract.expectation", operation: request.operation, message: "\(step.operation.id): \(miss.message)",
        discriminator: miss.what, at: transfer.ended)
      shard.recorder.find(occurrence) { shard.evidence(transfer, request, trail) }
    }
    return misses.isEmpty
  }
}
