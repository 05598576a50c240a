import MurphyJSON

/// JSON text for people and for diffs: two spaces of indentation, and short arrays and objects on one line.
package enum JSONLayout {
  private static let lineLength = 110

  package static func text(_ value: JSONValue) -> String {
    var text = ""
    write(value, depth: 0, to: &text)
    return text
  }

  private static func write(_ value: JSONValue, depth: Int, to text: inout String) {
    switch value {
    case .array(let values) where !values.isEmpty:
      if values.allSatisfy(isScalar) {
        // A histogram's buckets: many numbers, no news in their lines.
        text += value.text
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
      if object.values.allSatisfy(isScalar) {
        let line = value.text
        if line.utf8.count <= lineLength {
          text += line
          return
        }
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

  private static func isScalar(_ value: JSONValue) -> Bool { value.array == nil && value.object == nil }

  private static func indent(_ depth: Int, _ text: inout String) { text += String(repeating: "  ", count: depth) }

  private static func close(_ bracket: String, _ depth: Int, _ text: inout String) {
    text += "\n"
    indent(depth, &text)
    text += bracket
  }
}
