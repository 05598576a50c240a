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

/// What the limiters of one server are told.
package struct LimitSettings: Sendable {
  package var algorithm = LimiterAlgorithm.fixed
  package var isOff = false
  package var overrides: [LimitOverride] = []
  /// Factor on every window: 0.1 makes a minute of the contract six seconds.
  package var timeScale = 1.0
  package var headers = RateHeaders.none
  package var clock = LimitClock.monotonic

  package init() {}

  /// The rule for a policy: the last override that names it, else what the contract promises.
  package func rule(for policy: LimitPolicyName) -> LimitRule {
    let override = overrides.last { $0.policies.contains(policy) }
    return LimitRule(
      algorithm: algorithm, allowance: override?.allowance ?? policy.allowance,
      window: max(1, Int64(Double(override?.window ?? 60_000_000_000) * timeScale)), burst: override?.burst)
  }
}

/// The counters of the API: one for each operation, but votes given and taken back share one.
package enum LimitPolicyName: String, CaseIterable, Sendable {
  case listLaws, getLaw, getLawOfTheDay, listCategories, listAttributions, submitLaw, votes, shareCalculation

  /// Requests per minute and client, as the API's architecture document promises.
  package var allowance: Int {
    switch self {
    case .listLaws, .getLaw, .getLawOfTheDay, .listCategories, .listAttributions: 60
    case .votes: 30
    case .submitLaw: 3
    case .shareCalculation: 5
    }
  }

  var isRead: Bool { allowance == 60 }

  /// What there are too many of, in the message of a refusal.
  var noun: String {
    switch self {
    case .votes: "votes"
    case .submitLaw: "submissions"
    case .shareCalculation: "shared calculations"
    default: "requests"
    }
  }
}

/// A limit given on the command line: `voteLaw=30/60s`, with `:burst=10` for a token bucket.
package struct LimitOverride: Sendable, Equatable {
  /// The counters it is for.
  package var policies: [LimitPolicyName]
  package var allowance: Int
  /// Nanoseconds, before the time scale.
  package var window: Int64
  package var burst: Int?

  /// Parses `NAME=COUNT/WINDOW[:burst=COUNT]`. NAME is a policy, an operation or `reads`; WINDOW is a number of `ms`,
  /// `s`, `m` or `h`.
  package init(parsing text: String) throws(ServerError) {
    let malformed = ServerError("limit \"\(text)\" is not of the form voteLaw=30/60s or voteLaw=30/60s:burst=10")
    let sides = text.split(separator: "=", maxSplits: 1)
    guard sides.count == 2 else { throw malformed }
    let parts = sides[1].split(separator: ":", maxSplits: 1)
    let fraction = parts[0].split(separator: "/", maxSplits: 1)
    guard fraction.count == 2, let allowance = Int(fraction[0]), allowance > 0, allowance <= 1_000_000,
      let window = Self.window(fraction[1])
    else { throw malformed }
    self.allowance = allowance
    self.window = window
    if parts.count == 2 {
      let option = parts[1].split(separator: "=", maxSplits: 1)
      guard option.count == 2, option[0] == "burst", let burst = Int(option[1]), burst > 0, burst <= 1_000_000 else {
        throw malformed
      }
      self.burst = burst
    }
    policies = try Self.policies(named: String(sides[0]))
  }

  private static func policies(named name: String) throws(ServerError) -> [LimitPolicyName] {
    if name == "reads" { return LimitPolicyName.allCases.filter(\.isRead) }
    if let policy = LimitPolicyName(rawValue: name) { return [policy] }
    if let operation = Operation(rawValue: name) { return [operation.policy] }
    let known = LimitPolicyName.allCases.map(\.rawValue) + Operation.allCases.map(\.rawValue) + ["reads"]
    throw ServerError(unknown: "limit", name, among: known)
  }

  private static func window(_ text: Substring) -> Int64? {
    let units: [(String, Double)] = [("ms", 1e6), ("s", 1e9), ("m", 60e9), ("h", 3600e9)]
    for (unit, length) in units where text.hasSuffix(unit) {
      guard let count = Double(text.dropLast(unit.count)), count > 0, count * length <= 86400e9 else { return nil }
      return Int64(count * length)
    }
    return nil
  }
}
