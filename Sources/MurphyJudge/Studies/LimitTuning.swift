import MurphyContract
import MurphyModel
import MurphyScenario

/// Computes which limits throttle which sessions of a scenario; no request is sent.
package struct LimitTuning {
  private let scenario: Scenario
  private let contract: Contract
  /// The factor on every limiter's window of the scenario's target.
  private let timeScale: Double

  package init(_ scenario: Scenario, _ contract: Contract, timeScale: Double) {
    self.scenario = scenario
    self.contract = contract
    self.timeScale = timeScale
  }

  /// - Throws: `GateError.usage` for unknown names, and when no session calls the operations to tune.
  package func tune(_ options: TuneOptions) throws(GateError) -> TuneResult {
    let sessions = try demand(options)
    let limit = try tunedLimit(options, sessions)
    let operations = limit.operations
    let covered = Set(operations)
    let moments = sessions.map { $0.filter { covered.isEmpty || covered.contains($0.operation) }.map(\.at) }
      .filter { !$0.isEmpty }
    guard !moments.isEmpty else {
      throw .usage(
        "no session of \(scenario.file) calls \(operations.joined(separator: " or ")): no limit can be tuned.")
    }
    var tuning = TunerOptions(seed: options.seed)
    tuning.questions = options.questions
    if let limiter = options.limiter {
      tuning.algorithms = limiter.algorithms
      tuning.windows = limiter.windows ?? tuning.windows
    }
    tuning.declared = scenario.expectations.limits.map(\.policy).filter { policy in
      covered.isEmpty || policy.operations.isEmpty || policy.operations.contains(where: covered.contains)
    }
    if tuning.declared.isEmpty {
      tuning.declared = LimitPolicy.documented(in: contract).filter { policy in
        policy.operations.contains(where: covered.contains)
      }
    }
    let uncounted = tuning.declared.filter { !$0.countsRequests }
    tuning.declared.removeAll { !$0.countsRequests }
    let trace = DemandTrace(sessions: moments, sharing: options.sharing, seed: options.seed)
    var result = Tuner(trace, options: tuning).run()
    let names = operations.isEmpty ? "all operations" : operations.joined(separator: ", ")
    result.sentences.insert(
      "\(moments.count) of \(sessions.count) sessions generated from \(scenario.name) call \(names).", at: 0)
    result.sentences += uncounted.map {
      "The declared limit \($0.name) (\($0.text)) is not simulated: the simulation counts requests in a time window."
    }
    result.policy = try deployed(result, limit, options)
    return result
  }

  /// The only question, or the recommendation that throttles the fewest sessions; nil if no limiter gets it.
  private func deployed(
    _ result: TuneResult, _ limit: TunedLimit, _ options: TuneOptions
  ) throws(GateError) -> LimitPolicy? {
    guard options.limiter != nil else { return nil }
    if var policy = options.questions.first?.policy {
      (policy.name, policy.operations) = (limit.name, limit.operations)
      return policy
    }
    let key = options.key ?? limit.key ?? .sourceAddress
    let kind = Tuner.kind(of: key).rawValue
    let found = result.recommendations.filter { $0.point.key == kind }.min { $0.target < $1.target }
    guard let point = found?.point, let algorithm = LimitAlgorithm(rawValue: point.algorithm) else {
      throw .usage(
        "no policy with the key \(key.text) can be recommended. Name the policy with --what-if, set another --limit-key, or "
          + "simulate more --sessions.")
    }
    return LimitPolicy(
      name: limit.name, operations: limit.operations, algorithm: algorithm, allowance: point.allowance,
      window: .saturating(seconds: point.window), key: key)
  }

  /// The calls of the requested number of sessions: the load's own arrivals, repeated with new random values.
  private func demand(_ options: TuneOptions) throws(GateError) -> [[DemandWalk.Call]] {
    let plan = Plan(scenario: scenario, seed: options.seed)
    let length = max(scenario.load.duration.inSeconds, 1)
    let users = plan.closed?.mostUsers ?? 0
    let perRound = max(plan.closed == nil ? plan.arrivals : users, 1)
    // A run with scaled windows also has scaled sessions; the tuned limits are the real ones.
    let scale = 1 / timeScale
    var sessions: [[DemandWalk.Call]] = []
    for index in 0..<options.sessions {
      var random = RandomSource(seed: options.seed, stream: UInt64(index) | 1 << 40)
      let due =
        plan.closed == nil
        ? Double(plan.arrival(index % perRound).due) * 1e-9 : random.unit() * length
      var arrival = plan.session(user: index, iteration: 0)
      (arrival.index, arrival.session, arrival.seed) = (index, plan.mix.session(at: index), random.next())
      let start: SessionStart?
      do throws(EvaluationError) { start = try plan.start(arrival, clock: { 0 }) } catch {
        throw .usage("\(scenario.file): \(error.text)")
      }
      guard let start else { continue }
      let begin = due + Double(index / perRound) * length
      let calls = DemandWalk.calls(start, scenario.sessions[arrival.session], begin: begin)
      sessions.append(calls.map { DemandWalk.Call(operation: $0.operation, at: $0.at * scale) })
    }
    return sessions
  }

  /// The operations that share the counter to tune (empty for all), and the declared limit with its key.
  private struct TunedLimit {
    var name = "*"
    var operations: [String] = []
    var key: LimitKey?

    init(operations: [String]) {
      self.operations = operations
      if !operations.isEmpty { name = operations.joined(separator: "_") }
    }

    init(_ policy: LimitPolicy?) {
      guard let policy else { return }
      (name, operations, key) = (policy.name, policy.operations, policy.keyIsAssumed ? nil : policy.key)
    }
  }

  private func tunedLimit(_ options: TuneOptions, _ sessions: [[DemandWalk.Call]]) throws(GateError) -> TunedLimit {
    for name in options.operations where contract.index(of: name) == nil {
      let near = didYouMean(name, among: contract.operations.map(\.id))
      throw .usage("no operation of \(contract.file) is named \"\(name)\".\(near)")
    }
    if !options.operations.isEmpty { return TunedLimit(operations: options.operations) }
    let policies = scenario.expectations.limits.map(\.policy) + LimitPolicy.documented(in: contract)
    if let name = options.limit {
      guard let policy = policies.first(where: { $0.name == name }) else {
        let near = didYouMean(name, among: policies.map(\.name))
        throw .usage("no limit is named \"\(name)\".\(near)")
      }
      return TunedLimit(policy)
    }
    var calls: [String: Int] = [:]
    for call in sessions.joined() { calls[call.operation, default: 0] += 1 }
    func demand(_ policy: LimitPolicy) -> Int {
      policy.operations.isEmpty ? sessions.count : policy.operations.reduce(0) { $0 + (calls[$1] ?? 0) }
    }
    // Declared limits come first: of equal ones, the scenario's own is kept.
    var best: LimitPolicy?
    for policy in policies where demand(policy) > best.map(demand) ?? 0 { best = policy }
    return TunedLimit(best)
  }
}

