import RawStructuredFieldValues

/// The content of one `RateLimit` or `RateLimit-Policy` field, and its syntax errors.
///
/// Parsing one takes about 13 µs, and servers send the same values repeatedly: see `LimitResponse.read`.
struct RateLimitField: Sendable, Hashable {
  var statements: [LimitStatement] = []
  var quotas: [LimitQuota] = []
  var mistakes: [String] = []

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
    } else if let members = try? StructuredField.dictionary(value), members.contains(where: { $0.key == "remaining" }) {
      readNumbers(members)
    } else {
      mistakes.append(
        "RateLimit is `\(value)`, which is not a structured field of any draft (\(reason)); clients must ignore it")
    }
  }

  /// `RateLimit-Policy`: a list of quotas.
  ///
  /// - Parameter field: the beginning of messages; nil for this field's.
  init(policy value: String, of field: String? = nil) {
    let field = field ?? "RateLimit-Policy is `\(value)`"
    let members: [StructuredField.Member]
    do {
      members = try StructuredField.list(value)
    } catch {
      mistakes.append(
        "\(field), which is not a structured field list (RFC 9651): \(error.reason)")
      return
    }
    if members.isEmpty { mistakes.append("\(field), expected a list of quotas") }
    for member in members {
      let quota = member.parameters["q"]?.integer ?? (member.item.string == nil ? member.item.integer : nil)
      guard let quota, quota >= 0 else {
        mistakes.append("\(field): each policy needs a non-negative integer `q`")
        continue
      }
      let window = member.parameters["w"]
      if let window, (window.integer ?? 0) <= 0 {
        mistakes.append("\(field): `w` must be a positive integer of seconds")
      }
      var unit = LimitUnit.requests
      if let named = member.parameters["qu"] {
        if named.string == nil { mistakes.append("\(field): `qu` must be a string") }
        if named.string != "requests" { unit = .other(named.string ?? "another unit") }
      }
      quotas.append(
        LimitQuota(
          name: member.item.string, partition: partition(member, field), unit: unit,
          quota: quota, window: window?.integer.flatMap { $0 > 0 ? $0 : nil }))
    }
  }

  /// `pk`: a byte sequence (draft-ietf-httpapi-ratelimit-headers-10 §3.1.4).
  private mutating func partition(_ member: StructuredField.Member, _ subject: String) -> String? {
    guard let key = member.parameters["pk"] else { return nil }
    if key.bytes == nil { mistakes.append("\(subject): `pk` must be a byte sequence") }
    return key.bytes
  }

  private mutating func readState(_ member: StructuredField.Member, _ value: String) {
    var statement = LimitStatement(dialect: .draft, name: member.item.string)
    statement.partition = partition(member, "RateLimit is `\(value)`")
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
  }

  /// The statements with quota, window and unit of their policy.
  var joined: [LimitStatement] {
    statements.map { statement in
      let own = quotas.filter { $0.name == statement.name }
      guard let quota = own.first(where: { $0.partition == statement.partition }) ?? own.first else {
        return statement
      }
      var statement = statement
      statement.unit = quota.unit
      statement.window = quota.window.map(Double.init)
      statement.limit = statement.limit ?? quota.quota
      return statement
    }
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

/// Structured field values (RFC 9651, which contains RFC 8941): lists and dictionaries of items with parameters.
///
/// Strict as the RFC requires: clients ignore a field that does not parse, so it is an error of the server. Rate-limit
/// fields contain integers and strings only; inner lists do not occur in them and are rejected.
package enum StructuredField {
  /// A bare item (RFC 9651 §3.3).
  package enum Item: Sendable, Hashable {
    case integer(Int)
    case string(String)
    /// Base64.
    case bytes(String)
    /// A value of a type that rate-limit fields do not use.
    case other

    /// Nil for another type.
    package var integer: Int? { if case .integer(let value) = self { value } else { nil } }
    /// Nil for another type.
    package var string: String? { if case .string(let value) = self { value } else { nil } }
    /// Nil for another type.
    package var bytes: String? { if case .bytes(let value) = self { value } else { nil } }
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
      throw StructuredField.Mistake(reason: "it contains an inner list, but rate-limit fields have none")
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
    case .undecodedByteSequence(let value): self = .bytes(value)
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
      case .invalidList?, .invalidDictionary?: "a comma is missing between two members, or is the last character"
      case .invalidItem?: "a value is missing, or begins with an invalid character"
      case .invalidKey?: "a name is missing, or does not begin with a lower-case letter"
      case .invalidIntegerOrDecimal?:
        "a number is malformed, or has more than 15 digits (a decimal: 12 before and 3 after the point)"
      case .invalidString?: "a string is not closed, or contains characters that must be escaped"
      case .invalidByteSequence?: "a byte sequence is not Base64 between two colons"
      case .invalidBoolean?: "a boolean is neither ?0 nor ?1"
      case .invalidDate?: "a date is not @ with whole seconds"
      case .invalidInnerList?: "an inner list is not closed, or has no space between its items"
      default: "it cannot be parsed (\(error))"
      }
  }
}
