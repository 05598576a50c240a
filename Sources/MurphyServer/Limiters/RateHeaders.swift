import Foundation
import Hummingbird

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
  var decision: LimitDecision
  var rule: LimitRule
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
