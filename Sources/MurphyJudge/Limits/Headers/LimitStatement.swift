/// What one rate-limit header, or one group of them, says about the state of a limit.
package struct LimitStatement: Sendable, Hashable {
  package enum Reset: Sendable, Hashable {
    /// Seconds from the answer.
    case delta(Double)
    /// Seconds since the epoch, on the server's clock.
    case epoch(Double)
  }

  /// How it is spelt.
  package enum Dialect: String, Sendable, Hashable {
    /// draft-ietf-httpapi-ratelimit-headers-08 and later: `RateLimit: "default";r=50;t=30`
    case draft
    /// -07: `RateLimit: limit=100, remaining=50, reset=30`
    case draft7 = "draft-07"
    /// Up to -06: `RateLimit-Limit`, `RateLimit-Remaining`, `RateLimit-Reset` with seconds to go
    case draft6 = "draft-06"
    /// `X-RateLimit-*` and `X-Rate-Limit-*`
    case vendor = "x-ratelimit"
  }

  package var dialect: Dialect
  package var limit: Int?
  package var remaining: Int?
  package var reset: Reset?
}

/// A quota as `RateLimit-Policy` declares it.
package struct LimitQuota: Sendable, Hashable {
  package var quota: Int
  /// Seconds; nil when not said.
  package var window: Int?
}
