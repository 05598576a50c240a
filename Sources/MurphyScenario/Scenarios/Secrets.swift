import MurphyModel
import MurphySchema

/// Values from the environment and credentials, to be masked in every output.
package struct Secrets: Sendable, Hashable {
  /// Shorter ones would mask text that is not secret; reading a scenario warns of them.
  package static let shortest = Secret.shortest

  package private(set) var all: [Secret] = []

  package init() {}

  /// - Parameter environment: the variable from which it was read.
  package mutating func insert(_ value: String, environment: String? = nil) {
    insert(Secret(value, environment.flatMap { ShellVariable(environment: $0) } ?? ShellVariable("secret")))
  }

  package mutating func insert(_ secret: Secret) {
    guard secret.value.utf8.count >= Self.shortest, !all.contains(where: { $0.value == secret.value }) else { return }
    all.append(secret)
  }

  /// The text without these secrets.
  package func masked(_ text: String) -> String { SecretMask().adding(all).masked(text) }
}

extension Scenario {
  /// Slots of the variables whose values are in a header with credentials, directly or by `set:`. Values saved under
  /// their names are as secret as the header.
  ///
  /// - Parameter isSecret: true if a header of that name carries credentials.
  package func slots(readByHeaders isSecret: (String) -> Bool) -> Set<Int> {
    let calls = scripts.flatMap(\.calls)
    let sent = calls.flatMap(\.headers).map { ($0.name, $0.value) }
    let always = scripts.flatMap(\.client.headers).map { ($0.name, $0.value) }
    var slots = Set((sent + always).filter { isSecret($0.0) }.flatMap { $0.1.variables.map(\.slot) })
    let assignments = scripts.flatMap { $0.allSteps.flatMap(\.assignments) }
    var known = -1
    while known != slots.count {
      known = slots.count
      for assignment in assignments where slots.contains(assignment.variable.slot) {
        slots.formUnion(assignment.value.variables.map(\.slot))
      }
    }
    return slots
  }
}

extension JSONValue {
  /// The strings and numbers in it.
  package var leaves: [String] {
    switch self {
    case .string, .number: [interpolated]
    case .array(let elements): elements.flatMap(\.leaves)
    case .object(let object): object.flatMap(\.value.leaves)
    case .null, .bool: []
    }
  }
}
