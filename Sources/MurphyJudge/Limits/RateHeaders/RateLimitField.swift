import RawStructuredFieldValues

/// The content of one `RateLimit` or `RateLimit-Policy` field, and its syntax errors.
///
/// Parsing one takes about 13 µs, and servers send the same values repeatedly: see `LimitResponse.read`.
struct RateLimitField: Sendable, Hashable {
  var statements: [LimitStatement] = []
  var quotas: [LimitQuota] = []
  var mistakes: [String] = []
  /// The parts that murphy does not read yet, as the end of a sentence.
  var unread: [String] = []
  /// The name of the only policy.
  private var policy: String?

  init() {}

  /// `RateLimit`: a list in draft-ietf-httpapi-ratelimit-headers-08 and later, a dictionary in -07.
  init(rateLimit value: String) {
    var reason = "it names no policy and no `remaining`"
    var members: [StructuredField.Member] = []
    do {
      members = try StructuredField.list(value)
    } catch {
      reason = error.reason
    }
    if !members.isEmpty,
      members.allSatisfy({ $0.item.string != nil || $0.parameters["r"] != nil })
    {
      for member in members { readState(member, value) }
      noteUnread(members, "RateLimit")
    } else if let members = try? StructuredField.dictionary(value), members.contains(where: { $0.key == "remaining" }) {
      readNumbers(members)
    } else {
      mistakes.append(
        "RateLimit is `\(value)`, which is not a structured field of any draft (\(reason)); clients must ignore it")
    }
  }

  /// `RateLimit-Policy`: a list of quotas.
  init(policy value: String) {
    let members: [StructuredField.Member]
    do {
      members = try StructuredField.list(value)
    } catch {
      mistakes.append(
        "RateLimit-Policy is `\(value)`, which is not a structured field list (RFC 9651): \(error.reason)")
      return
    }
    if members.isEmpty { mistakes.append("RateLimit-Policy is empty, expected a list of quotas") }
    noteUnread(members, "RateLimit-Policy")
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

  /// Several policies, partition keys and units other than requests (draft-ietf-httpapi-ratelimit-headers-10): only the
  /// server can determine under which of them a request counts, and how much.
  private mutating func noteUnread(_ members: [StructuredField.Member], _ field: String) {
    policy = members.first?.item.string
    if members.count > 1 { unread.append("\(field) names \(members.count) policies") }
    for member in members {
      if member.parameters["pk"] != nil { unread.append("\(field) has a partition key (`pk`)") }
      if let unit = member.parameters["qu"], unit.string != "requests" {
        unread.append("\(field) counts \(unit.string ?? "another unit") (`qu`)")
      }
    }
  }

  private mutating func readState(_ member: StructuredField.Member, _ value: String) {
    var statement = LimitStatement(dialect: .draft)
    if let remaining = member.parameters["r"]?.integer, remaining >= 0 {
      statement.remaining = remaining
    } else {
      mistakes.append("RateLimit is `\(value)`: each item needs a non-negative integer `r`")
    }
    if let reset = member.parameters["t"] {
      if let seconds = reset.integer, seconds >= 0 {
        statement.reset = .delta(Double(seconds))
      } else {
        mistakes.append("RateLimit is `\(value)`: `t` must be a non-negative integer")
      }
    }
    statements.append(statement)
  }

  /// Both fields of a response, and each line of a field, belong together.
  mutating func add(_ other: RateLimitField) {
    statements += other.statements
    quotas += other.quotas
    mistakes += other.mistakes
    unread += other.unread
    if quotas.count > 1 { unread.append("RateLimit-Policy names \(quotas.count) policies") }
    if statements.count > 1 { unread.append("RateLimit names \(statements.count) policies") }
    if let policy, let other = other.policy, policy != other {
      unread.append("RateLimit-Policy and RateLimit name different policies")
    }
    policy = policy ?? other.policy
  }

  private mutating func readNumbers(_ members: [StructuredField.Member]) {
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
  }
}

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
    /// `X-RateLimit-*` and `X-Rate-Limit-*`
    case vendor = "x-ratelimit"
  }

  /// The spelling of the headers.
  package var dialect: Dialect
  /// The number of requests in a window; nil if not given.
  package var limit: Int?
  /// The number of requests that are left; nil if not given.
  package var remaining: Int?
  /// Nil if not given.
  package var reset: Reset?

  /// The number of requests that the server announces to admit. In the draft from -08 on, a positive `r` is not such an
  /// announcement: the server may reject the next request anyway.
  package var guaranteed: Int? { dialect == .draft && remaining ?? 0 > 0 ? nil : remaining }
}

