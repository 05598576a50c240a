/// One schema, ready to validate: the validator for those who need no registry.
///
///     let schema = try Schema(json: text)
///     let problems = schema.validate(instance)
///     print(problems.isEmpty ? "valid" : problems.map(\.description).joined(separator: "\n"))
public struct Schema: Sendable {
  /// The compiled schema with all that it refers to.
  package let program: SchemaProgram
  /// Where the schema begins in the program.
  package let entry: SchemaEntry

  /// Compiles a schema and all it refers to.
  /// - Parameters:
  ///   - value: the schema, an object or a truth value.
  ///   - dialect: holds where the schema has no `$schema`.
  ///   - uri: where the schema came from: what references resolve against.
  ///   - options: what is asserted beyond the specification's defaults, and bounds.
  ///   - loader: gives the documents that references lead to.
  /// - Throws: `SchemaError` with the place of the mistake.
  public init(
    _ value: JSONValue, dialect: Dialect = .draft202012, options: SchemaOptions = SchemaOptions(),
    uri: String = "murphy:schema", loader: @escaping (_ uri: String) throws -> JSONValue? = { _ in nil }
  ) throws(SchemaError) {
    let registry = SchemaRegistry(loader: loader)
    try registry.add(value, uri: uri, dialect: dialect)
    let compiler = SchemaCompiler(registry: registry, options: options)
    entry = try compiler.compile(uri: uri, pointer: .root)
    program = compiler.finish()
  }

  /// As above, from JSON text.
  public init(
    json: String, dialect: Dialect = .draft202012, options: SchemaOptions = SchemaOptions(),
    uri: String = "murphy:schema", loader: @escaping (_ uri: String) throws -> JSONValue? = { _ in nil }
  ) throws(SchemaError) {
    let value: JSONValue
    do throws(JSONError) {
      value = try JSONValue.parse(json)
    } catch {
      let place = SchemaLocation(document: uri, pointer: .root)
      throw SchemaError(kind: .unreadable, location: place, message: "the schema is not JSON: \(error)")
    }
    try self.init(value, dialect: dialect, options: options, uri: uri, loader: loader)
  }

  /// Up to 100 mistakes, each at up to 30 places; empty where there is none. Ask `verdict` whether all was checked.
  public func validate(_ value: JSONValue) -> [SchemaViolation] { program.explain(entry, value) }

  /// Verdict and violations in one go.
  public func check(_ value: JSONValue) -> SchemaCheck { program.check(entry, value) }

  /// Whether a value conforms.
  public func verdict(_ value: JSONValue) -> SchemaVerdict { program.isValid(entry, value) }
}

/// A verdict with its reasons.
public struct SchemaCheck: Sendable, Hashable {
  /// Whether the value conforms.
  public let verdict: SchemaVerdict
  /// Up to 100 mistakes, each at up to 30 places, where the verdict is `invalid`; else empty.
  public let violations: [SchemaViolation]
}

/// A schema that cannot be used, with the place in its document.
public struct SchemaError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What sort of mistake it is.
  public enum Reason: Sendable, Hashable {
    /// A keyword's value has not the form that the dialect prescribes.
    case invalidKeyword
    /// A reference that leads nowhere.
    case unresolvedReference
    /// A schema that refers to itself without ever descending into the instance.
    case infiniteLoop
    /// A dialect or vocabulary that is required and not known.
    case unknownDialect
    /// A document that could not be read or is not a schema.
    case unreadable
    /// Correct, but beyond what this validator evaluates.
    case unsupported
  }

  /// What sort of mistake it is.
  public let kind: Reason
  /// Where in which document.
  public let location: SchemaLocation
  /// What was found and what was expected, without the place.
  public let message: String

  public var description: String { "\(location): \(message)" }
}

/// What a validation ends in. Never a pass without a check: what could not be decided says so.
public enum SchemaVerdict: Sendable, Hashable {
  case valid
  case invalid
  case unchecked(String)
}
