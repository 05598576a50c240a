/// The meaning of a keyword, with references to other schemas by number.
enum Assertion: Sendable {
  case never
  case types(TypeSet)
  /// `enum`, and `const` with one value.
  case enumeration(EnumeratedValues)

  case minimum(JSONNumber, exclusive: Bool)
  case maximum(JSONNumber, exclusive: Bool)
  case multiple(of: JSONNumber)

  case minLength(Int)
  case maxLength(Int)
  case pattern(ECMAPattern)
  case format(Format)
  case content(EncodedContent)

  case minItems(Int)
  case maxItems(Int)
  case uniqueItems
  /// `prefixItems` (and the list form of `items`), with the schema of the remaining items.
  case items(prefix: [NodeID], rest: NodeID?)
  case contains(ContainedItems)
  case unevaluatedItems(NodeID)

  case minProperties(Int)
  case maxProperties(Int)
  case required([String])
  case dependentRequired([(String, [String])])
  case properties(ObjectMembers)
  case propertyNames(NodeID)
  case dependentSchemas([(String, NodeID)])
  case unevaluatedProperties(NodeID)
  /// Like `unevaluatedProperties: false`, for objects with some documented properties.
  case undocumentedProperties

  case reference(NodeID)
  case dynamicReference(table: Int, initial: NodeID)
  case all([NodeID])
  case any([NodeID])
  case one([NodeID])
  case not(NodeID)
  case conditional(NodeID, then: NodeID?, else: NodeID?)

  /// A known keyword that cannot be evaluated.
  case unchecked(String)
}

/// `contentEncoding` and `contentMediaType`, asserted together.
struct EncodedContent: Sendable {
  let encoding: String?
  let mediaType: String?
}

struct EnumeratedValues: Sendable {
  let values: [JSONValue]
  private let set: Set<JSONValue>

  init(_ values: [JSONValue]) {
    self.values = values
    set = Set(values)
  }

  func contains(_ value: JSONValue) -> Bool { set.contains(value) }
}

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

/// `contains` with its bounds.
struct ContainedItems: Sendable {
  let node: NodeID
  let minimum: Int
  let maximum: Int?
  /// Draft 2020-12: items that match count as evaluated.
  let evaluates: Bool
}

/// The types that `type` allows.
struct TypeSet: OptionSet, Sendable, Hashable {
  let rawValue: UInt8

  static let null = TypeSet(rawValue: 1)
  static let boolean = TypeSet(rawValue: 2)
  static let object = TypeSet(rawValue: 4)
  static let array = TypeSet(rawValue: 8)
  static let number = TypeSet(rawValue: 16)
  static let string = TypeSet(rawValue: 32)
  /// A number without fraction, in any spelling (draft 6 and later: `1.0` is one).
  static let integer = TypeSet(rawValue: 64)
  /// A number written without fraction and exponent (draft 4, OpenAPI 3.0).
  static let writtenInteger = TypeSet(rawValue: 128)

  private static let names: [(String, TypeSet)] = [
    ("null", .null), ("boolean", .boolean), ("object", .object), ("array", .array), ("number", .number),
    ("string", .string), ("integer", .integer), ("integer", .writtenInteger),
  ]

  init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Nil for a name that is not a type.
  init?(_ name: String, dialect: Dialect) {
    if name == "integer", dialect.generation == 4 {
      self = .writtenInteger
    } else if let known = Self.names.first(where: { $0.0 == name }) {
      self = known.1
    } else {
      return nil
    }
  }

  var names: [String] { Self.names.filter { contains($0.1) }.map(\.0) }

  func allows(_ value: JSONValue) -> Bool {
    switch value {
    case .null: contains(.null)
    case .bool: contains(.boolean)
    case .object: contains(.object)
    case .array: contains(.array)
    case .string: contains(.string)
    case .number(let number):
      contains(.number) || (contains(.integer) && number.isInteger)
        || (contains(.writtenInteger) && number.isWrittenAsInteger)
    }
  }
}
