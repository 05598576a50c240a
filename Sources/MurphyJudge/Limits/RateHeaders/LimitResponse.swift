import MurphyModel

/// All statements of one response about rate limits, in any spelling, and their syntax errors.
package struct LimitResponse: Sendable, Hashable {
  /// Seconds since the epoch, by the server's clock, truncated to whole seconds.
  package var date: Double?
  /// Nil without the header, or if it is malformed.
  package var retryAfter: RetryAfter?
  /// The states that the headers report.
  package var statements: [LimitStatement] = []
  /// The quotas that `RateLimit-Policy` declares.
  package var quotas: [LimitQuota] = []
  /// The value of `Content-Type`; nil without one.
  package var contentType: String?
  /// The reason why its `RateLimit` and `RateLimit-Policy` are not judged; nil where they are understood.
  package var unread: String?
  /// Syntax errors, as sentences.
  package var mistakes: [String] = []

  /// The responses with these header sets. Fields that occur in several are parsed once.
  static func read(_ headerSets: some Sequence<[HeaderField]>) -> [LimitResponse] {
    var known: [HeaderField: RateLimitField] = [:]
    return headerSets.map { LimitResponse($0, &known) }
  }

  /// - Parameter fields: names in lower case.
  package init(_ fields: [HeaderField]) {
    var known: [HeaderField: RateLimitField] = [:]
    self.init(fields, &known)
  }

  private init(_ fields: [HeaderField], _ known: inout [HeaderField: RateLimitField]) {
    var vendor = LimitStatement(dialect: .vendor)
    var older = LimitStatement(dialect: .draft6)
    var standard = RateLimitField()
    for field in fields {
      let value = field.value.trimmed
      switch field.name {
      case "date": date = HTTPDate.seconds(value)
      case "content-type": contentType = value.split(separator: ";").first.map { String($0).trimmed.lowercased() }
      case "retry-after":
        retryAfter = RetryAfter(value)
        if retryAfter == nil {
          mistakes.append("Retry-After is `\(value)`, expected whole seconds or an HTTP date (RFC 9110 §10.2.3)")
        }
      case "ratelimit", "ratelimit-policy":
        let parsed =
          known[field]
          ?? (field.name == "ratelimit" ? RateLimitField(rateLimit: value) : RateLimitField(policy: value))
        known[field] = parsed
        standard.add(parsed)
      case "ratelimit-limit":
        // -03 to -06 allow a list of quotas after the limit: `100, 100;w=60`.
        let parts = value.split(separator: ",").map { String($0).trimmed }
        if parts.count > 2 { standard.unread.append("RateLimit-Limit names \(parts.count - 1) policies") }
        older.limit = count(field.name, parts.first ?? value)
      case "ratelimit-remaining": older.remaining = count(field.name, value)
      case "ratelimit-reset":
        guard let seconds = count(field.name, value) else { break }
        guard Double(seconds) > 1e9 else {
          older.reset = .delta(Double(seconds))
          break
        }
        older.reset = Double(seconds) > 1e11 ? .epoch(Double(seconds) / 1000) : .epoch(Double(seconds))
        mistakes.append(
          "RateLimit-Reset is `\(value)`, a time since 1970; expected seconds to go (draft-ietf-httpapi-ratelimit-headers-06 §5.3)"
        )
      case "x-ratelimit-limit", "x-rate-limit-limit":
        vendor.limit = count(field.name, value.split(separator: ",").first.map { String($0).trimmed } ?? value)
      case "x-ratelimit-remaining", "x-rate-limit-remaining": vendor.remaining = count(field.name, value)
      case "x-ratelimit-reset", "x-rate-limit-reset": vendor.reset = reset(field.name, value)
      case "x-ratelimit-reset-after", "x-rate-limit-reset-after":
        guard let seconds = Double(value), seconds >= 0 else {
          mistakes.append("\(field.name) is `\(value)`, expected seconds")
          break
        }
        vendor.reset = vendor.reset ?? .delta(seconds)
      default: break
      }
    }
    mistakes += standard.mistakes
    unread = standard.unread.first
    if unread == nil { (statements, quotas) = (standard.statements, standard.quotas) }
    // The older fields apply to the same policies.
    for statement in unread == nil ? [older, vendor] : [vendor]
    where statement.limit != nil || statement.remaining != nil || statement.reset != nil {
      statements.append(statement)
    }
  }

  /// True if it gives a rejected client a time to retry.
  package var hintsRetry: Bool { retryAfter != nil || unread != nil || statements.contains { $0.reset != nil } }

  private mutating func count(_ name: String, _ value: String) -> Int? {
    // The maximum length of a structured field's integer (RFC 9651 §3.3.1), so that sums do not overflow.
    if value.utf8.count <= 15, let number = Int(value) { return number }
    mistakes.append("\(name) is `\(value)`, expected an integer of at most 15 digits")
    return nil
  }

  /// Epoch milliseconds, epoch seconds, remaining seconds or a date, distinguished by magnitude (docs/rate-limits.md
  /// §1).
  private mutating func reset(_ name: String, _ value: String) -> LimitStatement.Reset? {
    if let number = Double(value), number.isFinite {
      if number > 1e11 { return .epoch(number / 1000) }
      return number > 1e9 ? .epoch(number) : .delta(number)
    }
    if let seconds = HTTPDate.seconds(iso: value) ?? HTTPDate.seconds(value) { return .epoch(seconds) }
    mistakes.append("\(name) is `\(value)`, expected seconds, an epoch time or a date")
    return nil
  }
}

extension String {
  /// Without blanks and tabs at both ends.
  var trimmed: String {
    var view = self[...]
    while let first = view.first, first == " " || first == "\t" { view = view.dropFirst() }
    while let last = view.last, last == " " || last == "\t" { view = view.dropLast() }
    return String(view)
  }
}

/// The offset of the server's clock to the client's, from `Date` headers truncated to whole seconds.
///
/// For each response, Date ≤ server time at some instant of [sent, answered] < Date + 1, so
///
///     offset ∈ [Date − answered, Date + 1 − sent)
///
/// and the offset is in the intersection: 20 ms wide after 300 responses in 30 s (docs/rate-limits.md §2.1).
package struct ServerClock: Sendable, Hashable {
  /// The lower bound of server time minus client time, seconds.
  package private(set) var lowest = -Double.infinity
  /// The upper bound of server time minus client time, seconds.
  package private(set) var highest = Double.infinity

  package init() {}

  /// Narrows the bounds. All three are seconds; `date` is on the server's clock, the others on the client's.
  package mutating func observe(date: Double, sent: Double, answered: Double) {
    lowest = max(lowest, date - answered)
    highest = min(highest, date + 1 - sent)
  }

  /// Nil before the first `Date`, or when the clock jumped and no offset fits all responses.
  package var offset: Double? { lowest <= highest && lowest.isFinite ? (lowest + highest) / 2 : nil }
  /// Half of the width of the bounds, in seconds; infinite before the first `Date`.
  package var uncertainty: Double { (highest - lowest) / 2 }
}
