import MurphySchema

/// The keywords of all schemas that apply to one position.
struct SchemaRules {
  let parts: [Located]

  /// The first value of a keyword.
  subscript(keyword: String) -> JSONValue? { parts.lazy.compactMap { $0[keyword]?.value }.first }

  /// The types that all schemas together allow; empty if none states any.
  var types: Set<String> {
    var types: Set<String>?
    for part in parts {
      guard var own = part.types.map(Set.init) else { continue }
      if part["nullable"]?.value == .bool(true) { own.insert("null") }
      types = types.map { $0.intersection(own) } ?? own
    }
    return types ?? []
  }

  /// The values of `enum` or `const`; nil without them.
  var values: [JSONValue]? {
    if let value = self["const"] { return [value] }
    return self["enum"]?.array
  }

  var isReadOnly: Bool { parts.contains { $0["readOnly"]?.value == .bool(true) } }

  var required: Set<String> { Set(parts.flatMap(\.required)) }

  var items: Located? { parts.lazy.compactMap { $0["items"] }.first { $0.value.array == nil } }

  /// True if members that no schema names are rejected.
  var isClosed: Bool {
    parts.contains {
      $0["additionalProperties"]?.value == .bool(false) || $0["unevaluatedProperties"]?.value == .bool(false)
    }
  }

  /// The bounds of a number; `isOutside` is true for an exclusive bound.
  ///
  /// Before 3.1 an exclusive bound is a flag next to the bound.
  var minimum: (value: Double, isOutside: Bool)? { bound("minimum", "exclusiveMinimum") }
  var maximum: (value: Double, isOutside: Bool)? { bound("maximum", "exclusiveMaximum") }

  private func bound(_ plain: String, _ exclusive: String) -> (value: Double, isOutside: Bool)? {
    if let value = self[exclusive]?.double { return (value, true) }
    return self[plain]?.double.map { ($0, self[exclusive] == .bool(true)) }
  }
}
