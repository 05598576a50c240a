import MurphyModel

/// The statement of one rate-limit header, or one group of them, about the state of a limit.
package struct LimitStatement: Sendable, Hashable {
  /// The time at which the limit resets.
  package enum Reset: Sendable, Hashable {
    /// Seconds after the response.
    case delta(Double)
    /// Seconds since the epoch, on the server's clock.
    case epoch(Double)
  }

  /// The spelling.
  package enum Dialect: String, Sendable, Hashable {
    /// draft-ietf-httpapi-ratelimit-headers-08 and later: `RateLimit: "default";r=50;t=30`
    case draft
    /// -07: `RateLimit: limit=100, remaining=50, reset=30`
    case draft7 = "draft-07"
    /// Up to -06: `RateLimit-Limit`, `RateLimit-Remaining`, `RateLimit-Reset` with remaining seconds
    case draft6 = "draft-06"
    /// The same names with `RateLimit-Observed`, and a reset in seconds since 1970
    case gitlab
    /// `X-RateLimit-*`: GitHub, Discord, OpenAI, Kong, Envoy and others
    case vendor = "x-ratelimit"
    /// `X-Rate-Limit-*`: X and others
    case hyphenated = "x-rate-limit"
    /// `x-ms-ratelimit-remaining-*`
    case azure = "x-ms-ratelimit"
    /// `anthropic-ratelimit-*-remaining`
    case anthropic = "anthropic-ratelimit"
    /// `X-Shopify-Shop-Api-Call-Limit: 32/40`
    case shopify = "x-shopify-shop-api-call-limit"
  }

  /// The spelling of the headers.
  package var dialect: Dialect
  /// The name of the limit: of a policy, a resource or a bucket; nil without one.
  package var name: String?
  /// `pk`: the partition of the quota, in Base64.
  package var partition: String?
  /// The counted unit.
  package var unit = LimitUnit.requests
  /// The length of the window in seconds; nil if not given.
  package var window: Double?
  /// The number of requests in a window; nil if not given.
  package var limit: Int?
  /// The number of requests that are left; nil if not given.
  package var remaining: Int?
  /// Nil if not given.
  package var reset: Reset?

  /// The number of requests that the server announces to admit. In the draft from -08 on, a positive `r` is not such an
  /// announcement: the server may reject the next request anyway.
  package var guaranteed: Int? { dialect == .draft && remaining ?? 0 > 0 ? nil : remaining }

  /// True if it says something.
  var isStated: Bool { limit != nil || remaining != nil || reset != nil }

  /// `"daily"`; `tokens`
  var title: String {
    if case .other(let unit) = unit { return name.map { "\"\($0)\" (\(unit))" } ?? unit }
    return name.map { "\"\($0)\"" } ?? limit.map { "a limit of \($0)" } ?? dialect.rawValue
  }
}

/// A quota that a header declares.
package struct LimitQuota: Sendable, Hashable {
  /// The name of the policy; nil without one.
  package var name: String?
  /// `pk`: the partition of the quota, in Base64.
  package var partition: String?
  /// The counted unit.
  package var unit = LimitUnit.requests
  /// The number of units in a window.
  package var quota: Int
  /// Seconds; nil when not given.
  package var window: Int?

  /// `60 per 60 s`; `65535 content-bytes per 10 s`
  var text: String {
    let amount = if case .other(let unit) = unit { "\(quota) \(unit)" } else { "\(quota)" }
    return window.map { "\(amount) per \($0) s" } ?? amount
  }
}

