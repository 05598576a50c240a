import MurphyJSON
import Yams

extension Node {
  /// What YAML 1.2's core schema (§10.3.2) makes of a scalar; nil for a list or mapping.
  ///
  /// Numbers keep their text where JSON could write them so. Plain `yes` and `no` are texts.
  var scalarValue: JSONValue? {
    guard case .scalar(let scalar) = self else { return nil }
    let text = scalar.string
    guard scalar.style == .plain || scalar.style == .any else { return .string(text) }
    switch text {
    case "", "~", "null", "Null", "NULL": return .null
    case "true", "True", "TRUE": return .bool(true)
    case "false", "False", "FALSE": return .bool(false)
    default: return Self.number(text) ?? .string(text)
    }
  }

  private static func number(_ text: String) -> JSONValue? {
    if let number = JSONNumber(text: text) { return .number(number) }
    if text.hasPrefix("0x") { return Int(text.dropFirst(2), radix: 16).map { JSONValue($0) } }
    if text.hasPrefix("0o") { return Int(text.dropFirst(2), radix: 8).map { JSONValue($0) } }
    if text.hasPrefix("+") { return JSONNumber(text: String(text.dropFirst())).map { JSONValue.number($0) } }
    return nil
  }

  /// For messages: `a list`.
  var kindName: String {
    switch self {
    case .sequence: "a list"
    case .mapping: "a mapping"
    case .alias: "an alias"
    case .scalar:
      switch scalarValue {
      case .null?: "nothing"
      case .bool?: "true or false"
      case .number?: "a number"
      default: "a text"
      }
    }
  }

  /// The text of a scalar, whatever its type.
  var scalarText: String? {
    guard case .scalar(let scalar) = self else { return nil }
    return scalar.string
  }
}
