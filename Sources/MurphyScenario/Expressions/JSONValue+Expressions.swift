import MurphyJSON

extension JSONValue {
  /// As it stands within a text: strings bare, numbers as written, null as nothing, lists and objects as JSON.
  package var interpolated: String {
    switch self {
    case .string(let text): text
    case .null: ""
    case .bool(let value): value ? "true" : "false"
    case .number(let number): number.text
    case .array, .object: text
    }
  }

  /// For messages; never the value itself, so that equal mistakes read alike and no secret is shown.
  var brief: String {
    switch self {
    case .null: "null"
    case .bool: "true or false"
    case .number: "a number"
    case .string: "a text"
    case .array(let elements): elements.isEmpty ? "an empty list" : "a list"
    case .object: "an object"
    }
  }
}