/// The options of `murphy tune`.
package struct TuneOptions: Sendable {
  /// The policies that a limiter can apply.
  package struct Limiter: Sendable {
    package var algorithms: [LimitAlgorithm]
    /// In seconds; nil for any length.
    package var windows: [Double]?

    package init(algorithms: [LimitAlgorithm], windows: [Double]?) {
      (self.algorithms, self.windows) = (algorithms, windows)
    }
  }

  /// Policies to evaluate, one sentence each.
  package var questions: [WhatIf] = []
  /// The number of normal sessions to generate. A share can only be shown to be below x with 3/x addresses (the rule of
  /// three).
  package var sessions = 6000
  /// The number of users that share an address.
  package var sharing = AddressSharing.usual
  /// The name of the limit whose operations are tuned; nil for the one that sessions call most.
  package var limit: String?
  /// Operations to tune together instead of a limit's.
  package var operations: [String] = []
  /// The limiter that gets the policy; nil for no policy to deploy.
  package var limiter: Limiter?
  /// The key of the deployed policy; nil for the key of the tuned limit.
  package var key: LimitKey?
  /// The same seed generates the same sessions.
  package var seed: UInt64 = 1

  /// 6,000 sessions of the usual addresses, for the limit that sessions call most.
  package init() {}
}
