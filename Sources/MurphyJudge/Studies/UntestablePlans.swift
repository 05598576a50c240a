import MurphyModel
import MurphyScenario

/// Limits that the plan cannot test: no client sends enough requests to be rejected, or the load ends before a window
/// can.
///
/// The plan is simulated without requests, with responses that take no time. A warning requires that responses do not
/// decide the number of a client's requests, and that the client is known before the run.
package struct UntestableLimits {
  private let scenario: Scenario
  /// The factor on every limiter's window of the scenario's target.
  private let timeScale: Double
  private let plan: Plan

  /// The maximum of simulated sessions; a longer plan gets no warning.
  private static let mostSessions = 20_000

  package init(_ scenario: Scenario, timeScale: Double) {
    self.scenario = scenario
    self.timeScale = timeScale
    plan = Plan(scenario: scenario, seed: scenario.seed ?? 1)
  }

  /// - Parameter text: the content of the scenario file, for the line in a warning.
  package func warnings(text: String) -> [Diagnostic] {
    let expected = scenario.expectations.limits.filter {
      $0.mark != nil && $0.policy.tested != [] && !$0.policy.isConcurrent
    }
    guard !expected.isEmpty else { return [] }
    let sessions = sessions()
    let open = PlanDemand(plan)?.open ?? []
    return expected.compactMap { expectation in
      let policy = expectation.policy
      guard let mark = expectation.mark, policy.requires(.allowance), !open.contains(where: policy.covers),
        let moments = sessions.flatMap({ moments($0, policy) }),
        let sentence = policy.cost == nil
          ? unreached(policy, moments) ?? unrenewed(policy, moments) : unrenewed(policy, moments)
      else { return nil }
      return Diagnostic(
        sentence, at: mark, severity: .warning, sourceLine: text.line(mark.line), width: expectation.policy.name.count)
    }
  }

  private typealias Session = (start: SessionStart, script: SessionScript, calls: [DemandWalk.Call])

  /// The requests of every session of the plan, with times in seconds from the load's start; nil where they are
  /// unknown.
  private func sessions() -> [Session]? {
    guard plan.closed == nil, plan.arrivals > 0, plan.arrivals <= Self.mostSessions else { return nil }
    var sessions: [Session] = []
    for index in 0..<plan.arrivals {
      let arrival = plan.arrival(index)
      guard let start = try? plan.start(arrival, clock: { 0 }) else { return nil }
      let script = scenario.sessions[arrival.session]
      sessions.append((start, script, DemandWalk.calls(start, script, begin: Double(arrival.due) * 1e-9)))
    }
    return sessions
  }

  /// The times of each key's requests, ascending; nil where a key's value exists only in the run.
  private func moments(_ sessions: [Session], _ policy: LimitPolicy) -> [[Double]]? {
    var moments: [String: [Double]] = [:]
    for session in sessions {
      let requested = session.calls.filter { policy.covers($0.operation) }.map(\.at)
      guard !requested.isEmpty else { continue }
      guard let key = key(policy.key, of: session.start, session.script) else { return nil }
      moments[key, default: []] += requested
    }
    return moments.values.map { $0.sorted() }
  }

  /// `voteLaw allows 30 in 60s, but in the plan no x-device-id sends more than 22 requests in that time, …`
  private func unreached(_ policy: LimitPolicy, _ moments: [[Double]]) -> String? {
    let window = policy.window.inSeconds * timeScale
    let most = moments.map { $0.most(within: window) }.max() ?? 0
    guard most <= policy.allowance else { return nil }
    let subject = policy.key.parts.isEmpty ? "all clients together send" : "no \(policy.key.text) sends"
    let times = policy.key.parts.isEmpty ? "at most \(most) requests" : "more than \(most) requests"
    return
      "\(policy.name) allows \(policy.allowance) in \(Self.text(window)), but in the plan \(subject) \(times) in that "
      + "time, so no request would be rejected. To reach the limit, send \(policy.allowance + 1) requests of one "
      + "client within \(Self.text(window)). To distinguish the limit from most wrong limiters, "
      + "send \(2 * policy.allowance + policy.allowance / 2) requests within \(Self.text(0.6 * window)), two times"
  }

  /// `a window of voteLaw lasts 60 s, but in the plan no x-device-id sends requests for that long. …`
  private func unrenewed(_ policy: LimitPolicy, _ moments: [[Double]]) -> String? {
    let window = policy.window.inSeconds * timeScale
    let longest = moments.map { ($0.last ?? 0) - ($0.first ?? 0) }.max() ?? 0
    // A client that waits as required retries after the end of the window.
    let waits = scenario.sessions.contains { $0.calls.contains { $0.reactions.contains { $0.reaction == .wait } } }
    guard policy.requires(.window), longest < window, !waits else { return nil }
    let subject = policy.key.parts.isEmpty ? "no client sends requests" : "no \(policy.key.text) sends requests"
    return
      "a window of \(policy.name) lasts \(Self.text(window)), but in the plan \(subject) for that long. No client can "
      + "be admitted again, so the window's length is not tested. Let a rejected client retry after "
      + "\(Self.text(1.1 * window)), or accept the untested window with `tested: [allowance]`"
  }

  /// The value of a limit's key for a session; nil where it exists only in the run.
  private func key(_ key: LimitKey, of start: SessionStart, _ script: SessionScript) -> String? {
    var values: [String] = []
    for part in key.parts {
      switch part {
      case .sourceAddress: values.append(start.address ?? "")
      case .token: return nil
      case .header(let name):
        guard !script.calls.contains(where: { $0.headers.contains { $0.name.lowercased() == name } }),
          let field = start.headers.first(where: { $0.name.lowercased() == name })
        else { return nil }
        values.append(field.value)
      }
    }
    return values.joined(separator: "\u{1F}")
  }

  private static func text(_ seconds: Double) -> String {
    Duration.saturating(seconds: seconds).text(places: 2)
  }
}

