import Foundation
import Hummingbird

/// All limiters of an API: they identify the caller, select the counter, and decide if the request is admitted.
final class PolicyLimiters: Sendable {
  private let settings: LimitSettings
  private let dialect: RateHeaders
  private let hooks: Hooks
  private let limiters: [ReferenceLimit: Limiter]

  init(_ settings: LimitSettings, of api: ReferenceAPI, hooks: Hooks) async throws {
    self.settings = settings
    self.hooks = hooks
    dialect = settings.headers ?? api.rateHeaders
    let offset = settings.clock.wallOffset()
    var limiters: [ReferenceLimit: Limiter] = [:]
    for limit in api.limits where !settings.isOff {
      var rule = settings.rule(for: limit)
      rule.wallOffset = offset
      limiters[limit] = Limiter(rule: try await hooks.limiterRule(rule, of: nil) { $0 })
    }
    self.limiters = limiters
  }

  /// Counts the request and returns the headers that report the decision, or throws a `Refusal`.
  ///
  /// - Parameter weight: the number of times it counts.
  func admit(_ caller: Caller, to operation: Operation, weight: Int) async throws -> [(String, String)] {
    guard let limit = operation.limit, let limiter = limiters[limit] else { return [] }
    let key = try await hooks.limitKey(caller, of: operation) { $0.name }
    let question = LimitQuestion(limiter: limiter, limit: limit, key: key, weight: weight, clock: settings.clock)
    let decision = try await hooks.limiterDecision(question, of: operation) {
      $0.limiter.admit($0.key, at: $0.clock.now(), weight: $0.weight)
    }
    guard let decision else { return [] }
    guard decision.isAdmitted else {
      throw Refusal(limit: limit, rule: settings.rule(for: limit), decision: decision, caller: caller)
    }
    return try await fields(decision, limiter.rule, limit)
  }

  /// The headers of a rejection.
  func fields(_ refusal: Refusal) async throws -> [(String, String)] {
    try await fields(refusal.decision, refusal.rule, refusal.limit)
  }

  private func fields(
    _ decision: LimiterDecision, _ rule: LimiterRule, _ limit: ReferenceLimit
  ) async throws -> [(String, String)] {
    let statement = RateStatement(dialect: dialect, decision: decision, rule: rule, limit: limit)
    return try await hooks.rateFields(statement, of: nil) { $0.fields }
  }
}

/// The input of a limiter's decision.
package struct LimitQuestion: Sendable {
  var limiter: Limiter
  var limit: ReferenceLimit
  var key: String
  /// The number of times the request counts.
  package var weight: Int
  var clock: LimitClock
}

/// The settings of the limiters of one server.
package struct LimitSettings: Sendable {
  package var algorithm = LimiterAlgorithm.fixed
  /// True admits every request.
  package var isOff = false
  /// The last one for an operation applies.
  package var overrides: [LimitOverride] = []
  /// Factor on every window: 0.1 makes a minute of the contract six seconds.
  package var timeScale = 1.0
  /// The headers that report limits; nil for those that the API's contract documents.
  package var headers: RateHeaders?
  /// Tests replace it.
  package var clock = LimitClock.monotonic

  package init() {}

  /// The rule for a limit: the last override that names it, otherwise the rule in the contract.
  package func rule(for limit: ReferenceLimit) -> LimiterRule {
    let override = overrides.last { $0.limits.contains(limit) }
    return LimiterRule(
      algorithm: algorithm, allowance: override?.allowance ?? limit.allowance,
      window: max(1, Int64(Double(override?.window ?? limit.window) * timeScale)), burst: override?.burst)
  }
}

/// The headers that report limits in every response of a limited operation.
package enum RateHeaders: String, CaseIterable, Sendable {
  /// None. A rejection still has `Retry-After`.
  case none
  /// `X-RateLimit-Limit`, `-Remaining` and `-Reset` in seconds from now.
  case xRateLimit = "x-ratelimit"
  /// The same with `-Reset` in seconds since 1970.
  case xRateLimitEpoch = "x-ratelimit-epoch"
  /// The same with `-Reset` only in rejections, as in Laravel's throttle.
  case laravel
  /// `RateLimit-Limit`, `-Remaining`, `-Reset` and `-Policy` (draft-polli-ratelimit-headers).
  case draft3 = "draft-3"
  /// `RateLimit: limit=…, remaining=…, reset=…` (draft-ietf-httpapi-ratelimit-headers-07).
  case draft7 = "draft-7"
  /// `RateLimit: "name";r=…;t=…` (draft-ietf-httpapi-ratelimit-headers-10).
  case draft10 = "draft-10"
}

/// The contents of the headers for one decision.
struct RateStatement: Sendable {
  var dialect: RateHeaders
  var decision: LimiterDecision
  var rule: LimiterRule
  var limit: ReferenceLimit

  /// `reset` is the time until more requests will be admitted, in seconds rounded up. In a rejection it is the same as
  /// `Retry-After`.
  var fields: [(String, String)] {
    let allowance = rule.algorithm == .tokenBucket ? rule.burst : rule.allowance
    let reset = decision.isAdmitted ? Self.seconds(decision.reset) : max(1, Self.seconds(decision.wait))
    let window = Self.seconds(rule.window)
    switch dialect {
    case .none: return []
    case .xRateLimit, .xRateLimitEpoch, .laravel:
      let epoch = dialect == .xRateLimit ? 0 : Int(Date().timeIntervalSince1970.rounded(.up))
      let fields = [
        ("X-RateLimit-Limit", "\(allowance)"), ("X-RateLimit-Remaining", "\(decision.remaining)"),
        ("X-RateLimit-Reset", "\(epoch + reset)"),
      ]
      return dialect == .laravel && decision.isAdmitted ? fields.dropLast() : fields
    case .draft3:
      return [
        ("RateLimit-Policy", "\(allowance);w=\(window)"), ("RateLimit-Limit", "\(allowance)"),
        ("RateLimit-Remaining", "\(decision.remaining)"), ("RateLimit-Reset", "\(reset)"),
      ]
    case .draft7:
      return [
        ("RateLimit-Policy", "\(allowance);w=\(window)"),
        ("RateLimit", "limit=\(allowance), remaining=\(decision.remaining), reset=\(reset)"),
      ]
    case .draft10:
      return [
        ("RateLimit-Policy", "\"\(limit.name)\";q=\(allowance);w=\(window)"),
        ("RateLimit", "\"\(limit.name)\";r=\(decision.remaining);t=\(reset)"),
      ]
    }
  }

  private static func seconds(_ nanoseconds: Int64) -> Int { Int((Double(nanoseconds) / 1e9).rounded(.up)) }
}