/// Which of the reported limits is the judged one.
extension LimitResponse {
  /// The counters of requests that the response reports. Several spellings of one counter are one.
  static func counters(_ statements: [LimitStatement]) -> [LimitStatement] {
    var counters: [LimitStatement] = []
    for statement in statements {
      let same = counters.firstIndex { known in
        known.dialect != statement.dialect && known.remaining == statement.remaining && known.unit == statement.unit
          && (known.limit == nil || statement.limit == nil || known.limit == statement.limit)
          && (known.window == nil || statement.window == nil || known.window == statement.window)
      }
      guard let same else {
        counters.append(statement)
        continue
      }
      counters[same].limit = counters[same].limit ?? statement.limit
      counters[same].window = counters[same].window ?? statement.window
      counters[same].reset = counters[same].reset ?? statement.reset
      counters[same].name = counters[same].name ?? statement.name
    }
    return counters
  }

  /// The counter of a policy, and the others. The only counter of requests is about the policy; of several, the one with
  /// its quota and window. If none has both, it is the one with its window.
  package func counter(of policy: LimitPolicy) -> (own: LimitStatement?, others: [LimitStatement]) {
    let candidates = counters.indices.filter { counters[$0].unit == .requests }
    let isOnly = candidates.count == 1 && quotas.count { $0.unit == .requests } < 2 && !namesAnother
    var fitting = isOnly ? candidates : candidates.filter { counters[$0].fits(policy) }
    if fitting.isEmpty {
      fitting = candidates.filter { index in
        counters[index].window.map(policy.hasWindow) ?? false
      }
    }
    guard fitting.count == 1 else { return (nil, counters) }
    var others = counters
    return (others.remove(at: fitting[0]), others)
  }

  /// True if the only state is that of another policy than the only quota, or of a resource without a quota.
  private var namesAnother: Bool {
    guard counters.count == 1 else { return false }
    let only = counters[0]
    return only.dialect == .azure
      || (only.dialect == .draft && !quotas.isEmpty && !quotas.contains { $0.name == only.name })
  }

  /// Quotas that no policy declares: the reason why parts of the headers are not judged, as the beginning of a
  /// sentence.
  func unread(_ policies: [LimitPolicy]) -> String? {
    if let quota = quotas.first(where: { $0.unit != .requests }), case .other(let unit) = quota.unit {
      return "The headers count \(unit)"
    }
    if let counter = counters.first(where: { $0.unit != .requests }), case .other(let unit) = counter.unit {
      return "The headers count \(unit)"
    }
    if quotas.count > 1, let quota = quotas.first(where: { quota in !policies.contains { $0.isAnnounced(by: quota) } })
    {
      return "The headers announce \(quota.name.map { "\"\($0)\", " } ?? "")\(quota.text), which no limit declares"
    }
    guard counters.count > 1 || namesAnother else { return nil }
    let owns = policies.map { counter(of: $0).own }
    let undeclared = counters.first { !owns.contains($0) }
    return undeclared.map { "The headers announce \($0.title), which no limit declares" }
  }
}

extension LimitStatement {
  /// True if quota and window, as far as they are stated, are those of a policy.
  func fits(_ policy: LimitPolicy) -> Bool {
    guard unit == .requests, limit != nil || window != nil else { return false }
    if let limit, let window { return policy.isAnnounced(by: limit, window: window) }
    if let limit { return limit == policy.allowance }
    return window.map(policy.hasWindow) ?? false
  }
}

extension LimitPolicy {
  /// True if a quota of `RateLimit-Policy` is this limit.
  func isAnnounced(by quota: LimitQuota) -> Bool {
    guard quota.unit == .requests else { return false }
    guard let seconds = quota.window else { return quota.quota == allowance }
    return isAnnounced(by: quota.quota, window: Double(seconds))
  }

  /// True if a header's window is this limit's. Headers cannot express windows that are shorter than a second, or not
  /// whole.
  fileprivate func hasWindow(_ seconds: Double) -> Bool { (seconds - window.inSeconds).magnitude < 1 }

  fileprivate func isAnnounced(by quota: Int, window seconds: Double) -> Bool {
    let announced = Double(quota) / seconds
    return (quota == allowance && hasWindow(seconds))
      || (algorithm == .tokenBucket && (announced - rate.perSecond).magnitude < 0.01 * announced)
  }
}
