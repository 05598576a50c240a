import MurphyJSON

/// The values of an `enum`.
struct EnumeratedValues: Sendable {
  let values: [JSONValue]
  private let set: Set<JSONValue>

  init(_ values: [JSONValue]) {
    self.values = values
    set = Set(values)
  }

  func contains(_ value: JSONValue) -> Bool { set.contains(value) }
}
