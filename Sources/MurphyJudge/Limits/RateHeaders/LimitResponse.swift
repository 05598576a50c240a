import MurphyModel

/// All statements of one response about rate limits, in any spelling, and their syntax errors.
package struct LimitResponse: Sendable, Hashable {
  /// Seconds since the epoch, by the server's clock, truncated to whole seconds.
  package var date: Double?
  /// Nil without the header, or if it is malformed.
  package var retryAfter: RetryAfter?
  /// The wait in seconds where another form than that of RFC 9110 gives it: milliseconds, or a fraction.
  package var exactWait: Double?
  /// The states that the headers report.
  package var statements: [LimitStatement] = []
  /// The statements, without repetitions in another spelling.
  package private(set) var counters: [LimitStatement] = []
  /// The quotas that `RateLimit-Policy` and lists of limits declare.
  package var quotas: [LimitQuota] = []
  /// The name of the header with the quotas.
  package private(set) var quotaHeader = "RateLimit-Policy"
  /// The value of `Content-Type`; nil without one.
  package var contentType: String?
  /// True if a header says that a limit of another kind rejected: of concurrent requests, or of all clients together.
  package var isElsewhere = false
  /// The reason that Stripe gives for a rejection; nil without one.
  package var reason: String?
  /// Syntax errors, as sentences.
  package var mistakes: [String] = []
  /// Deviations from a standard that clients of the same family expect, as sentences.
  package var oddities: [String] = []

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
    var groups = LimitGroups()
    var standard = RateLimitField()
    let names = Set(fields.map(\.name))
    for field in fields {
      let value = field.value.trimmed
      switch field.name {
      case "date": date = HTTPDate.seconds(value)
      case "content-type": contentType = value.split(separator: ";").first.map { String($0).trimmed.lowercased() }
      case "retry-after": readRetryAfter(value, names)
      case "retry-after-ms", "x-ms-retry-after-ms":
        exactWait = Double(value).flatMap { $0.isFinite && $0 >= 0 ? $0 / 1000 : nil }
        if exactWait == nil { mistakes.append("\(field.name) is `\(value)`, expected milliseconds") }
      case "ratelimit", "ratelimit-policy":
        let parsed =
          known[field]
          ?? (field.name == "ratelimit" ? RateLimitField(rateLimit: value) : RateLimitField(policy: value))
        known[field] = parsed
        standard.add(parsed)
      case "x-shopify-shop-api-call-limit": readCalls(value)
      case "stripe-rate-limited-reason":
        reason = value
        isElsewhere = isElsewhere || value.hasSuffix("concurrency")
      case "x-ratelimit-global": isElsewhere = isElsewhere || value.lowercased() == "true"
      case "x-ratelimit-scope":
        isElsewhere = isElsewhere || (names.contains("x-ratelimit-bucket") && value != "user")
      default: groups.read(field.name, value, among: names, &mistakes)
      }
    }
    mistakes += standard.mistakes
    quotas = standard.quotas + groups.quotas
    if standard.quotas.isEmpty, let name = groups.quotaHeader { quotaHeader = name }
    statements = standard.joined + statements + groups.statements
    counters = Self.counters(statements)
  }

  /// True if it gives a rejected client a time to retry.
  package var hintsRetry: Bool { retryAfter != nil || exactWait != nil || statements.contains { $0.reset != nil } }

  private mutating func readRetryAfter(_ value: String, _ names: Set<String>) {
    retryAfter = RetryAfter(value)
    guard retryAfter == nil else { return }
    let sentence = "Retry-After is `\(value)`, expected whole seconds or an HTTP date (RFC 9110 §10.2.3)"
    // Clients of Shopify expect a fraction.
    if names.contains("x-shopify-shop-api-call-limit"), let seconds = Double(value), seconds.isFinite, seconds >= 0 {
      exactWait = seconds
      oddities.append(sentence)
    } else {
      mistakes.append(sentence)
    }
  }

  /// Shopify: `32/40`, the used calls of a bucket and its size.
  private mutating func readCalls(_ value: String) {
    let parts = value.split(separator: "/", omittingEmptySubsequences: false).map { HeaderDialect.count($0) }
    guard parts.count == 2, let used = parts[0], let limit = parts[1] else {
      mistakes.append("X-Shopify-Shop-Api-Call-Limit is `\(value)`, expected used calls and their limit (`32/40`)")
      return
    }
    var statement = LimitStatement(dialect: .shopify)
    statement.limit = limit
    statement.remaining = limit - used
    statements.append(statement)
  }
}

