import MurphySchema

/// What a known client sends and reads, by operation of the old contract.
package struct ClientUse: Sendable {
  /// The source of the knowledge.
  package enum Kind: String, Sendable {
    case scenario, recording, result
  }

  /// The file that shows the use.
  package var file: String
  /// What the file is.
  package var kind: Kind
  /// By the index of the operation; others are not called.
  package var operations: [Int: OperationUse] = [:]

  package init(file: String, kind: Kind) { (self.file, self.kind) = (file, kind) }
}

/// The requests that a client sends to one operation, and what it reads of the responses.
package struct OperationUse: Sendable {
  /// Sent parameters.
  package var parameters: [ParameterKey: Set<FieldUse>] = [:]
  /// True if the client may send parameters that are not known.
  package var sendsUnknownParameters = false
  /// Sent fields of bodies; empty if no body is sent.
  package var body: Set<FieldUse> = []
  /// Fields of responses that the client reads, or that it received.
  package var reads: Set<FieldUse> = []
  /// Headers that the client reads, or that it received, in lower case; nil if they are unknown.
  package var headers: Set<String>? = []
  /// The received statuses; nil if they are unknown.
  package var statuses: Set<Int>?

  package init() {}

  /// Use of which nothing is known, except that the operation is called.
  package static var unknown: OperationUse {
    var use = OperationUse()
    (use.sendsUnknownParameters, use.body, use.reads, use.headers) = (true, [.everything], [.everything], nil)
    return use
  }
}

/// A part of a value that a client uses.
package struct FieldUse: Sendable, Hashable {
  /// The extent of the use at the end of the path.
  package enum Extent: Sendable, Hashable {
    /// The part and everything in it.
    case whole
    /// The part exists, and nothing in it is used.
    case present
    /// The part has this value.
    case value(JSONValue)
  }

  /// The way from the whole value to the part.
  package var path: [JSONPath.Step]
  /// What the client uses at the end of the path.
  package var extent: Extent

  package init(_ path: [JSONPath.Step], _ extent: Extent) { (self.path, self.extent) = (path, extent) }

  /// The whole value.
  package static let everything = FieldUse([], .whole)

  /// The fields that a query reads.
  package init(_ query: JSONPath) { self.init(query.outline, .whole) }

  /// Every field of a value.
  ///
  /// - Parameter keepsValues: false if only the fields matter.
  package static func fields(of value: JSONValue, keepsValues: Bool) -> Set<FieldUse> {
    var found: Set<FieldUse> = []
    func visit(_ value: JSONValue, _ path: [JSONPath.Step]) {
      switch value {
      case .object(let object):
        found.insert(FieldUse(path, .present))
        for member in object.members { visit(member.value, path + [.name(member.key)]) }
      case .array(let items):
        found.insert(FieldUse(path, .present))
        for item in items { visit(item, path + [.item(nil)]) }
      default: found.insert(FieldUse(path, keepsValues ? .value(value) : .present))
      }
    }
    visit(value, [])
    return found
  }
}

/// The nodes of a graph of schemas that a client's fields lead to.
struct SchemaUse {
  /// The nodes that a path passes or ends at.
  private(set) var touched: Set<Int> = []
  /// The nodes of which every part is used.
  private var whole: Set<Int> = []
  private var names: [Int: Set<String>] = [:]
  /// The nodes of which every property is used.
  private var anyName: Set<Int> = []
  private var values: [Int: Set<String>] = [:]

  init(_ fields: Set<FieldUse>, from root: Int, in graph: SchemaChangeGraph) {
    for field in fields { follow(field, graph.withBranches([root]), graph) }
    var pending = Array(whole)
    while let next = pending.popLast() {
      for edge in graph.nodes[next].edges where whole.insert(edge.node).inserted { pending.append(edge.node) }
    }
  }

