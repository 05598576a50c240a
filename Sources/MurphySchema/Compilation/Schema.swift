/// One compiled schema, for callers who need no registry.
///
///     let schema = try Schema(json: text)
///     let problems = schema.validate(instance)
///     print(problems.isEmpty ? "valid" : problems.map(\.description).joined(separator: "\n"))
public struct Schema: Sendable {
  /// The compiled schema with all schemas that it refers to.
  package let program: SchemaProgram
  /// The entry point of the schema in the program.
  package let entry: SchemaEntry

  /// Compiles a schema and all schemas it refers to.
  /// - Parameters:
  ///   - value: the schema, an object or a boolean.
  ///   - dialect: applies if the schema has no `$schema`.
  ///   - uri: the schema's source, which references are resolved against.
  ///   - options: assertions beyond the specification's defaults, and limits.
  ///   - loader: provides the documents that references lead to.
  /// - Throws: `SchemaError` with the location of the mistake.
  public init(
    _ value: JSONValue, dialect: Dialect = .draft202012, options: SchemaOptions = SchemaOptions(),
    uri: String = "murphy:schema", loader: @escaping @Sendable (_ uri: String) throws -> JSONValue? = { _ in nil }
  ) throws(SchemaError) {
    var registry = SchemaRegistry(loader: loader)
    try registry.add(value, uri: uri, dialect: dialect)
    let compiler = SchemaCompiler(registry: registry, options: options)
    entry = try compiler.compile(uri: uri, pointer: .root)
    program = compiler.finish()
  }

  /// As above, from JSON text.
  public init(
    json: String, dialect: Dialect = .draft202012, options: SchemaOptions = SchemaOptions(),
    uri: String = "murphy:schema", loader: @escaping @Sendable (_ uri: String) throws -> JSONValue? = { _ in nil }
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

  /// Up to 100 mistakes, each at up to 30 places; empty if there are none. `verdict` shows if everything was checked.
  public func validate(_ value: JSONValue) -> [SchemaViolation] { program.explain(entry, value) }

  /// The verdict and the violations together.
  public func check(_ value: JSONValue) -> SchemaCheck { program.check(entry, value) }

  /// The verdict for a value.
  public func verdict(_ value: JSONValue) -> SchemaVerdict { program.isValid(entry, value) }
}

/// A verdict with its violations.
public struct SchemaCheck: Sendable, Hashable {
  /// The verdict for the value.
  public let verdict: SchemaVerdict
  /// Up to 100 mistakes, each at up to 30 places, if the verdict is `invalid`; otherwise empty.
  public let violations: [SchemaViolation]
}

/// A schema that cannot be used, with the location in its document.
public struct SchemaError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of the error.
  public enum Reason: Sendable, Hashable {
    /// A keyword's value does not have the form that the dialect requires.
    case invalidKeyword
    /// A reference that cannot be resolved.
    case unresolvedReference
    /// A schema that refers to itself without descending into the instance.
    case infiniteLoop
    /// A required dialect or vocabulary that is unknown.
    case unknownDialect
    /// A document that could not be read or is not a schema.
    case unreadable
    /// Correct, but not supported by this validator.
    case unsupported
  }

  /// The kind of the error.
  public let kind: Reason
  /// The document and the position in it.
  public let location: SchemaLocation
  /// The found and the expected, without the position.
  public let message: String

  public var description: String { "\(location): \(message)" }
}

/// The result of a validation. A value never passes unchecked: undecided parts are reported.
public enum SchemaVerdict: Sendable, Hashable {
  case valid
  case invalid
  case unchecked(String)
}

/// Compiled schemas: flat, immutable, shared by all threads.
// The memory behind `tables` is never written again.
package final class SchemaProgram: @unchecked Sendable {
  let nodes: [SchemaNode]
  let dynamicTables: [DynamicTable]
  /// The same program for documents on the tape.
  private let tapeProgram: TapeProgram
  /// The address of its memory, which it keeps alive. A run that starts here counts no references.
  let tables: UnsafePointer<TapeTables>
  /// Some schema uses the properties or items that others have evaluated.
  let tracksEvaluated: Bool

  init(nodes: [SchemaNode], dynamicTables: [DynamicTable]) {
    self.nodes = nodes
    self.dynamicTables = dynamicTables
    tapeProgram = TapeCompiler.lower(nodes, dynamicTables)
    tables = tapeProgram.tables
    tracksEvaluated = nodes.contains { node in
      node.rules.contains {
        switch $0.assertion {
        case .unevaluatedItems, .unevaluatedProperties, .undocumentedProperties: true
        default: false
        }
      }
    }
  }

  /// The location of a schema.
  package func location(of entry: SchemaEntry) -> SchemaLocation { nodes[Int(entry.node)].location }
}

extension SchemaProgram {
  /// Checks a value in memory (headers, parameters, documents). Bodies are checked on the tape.
  package func isValid(_ entry: SchemaEntry, _ value: JSONValue) -> SchemaVerdict {
    var explanation = Explanation(program: self, explains: false, value: value)
    return explanation.apply(entry.node, to: value).verdict
  }

  /// The violations of an invalid value: up to 100 mistakes, each at up to 30 places. Empty for a valid or unchecked
  /// value.
  package func explain(_ entry: SchemaEntry, _ value: JSONValue) -> [SchemaViolation] {
    check(entry, value).violations
  }

  /// The verdict and the violations together.
  package func check(_ entry: SchemaEntry, _ value: JSONValue) -> SchemaCheck {
    var explanation = Explanation(program: self, explains: true, value: value)
    var outcome = explanation.apply(entry.node, to: value)
    if outcome.truth == .unchecked {
      // The search for every violation may exceed the budget even if the search for the first one does not.
      explanation = Explanation(program: self, explains: true, value: value, room: 1)
      outcome = explanation.apply(entry.node, to: value)
    }
    return SchemaCheck(verdict: outcome.verdict, violations: outcome.truth == .invalid ? outcome.violations : [])
  }
}

/// A schema of a program that a validation can start from.
package struct SchemaEntry: Sendable, Hashable {
  let node: NodeID
}

/// The targets of a dynamic anchor, by the resource that defines it.
struct DynamicTable: Sendable {
  /// Nil is `$recursiveAnchor` (2019-09), which has no name.
  let name: String?
  var nodes: [Int32: NodeID] = [:]

  func anchor(in resource: SchemaResource) -> JSONPointer? {
    if let name { resource.dynamicAnchors[name] } else { resource.isRecursive ? resource.root : nil }
  }

  mutating func forget(from node: NodeID) { nodes = nodes.filter { $0.value < node } }
}

/// The number of a schema in its program.
typealias NodeID = Int32

/// One compiled schema: the rules for the value it is applied to.
struct SchemaNode: Sendable {
  let location: SchemaLocation
  /// Its resource. Entering the node pushes the resource onto the dynamic scope.
  let resource: Int32
  /// Sorted so that cheap rules fail first; unevaluated… last.
  var rules: [SchemaRule]

  /// The schema `false`.
  var isNever: Bool {
    if rules.count == 1, case .never = rules[0].assertion { true } else { false }
  }
}

/// A keyword with its meaning.
struct SchemaRule: Sendable {
  let keyword: String
  let assertion: Assertion
}
