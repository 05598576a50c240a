/// All limiters of the API behind one door: who comes, on which counter, and whether to let them in.
final class PolicyLimiters: Sendable {
  private let settings: LimitSettings
  private let hooks: Hooks
  private let limiters: [LimitPolicyName: Limiter]

  init(_ settings: LimitSettings, hooks: Hooks) async throws {
    self.settings = settings
    self.hooks = hooks
    let offset = settings.clock.wallOffset()
    var limiters: [LimitPolicyName: Limiter] = [:]
    for policy in LimitPolicyName.allCases where !settings.isOff {
      var rule = settings.rule(for: policy)
      rule.wallOffset = offset
      limiters[policy] = Limiter(rule: try await hooks.limitRule(rule, of: nil) { $0 })
    }
    self.limiters = limiters
  }

  /// Counts the request and returns the header fields that tell of it, or throws a `Refusal`.
  func admit(_ caller: Caller, to operation: Operation) async throws -> [(String, String)] {
    let policy = operation.policy
    guard let limiter = limiters[policy] else { return [] }
    let key = try await hooks.limitKey(caller, of: operation) { $0.voter }
    let question = LimitQuestion(limiter: limiter, policy: policy, key: key, clock: settings.clock)
    let decision = try await hooks.limitDecision(question, of: operation) {
      $0.limiter.admit($0.key, at: $0.clock.now())
    }
    guard let decision else { return [] }
    guard decision.isAdmitted else {
      throw Refusal(policy: policy, rule: settings.rule(for: policy), decision: decision, caller: caller)
    }
    return try await fields(decision, limiter.rule, policy)
  }

  /// The header fields of a refused request.
  func fields(_ refusal: Refusal) async throws -> [(String, String)] {
    try await fields(refusal.decision, refusal.rule, refusal.policy)
  }

  private func fields(
    _ decision: LimitDecision, _ rule: LimitRule, _ policy: LimitPolicyName
  ) async throws -> [(String, String)] {
    let statement = RateStatement(dialect: settings.headers, decision: decision, rule: rule, policy: policy)
    return try await hooks.rateFields(statement, of: nil) { $0.fields }
  }
}

/// What a limiter is asked.
struct LimitQuestion: Sendable {
  var limiter: Limiter
  var policy: LimitPolicyName
  var key: String
  var clock: LimitClock
}
