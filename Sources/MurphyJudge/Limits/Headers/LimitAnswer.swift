import MurphyModel

/// All that one answer says about rate limits, in whatever spelling, and what of it is malformed.
package struct LimitAnswer: Sendable, Hashable {
  /// Seconds since the epoch, by the server's clock, cut to whole seconds.
  package var date: Double?
  package var retryAfter: RetryAfter?
  package var statements: [LimitStatement] = []
  package var quotas: [LimitQuota] = []
  package var contentType: String?
  /// Mistakes of syntax, as sentences.
  package var mistakes: [String] = []

  /// - Parameter fields: names in lower case.
  package init(_ fields: [HeaderField]) {
    var vendor = LimitStatement(dialect: .vendor)
    var older = LimitStatement(dialect: .draft6)
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
      case "ratelimit": readRateLimit(value)
      case "ratelimit-policy": readPolicy(value)
      case "ratelimit-limit":
        // -03 to -06 allow a list of quotas after the limit: `100, 100;w=60`.
        older.limit = count(field.name, value.split(separator: ",").first.map { String($0).trimmed } ?? value)
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
    for statement in [older, vendor]
    where statement.limit != nil || statement.remaining != nil || statement.reset != nil {
      statements.append(statement)
    }
  }

  /// Whether it tells a refused client when to come back.
  package var hintsRetry: Bool { retryAfter != nil || statements.contains { $0.reset != nil } }

  private mutating func readRateLimit(_ value: String) {
    if let members = StructuredField.list(value), !members.isEmpty,
      members.allSatisfy({ $0.item.string != nil || $0.parameters["r"] != nil })
    {
      for member in members {
        var statement = LimitStatement(dialect: .draft)
        if case .integer(let remaining)? = member.parameters["r"], remaining >= 0 {
          statement.remaining = remaining
        } else {
          mistakes.append("RateLimit is `\(value)`: each item needs a non-negative integer `r`")
        }
        if let t = member.parameters["t"] {
          if case .integer(let seconds) = t, seconds >= 0 {
            statement.reset = .delta(Double(seconds))
          } else {
            mistakes.append("RateLimit is `\(value)`: `t` must be a non-negative integer")
          }
        }
        statements.append(statement)
      }
      return
    }
    if let members = StructuredField.dictionary(value), members.contains(where: { $0.key == "remaining" }) {
      var statement = LimitStatement(dialect: .draft7)
      for member in members {
        switch (member.key, member.item) {
        case ("limit", .integer(let number)): statement.limit = number
        case ("remaining", .integer(let number)): statement.remaining = number
        case ("reset", .integer(let number)): statement.reset = .delta(Double(number))
        default: break
        }
      }
      statements.append(statement)
      return
    }
    mistakes.append("RateLimit is `\(value)`, which is no structured field of any draft; clients must ignore it")
  }

  private mutating func readPolicy(_ value: String) {
    guard let members = StructuredField.list(value), !members.isEmpty else {
      mistakes.append("RateLimit-Policy is `\(value)`, which is no structured field list (RFC 9651)")
      return
    }
    for member in members {
      let quota = member.parameters["q"]?.integer ?? (member.item.string == nil ? member.item.integer : nil)
      guard let quota, quota >= 0 else {
        mistakes.append("RateLimit-Policy is `\(value)`: each policy needs a non-negative integer `q`")
        continue
      }
      let window = member.parameters["w"]
      if let window, (window.integer ?? 0) <= 0 {
        mistakes.append("RateLimit-Policy is `\(value)`: `w` must be a positive integer of seconds")
      }
      quotas.append(LimitQuota(quota: quota, window: window?.integer))
    }
  }

  private mutating func count(_ name: String, _ value: String) -> Int? {
    // As long as a structured field's integer may be (RFC 9651 §3.3.1), so that sums of them stay numbers.
    if value.utf8.count <= 15, let number = Int(value) { return number }
    mistakes.append("\(name) is `\(value)`, expected an integer of at most 15 digits")
    return nil
  }

  /// Epoch milliseconds, epoch seconds, seconds to go or a date, told apart by magnitude (ALGORITHMS.md A1).
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
