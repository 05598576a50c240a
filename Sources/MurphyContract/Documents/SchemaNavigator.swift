import MurphyModel
import MurphySchema

/// Walks the contract's source schemas, independently of the compiled program. It finds names and does not validate.
///
/// Every scope and every shape is computed once. Used by one thread only.
final class SchemaNavigator {
  private var sources: DocumentSet
  /// By document: true before 3.1, where the keywords next to a `$ref` are ignored.
  private let ignoresSiblings: [Bool]
  private var scopes: [LocationKey: SchemaScope] = [:]
  private var scalars: [LocationKey: ScalarShape] = [:]
  private var objects: [LocationKey: ObjectShape?] = [:]
  private var patterns: [String: ECMAPattern?] = [:]
  /// The targets of references, by document and reference.
  private var targets: [Int: [String: Located]] = [:]

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

  func scalar(_ schema: Located) -> ScalarShape {
    let key = schema.key
    if let known = scalars[key] { return known }
    let shape = ScalarShape(schema, self)
    scalars[key] = shape
    return shape
  }

  /// Nil if the schema does not describe an object.
  func object(_ schema: Located) -> ObjectShape? {
    let target = target(of: schema)
    let key = target.key
    if let known = objects[key] { return known }
    let shape = ObjectShape([target], self)
    objects[key] = .some(shape)
    return shape
  }

  /// The target of a schema that is only a reference; otherwise the schema itself.
  func target(of schema: Located) -> Located {
    var target = schema
    // A circular chain ends.
    for _ in 0..<Self.longestChain where target.value.object?.members.count == 1 {
      guard let reference = target.value["$ref"]?.string, let next = self.target(of: reference, from: target) else {
        break
      }
      target = next
    }
    return target
  }

  private static let longestChain = 20

  /// Nil if the reference cannot be followed.
  private func target(of reference: String, from schema: Located) -> Located? {
    if let known = targets[schema.document]?[reference] { return known }
    let target = try? sources.target(of: reference, from: schema)
    targets[schema.document, default: [:]][reference] = target
    return target
  }

  /// The combined schemas of several positions.
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
    // No real schema is nested this deep. Deeper levels are not followed, so that the walk does not overflow the stack.
    if depth > 200 { scope.isOpaque = true }
    guard depth <= 200, visited.insert(schema.key).inserted, case .object(let object) = schema.value else { return }
    if let reference = object["$ref"]?.string {
      if let target = target(of: reference, from: schema) {
        collect(target, into: &scope, &visited, depth: depth + 1)
      } else {
        scope.isOpaque = true
      }
      if ignoresSiblings[schema.document] { return }
    }
    if object.position(of: "$dynamicRef") != nil || object.position(of: "$recursiveRef") != nil {
      scope.isOpaque = true
    }
    // A discriminator without branches refers to schemas that name this one in their `allOf`. They may document more.
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

  /// True if `part` documents a member `name`. An open `additionalProperties` does, a missing one does not.
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
    // A pattern that is invalid or exceeds its limit documents everything, so that it causes no finding.
    guard let known = patterns[pattern], let compiled = known else { return true }
    return compiled.matches(name) != .no
  }
}

/// All schemas that apply to one position of an instance.
struct SchemaScope {
  /// The schemas that always apply: the schema itself, the targets of its references, its `allOf`.
  var parts: [Located] = []
  /// The schemas that apply to some instances only.
  var choices: [SchemaChoice] = []
  /// A part cannot be followed (`$dynamicRef`, an unresolved reference), so it may document anything.
  var isOpaque = false
}

/// Branches of `oneOf` or `anyOf`, or the schemas of a condition.
struct SchemaChoice {
  let keyword: String
  let branches: [Located]
}

/// A value of a document and its position.
package struct Located: Sendable {
  /// Index into the ``DocumentSet``.
  package let document: Int
  /// The path within the document.
  package let pointer: JSONPointer
  package let value: JSONValue

  /// The member of an object, with its position.
  package subscript(key: String) -> Located? {
    value[key].map { Located(document: document, pointer: pointer.appending(key), value: $0) }
  }

  /// The members of an object, in order; empty for other values.
  package var members: [(key: String, located: Located)] {
    guard case .object(let object) = value else { return [] }
    return object.members.map { ($0.key, member($0)) }
  }

  /// One member of an object.
  func member(_ member: JSONObject.Member) -> Located {
    Located(document: document, pointer: pointer.appending(member.key), value: member.value)
  }

  /// The items of an array, in order; empty for other values.
  package var items: [Located] {
    guard case .array(let items) = value else { return [] }
    return items.enumerated().map {
      Located(document: document, pointer: pointer.appending($0.offset), value: $0.element)
    }
  }

  /// For tables; two places with equal keys are the same.
  package var key: LocationKey { LocationKey(document: document, pointer: pointer) }
}

/// The keywords of a schema itself, without the schemas that it refers to.
extension Located {
  /// The names under `type`, one or a list of them; nil without `type`.
  var types: [String]? {
    guard let type = value["type"] else { return nil }
    return type.string.map { [$0] } ?? type.array?.compactMap(\.string)
  }

  var required: [String] { value["required"]?.array?.compactMap(\.string) ?? [] }
}

extension [Located] {
  /// The members that schemas of one value name, each once with all its schemas, in the order of first occurrence.
  var properties: [(name: String, schemas: [Located])] {
    var order: [String] = []
    var schemas: [String: [Located]] = [:]
    for (name, schema) in flatMap({ $0["properties"]?.members ?? [] }) {
      if schemas[name] == nil { order.append(name) }
      schemas[name, default: []].append(schema)
    }
    return order.map { ($0, schemas[$0] ?? []) }
  }
}

/// A place in the documents, for tables.
package struct LocationKey: Sendable, Hashable {
  /// The number of the document in its set.
  package let document: Int
  /// The path within the document.
  package let pointer: JSONPointer

  /// By bytes: `==` of `String` compares more slowly, because it also finds canonically equivalent strings.
  package static func == (left: LocationKey, right: LocationKey) -> Bool {
    let (tokens, others) = (left.pointer.tokens, right.pointer.tokens)
    guard left.document == right.document, tokens.count == others.count else { return false }
    // Most different places differ at their ends.
    for index in tokens.indices.reversed() where JSONKey(tokens[index]) != JSONKey(others[index]) { return false }
    return true
  }

  /// By a few words of the path, which differ between most places.
  package func hash(into hasher: inout Hasher) {
    var hash = FNV1a()
    let tokens = pointer.tokens
    hash.add(UInt64(tokens.count))
    func add(_ index: Int) {
      tokens[index].utf8Span.span.withUnsafeBytes { for byte in $0 { hash.add(UInt64(byte)) } }
    }
    if tokens.count > 3 { add(1) }
    if tokens.count > 2 { add(2) }
    if tokens.count > 5 { add(tokens.count - 3) }
    if !tokens.isEmpty, tokens.count != 3 { add(tokens.count - 1) }
    hasher.combine(hash.value &+ UInt64(document))
  }
}
