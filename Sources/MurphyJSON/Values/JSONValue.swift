/// A JSON value (RFC 8259) that forgets nothing: numbers keep their text, objects their order.
///
/// Equality and hashing are those of JSON Schema: `1` equals `1.0`, the order of members does not count,
/// and strings are equal when their code points are (Unicode normal forms are told apart).
public enum JSONValue: Sendable {
  case null
  case bool(Bool)
  case number(JSONNumber)
  case string(String)
  case array([JSONValue])
  case object(JSONObject)

  /// The deepest nesting of arrays and objects that the parsers accept.
  /// A bound keeps every recursive walk, and the release of a value, on a thread's stack.
  public static let maximumDepth = 1024
}

extension JSONValue: Hashable {
  public static func == (left: JSONValue, right: JSONValue) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.number(let left), .number(let right)): left == right
    case (.string(let left), .string(let right)): JSONKey(left) == JSONKey(right)
    case (.array(let left), .array(let right)): left == right
    case (.object(let left), .object(let right)): left == right
    default: false
    }
  }

  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .bool(let value): hasher.combine(value)
    case .number(let value): hasher.combine(value)
    case .string(let value): hasher.combine(value)
    case .array(let values): hasher.combine(values)
    case .object(let object): hasher.combine(object)
    }
  }
}
