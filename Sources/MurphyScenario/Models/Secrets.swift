import MurphyJSON
import MurphyModel

/// Values from the environment and credentials, to be masked in every output.
package struct Secrets: Sendable, Hashable {
  /// Shorter ones would mask innocent text; reading a scenario warns of them.
  package static let shortest = Secret.shortest

  package private(set) var all: [Secret] = []

  package init() {}

  /// - Parameter environment: the variable that it was read from.
  package mutating func insert(_ value: String, environment: String? = nil) {
    guard value.utf8.count >= Self.shortest, !all.contains(where: { $0.value == value }) else { return }
    all.append(Secret(value, environment.flatMap { ShellVariable(environment: $0) } ?? ShellVariable("secret")))
  }

  package func masked(_ text: String) -> String { SecretMask().adding(all).masked(text) }
}

extension JSONValue {
  /// The texts and numbers in it.
  package var leaves: [String] {
    switch self {
    case .string, .number: [interpolated]
    case .array(let elements): elements.flatMap(\.leaves)
    case .object(let object): object.flatMap(\.value.leaves)
    case .null, .bool: []
    }
  }
}
