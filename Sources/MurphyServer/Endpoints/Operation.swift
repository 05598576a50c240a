/// An operation of a reference API, named as in its contract: `extension Operation { static let getLaw = … }` stands in
/// the folder of its system.
package struct Operation: Hashable, Sendable {
  /// The `operationId`.
  package let name: String
  /// The limit that its requests are counted on; nil for none.
  package let limit: ReferenceLimit?

  init(_ name: String, limit: ReferenceLimit?) {
    self.name = name
    self.limit = limit
  }

  /// Of two systems, operations of one name are never served side by side.
  package static func == (a: Operation, b: Operation) -> Bool { a.name == b.name }

  package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
