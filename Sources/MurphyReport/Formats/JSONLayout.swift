import MurphySchema

/// JSON text for people and for diffs: two spaces of indentation, and short arrays and objects on one line.
package enum JSONLayout {
  private static let lineLength = 110

  /// Without a line feed at the end.
  package static func text(_ value: JSONValue) -> String {
    var text = ""
    write(value, depth: 0, to: &text)
    return escaped(text)
  }

  /// Escapes characters that RFC 8259 allows and that a terminal interprets: DEL, C1 controls, line separators, text
  /// direction. Outside of strings none of them occurs.
  package static func escaped(_ text: String) -> String {
    func isActive(_ scalar: Unicode.Scalar) -> Bool {
      switch scalar {
      case "\u{7F}"..."\u{9F}", "\u{2028}"..."\u{202E}", "\u{2066}"..."\u{2069}": true
      default: false
      }
    }
    guard text.unicodeScalars.contains(where: isActive) else { return text }
    var escaped = ""
    for scalar in text.unicodeScalars {
      if isActive(scalar) {
        let digits = String(scalar.value, radix: 16)
        escaped += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      } else {
        escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  private static func write(_ value: JSONValue, depth: Int, to text: inout String) {
    switch value {
    case .array(let values) where !values.isEmpty:
      // The buckets of a histogram: separate lines for the numbers would add nothing.
      if values.allSatisfy({ $0.number != nil }) {
        text += line(value)
        return
      }
      if let line = shortLine(value) {
        text += line
        return
      }
      text += "["
      for (index, value) in values.enumerated() {
        text += index == 0 ? "\n" : ",\n"
        indent(depth + 1, &text)
        write(value, depth: depth + 1, to: &text)
      }
      close("]", depth, &text)
    case .object(let object) where !object.isEmpty:
      if let line = shortLine(value) {
        text += line
        return
      }
      text += "{"
      for (index, member) in object.members.enumerated() {
        text += index == 0 ? "\n" : ",\n"
        indent(depth + 1, &text)
        text += JSONValue.string(member.key).text
        text += ": "
        write(member.value, depth: depth + 1, to: &text)
      }
      close("}", depth, &text)
    default: text += value.text
    }
  }

  /// Nil for a value with other arrays or objects in it, and for a longer line.
  private static func shortLine(_ value: JSONValue) -> String? {
    guard (value.array ?? value.object?.values ?? []).allSatisfy(isScalar) else { return nil }
    let line = line(value)
    return line.utf8.count <= lineLength ? line : nil
  }

  /// On one line, with spaces after commas and colons.
  private static func line(_ value: JSONValue) -> String {
    switch value {
    case .array(let values): "[" + values.map(\.text).joined(separator: ", ") + "]"
    case .object(let object):
      "{" + object.members.map { "\(JSONValue.string($0.key).text): \($0.value.text)" }.joined(separator: ", ") + "}"
    default: value.text
    }
  }

  private static func isScalar(_ value: JSONValue) -> Bool { value.array == nil && value.object == nil }

  private static func indent(_ depth: Int, _ text: inout String) { text += String(repeating: "  ", count: depth) }

  private static func close(_ bracket: String, _ depth: Int, _ text: inout String) {
    text += "\n"
    indent(depth, &text)
    text += bracket
  }
}
