/// The number of a schema in its program.
typealias NodeID = Int32

/// One schema, compiled: what must hold of the value it is applied to.
struct SchemaNode: Sendable {
  let location: SchemaLocation
  /// The resource it lies in: entering a node puts that on the dynamic scope.
  let resource: Int32
  /// In an order that lets the cheap ones fail first; unevaluated… last.
  var rules: [SchemaRule]

  /// The schema `false`.
  var isNever: Bool {
    if rules.count == 1, case .never = rules[0].assertion { true } else { false }
  }
}
