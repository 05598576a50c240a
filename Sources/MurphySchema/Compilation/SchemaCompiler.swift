/// Compiles schemas of a registry, and all schemas they refer to, into one program. Each schema is compiled once.
///
/// Uses a list and no recursion, so deep schemas and long chains of references use no stack.
package final class SchemaCompiler {
  /// A schema. `closed` is true if it is the whole schema of a value, not a part, and rejects undocumented properties.
  struct Key: Hashable {
    let document: Int
    let pointer: JSONPointer
    let closed: Bool
  }

  /// A `$ref` in a resource.
  struct Reference: Hashable {
    let text: JSONKey
    let resource: Int
  }

  var registry: SchemaRegistry
  /// True for references to schemas that are not sent in the direction of the options.
  var directed: [Reference: Bool] = [:]
  /// The options of every schema that it compiles.
  package let options: SchemaOptions
  var nodes: [SchemaNode] = []
  /// Keywords that were skipped as unchecked, or have no meaning at their location.
  package internal(set) var problems: [SchemaError] = []
  private var known: [Key: NodeID] = [:]
  private var pending: [(NodeID, SchemaPlace, closed: Bool)] = []
  var dynamicTables: [DynamicTable] = []
  private var entered: Set<Int> = []

  package init(registry: SchemaRegistry, options: SchemaOptions = SchemaOptions()) {
    self.registry = registry
    self.options = options
  }

  /// Compiles the schema at a URI with fragment.
  /// - Throws: with the document and pointer of the incorrect keyword. The compiler stays usable.
  package func compile(_ uri: String, dialect: Dialect = .draft202012) throws(SchemaError) -> SchemaEntry {
    let reference = URIReference(uri)
    let location = SchemaLocation(document: reference.textWithoutFragment, pointer: .root)
    let resource: Int?
    do {
      resource = try registry.resource(reference, from: dialect)
    } catch {
      throw error as? SchemaError
        ?? SchemaError(kind: .unreadable, location: location, message: "could not be read: \(error)")
    }
    guard let resource else {
      throw SchemaError(kind: .unresolvedReference, location: location, message: "the document does not exist")
    }
    return try compile(
      registry.resolve(reference.fragment.map { "#" + $0 } ?? "", from: resource, at: location))
  }

  /// Compiles the schema at a pointer into a registered document.
  package func compile(uri: String, pointer: JSONPointer) throws(SchemaError) -> SchemaEntry {
    let reference = URIReference(uri).textWithoutFragment
    let location = SchemaLocation(document: reference, pointer: pointer)
    func missing(_ reason: String) -> SchemaError {
      SchemaError(kind: .unresolvedReference, location: location, message: reason)
    }
    guard let document = registry.documents.firstIndex(where: { $0.uri == reference }) else {
      throw missing("the document was not added to the registry")
    }
    return try compile(registry.place(document, pointer, missing))
  }

  /// The program with everything compiled so far. Cost: linear in the schemas.
  package func finish() -> SchemaProgram { SchemaProgram(nodes: nodes, dynamicTables: dynamicTables) }

  private func compile(_ place: SchemaPlace) throws(SchemaError) -> SchemaEntry {
    let before = nodes.count
    let node = node(for: place, isPart: false)
    do throws(SchemaError) {
      repeat {
        try build()
        extendDynamicTables()
      } while !pending.isEmpty
      try refuseLoops(from: before)
    } catch {
      // Discards the incomplete schemas.
      pending = []
      nodes.removeSubrange(before...)
      known = known.filter { $0.value < before }
      for index in dynamicTables.indices { dynamicTables[index].forget(from: NodeID(before)) }
      throw error
    }
    return SchemaEntry(node: node)
  }

  /// The number of a schema, which is added to the list if it is new.
  /// - Parameter isPart: true if it applies to the same value as the referring schema.
  func node(for place: SchemaPlace, isPart: Bool) -> NodeID {
    let closed = options.rejectsUndocumentedProperties && !isPart
    let key = Key(document: place.document, pointer: place.pointer, closed: closed)
    if let node = known[key] { return node }
    let node = NodeID(nodes.count)
    let location = registry.location(place.document, place.pointer)
    nodes.append(SchemaNode(location: location, resource: Int32(place.resource), rules: []))
    known[key] = node
    pending.append((node, place, closed))
    return node
  }

  private func build() throws(SchemaError) {
    while let (node, place, closed) = pending.popLast() {
      entered.insert(place.resource)
      let builder = NodeBuilder(compiler: self, place: place, closed: closed)
      nodes[Int(node)].rules = try builder.build()
    }
  }

  /// Any entered resource may be the outermost of a dynamic scope, so its anchors get nodes.
  private func extendDynamicTables() {
    for index in dynamicTables.indices {
      for resource in entered where dynamicTables[index].nodes[Int32(resource)] == nil {
        guard let pointer = dynamicTables[index].anchor(in: registry.resources[resource]),
          let value = pointer.resolve(in: registry.documents[registry.resources[resource].document].value)
        else { continue }
        let place = SchemaPlace(
          document: registry.resources[resource].document, pointer: pointer, resource: resource, value: value)
        dynamicTables[index].nodes[Int32(resource)] = node(for: place, isPart: true)
      }
    }
  }

  /// The table for the dynamic anchor `name`; nil is 2019-09's recursive anchor.
  func dynamicTable(_ name: String?) -> Int {
    if let index = dynamicTables.firstIndex(where: { $0.name == name }) { return index }
    dynamicTables.append(DynamicTable(name: name))
    return dynamicTables.count - 1
  }

  /// Rejects a schema that refers to itself through `$ref` and `allOf` only, because its evaluation would not end.
  /// Loops through other keywords depend on the instance and are detected at run time.
  func refuseLoops(from first: Int) throws(SchemaError) {
    /// 1 while below the node, 2 once it is known to end.
    var state = [UInt8](repeating: 0, count: nodes.count)
    for root in first..<nodes.count where state[root] == 0 {
      var stack = [(node: root, next: 0)]
      state[root] = 1
      while let (node, next) = stack.last {
        let targets = unconditional(nodes[node])
        guard next < targets.count else {
          state[node] = 2
          stack.removeLast()
          continue
        }
        stack[stack.count - 1].next += 1
        let target = Int(targets[next])
        if state[target] == 1 { throw loop(at: nodes[target]) }
        if state[target] == 0, target >= first {
          state[target] = 1
          stack.append((target, 0))
        }
      }
    }
  }

  private func unconditional(_ node: SchemaNode) -> [NodeID] {
    node.rules.flatMap { rule -> [NodeID] in
      switch rule.assertion {
      case .reference(let target): [target]
      case .all(let targets): targets
      default: []
      }
    }
  }

  private func loop(at node: SchemaNode) -> SchemaError {
    SchemaError(
      kind: .infiniteLoop, location: node.location,
      message: "the schema refers to itself in an endless loop, so no value can be checked")
  }
}

/// The options for reading schemas.
public struct SchemaOptions: Sendable {
  /// The direction of the data: OpenAPI's `readOnly` and `writeOnly` depend on it.
  package enum Direction: Sendable, Hashable { case request, response }

  /// The handling of an incorrect keyword (an invalid pattern, a reference that cannot be resolved).
  package enum Invalid: Sendable, Hashable {
    case reject
    /// Instances that the keyword applies to are unchecked, and the problem is listed. One bad schema does not make a
    /// whole document unusable.
    case unchecked
  }

  /// `format` is asserted. A metaschema with the format-assertion vocabulary asserts it in any case.
  public var formatAssertion = false
  /// The direction, for `readOnly` and `writeOnly` (OpenAPI 3.0); nil applies neither.
  package var direction: Direction?
  /// The handling of incorrect keywords.
  package var invalidKeywords = Invalid.reject
  /// The words of an incorrect keyword in the reason of an unchecked value.
  package var wording: @Sendable (SchemaError) -> String = { $0.description }
  /// Objects may only contain members that a `properties`, `patternProperties` or `additionalProperties` around them
  /// covers.
  package var rejectsUndocumentedProperties = false

  /// The specification's defaults: `format` is an annotation.
  public init() {}
}
