extension JSONValue {
  /// The member of an object, nil where there is none or the value is not an object.
  public subscript(key: String) -> JSONValue? {
    if case .object(let object) = self { object[key] } else { nil }
  }

  /// The element of an array, nil where there is none or the value is not an array.
  public subscript(index: Int) -> JSONValue? {
    if case .array(let values) = self, values.indices.contains(index) { values[index] } else { nil }
  }

  public var isNull: Bool { if case .null = self { true } else { false } }
  public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
  public var number: JSONNumber? { if case .number(let value) = self { value } else { nil } }
  public var int: Int? { number?.int }
  public var double: Double? { number?.double }
  public var string: String? { if case .string(let value) = self { value } else { nil } }
  public var array: [JSONValue]? { if case .array(let values) = self { values } else { nil } }
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
