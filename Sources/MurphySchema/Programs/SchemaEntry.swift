/// A schema of a program that validation can start from.
public struct SchemaEntry: Sendable, Hashable {
  let node: NodeID
}
