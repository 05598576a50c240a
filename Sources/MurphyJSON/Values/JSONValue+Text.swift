extension JSONValue: CustomStringConvertible {
  /// Compact JSON. Numbers are as they were written.
  public var text: String {
    var writer = JSONWriter(indent: nil)
    writer.write(self)
    return writer.text
  }

  /// JSON over several lines, indented by two spaces.
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
      for scalar in string.unicodeScalars { write(escaping: scalar) }
    } else {
      text += string
    }
    text += "\""
  }

  private mutating func write(escaping scalar: Unicode.Scalar) {
    switch scalar {
    case "\"": text += "\\\""
    case "\\": text += "\\\\"
    case "\n": text += "\\n"
    case "\r": text += "\\r"
    case "\t": text += "\\t"
    case "\u{8}": text += "\\b"
    case "\u{C}": text += "\\f"
    case "\u{0}"..<"\u{20}":
      let hex = String(scalar.value, radix: 16)
      text += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
    default: text.unicodeScalars.append(scalar)
    }
  }
}
