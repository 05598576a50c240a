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

/// One way in which an instance violates its schema.
public struct SchemaViolation: Sendable, Hashable {
  /// The invalid value.
  package let instancePointer: JSONPointer
  /// The keyword that rejected it.
  public let schemaPointer: SchemaLocation
  /// The keyword of the schema that is violated: `maxLength`.
  public let keyword: String
  /// The found and the expected, in one sentence.
  public let message: String
  /// The found value in short; nil if the locations in the value and in the schema are enough.
  public let found: String?
  /// The expected, without any value of the instance; nil if `found` is.
  public let expected: String?
  /// For `anyOf`, `oneOf` and similar keywords: the failure of the closest branch, then the others.
  public let details: [SchemaViolation]
}

extension SchemaViolation: CustomStringConvertible {
  public var description: String { text(indent: 0) }

  /// `/at/this/place: message` with the schema's location below, details indented.
  package func text(indent: Int) -> String {
    let space = String(repeating: " ", count: indent)
    let place = instancePointer.tokens.isEmpty ? "the document" : instancePointer.description
    let own = "\(space)\(place): \(message)\n\(space)  (schema rule: \(schemaPointer))"
    return ([own] + details.map { $0.text(indent: indent + 4) }).joined(separator: "\n")
  }
}

/// The location of a schema, or of one of its keywords.
public struct SchemaLocation: Sendable, Hashable, CustomStringConvertible {
  /// The URI under which the document was registered.
  public let document: String
  package let pointer: JSONPointer

  public var description: String { "\(document)#\(pointer)" }

  func appending(_ tokens: String...) -> SchemaLocation {
    SchemaLocation(document: document, pointer: JSONPointer(tokens: pointer.tokens + tokens))
  }
}