/// The statements of the headers with one value each, by family and name of the limit.
private struct LimitGroups {
  private struct Key: Hashable {
    var dialect: LimitStatement.Dialect
    var scope: Substring
  }

  private var keys: [Key] = []
  private var known: [Key: LimitStatement] = [:]
  private var used: [Key: Int] = [:]
  /// The names of limits, by family.
  private var titles: [LimitStatement.Dialect: String] = [:]
  /// The quotas in lists of limits.
  private(set) var quotas: [LimitQuota] = []
  /// The name of the header with such a list.
  private(set) var quotaHeader: String?

  var statements: [LimitStatement] {
    keys.compactMap { key in
      guard var statement = known[key] else { return nil }
      if let used = used[key] {
        statement.remaining = statement.remaining ?? statement.limit.map { $0 - used }
      }
      statement.name = statement.name ?? titles[key.dialect]
      // Azure reports no limit as -1.
      return statement.isStated && !(key.dialect == .azure && statement.limit == -1) ? statement : nil
    }
  }

  mutating func read(_ name: String, _ value: String, among names: Set<String>, _ mistakes: inout [String]) {
    guard let (row, rest) = HeaderDialect.row(of: name, among: names), let (role, scope) = row.role(of: rest) else {
      return
    }
    let key = Key(dialect: row.dialect, scope: scope)
    var statement = known[key] ?? LimitStatement(dialect: row.dialect)
    if known[key] == nil {
      keys.append(key)
      statement.name = scope.isEmpty ? nil : String(scope)
      statement.unit = LimitUnit(scope: scope)
      statement.window = LimitStatement.window(scope: scope)
    }
    switch role {
    case .limit:
      // Up to -06 of the draft, and in Envoy, quotas follow the limit: `100, 100;w=60`.
      let parts = value.split(separator: ",", maxSplits: 1).map { String($0).trimmed }
      statement.limit = count(name, parts.first ?? value, &mistakes)
      if parts.count > 1 {
        let list = RateLimitField(policy: parts[1], of: "\(name) is `\(value)`")
        quotas += list.quotas
        mistakes += list.mistakes
        quotaHeader = name
      }
    case .remaining where scope == "resource":
      readResources(value, row.dialect)
      return
    case .remaining: statement.remaining = count(name, value, &mistakes)
    case .used, .observed: used[key] = count(name, value, &mistakes)
    case .reset:
      if let reset = row.reset(value) {
        if row.dialect == .draft6, case .epoch = reset {
          mistakes.append("RateLimit-Reset is `\(value)`, a time since 1970; expected \(row.resetForm)")
        }
        statement.reset = reset
      } else {
        mistakes.append("\(name) is `\(value)`, expected \(row.resetForm)")
      }
    case .resetAfter:
      if let seconds = Double(value), seconds >= 0, seconds.isFinite {
        statement.reset = statement.reset ?? .delta(seconds)
      } else {
        mistakes.append("\(name) is `\(value)`, expected seconds")
      }
    case .resetTime:
      if let seconds = HTTPDate.seconds(value) ?? HTTPDate.seconds(iso: value) {
        statement.reset = statement.reset ?? .epoch(seconds)
      } else {
        mistakes.append("\(name) is `\(value)`, expected a date")
      }
    case .resource, .bucket, .name: titles[row.dialect] = value
    }
    known[key] = statement
  }

  /// Azure: `Microsoft.Compute/GetVM3Min;197,Microsoft.Compute/GetVM30Min;1297`.
  private mutating func readResources(_ value: String, _ dialect: LimitStatement.Dialect) {
    for part in value.split(separator: ",") {
      let words = part.split(separator: ";").map { String($0).trimmed }
      guard words.count == 2, let remaining = HeaderDialect.count(words[1]) else { continue }
      let key = Key(dialect: dialect, scope: Substring(words[0]))
      if known[key] == nil { keys.append(key) }
      known[key] = LimitStatement(dialect: dialect, name: words[0], remaining: remaining)
    }
  }

  /// Some families write whole numbers with a fraction: `597.0`.
  private func count(_ name: String, _ value: String, _ mistakes: inout [String]) -> Int? {
    if let number = HeaderDialect.count(value.hasSuffix(".0") ? value.dropLast(2) : Substring(value)) { return number }
    mistakes.append("\(name) is `\(value)`, expected an integer of at most 15 digits")
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
