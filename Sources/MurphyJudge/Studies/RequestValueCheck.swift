import MurphyContract
import MurphyModel
import MurphyScenario
import MurphySchema

/// Checks the values that a scenario sends against the contract, before any request: constants, and the values of a few
/// hundred sessions of the plan.
///
/// A step that accepts no success, or continues after a 400 or 422, has wrong values on purpose and gets no warning. A
/// step that accepts both a success and a rejection gets one if the contract forbids each of its values.
package struct RequestValueCheck {
  private let scenario: Scenario
  private let contract: Contract

  private struct Mistake {
    var diagnostic: Diagnostic
    let sentence: String
    let isConstant: Bool
    /// True if the step accepts a rejection too.
    let mayBeWrong: Bool
    var wrong = 0
    let drawn: String
  }

  package init(_ scenario: Scenario, _ contract: Contract) {
    self.scenario = scenario
    self.contract = contract
  }

  /// Warnings in the order of the file.
  package var warnings: [Diagnostic] {
    let calls = Plan(scenario: scenario, seed: scenario.seed ?? 1).drawnCalls()
      .filter { $0.step.operation.index != nil && $0.step.refusal != .expected }
    guard !calls.isEmpty else { return [] }
    let check = RequestCheck(contract, operations: Set(calls.compactMap(\.step.operation.index)))
    var mistakes: [String: Mistake] = [:]
    var drawn: [String: Int] = [:]
    // Constants are equal in every session: one check is enough.
    var settled: Set<String> = []
    for call in calls {
      let step = call.step.mark.text
      let judged = call.judged(by: check) { place, value in
        !value.isConstant || settled.insert("\(step) \(place)").inserted
      }
      for (place, value, found) in judged {
        let argument = "\(step) \(place)"
        drawn[argument, default: 0] += 1
        for violation in found {
          let name = "\(argument) \(violation.discriminator)"
          if mistakes[name] == nil {
            mistakes[name] = Mistake(
              diagnostic: self.place(call.step, place, violation), sentence: sentence(violation),
              isConstant: value.isConstant, mayBeWrong: call.step.refusal == .accepted, drawn: argument)
          }
          mistakes[name]?.wrong += 1
        }
      }
    }
    return mistakes.values.filter { !$0.mayBeWrong || $0.wrong == drawn[$0.drawn] }.map { mistake in
      var diagnostic = mistake.diagnostic
      let share = mistake.isConstant ? "" : " (in \(mistake.wrong) of \(drawn[mistake.drawn] ?? 0) generated values)"
      diagnostic.message = scenario.secrets.masked(mistake.sentence + share)
      diagnostic.severity = .warning
      return diagnostic
    }.sorted { ($0.mark.line, $0.mark.column, $0.message) < ($1.mark.line, $1.mark.column, $1.message) }
  }

  private func sentence(_ violation: ContractViolation) -> String {
    violation.message + (violation.source.map { "; declared at \($0.text)" } ?? "")
  }

  /// The value in the scenario, as close to the violation as possible.
  private func place(_ step: CallStep, _ key: String, _ violation: ContractViolation) -> Diagnostic {
    var tokens = JSONPointer(violation.instancePointer ?? "")?.tokens ?? []
    while true {
      if let place = step.places[key + JSONPointer(tokens: tokens).description] { return place }
      guard !tokens.isEmpty else { return Diagnostic("", at: step.mark) }
      tokens.removeLast()
    }
  }
}

extension CallStep {
  fileprivate enum Refusal { case unexpected, accepted, expected }

  /// The role of a rejection of the request's values in the step. A 404 or 409 depends on the state of the target.
  fileprivate var refusal: Refusal {
    let isCaught = reactions.contains { entry in
      (entry.trigger.matches(400) || entry.trigger.matches(422)) && entry.reaction == .proceed
    }
    if isCaught { return .expected }
    guard (400..<500).contains(where: checks.names) else { return .unexpected }
    if !(200..<400).contains(where: checks.names) { return .expected }
    return checks.names(400) || checks.names(422) ? .accepted : .unexpected
  }
}
