/// Compiles schemas of a registry, and all they refer to, into one program. Each schema is compiled once.
///
/// Works through a list instead of recursing, so deep schemas and long chains of references cost no stack.
package final class SchemaCompiler {
  /// A schema, and whether it is the whole of what holds for a value rather than a part of another schema.
  struct Key: Hashable {
    let document: Int
    let pointer: JSONPointer
    let closed: Bool
  }

  let registry: SchemaRegistry
  /// Those of every schema that it compiles.
  package let options: SchemaOptions
  var nodes: [SchemaNode] = []
  /// Keywords that were skipped as unchecked, or have no meaning where they stand.
  package internal(set) var problems: [SchemaError] = []
  private var known: [Key: NodeID] = [:]
  private var pending: [(NodeID, SchemaPlace, closed: Bool)] = []
  var dynamicTables: [DynamicTable] = []
  private var entered: Set<Int> = []

  package init(registry: SchemaRegistry, options: SchemaOptions = SchemaOptions()) {
    self.registry = registry
    self.options = options
  }

  /// Compiles the schema that a URI with fragment names.
  /// - Throws: with the document and pointer of the keyword that is wrong. The compiler stays usable.
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
      throw SchemaError(kind: .unresolvedReference, location: location, message: "there is no such document")
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
      // What was half built is forgotten.
      pending = []
      nodes.removeSubrange(before...)
      known = known.filter { $0.value < before }
      for index in dynamicTables.indices { dynamicTables[index].forget(from: NodeID(before)) }
      throw error
    }
    return SchemaEntry(node: node)
  }

  /// The number of a schema, which is put on the list where it is new.
  /// - Parameter isPart: applied to the same value as the schema that asks.
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

  /// Any resource that was entered may be the outermost of a dynamic scope: its anchors get nodes.
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
}

extension SchemaCompiler {
  /// A schema that leads to itself through `$ref` and `allOf` alone would never come to an end.
  /// Loops through other keywords depend on the instance and are caught when they happen.
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
      message: "the schema refers to itself without end; no value can be checked against it")
  }
}

/// How schemas are to be read.
public struct SchemaOptions: Sendable {
  /// Which way the data goes: OpenAPI's `readOnly` and `writeOnly` depend on it.
  package enum Direction: Sendable, Hashable { case request, response }

  /// What becomes of a keyword that is not correct (a pattern that is none, a reference that leads nowhere).
  package enum Invalid: Sendable, Hashable {
    case reject
    /// Instances it applies to are unchecked, and the problem is listed. One bad schema does not take a whole
    /// document of them down.
    case unchecked
  }

  /// `format` is asserted. A metaschema with the format-assertion vocabulary asserts it in any case.
  public var formatAssertion = false
  /// Whether values are requests or answers, for `readOnly` and `writeOnly` (OpenAPI 3.0); nil judges neither.
  package var direction: Direction?
  /// What to do about keywords that are not well formed.
  package var invalidKeywords = Invalid.reject
  /// Objects may only hold what some `properties`, `patternProperties` or `additionalProperties` around them mentions.
  package var rejectsUndocumentedProperties = false

  /// The specification's defaults: `format` is an annotation.
  public init() {}
}
