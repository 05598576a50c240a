/// The sentences of violations: found and expected values.
enum ViolationMessages {
  static func type(_ value: JSONValue, _ types: TypeSet) -> Miss {
    Miss(found: value.excerpt, expected: list(types.names.map(article), "or"))
  }

  static func enumeration(_ value: JSONValue, _ values: [JSONValue]) -> Miss {
    let shown = values.prefix(8).map(\.excerpt) + (values.count > 8 ? ["\(values.count - 8) more"] : [])
    return Miss(
      found: value.excerpt,
      expected: values.count == 1 ? values[0].excerpt : "one of \(shown.joined(separator: ", "))")
  }

  static func never(_ keyword: String, _ value: JSONValue) -> Miss {
    let found = value.excerpt
    return switch keyword {
    case "readOnly":
      Miss(
        found: found, expected: "nothing that is read-only",
        message: "found \(found), which is read-only and must not be sent in a request")
    case "writeOnly":
      Miss(
        found: found, expected: "nothing that is write-only",
        message: "found \(found), which is write-only and must not be in a response")
    default: Miss(found: found, expected: "no value, because the schema is false")
    }
  }

  /// - Parameter bound: `at least 3`.
  static func count(_ count: Int, _ unit: String, _ bound: String, _ value: JSONValue? = nil) -> Miss {
    Miss(found: "\(value.map { "\($0.excerpt) with " } ?? "")\(number(count, unit))", expected: bound)
  }

  static func missing(_ names: [String], _ object: JSONObject, becauseOf name: String? = nil) -> Miss {
    let subject = "the required \(names.count == 1 ? "property" : "properties") \(list(names.map(quoted), "and"))"
    let verb = names.count == 1 ? "is" : "are"
    let reason = name.map { ", which \(quoted($0)) requires," } ?? ""
    return Miss(
      found: "no \(list(names.map(quoted), "and"))", expected: subject,
      message: "\(subject)\(reason) \(verb) missing; found \(JSONValue.object(object).excerpt)")
  }

  static func additional(_ name: String, _ known: [String]) -> Miss {
    let shown = known.prefix(12).map(quoted) + (known.count > 12 ? ["\(known.count - 12) more"] : [])
    let expected = known.isEmpty ? "none" : "only \(shown.joined(separator: ", "))"
    return Miss("the property \(quoted(name)) is not allowed; expected \(expected)")
  }

  static func contains(_ found: Int, _ contained: ContainedItems) -> Miss {
    let bounds = contained.maximum.map { "\(contained.minimum) to \($0)" } ?? "at least \(contained.minimum)"
    let verb = found == 1 ? "matches" : "match"
    return Miss(found: "\(number(found, "item")) that \(verb) the schema of \"contains\"", expected: bounds)
  }

  static func noBranch(_ value: JSONValue, _ branches: [Branch], of count: Int) -> Miss {
    let closest = branches.first.map { "; schema \($0.index + 1) is the closest match" } ?? ""
    return Miss(
      found: value.excerpt, expected: "a match of one of the \(count) schemas",
      message: "the value matches none of the \(count) schemas\(count > 1 ? closest : "")")
  }

  static func unboundedPattern(_ pattern: ECMAPattern, _ location: SchemaLocation) -> String {
    "the pattern \(pattern.source) at \(location) took too many steps"
  }

  private static func article(_ type: String) -> String {
    switch type {
    case "null": "null"
    case "array", "integer", "object": "an \(type)"
    default: "a \(type)"
    }
  }

  static func quoted(_ name: String) -> String { "\"\(name)\"" }

  static func list(_ parts: [String], _ word: String) -> String {
    guard parts.count > 1 else { return parts.first ?? "nothing" }
    return parts.dropLast().joined(separator: ", ") + " \(word) " + parts[parts.count - 1]
  }

  private static func number(_ count: Int, _ unit: String) -> String {
    let plural = unit == "property" ? "properties" : unit + "s"
    return "\(count) \(count == 1 ? unit : plural)"
  }
}

/// The description of a value and of its schema's requirement.
struct Miss {
  /// Both in one sentence.
  var message: String
  /// The value, or its class; nil if it makes no difference.
  var found: String?
  /// Contains nothing of the value.
  var expected: String?

  /// A sentence without a value.
  init(_ message: String) { self.message = message }

  /// `found "x"; expected an integer`
  init(found: String, expected: String, message: String? = nil) {
    self.message = message ?? "found \(found); expected \(expected)"
    self.found = found
    self.expected = expected
  }
}

extension JSONNumber {
  /// The text, truncated if it is long.
  var excerpt: String { text.utf8.count > 40 ? "\(text.prefix(37))…" : text }
}

extension JSONValue {
  /// A short form for messages.
  var excerpt: String {
    switch self {
    case .string(let text):
      text.utf8.count > 60 ? JSONValue.string(String(text.unicodeScalars.prefix(50)) + "…").text : self.text
    case .number(let number): number.excerpt
    case .array(let values):
      values.isEmpty ? "[]" : "an array of \(values.count == 1 ? "1 item" : "\(values.count) items")"
    case .object(let object):
      if object.isEmpty {
        "{}"
      } else {
        "an object with " + object.members.prefix(6).map { ViolationMessages.quoted($0.key) }.joined(separator: ", ")
          + (object.count > 6 ? ", …" : "")
      }
    default: text
    }
  }

  /// The number of values inside, including this one.
  var size: Int {
    switch self {
    case .array(let values): values.reduce(1) { $0 + $1.size }
    case .object(let object): object.members.reduce(1) { $0 + $1.value.size }
    default: 1
    }
  }
}
