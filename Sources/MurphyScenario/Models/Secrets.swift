/// Values from the environment and credentials, to be masked in every output.
package struct Secrets: Sendable, Hashable {
  /// Shorter ones would mask innocent text; reading a scenario warns of them.
  package static let shortest = 4
  package static let mask = "***"

  /// Longest first, so that a secret inside another is not cut in half.
  package private(set) var values: [String] = []

  package init() {}

  package var isEmpty: Bool { values.isEmpty }

  package mutating func insert(_ value: String) {
    guard value.utf8.count >= Self.shortest, !values.contains(value) else { return }
    values.append(value)
    values.sort { ($1.utf8.count, $0) < ($0.utf8.count, $1) }
  }

  /// `text` with every secret replaced by `***`.
  package func masked(_ text: String) -> String {
    values.reduce(text) { $0.replacing($1, with: Self.mask) }
  }
}
