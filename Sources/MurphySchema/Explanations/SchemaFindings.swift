/// The result of a schema for a value.
struct SchemaFindings {
  enum Truth { case valid, invalid, unchecked }

  var truth = Truth.valid
  var violations: [SchemaViolation] = []
  /// The reason why it is unchecked.
  var reason: String?
  var evaluated = Evaluated()
  /// An `anyOf` or similar keyword failed, so that the evaluated properties of its branches are unknown.
  var isBlurred = false

  static func unchecked(_ reason: String) -> SchemaFindings { SchemaFindings(truth: .unchecked, reason: reason) }

  var verdict: SchemaVerdict {
    switch truth {
    case .valid: .valid
    case .invalid: .invalid
    case .unchecked: .unchecked(reason ?? "not checked")
    }
  }

  /// Combines two results that must both be valid: if either is invalid, so is the result, even if parts are unchecked.
  mutating func require(_ other: SchemaFindings) {
    switch other.truth {
    case .valid: break
    case .invalid:
      truth = .invalid
      violations += other.violations
    case .unchecked:
      if truth == .valid { truth = .unchecked }
      reason = reason ?? other.reason
    }
  }

}

/// The properties and items of one value that some schema has evaluated (2020-12 core §11).
struct Evaluated {
  var allProperties = false
  var properties: Set<JSONKey> = []
  /// Some `properties` keyword applied to this object.
  var isDocumented = false
  var allItems = false
  /// The number of evaluated items from the start.
  var prefix = 0
  /// Items that matched `contains`.
  var items: Set<Int> = []

  mutating func merge(_ other: Evaluated) {
    allProperties = allProperties || other.allProperties
    isDocumented = isDocumented || other.isDocumented
    allItems = allItems || other.allItems
    prefix = max(prefix, other.prefix)
    if properties.isEmpty { properties = other.properties } else { properties.formUnion(other.properties) }
    if items.isEmpty { items = other.items } else { items.formUnion(other.items) }
  }

  func contains(item: Int) -> Bool { allItems || item < prefix || items.contains(item) }
  func contains(property: String) -> Bool { allProperties || properties.contains(JSONKey(property)) }
}
