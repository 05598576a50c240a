import MurphyContract
import MurphyModel

/// Checks the requests of a draft against its own document, before the draft is written.
struct DraftCheck {
  /// The number of sessions whose values are generated.
  private static let sessions = 60

  /// The first value that the document forbids, by operationId.
  let mistakes: [String: String]

  init(_ text: String, _ contract: Contract) {
    let scenario = try? Scenario.parse(
      text: text, file: "draft.yaml", operations: contract.summaries, environment: [:],
      toleratesMissingEnvironment: true)
    let calls = scenario.map { Plan(scenario: $0, seed: 1).drawnCalls(sessions: Self.sessions) } ?? []
    let check = RequestCheck(contract, operations: Set(calls.compactMap(\.step.operation.index)))
    var mistakes: [String: String] = [:]
    var settled: Set<String> = []
    for call in calls where mistakes[call.step.operation.id] == nil {
      let judged = call.judged(by: check) { place, value in
        !value.isConstant || settled.insert("\(call.step.mark.text) \(place)").inserted
      }
      mistakes[call.step.operation.id] = judged.lazy.compactMap(\.mistakes.first).first?.message
    }
    self.mistakes = mistakes
  }

  /// The steps, with a comment at each call that the document forbids.
  func commented(_ steps: [DraftedStep]) -> [DraftedStep] {
    steps.mapCalls { call in
      guard let mistake = mistakes[call.operation] else { return call }
      var call = call
      call.comment = "correct this call: \(mistake)" + (call.comment.map { "; \($0)" } ?? "")
      return call
    }
  }
}
