import MurphySchema

/// The times of generated requests.
package enum SampleTimes {
  /// The value of a property, later if it is the end of a period: it must not be equal to the beginning.
  package static func later(_ value: JSONValue, _ name: String) -> JSONValue {
    guard let text = value.string, let end = ends[text] else { return value }
    let word = name.lowercased().filter(\.isLetter)
    let isEnd =
      word.contains(
        /^(ends?(at|on|date|time|datetime)?|to|until|due)$|(until|(end|to|due|expiry)(date|time|at)?)$|expir|deadline/)
    return isEnd ? .string(end) : value
  }

  /// Generated times, each with one after it.
  private static let ends = ["2026-01-31": "2099-01-31", "2026-01-31T12:00:00Z": "2099-01-31T12:00:00Z"]
  /// All times that murphy sends.
  static let all = Set(ends.keys).union(ends.values)
}
