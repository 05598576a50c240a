import MurphyModel
import MurphyScenario

/// Operations that no session of the plan calls before its end, because the pauses before them take too long.
///
/// The plan is simulated without requests, with responses that take no time. A warning is certain for its seed.
package enum LateSteps {
  /// The maximum of simulated sessions; a longer plan gets no warning.
  private static let mostSessions = 20_000

  /// - Parameter text: the content of the scenario file, for the line in a warning.
  package static func warnings(_ scenario: Scenario, text: String) -> [Diagnostic] {
    let plan = Plan(scenario: scenario, seed: scenario.seed ?? 1)
    guard plan.closed == nil, plan.arrivals > 0, plan.arrivals <= mostSessions else { return [] }
    let end = (scenario.load.duration + scenario.settings.grace).inSeconds
    var first: [String: Double] = [:]
    for index in 0..<plan.arrivals {
      let arrival = plan.arrival(index)
      guard let start = try? plan.start(arrival, clock: { 0 }) else { return [] }
      let begin = Double(arrival.due) * 1e-9
      for call in DemandWalk.calls(start, scenario.sessions[arrival.session], begin: begin) {
        first[call.operation] = min(first[call.operation] ?? .infinity, call.at)
      }
    }
    let steps = scenario.sessions.flatMap(\.calls)
    return first.filter { $0.value > end }.keys.sorted().compactMap { operation in
      guard let step = steps.first(where: { $0.operation.id == operation }) else { return nil }
      let earliest = Duration.saturating(seconds: first[operation] ?? 0).text(places: 2)
      return Diagnostic(
        "no session calls \(operation): its earliest call is due at \(earliest), and the load with its grace period ends at "
          + "\(Duration.saturating(seconds: end).text(places: 2)). Shorten the pauses before the call, or extend the "
          + "load",
        at: step.mark, severity: .warning, sourceLine: text.line(step.mark.line), width: operation.count)
    }
  }
}
