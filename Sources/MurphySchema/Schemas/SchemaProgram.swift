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
