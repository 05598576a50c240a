import MurphySchema

/// Walks schemas as the contract writes them, beside the compiled program: it knows names, not verdicts.
///
/// Every scope is computed once. Belongs to one thread.
final class SchemaNavigator {
  private var sources: DocumentSet
  /// By document: before 3.1 what stands beside a `$ref` is ignored.
  private let ignoresSiblings: [Bool]
  private var scopes: [LocationKey: SchemaScope] = [:]
  private var patterns: [String: ECMAPattern?] = [:]

  init(_ sources: DocumentSet) {
    self.sources = sources
    ignoresSiblings = sources.documents.indices.map { sources.version(of: $0)?.line == .v30 }
  }

  func scope(of schema: Located) -> SchemaScope {
    let key = schema.key
    if let known = scopes[key] { return known }
    var scope = SchemaScope()
    var visited: Set<LocationKey> = []
    collect(schema, into: &scope, &visited, depth: 0)
    scopes[key] = scope
    return scope
  }

  /// What a schema that is nothing but a reference refers to; others are themselves.
  func target(of schema: Located) -> Located {
    guard schema.value.object?.keys == ["$ref"] else { return schema }
    return (try? sources.resolved(schema)) ?? schema
  }

  /// The schemas of several places together.
  func scope(of schemas: [Located]) -> SchemaScope {
    if schemas.count == 1 { return scope(of: schemas[0]) }
    var union = SchemaScope()
    for schema in schemas {
      let scope = scope(of: schema)
      union.parts += scope.parts
      union.choices += scope.choices
      union.isOpaque = union.isOpaque || scope.isOpaque
    }
    return union
  }

  private func collect(_ schema: Located, into scope: inout SchemaScope, _ visited: inout Set<LocationKey>, depth: Int)
  {
    // Nobody nests so deep; what is deeper is left open rather than walked on the stack.
    if depth > 200 { scope.isOpaque = true }
    guard depth <= 200, visited.insert(schema.key).inserted, case .object(let object) = schema.value else { return }
    if let reference = object["$ref"]?.string {
      if let target = try? sources.target(of: reference, from: schema) {
        collect(target, into: &scope, &visited, depth: depth + 1)
      } else {
        scope.isOpaque = true
      }
      if ignoresSiblings[schema.document] { return }
    }
    if object.position(of: "$dynamicRef") != nil || object.position(of: "$recursiveRef") != nil {
      scope.isOpaque = true
    }
    // A discriminator without branches means schemas that name this one in their `allOf`: they may document more.
    if object.position(of: "discriminator") != nil, object.position(of: "oneOf") == nil,
      object.position(of: "anyOf") == nil
    {
      scope.isOpaque = true
    }
    scope.parts.append(schema)
    for branch in schema["allOf"]?.items ?? [] { collect(branch, into: &scope, &visited, depth: depth + 1) }
    for keyword in ["oneOf", "anyOf"] {
      if let branches = schema[keyword]?.items, !branches.isEmpty {
        scope.choices.append(SchemaChoice(keyword: keyword, branches: branches))
      }
    }
    let conditional =
      ["if", "then", "else"].compactMap { schema[$0] } + (schema["dependentSchemas"]?.members ?? []).map(\.located)
    if !conditional.isEmpty { scope.choices.append(SchemaChoice(keyword: "if", branches: conditional)) }
  }

  /// The schemas for the member `name` in `part`.
  func schemas(for name: String, in part: Located) -> [Located] {
    var found: [Located] = []
    if let property = part["properties"]?[name] { found.append(property) }
    for (pattern, schema) in part["patternProperties"]?.members ?? [] where matches(name, pattern) {
      found.append(schema)
    }
    if found.isEmpty, let rest = part["additionalProperties"], case .object = rest.value { found.append(rest) }
    return found
  }

  /// Whether `part` says anything of a member `name`; an open `additionalProperties` does, its absence does not.
  func documents(_ name: String, in part: Located) -> Bool {
    if part["properties"]?.value[name] != nil { return true }
    for rest in ["additionalProperties", "unevaluatedProperties"] {
      if let value = part.value[rest], value != .bool(false) { return true }
    }
    return part["patternProperties"]?.members.contains { matches(name, $0.key) } ?? false
  }

  /// The schemas for the item at `index`.
  func schemas(at index: Int, in part: Located) -> [Located] {
    if let prefix = part["prefixItems"]?.items, index < prefix.count { return [prefix[index]] }
    guard let items = part["items"] else { return [] }
    if case .array = items.value {
      if index < items.items.count { return [items.items[index]] }
      return part["additionalItems"].map { [$0] } ?? []
    }
    return [items]
  }

  private func matches(_ name: String, _ pattern: String) -> Bool {
    if patterns[pattern] == nil { patterns[pattern] = .some(try? ECMAPattern(pattern)) }
    // A pattern that is none, or that gives up, documents everything: no finding comes of it.
    guard let known = patterns[pattern], let compiled = known else { return true }
    return compiled.matches(name) != .no
  }
}

/// All schemas that speak of one place of an instance.
struct SchemaScope {
  /// Those that hold in any case: the schema itself, what it refers to, its `allOf`.
  var parts: [Located] = []
  /// Those that hold for some instances only.
  var choices: [SchemaChoice] = []
  /// Something in it cannot be followed (`$dynamicRef`, a reference to nowhere): it may document anything.
  var isOpaque = false
}

/// Branches of `oneOf` or `anyOf`, or the schemas behind a condition.
struct SchemaChoice {
  let keyword: String
  let branches: [Located]
}