  private mutating func follow(_ field: FieldUse, _ start: Set<Int>, _ graph: SchemaChangeGraph) {
    var nodes = start
    for step in field.path {
      touched.formUnion(nodes)
      var next: Set<Int> = []
      for node in nodes {
        if case .name(let name) = step { names[node, default: []].insert(name) }
        if step == .any { anyName.insert(node) }
        next.formUnion(graph.nodes[node].edges.filter { $0.step.fits(step) }.map(\.node))
      }
      nodes = graph.withBranches(next)
    }
    touched.formUnion(nodes)
    switch field.extent {
    case .whole: whole.formUnion(nodes)
    case .present: break
    case .value(let value): for node in nodes { values[node, default: []].insert(Self.text(value)) }
    }
  }

  /// Numbers in parameters and recordings may be strings.
  private static func text(_ value: JSONValue) -> String { value.string ?? value.text }

  /// True unless the fields show that the client is not concerned.
  func includes(_ site: ContractChange.Site) -> Bool {
    if whole.contains(site.node) { return true }
    if let label = site.label { return anyName.contains(site.node) || names[site.node]?.contains(label) == true }
    guard let value = site.value, let sent = values[site.node] else { return touched.contains(site.node) }
    return sent.contains(Self.text(value))
  }
}

extension SchemaComparison.Step {
  /// True if the edge may lead to the part that a query names.
  fileprivate func fits(_ step: JSONPath.Step) -> Bool {
    switch (self, step) {
    case (.property(let name), .name(let wanted)): name == wanted
    case (.item(let index?), .item(let wanted?)): index == wanted
    case (.others, .name), (.item, .item), (_, .any): true
    default: false
    }
  }
}

extension SchemaChangeGraph {
  /// The nodes, and the alternatives of their values.
  fileprivate func withBranches(_ nodes: Set<Int>) -> Set<Int> {
    var found = nodes
    var pending = Array(nodes)
    while let next = pending.popLast() {
      for edge in self.nodes[next].edges {
        if case .branch = edge.step, found.insert(edge.node).inserted { pending.append(edge.node) }
      }
    }
    return found
  }
}

extension ContractDiff {
  /// The clients that a change concerns, by their indices: those that call the operation and use the changed part.
  ///
  /// Use that is not known counts as use.
  package func users(among clients: [ClientUse]) -> [[Int]] {
    var known: [UseKey: SchemaUse] = [:]
    return changes.map { change in
      clients.indices.filter { concerns(change.subject, $0, clients[$0], &known) }
    }
  }

  private struct UseKey: Hashable {
    var client: Int
    var root: Int
  }

  private func concerns(
    _ subject: ContractChange.Subject, _ number: Int, _ client: ClientUse, _ known: inout [UseKey: SchemaUse]
  ) -> Bool {
    func uses(_ fields: Set<FieldUse>, _ site: ContractChange.Site?) -> Bool {
      guard let site else { return !fields.isEmpty }
      let key = UseKey(client: number, root: site.root)
      let use = known[key] ?? SchemaUse(fields, from: site.root, in: graph)
      known[key] = use
      return use.includes(site)
    }
    func receives(_ status: ResponsePromise.Status, _ use: OperationUse) -> Bool {
      guard let statuses = use.statuses else { return true }
      return switch status {
      case .exactly(let number): statuses.contains(number)
      case .hundred(let hundred): statuses.contains { $0 / 100 == hundred }
      // The statuses that no other entry documents are not compared one by one.
      case .any: true
      }
    }
    switch subject {
    case .everyone: return true
    case .callers(let operation): return operation.map { client.operations[$0] != nil } ?? false
    case .parameter(let operation, let key, let site):
      guard let use = client.operations[operation] else { return false }
      // A path always has a value, and a scenario's users send the cookies that the API sets.
      let isAutomatic = key.location == .path || key.location == .cookie && client.kind == .scenario
      return use.sendsUnknownParameters || isAutomatic && use.parameters[key] == nil
        || use.parameters[key].map { uses($0, site) } ?? false
    case .body(let operation, let site):
      return client.operations[operation].map { uses($0.body, site) } ?? false
    case .response(let operation, let status, let site):
      guard let use = client.operations[operation], receives(status, use) else { return false }
      return site == nil || uses(use.reads, site)
    case .header(let operation, let status, let name, _):
      guard let use = client.operations[operation], receives(status, use) else { return false }
      return use.headers?.contains(name) ?? true
    }
  }
}
