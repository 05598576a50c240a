import MurphySchema

/// The pairs of old and new schemas that requests and responses reach, each compared once.
///
/// Schemas may be circular, so pairs are nodes of a graph and not of a tree. Time and memory are linear in the number of
/// pairs, which is at most `most`.
final class SchemaChangeGraph {
  struct Node {
    var changes: [SchemaChange] = []
    var edges: [(step: SchemaComparison.Step, node: Int)] = []
  }

  private struct Key: Hashable {
    var old: [LocationKey]
    var new: [LocationKey]
    var side: SchemaSide
  }

  private typealias Subtypes = [LocationKey: [(name: String, schema: Located)]]

  private(set) var nodes: [Node] = []
  private var indices: [Key: Int] = [:]
  private var pending: [(node: Int, old: [Located], new: [Located], side: SchemaSide)] = []
  let navigators: (old: SchemaNavigator, new: SchemaNavigator)
  /// The subtypes of schemas with a discriminator, by the place of these.
  private let subtypes: (old: Subtypes, new: Subtypes)
  private let most: Int
  /// The nodes from which a change can be reached; computed once all roots are known.
  private lazy var changed: Set<Int> = changedNodes()

  init(_ old: DocumentSet, _ new: DocumentSet, most: Int = 1_000_000) {
    navigators = (SchemaNavigator(old), SchemaNavigator(new))
    subtypes = (Self.subtypes(old), Self.subtypes(new))
    self.most = most
  }

  /// The node of a pair, compared with everything that it reaches.
  func root(_ old: Located, _ new: Located, _ side: SchemaSide) -> Int {
    let root = node([old], [new], side)
    while let next = pending.popLast() {
      var comparison = SchemaComparison(next.old, next.new, next.side, navigators)
      if next.old.count == 1, next.new.count == 1 {
        comparison.compareSubtypes(subtypes.old[next.old[0].key] ?? [], subtypes.new[next.new[0].key] ?? [])
      }
      nodes[next.node].changes = comparison.changes
      nodes[next.node].edges = comparison.edges.filter { !Self.isUnchanged($0.old, $0.new) }.map {
        ($0.step, node($0.old, $0.new, $0.side))
      }
    }
    return root
  }

  /// True for equal schemas without references, which may lead to others that differ.
  private static func isUnchanged(_ old: [Located], _ new: [Located]) -> Bool {
    func refers(_ value: JSONValue) -> Bool {
      switch value {
      case .object(let object): object.members.contains { $0.key.hasPrefix("$") || refers($0.value) }
      case .array(let items): items.contains(where: refers)
      default: false
      }
    }
    return old.map(\.value) == new.map(\.value) && !old.contains { refers($0.value) }
  }

  /// A component is a subtype of the schemas in its `allOf`. With a discriminator, these allow its values (OpenAPI 3.1
  /// §4.8.25).
  private static func subtypes(_ sources: DocumentSet) -> Subtypes {
    var sources = sources
    var found: Subtypes = [:]
    for root in sources.documents.indices.map({ sources.root($0) }) {
      for (name, schema) in [root["components"]?["schemas"], root["definitions"]].flatMap({ $0?.members ?? [] }) {
        for part in schema["allOf"]?.items ?? [] where part.value["$ref"] != nil {
          guard let parent = try? sources.resolved(part), parent.value["discriminator"] != nil else { continue }
          found[parent.key, default: []].append((name, schema))
        }
      }
    }
    return found
  }

  private func node(_ old: [Located], _ new: [Located], _ side: SchemaSide) -> Int {
    let (old, new) = (old.map(navigators.old.target), new.map(navigators.new.target))
    let key = Key(old: old.map(\.key), new: new.map(\.key), side: side)
    if let known = indices[key] { return known }
    indices[key] = nodes.count
    nodes.append(Node())
    if nodes.count <= most {
      pending.append((nodes.count - 1, old, new, side))
    } else {
      nodes[nodes.count - 1].changes = [
        SchemaChange(
          severity: .possiblyBreaking, rule: "schema-not-compared", text: "the schema",
          reason: "the documents combine more than \(most) schemas", old: old.first, new: new.first)
      ]
    }
    return nodes.count - 1
  }

  private func changedNodes() -> Set<Int> {
    var users: [Int: [Int]] = [:]
    for (index, node) in nodes.enumerated() { for edge in node.edges { users[edge.node, default: []].append(index) } }
    var pending = nodes.indices.filter { !nodes[$0].changes.isEmpty }
    var found = Set(pending)
    while let next = pending.popLast() {
      for user in users[next] ?? [] where found.insert(user).inserted { pending.append(user) }
    }
    return found
  }

  /// The changes that a root reaches, each once, with the shortest path to its value.
  func changes(from root: Int) -> [(path: String, node: Int, change: SchemaChange)] {
    guard changed.contains(root) else { return [] }
    var found: [(path: String, node: Int, change: SchemaChange)] = []
    var visited: Set<Int> = [root]
    var queue = [(path: "", node: root)]
    var next = 0
    while next < queue.count {
      let (path, node) = queue[next]
      next += 1
      for change in nodes[node].changes { found.append((path, node, change)) }
      for edge in nodes[node].edges where changed.contains(edge.node) && visited.insert(edge.node).inserted {
        queue.append((Self.path(path, edge.step), edge.node))
      }
    }
    return found
  }

  private static func path(_ path: String, _ step: SchemaComparison.Step) -> String {
    switch step {
    case .property(let name): path.isEmpty ? name : "\(path).\(name)"
    case .others: "\(path)[any]"
    case .item(let index): "\(path)[\(index.map(String.init) ?? "*")]"
    case .branch(let name): "\(path)<\(name)>"
    }
  }
}
