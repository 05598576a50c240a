import MurphyJSON

/// Counts what the bodies of one media type show of their schema.
///
/// Statuses, media types and headers are counted on every answer. Bodies are sampled: the first 64 of each media
/// type, then every 128th, and after 8,192 every 1,024th, until everything in the catalog was seen.
final class BodyCoverage {
  private static let first = 64
  private static let few = 8_192

  let catalog: CoverageCatalog
  private(set) var counts: [Int]
  private var bodies = 0
  private var unseen: Int

  init(_ catalog: CoverageCatalog) {
    self.catalog = catalog
    counts = [Int](repeating: 0, count: catalog.items.count)
    unseen = catalog.items.count
  }

  /// Whether the next conformant body is to be observed.
  func wantsNext() -> Bool {
    bodies += 1
    return unseen > 0 && (bodies <= Self.first || bodies.isMultiple(of: bodies <= Self.few ? 128 : 1_024))
  }

  func observe(_ body: JSONValue, _ variant: SchemaVariant) { observe(body, 0, variant) }

  private func observe(_ value: JSONValue, _ index: Int, _ variant: SchemaVariant) {
    let node = catalog.nodes[index]
    for known in node.values where known.value == value { count(known.item) }
    switch value {
    case .object(let object):
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

  private func count(_ item: Int) {
    if counts[item] == 0 { unseen -= 1 }
    counts[item] += 1
  }
}
