import MurphyDocument
import MurphyJSON
import MurphySchema

/// How the text of an element or attribute becomes a JSON value (XML Schema 1.0 part 2 §3.2).
enum XMLScalar {
  /// Text that is not a value of the kind stays a string, which the schema then refuses.
  static func value(_ raw: String, trimmed: String, _ shape: XMLShape) throws(UnmappableXML) -> JSONValue {
    switch shape.kind {
    case .object, .array: throw UnmappableXML("an object or array in an attribute cannot be mapped to XML")
    // Indented text is meant without its line breaks.
    case .anything, .string: return .string(raw.contains("\n") ? trimmed : raw)
    case .number: return trimmed.isEmpty && shape.isNullable ? .null : try number(trimmed)
    case .boolean:
      switch trimmed {
      case "true", "1": return .bool(true)
      case "false", "0": return .bool(false)
      case "" where shape.isNullable: return .null
      default: return .string(trimmed)
      }
    }
  }

  /// XML writes numbers that JSON does not: `+1`, `007`, `.5`, `5.`.
  private static func number(_ text: String) throws(UnmappableXML) -> JSONValue {
    if ["NaN", "INF", "-INF", "+INF"].contains(text) {
      throw UnmappableXML("\(text) is a number in XML and none in JSON")
    }
    return YAMLScalar.decimal(text).flatMap(JSONNumber.init(text:)).map(JSONValue.number) ?? .string(text)
  }
}
