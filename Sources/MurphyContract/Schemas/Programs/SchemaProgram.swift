/// Compiled schemas: flat, immutable, shared by all threads.
public final class SchemaProgram: Sendable {
  let nodes: [SchemaNode]
  let dynamicTables: [DynamicTable]
  /// The same for documents on the tape.
  let tapeProgram: TapeProgram
  /// Some schema asks which properties or items others have looked at.
  let tracksEvaluated: Bool

  init(nodes: [SchemaNode], dynamicTables: [DynamicTable]) {
    self.nodes = nodes
    self.dynamicTables = dynamicTables
    tapeProgram = TapeLowering.lower(nodes, dynamicTables)
    tracksEvaluated = nodes.contains { node in
      node.rules.contains {
        switch $0.assertion {
        case .unevaluatedItems, .unevaluatedProperties, .undocumentedProperties: true
        default: false
        }
      }
    }
  }

  /// Where a schema stands.
  public func location(of entry: SchemaEntry) -> SchemaLocation { nodes[Int(entry.node)].location }
}
