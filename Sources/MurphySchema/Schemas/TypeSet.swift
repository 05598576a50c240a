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
