/// Finds what schemas reach: every branch of `oneOf`, `anyOf` and conditions.
struct SchemaSurvey {
  private let navigator: SchemaNavigator

  init(_ sources: DocumentSet) { navigator = SchemaNavigator(sources) }

  /// The branches of all choices that `schemas` reach, each once, in the order of first sight.
  func branches(from schemas: [Located]) -> [Located] {
    var branches: [Located] = []
    var visited: Set<LocationKey> = []
    var pending = Array(schemas.reversed())
    while let schema = pending.popLast() {
      guard visited.insert(schema.key).inserted else { continue }
      let scope = navigator.scope(of: schema)
      for choice in scope.choices {
        branches += choice.branches.filter { !visited.contains($0.key) }
        pending += choice.branches
      }
      for part in scope.parts { pending += Self.children(of: part) }
    }
    return branches
  }

  /// The schemas of members and items.
  static func children(of part: Located) -> [Located] {
    var children: [Located] = []
    for keyword in ["properties", "patternProperties"] { children += (part[keyword]?.members ?? []).map(\.located) }
    for keyword in [
      "items", "additionalItems", "additionalProperties", "unevaluatedProperties", "unevaluatedItems", "contains",
    ] {
      guard let child = part[keyword] else { continue }
      children += child.value.array == nil ? [child] : child.items
    }
    return children + (part["prefixItems"]?.items ?? [])
  }
}