/// A quota that `RateLimit-Policy` declares.
package struct LimitQuota: Sendable, Hashable {
  /// The number of requests in a window.
  package var quota: Int
  /// Seconds; nil when not given.
  package var window: Int?

  /// `60 per 60 s`
  var text: String { window.map { "\(quota) per \($0) s" } ?? "\(quota)" }
}

/// Structured field values (RFC 9651, which contains RFC 8941): lists and dictionaries of items with parameters.
///
/// Strict as the RFC requires: clients ignore a field that does not parse, so it is an error of the server. Rate-limit
/// fields contain integers and strings only; inner lists do not occur in them and are rejected.
package enum StructuredField {
  /// A bare item (RFC 9651 §3.3).
  package enum Item: Sendable, Hashable {
    case integer(Int)
    case string(String)
    /// A value of a type that rate-limit fields do not use.
    case other

    /// Nil for another type.
    package var integer: Int? { if case .integer(let value) = self { value } else { nil } }
    /// Nil for another type.
    package var string: String? { if case .string(let value) = self { value } else { nil } }
  }

  /// One member of a list or a dictionary.
  package struct Member: Sendable, Hashable {
    /// The key in a dictionary; nil in a list.
    package var key: String?
    /// The value of the member.
    package var item: Item
    /// The parameters after the value, by name.
    package var parameters: [String: Item]
  }

  /// The reason why a text is not a structured field, as the end of a sentence.
  package struct Mistake: Error, Equatable {
    /// The reason why the field is not valid.
    package let reason: String
  }

  /// A list: `"burst";q=100;w=60, "daily";q=1000`.
  package static func list(_ text: String) throws(Mistake) -> [Member] {
    var parser = StructuredFieldValueParser(Array(text.utf8))
    do {
      return try parser.parseListFieldValue().map { try Member($0) }
    } catch {
      throw Mistake(error)
    }
  }

  /// A dictionary: `limit=100, remaining=50, reset=30`.
  package static func dictionary(_ text: String) throws(Mistake) -> [Member] {
    var parser = StructuredFieldValueParser(Array(text.utf8))
    do {
      return try parser.parseDictionaryFieldValue().map { try Member($0.1, key: $0.0) }
    } catch {
      throw Mistake(error)
    }
  }
}

extension StructuredField.Member {
  fileprivate init(_ member: ItemOrInnerList, key: String? = nil) throws {
    guard case .item(let item) = member else {
      throw StructuredField.Mistake(reason: "it holds an inner list, which rate-limit fields do not have")
    }
    self.key = key
    self.item = StructuredField.Item(item.rfc9651BareItem)
    parameters = Dictionary(item.rfc9651Parameters.map { ($0.0, StructuredField.Item($0.1)) }) { $1 }
  }
}

extension StructuredField.Item {
  fileprivate init(_ item: RFC9651BareItem) {
    switch item {
    case .integer(let value): self = .integer(Int(value))
    case .string(let value): self = .string(value)
    default: self = .other
    }
  }
}

extension StructuredField.Mistake {
  /// The parser names the violated rule and no position; header values are short.
  fileprivate init(_ error: any Error) {
    if let mistake = error as? StructuredField.Mistake {
      self = mistake
      return
    }
    reason =
      switch error as? StructuredHeaderError {
      case .invalidList?, .invalidDictionary?: "a comma is missing between two members, or nothing follows the last one"
      case .invalidItem?: "a value is missing, or begins with a character that no value begins with"
      case .invalidKey?: "a name is missing, or does not begin with a lower-case letter"
      case .invalidIntegerOrDecimal?: "a number is not an integer of at most 15 digits or a decimal of 12 and 3"
      case .invalidString?: "a string is not closed, or contains characters that must be escaped"
      case .invalidByteSequence?: "a byte sequence is not Base64 between two colons"
      case .invalidBoolean?: "a boolean is neither ?0 nor ?1"
      case .invalidDate?: "a date is not @ with whole seconds"
      case .invalidInnerList?: "an inner list is not closed, or has no space between its items"
      default: "it does not parse (\(error))"
      }
  }
}
