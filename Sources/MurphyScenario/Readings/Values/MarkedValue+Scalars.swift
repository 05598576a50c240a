import MurphyDocument
import MurphyJSON

extension MarkedValue {
  /// The value of a text, a number, a truth or nothing; nil for a list or mapping.
  var scalarValue: JSONValue? {
    guard case .scalar(let scalar) = content else { return nil }
    return scalar.value
  }

  /// The elements of a list, or the one value that stands in its place.
  var items: [MarkedValue] {
    if case .array(let items) = content { items } else { [self] }
  }

  /// The text of a scalar as written, whatever its type.
  var scalarText: String? {
    guard case .scalar(let scalar) = content else { return nil }
    return scalar.text
  }

  var line: Int { Int(place.line) }
  var column: Int { Int(place.column) }

  var isMapping: Bool {
    guard case .object = content else { return false }
    return true
  }

  /// For messages: `a list`.
  var kindName: String {
    switch content {
    case .array: "a list"
    case .object: "a mapping"
    case .scalar(let scalar):
      switch scalar.value {
      case .null: "nothing"
      case .bool: "true or false"
      case .number: "a number"
      default: "a text"
      }
    }
  }
}
