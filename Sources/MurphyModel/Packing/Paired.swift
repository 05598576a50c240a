/// Counts by text that are coded as a list of pairs: the texts are values, so that a mask of secrets sees them, and no
/// style of keys changes them.
@propertyWrapper
package struct Paired: Sendable, Hashable {
  package var wrappedValue: [String: Int]

  package init(wrappedValue: [String: Int]) { self.wrappedValue = wrappedValue }
}

extension Paired: Codable {
  private struct Pair: Codable {
    var text: String
    var count: Int
  }

  /// Equal texts add up.
  package init(from decoder: any Decoder) throws {
    wrappedValue = [:]
    for pair in try [Pair](from: decoder) { wrappedValue[pair.text, default: 0] += pair.count }
  }

  /// In the order of the texts.
  package func encode(to encoder: any Encoder) throws {
    try wrappedValue.sorted { $0.key < $1.key }.map { Pair(text: $0.key, count: $0.value) }.encode(to: encoder)
  }
}
