import MurphyJSON

/// Values for an operation out of its own document: examples where there are some, else the schemas' plainest.
package struct ContractSample {
  private var sources: DocumentSet
  /// References may be nested without end; nothing sensible is deeper.
  private static let deepest = 12

  package init(_ contract: Contract) { sources = contract.schemas.sources }

  /// Nil when the document says too little.
  package mutating func value(of parameter: Contract.Parameter) -> JSONValue? {
    guard let schema = parameter.schema?.located else { return nil }
    return example(beside: schema) ?? value(of: schema, depth: 0)
  }

  /// What the document itself says that the parameter may be: an example, a default, a constant, one of its values.
  package static func given(_ parameter: Contract.Parameter, _ contract: Contract) -> JSONValue? {
    var sample = ContractSample(contract)
    guard let schema = parameter.schema?.located else { return nil }
    if let value = sample.example(beside: schema) { return value }
    guard let resolved = try? sample.sources.resolved(schema) else { return nil }
    for keyword in ["example", "default", "const"] {
      if let value = resolved[keyword]?.value { return value }
    }
    return (resolved["examples"]?.items.first ?? resolved["enum"]?.items.first)?.value
  }

  /// Bodies of the operation with their media types, in the document's order; none where it says too little.
  package mutating func bodies(of operation: Contract.Operation) -> [(value: JSONValue, type: String)] {
    guard let body = operation.requestBody else { return [] }
    return zip(body.content, body.mediaTypes).compactMap { media, type in
      guard let schema = media.schema?.located, let value = example(beside: schema) ?? value(of: schema, depth: 0)
      else { return nil }
      return (value, type)
    }
  }

  /// `example` or the first of `examples` in the object that holds the schema.
  private mutating func example(beside schema: Located) -> JSONValue? {
    let holder = JSONPointer(tokens: schema.pointer.tokens.dropLast())
    guard let value = holder.resolve(in: sources.root(schema.document).value) else { return nil }
    let located = Located(document: schema.document, pointer: holder, value: value)
    if let example = located["example"] { return example.value }
    guard let entry = located["examples"]?.members.first?.located, let resolved = try? sources.resolved(entry) else {
      return nil
    }
    return (resolved["value"] ?? resolved["dataValue"])?.value
  }

  /// The plainest value that the schema's keywords name.
  private mutating func value(of schema: Located, depth: Int) -> JSONValue? {
    guard depth < Self.deepest, let schema = try? sources.resolved(schema), case .object = schema.value else {
      return nil
    }
    for keyword in ["example", "default", "const"] {
      if let value = schema[keyword]?.value { return value }
    }
    if let first = schema["examples"]?.items.first ?? schema["enum"]?.items.first { return first.value }
    for keyword in ["oneOf", "anyOf", "allOf"] {
      for branch in schema[keyword]?.items ?? [] {
        if let value = value(of: branch, depth: depth + 1), keyword != "allOf" { return value }
      }
    }
    switch schema["type"]?.value.string ?? schema["type"]?.items.first?.value.string {
    case "integer": return JSONValue(schema["minimum"]?.value.int ?? 1)
    case "number": return JSONValue(schema["minimum"]?.value.int ?? 1)
    case "boolean": return .bool(true)
    case "string": return .string(text(of: schema))
    case "array":
      let least = schema["minItems"]?.value.int ?? 0
      guard least > 0, let items = schema["items"], let item = value(of: items, depth: depth + 1) else {
        return .array([])
      }
      return .array(Array(repeating: item, count: min(least, 100)))
    case "object", nil: return object(of: schema, depth: depth)
    default: return nil
    }
  }

  /// Members of a body that names none as required.
  private static let mostMembers = 12

  /// The required members, those of `allOf` included. A body of which none is required would be empty, and says little
  /// to any API: it has all that a client may write.
  private mutating func object(of schema: Located, depth: Int) -> JSONValue? {
    let parts = ([schema] + (schema["allOf"]?.items ?? [])).compactMap { try? sources.resolved($0) }
    var names = parts.map { part in (part["required"]?.items ?? []).compactMap(\.value.string) }
    if depth == 0, names.allSatisfy(\.isEmpty) {
      names = parts.map { part in (part["properties"]?.members ?? []).prefix(Self.mostMembers).map(\.key) }
    }
    var object = JSONObject()
    for (part, names) in zip(parts, names) {
      for name in names {
        guard let member = part["properties"]?[name],
          (try? sources.resolved(member))?["readOnly"]?.value != .bool(true),
          let value = value(of: member, depth: depth + 1)
        else { continue }
        object[name] = value
      }
    }
    return .object(object)
  }

  private func text(of schema: Located) -> String {
    switch schema["format"]?.value.string {
    case "uuid": return "6f1c2a52-5d3e-4c55-9a35-4b8a8f5f9d10"
    case "date": return "2026-01-31"
    case "date-time": return "2026-01-31T12:00:00Z"
    case "email": return "murphy@example.com"
    case "uri": return "https://example.com/"
    default:
      let least = schema["minLength"]?.value.int ?? 0
      let word = "murphy"
      return least <= word.count ? word : String(repeating: word, count: least / word.count + 1)
    }
  }
}
