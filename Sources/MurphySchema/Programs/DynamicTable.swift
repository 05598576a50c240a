import MurphyJSON

/// Where a dynamic anchor leads, by the resource that defines it.
struct DynamicTable: Sendable {
  /// Nil is `$recursiveAnchor` (2019-09), which has no name.
  let name: String?
  var nodes: [Int32: NodeID] = [:]

  func anchor(in resource: SchemaResource) -> JSONPointer? {
    if let name { resource.dynamicAnchors[name] } else { resource.isRecursive ? resource.root : nil }
  }

  mutating func forget(from node: NodeID) { nodes = nodes.filter { $0.value < node } }
}
