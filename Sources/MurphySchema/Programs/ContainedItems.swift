/// `contains` with its bounds.
struct ContainedItems: Sendable {
  let node: NodeID
  let minimum: Int
  let maximum: Int?
  /// Draft 2020-12: items that match count as evaluated.
  let evaluates: Bool
}