/// Rows of `expect: strength:` for which the plan has too few requests.
package enum UntestableStrength {
  /// - Parameter text: the content of the scenario file, for the line in a warning.
  package static func warnings(_ scenario: Scenario, text: String) -> [Diagnostic] {
    let expected = scenario.expectations.strength
    guard let mark = scenario.expectations.strengthMark, expected.contract != nil || expected.errors != nil,
      let demand = PlanDemand(Plan(scenario: scenario, seed: scenario.seed ?? 1))
    else { return [] }
    var sentences: [String] = []
    if let share = expected.contract {
      sentences += demand.requests.keys.sorted().compactMap { operation in
        sentence("contract: \(percentText(share))", "responses of \(operation)", share, demand.count(of: operation))
      }
    }
    if let share = expected.errors {
      let subjects = scenario.expectations.allBudgets.filter { $0.metric == .errors }.map(\.operation)
      sentences += subjects.compactMap { operation in
        sentence(
          "errors: \(percentText(share))", operation == "*" ? "requests" : "requests of \(operation)", share,
          demand.count(of: operation))
      }
    }
    return sentences.map {
      Diagnostic($0, at: mark, severity: .warning, sourceLine: text.line(mark.line), width: 1)
    }
  }

  private static func sentence(_ requirement: String, _ what: String, _ share: Double, _ brought: Double?) -> String? {
    let needed = ContractStrength.Units.needed(for: share)
    guard let brought, brought < Double(needed) else { return nil }
    return "`\(requirement)` needs \(needed) \(what); the plan has about \(Int(saturating: brought.rounded())). "
      + (longer(Double(needed) / brought).map { "\($0), or require less" } ?? "Add a step that sends such requests")
  }
}

/// `Hold the load 2.5 times as long`; nil for a factor that is not a number, of a load without requests.
private func longer(_ factor: Double) -> String? {
  factor.isFinite ? "Hold the load \((factor * 10).rounded(.up) / 10) times as long" : nil
}

extension String {
  /// A line of a file, from 1.
  func line(_ number: Int) -> String? {
    let lines = split(separator: "\n", omittingEmptySubsequences: false)
    return lines.indices.contains(number - 1) ? String(lines[number - 1]) : nil
  }
}

/// Budgets for which the plan has too few requests, unless responses decide their number.
package enum UndecidableBudgets {
  /// - Parameter text: the content of the scenario file, for the line in a warning.
  package static func warnings(_ scenario: Scenario, text: String) -> [Diagnostic] {
    let budgets = scenario.expectations.budgets.filter { BudgetJudge.samplesNeeded(for: $0) > 1 }
    guard !budgets.isEmpty, let demand = PlanDemand(Plan(scenario: scenario, seed: scenario.seed ?? 1)) else {
      return []
    }
    return budgets.compactMap { budget in
      let needed = BudgetJudge.samplesNeeded(for: budget)
      guard let mark = scenario.expectations.budgetMarks[budget], let brought = demand.count(of: budget.operation),
        brought < Double(needed)
      else { return nil }
      return Diagnostic(
        sentence(budget, needed: needed, brought: Int(saturating: brought.rounded())), at: mark,
        severity: .warning, sourceLine: text.line(mark.line), width: budget.limit.measure.notation.count)
    }
  }

  /// `p99 of voteLaw needs 299 samples; the plan brings about 120. …`
  private static func sentence(_ budget: Budget, needed: Int, brought: Int) -> String {
    let subject = budget.operation == "*" ? "all operations" : budget.operation
    return "\(budget.metric.name) of \(subject) needs \(needed) samples; the plan has about \(brought). "
      + (longer(Double(needed) / Double(brought)).map { "\($0), or choose a lower percentile" }
        ?? "Add a step that calls the operation, or remove the budget")
  }
}
