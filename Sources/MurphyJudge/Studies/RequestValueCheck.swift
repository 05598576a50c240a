import MurphyContract
import MurphyModel
import MurphyScenario
import MurphySchema

/// Checks the values that a scenario sends against the contract, before any request: constants, and the values of a few
/// hundred sessions of the plan.
///
/// A step that expects a 4xx, or continues after a 400 or 422, has wrong values on purpose and gets no warning.
package struct RequestValueCheck {
  private let scenario: Scenario
  private let contract: Contract

  private struct Mistake {
    var diagnostic: Diagnostic
    let sentence: String
    let isConstant: Bool
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
      .filter { $0.step.operation.index != nil && !$0.step.expectsRefusal }
    guard !calls.isEmpty else { return [] }
    let check = RequestCheck(contract, operations: Set(calls.compactMap(\.step.operation.index)))
    var mistakes: [String: Mistake] = [:]
    var drawn: [String: Int] = [:]
    // Constants are equal in every session: one check is enough.
    var settled: Set<String> = []
    for call in calls {
      guard let operation = call.step.operation.index else { continue }
      func judge(_ key: String, _ value: DrawnCall.Value, _ found: () -> [ContractViolation]) {
        let argument = "\(call.step.mark.text) \(key)"
        if value.isConstant, !settled.insert(argument).inserted { return }
        drawn[argument, default: 0] += 1
        for violation in found() {
          let name = "\(argument) \(violation.discriminator)"
          if mistakes[name] == nil {
            mistakes[name] = Mistake(
              diagnostic: place(call.step, key, violation), sentence: sentence(violation),
              isConstant: value.isConstant, drawn: argument)
          }
          mistakes[name]?.wrong += 1
        }
      }
      for argument in call.arguments {
        judge(Self.key(argument), argument.value) {
          check.mistakes(
            operation: operation, parameter: argument.name, in: argument.location, argument.value.value,
            unknown: argument.value.unknown)
        }
      }
      if let body = call.body, let type = call.step.body?.contentType {
        judge("body", body) {
          check.mistakes(operation: operation, body: body.value, contentType: type, unknown: body.unknown)
        }
      }
    }
    return mistakes.values.map { mistake in
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

  private static func key(_ argument: DrawnCall.Argument) -> String {
    let list =
      switch argument.location {
      case .path: "path"
      case .query: "query"
      case .header: "headers"
      case .cookie: "cookies"
      }
    return "\(list)/\(argument.name)"
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
  /// True if the step expects a rejection.
  fileprivate var expectsRefusal: Bool {
    if (400..<500).contains(where: checks.names) { return true }
    return reactions.contains { entry in
      (entry.trigger.matches(400) || entry.trigger.matches(422)) && entry.reaction == .proceed
    }
  }
}

extension BodyTemplate {
  /// Nil for a value that is sent unchanged.
  fileprivate var contentType: String? {
    switch self {
    case .json(_, let contentType): contentType
    case .form: "application/x-www-form-urlencoded"
    case .multipart: "multipart/form-data"
    case .text, .file: nil
    }
  }
}
