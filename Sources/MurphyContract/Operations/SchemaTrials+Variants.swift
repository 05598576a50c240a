import MurphySchema

extension SchemaTrials {
  /// A value that the schema allows too, for an API that rejects the first one.
  package enum Variant: Sendable {
    /// With an item in each array.
    case filled
    /// As `filled`, with the second value of each enum.
    case other
    /// As `filled`, without the properties that are not required.
    case least
  }

  /// The variant of a value that conforms to the schema.
  package func variant(_ variant: Variant, of schema: SchemaSite, base: JSONValue) -> JSONValue {
    self.variant(variant, [schema.located], base, depth: 0)
  }

  private func variant(_ variant: Variant, _ schemas: [Located], _ base: JSONValue, depth: Int) -> JSONValue {
    guard depth < Self.deepest else { return base }
    let rules = rules(of: schemas)
    if let values = rules.values {
      return variant == .other ? values.first { $0 != base && $0 != .null } ?? base : base
    }
    switch base {
    case .array(let items):
      guard let schema = rules.items, rules["maxItems"]?.int != 0 else { return base }
      let filled = items.isEmpty ? [sample.value(of: schema)].compactMap(\.self) : items
      return .array(filled.map { self.variant(variant, [schema], $0, depth: depth + 1) })
    case .object(let object):
      let properties = Dictionary(rules.parts.properties, uniquingKeysWith: { first, _ in first })
      let required = rules.required
      // A branch of a choice may require more.
      let keepsAll = variant != .least || !navigator.scope(of: schemas).choices.isEmpty
      let kept = object.members.filter { keepsAll || required.contains($0.key) }
      return .object(
        JSONObject(
          kept.map { member in
            (member.key, self.variant(variant, properties[member.key] ?? [], member.value, depth: depth + 1))
          }))
    default: return base
    }
  }
}
