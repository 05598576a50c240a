import MurphyJSON
import MurphyRegex

/// The sentences of violations: what was found, what was expected.
enum Prose {
  static func type(_ value: JSONValue, _ types: TypeSet) -> String {
    "found \(value.excerpt); expected \(list(types.names.map(article), "or"))"
  }

  static func enumeration(_ value: JSONValue, _ values: [JSONValue]) -> String {
    let shown = values.prefix(8).map(\.excerpt) + (values.count > 8 ? ["\(values.count - 8) more"] : [])
    return values.count == 1
      ? "found \(value.excerpt); expected \(values[0].excerpt)"
      : "found \(value.excerpt); expected one of \(shown.joined(separator: ", "))"
  }

  static func never(_ keyword: String, _ value: JSONValue) -> String {
    switch keyword {
    case "readOnly": "found \(value.excerpt), which is read-only and must not be sent in a request"
    case "writeOnly": "found \(value.excerpt), which is write-only and must not be in a response"
    default: "found \(value.excerpt); expected nothing: the schema is false"
    }
  }

  static func count(_ count: Int, _ unit: String, atLeast bound: Int, _ value: JSONValue? = nil) -> String {
    "found \(value.map { "\($0.excerpt) with " } ?? "")\(number(count, unit)); expected at least \(bound)"
  }

  static func count(_ count: Int, _ unit: String, atMost bound: Int, _ value: JSONValue? = nil) -> String {
    "found \(value.map { "\($0.excerpt) with " } ?? "")\(number(count, unit)); expected at most \(bound)"
  }

  static func missing(_ names: [String], _ object: JSONObject, becauseOf name: String? = nil) -> String {
    let subject = "the required \(names.count == 1 ? "property" : "properties") \(list(names.map(quoted), "and"))"
    let verb = names.count == 1 ? "is" : "are"
    let reason = name.map { ", which \(quoted($0)) asks for," } ?? ""
    return "\(subject)\(reason) \(verb) missing; found \(JSONValue.object(object).excerpt)"
  }

  static func additional(_ name: String, _ known: [String]) -> String {
    let shown = known.prefix(12).map(quoted) + (known.count > 12 ? ["\(known.count - 12) more"] : [])
    let expected = known.isEmpty ? "none" : "only \(shown.joined(separator: ", "))"
    return "the property \(quoted(name)) is not allowed; expected \(expected)"
  }

  static func contains(_ found: Int, _ contained: ContainedItems) -> String {
    let bounds = contained.maximum.map { "\(contained.minimum) to \($0)" } ?? "at least \(contained.minimum)"
    return "found \(number(found, "matching item")); expected \(bounds)"
  }

  static func noBranch(_ branches: [Branch], of count: Int) -> String {
    let closest = branches.first.map { "; the one numbered \($0.index) comes closest" } ?? ""
    return "matches none of the \(count) schemas\(count > 1 ? closest : "")"
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
