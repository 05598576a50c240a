import Foundation
import MurphySchema

/// Compares written values with read values.
enum KeptValues {
  struct Difference {
    /// The name of a field, or a path of fields with slashes.
    var name: String
    var sent: JSONValue
    var read: JSONValue
  }

  /// Fields that both have with different values. A field that is missing in the response may be write-only.
  static func differences(sent: JSONValue, read: JSONValue) -> [Difference] {
    var found: [Difference] = []
    func visit(_ sent: JSONValue, _ read: JSONValue, _ name: String, _ depth: Int) {
      switch (sent, read) {
      case (.object(let left), .object(let right)) where depth < 4:
        for (key, value) in left {
          guard let other = right[key] else { continue }
          visit(value, other, name.isEmpty ? key : "\(name)/\(key)", depth + 1)
        }
      case (.array(let left), .array(let right)) where left.count == right.count && depth < 4:
        for (index, pair) in zip(left, right).enumerated() { visit(pair.0, pair.1, "\(name)/\(index)", depth + 1) }
      default:
        if !name.isEmpty, !isSame(sent, read) { found.append(Difference(name: name, sent: sent, read: read)) }
      }
    }
    visit(sent, read, "", 0)
    return found
  }

  private static func isSame(_ left: JSONValue, _ right: JSONValue) -> Bool {
    if left == right { return true }
    switch (left, right) {
    case (.string(let one), .string(let two)):
      if one.lowercased().trimmingCharacters(in: .whitespaces) == two.lowercased().trimmingCharacters(in: .whitespaces)
      {
        return true
      }
      guard let first = moment(one), let second = moment(two) else { return false }
      return abs(first.timeIntervalSince(second)) < 1
    case (.number(let one), .number(let two)): return one.double == two.double
    // An item instead of its name.
    case (.string, .object), (.number, .object), (.null, _): return true
    case (.array(let one), .array(let two)): return one.isEmpty && two.isEmpty
    case (.bool, .bool), (.object, .object), (_, .null): return false
    // The schema decides if the response may have another type.
    default: return true
    }
  }

  private static func moment(_ text: String) -> Date? {
    (try? Date(text, strategy: .iso8601))
      ?? (try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
  }
}
