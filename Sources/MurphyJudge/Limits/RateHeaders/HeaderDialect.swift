import MurphyModel

/// A family of headers that report the state of rate limits: a row of the table in docs/rate-limits.md §1.
///
/// The two structured fields of the standard have a reader of their own: ``RateLimitField``.
package struct HeaderDialect: Sendable {
  /// The place of a limit's name in the names of its headers.
  enum Scope: Sendable { case none, suffix, prefix }

  /// The ways of writing the time of a reset.
  enum Clock: Sendable {
    /// Whole seconds after the response.
    case delta
    /// Whole seconds since 1970.
    case epoch
    /// A date of RFC 3339 or HTTP.
    case date
    /// Any of them, milliseconds since 1970, or a duration of several units: no standard exists.
    case any
  }

  let dialect: LimitStatement.Dialect
  /// The beginning of the names of its headers, in lower case.
  let prefix: String
  /// A header that only this family sends; nil if it needs none.
  var marker: String?
  var scope = Scope.none
  var clock = Clock.any

  /// In order of precedence: the first row with the prefix and the marker reads a header.
  static let table = [
    HeaderDialect(dialect: .gitlab, prefix: "ratelimit-", marker: "ratelimit-observed", clock: .epoch),
    HeaderDialect(dialect: .draft6, prefix: "ratelimit-", clock: .delta),
    HeaderDialect(dialect: .vendor, prefix: "x-ratelimit-", scope: .suffix),
    HeaderDialect(dialect: .hyphenated, prefix: "x-rate-limit-", scope: .suffix),
    HeaderDialect(dialect: .azure, prefix: "x-ms-ratelimit-", scope: .suffix),
    HeaderDialect(dialect: .anthropic, prefix: "anthropic-ratelimit-", scope: .prefix, clock: .date),
  ]

  /// The meaning of a header's value.
  enum Role: String, CaseIterable, Sendable {
    case limit, remaining, used, observed, resetAfter = "reset-after", resetTime = "resettime", reset
    /// The name of the limit.
    case resource, bucket, name
  }

  /// The row that reads a header, and the part of its name after the prefix.
  ///
  /// - Parameter names: of all headers of the response.
  static func row(of name: String, among names: Set<String>) -> (row: HeaderDialect, rest: Substring)? {
    for row in table where name.hasPrefix(row.prefix) && row.marker.map(names.contains) ?? true {
      return (row, name.dropFirst(row.prefix.count))
    }
    return nil
  }

  /// The role of a header, and the name of the limit in its name; nil for a header that reports no state.
  func role(of rest: Substring) -> (role: Role, scope: Substring)? {
    for role in Role.allCases {
      let word = role.rawValue
      if rest == word { return (role, "") }
      switch scope {
      case .none: continue
      case .suffix: if rest.hasPrefix(word + "-") { return (role, rest.dropFirst(word.count + 1)) }
      case .prefix: if rest.hasSuffix("-" + word) { return (role, rest.dropLast(word.count + 1)) }
      }
    }
    return nil
  }

  /// The time of a reset; nil for a value that the family does not define.
  func reset(_ value: String) -> LimitStatement.Reset? {
    switch clock {
    case .delta:
      return Self.count(value).map { $0 > 1_000_000_000 ? epoch(Double($0)) : .delta(Double($0)) }
    case .epoch: return Self.count(value).flatMap { $0 > 1_000_000_000 ? .epoch(Double($0)) : nil }
    case .date: return Self.date(value)
    case .any:
      guard let number = Double(value), number.isFinite else {
        return Self.date(value) ?? Self.duration(value).map { .delta($0) }
      }
      return number > 1e9 ? epoch(number) : .delta(number)
    }
  }

  /// Seconds or milliseconds since 1970, by magnitude.
  private func epoch(_ number: Double) -> LimitStatement.Reset { .epoch(number > 1e11 ? number / 1000 : number) }

  /// The form that `reset` expects.
  var resetForm: String {
    switch clock {
    case .delta: "the seconds until the reset (draft-ietf-httpapi-ratelimit-headers-06 §5.3)"
    case .epoch: "seconds since 1970, as in GitLab's headers"
    case .date: "a date (RFC 3339)"
    case .any: "seconds, an epoch time or a date"
    }
  }

  /// An integer of at most the length of a structured field's (RFC 9651 §3.3.1), so that sums do not overflow.
  static func count(_ value: some StringProtocol) -> Int? { value.utf8.count <= 15 ? Int(value) : nil }

  private static func date(_ value: String) -> LimitStatement.Reset? {
    (HTTPDate.seconds(iso: value) ?? HTTPDate.seconds(value)).map { .epoch($0) }
  }

  /// `6m0s`, `1h2m3.5s`, `12ms`: seconds.
  static func duration(_ value: String) -> Double? {
    let units = ["h": 3600, "m": 60, "s": 1, "ms": 1e-3, "us": 1e-6, "µs": 1e-6, "ns": 1e-9]
    var rest = Substring(value)
    var seconds: Double?
    while !rest.isEmpty {
      let number = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
      let unit = rest.dropFirst(number.count).prefix { $0.isLetter }
      guard let amount = Double(number), let factor = units[String(unit)] else { return nil }
      seconds = (seconds ?? 0) + amount * factor
      rest = rest.dropFirst(number.count + unit.count)
    }
    return seconds.flatMap { $0.isFinite ? $0 : nil }
  }
}

/// The unit in which a limit counts.
package enum LimitUnit: Sendable, Hashable {
  case requests
  /// Tokens, bytes, concurrent requests: the log of requests does not contain them.
  case other(String)

  /// The unit in the name of a header: `tokens`, `input-tokens`, `videos-minute`.
  init(scope: Substring) {
    let words = ["token", "byte", "image", "audio", "bandwidth", "cost", "point", "concurren"]
    self = words.contains { scope.contains($0) } ? .other(String(scope)) : .requests
  }
}

extension LimitStatement {
  /// The length of a window in the name of a header, in seconds: `minute`, `videos-minute`. Months and years have no
  /// fixed length.
  static func window(scope: Substring) -> Double? {
    let lengths = ["second": 1.0, "minute": 60, "hour": 3600, "day": 86_400]
    return scope.split(separator: "-").last.flatMap { lengths[String($0)] }
  }
}
