import MurphyJSON
import MurphyRegex

/// `properties`, `patternProperties` and `additionalProperties`, which depend on each other.
struct ObjectMembers: Sendable {
  struct Property: Sendable {
    let name: String
    let node: NodeID
  }

  struct Pattern: Sendable {
    let pattern: ECMAPattern
    let node: NodeID
  }

  var properties: [Property] = []
  var patterns: [Pattern] = []
  var additional: NodeID?
  private(set) var positions: [JSONKey: Int] = [:]

  mutating func add(_ name: String, _ node: NodeID) {
    positions[JSONKey(name)] = properties.count
    properties.append(Property(name: name, node: node))
  }

  func property(_ name: String) -> Property? { positions[JSONKey(name)].map { properties[$0] } }
}
