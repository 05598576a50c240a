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

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByStringInterpolation,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  public init(nilLiteral: ()) { self = .null }
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  public init(integerLiteral value: Int) { self = .number(JSONNumber(value)) }
  public init(floatLiteral value: Double) { self = .number(JSONNumber(value)) }
  public init(stringLiteral value: String) { self = .string(value) }
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  public init(dictionaryLiteral elements: (String, JSONValue)...) { self = .object(JSONObject(elements)) }

  /// `true` or `false`.
  public init(_ value: Bool) { self = .bool(value) }
  /// A whole number.
  public init(_ value: Int) { self = .number(JSONNumber(value)) }
  /// The shortest spelling of a finite number.
  public init(_ value: Double) { self = .number(JSONNumber(value)) }
  /// A string.
  public init(_ value: String) { self = .string(value) }
}

extension JSONValue {
  /// The member of an object, nil where there is none or the value is not an object.
  public subscript(key: String) -> JSONValue? {
    if case .object(let object) = self { object[key] } else { nil }
  }

  /// The element of an array, nil where there is none or the value is not an array.
  public subscript(index: Int) -> JSONValue? {
    if case .array(let values) = self, values.indices.contains(index) { values[index] } else { nil }
  }

  /// Whether it is `null`.
  public var isNull: Bool { if case .null = self { true } else { false } }
  /// The truth value; nil for other types.
  public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
  /// The number with its digits; nil for other types.
  public var number: JSONNumber? { if case .number(let value) = self { value } else { nil } }
  /// The number, where it is whole and fits; else nil.
  public var int: Int? { number?.int }
  /// The nearest double of a number; nil for other types.
  public var double: Double? { number?.double }
  /// The string; nil for other types.
  public var string: String? { if case .string(let value) = self { value } else { nil } }
  /// The elements; nil for other types.
  public var array: [JSONValue]? { if case .array(let values) = self { values } else { nil } }
  /// The members; nil for other types.
  public var object: JSONObject? { if case .object(let object) = self { object } else { nil } }

  /// The name of the JSON type, for messages: `null`, `boolean`, `number`, `string`, `array`, `object`.
  public var typeName: String {
    switch self {
    case .null: "null"
    case .bool: "boolean"
    case .number: "number"
    case .string: "string"
    case .array: "array"
    case .object: "object"
    }
  }
}
