/// A JSON value (RFC 8259) without loss of information: numbers keep their text, objects their order.
///
/// Equality and hashing are those of JSON Schema: `1` equals `1.0`, the order of members does not count, and strings
/// are equal if their code points are (Unicode normal forms differ).
public enum JSONValue: Sendable {
  case null
  case bool(Bool)
  case number(JSONNumber)
  case string(String)
  case array([JSONValue])
  case object(JSONObject)

  /// The maximum nesting of arrays and objects that the parsers accept.
  /// It ensures that every recursive walk, and the release of a value, fits on a thread's stack.
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
    case .string(let value): hasher.combine(JSONKey(value))
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
  /// Keeps the order of the elements.
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  /// Keeps the order of the members; the last of equal names wins.
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
  /// The member of an object; nil if there is none or the value is not an object.
  public subscript(key: String) -> JSONValue? {
    if case .object(let object) = self { object[key] } else { nil }
  }

  /// The element of an array; nil if there is none or the value is not an array.
  public subscript(index: Int) -> JSONValue? {
    if case .array(let values) = self, values.indices.contains(index) { values[index] } else { nil }
  }

  /// True if it is `null`.
  public var isNull: Bool { if case .null = self { true } else { false } }
  /// The boolean; nil for other types.
  public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
  /// The number with its digits; nil for other types.
  public var number: JSONNumber? { if case .number(let value) = self { value } else { nil } }
  /// The number if it is whole and fits; otherwise nil.
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

extension JSONValue: CustomStringConvertible {
  /// Compact JSON. Numbers have their original spelling.
  public var text: String {
    var writer = JSONWriter(indent: nil)
    writer.write(self)
    return writer.text
  }

  /// JSON on several lines, indented by two spaces.
  public var pretty: String {
    var writer = JSONWriter(indent: 2)
    writer.write(self)
    return writer.text
  }

  public var description: String { text }
}

/// Writes JSON text (RFC 8259).
struct JSONWriter {
  private(set) var text = ""
  private let indent: Int?
  private var depth = 0

  init(indent: Int?) { self.indent = indent }

  mutating func write(_ value: JSONValue) {
    switch value {
    case .null: text += "null"
    case .bool(let value): text += value ? "true" : "false"
    case .number(let number): text += number.text
    case .string(let string): write(string)
    case .array(let values):
      list("[", "]", values) { writer, value in writer.write(value) }
    case .object(let object):
      list("{", "}", object.members) { writer, member in
        writer.write(member.key)
        writer.text += writer.indent == nil ? ":" : ": "
        writer.write(member.value)
      }
    }
  }

  private mutating func list<Element>(
    _ open: String, _ close: String, _ elements: [Element], _ each: (inout JSONWriter, Element) -> Void
  ) {
    text += open
    depth += 1
    for (index, element) in elements.enumerated() {
      if index > 0 { text += "," }
      breakLine()
      each(&self, element)
    }
    depth -= 1
    if !elements.isEmpty { breakLine() }
    text += close
  }

  private mutating func breakLine() {
    guard let indent else { return }
    text += "\n" + String(repeating: " ", count: indent * depth)
  }

  private mutating func write(_ string: String) {
    text += "\""
    if string.utf8.contains(where: { $0 < 0x20 || $0 == 0x22 || $0 == 0x5C }) {
      for scalar in string.unicodeScalars { text += scalar.escaped(within: "\"") }
    } else {
      text += string
    }
    text += "\""
  }
}

extension Unicode.Scalar {
  /// The contents of a string literal (RFC 8259 §7, RFC 9535 §2.7).
  func escaped(within quote: Unicode.Scalar) -> String {
    switch self {
    case quote, "\\": return "\\\(self)"
    case "\n": return "\\n"
    case "\r": return "\\r"
    case "\t": return "\\t"
    case "\u{8}": return "\\b"
    case "\u{C}": return "\\f"
    case "\u{0}"..<"\u{20}":
      let hex = String(value, radix: 16)
      return "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
    default: return String(self)
    }
  }
}
