import MurphySchema

/// Counts the parts of a media type's schema that its bodies exercise.
///
/// Statuses, media types and headers are counted on every response. Bodies are sampled until every item of the catalog
/// was seen: the first 64 of each media type, then every 128th, and after 8,192 every 1,024th. A body counts at most
/// once for each item, and it also counts if another part of it violates the schema.
final class BodyCoverage {
  let catalog: CoverageCatalog
  /// By item: bodies that exercised it.
  private(set) var counts: [Int]
  /// By node: bodies that had an object there.
  private(set) var visits: [Int]
  private var bodies = 0
  /// The last body that was counted, by item and by node.
  private var lastShown: [Int]
  private var lastVisited: [Int]
  private var unseen: Int

  init(_ catalog: CoverageCatalog) {
    self.catalog = catalog
    counts = [Int](repeating: 0, count: catalog.items.count)
    visits = [Int](repeating: 0, count: catalog.nodes.count)
    lastShown = counts
    lastVisited = visits
    unseen = catalog.items.count
  }

  /// Every item of the catalog was seen.
  var isComplete: Bool { unseen == 0 }

  func observe(_ body: JSONValue, _ variant: SchemaVariant) {
    bodies += 1
    observe(body, 0, variant)
  }

  private func observe(_ value: JSONValue, _ index: Int, _ variant: SchemaVariant) {
    let node = catalog.nodes[index]
    for known in node.values where known.value == value { count(known.item) }
    switch value {
    case .object(let object):
      visit(index)
      for member in object.members {
        guard let property = node.properties[member.key] else { continue }
        if let item = property.item { count(item) }
        if let inner = property.node { observe(member.value, inner, variant) }
      }
    case .array(let items):
      if let inner = node.items { for item in items { observe(item, inner, variant) } }
    default: break
    }
    for branch in node.branches {
      guard let entry = variant.branchEntries[branch.index], case .valid = variant.program.isValid(entry, value) else {
        continue
      }
      count(branch.item)
      if let inner = branch.node { observe(value, inner, variant) }
    }
  }

  private func visit(_ node: Int) {
    guard lastVisited[node] != bodies else { return }
    lastVisited[node] = bodies
    visits[node] += 1
  }

  private func count(_ item: Int) {
    guard lastShown[item] != bodies else { return }
    lastShown[item] = bodies
    if counts[item] == 0 { unseen -= 1 }
    counts[item] += 1
  }
}
