import MurphySchema

/// Converts a header to a JSON value by its schema's types (style `simple`).
package enum HeaderShape: Sendable {
  case text
  case scalar(Scalars)
  /// Comma-separated, over all lines of that name.
  case array(items: Scalars)
  /// `a,1,b,2`, or `a=1,b=2` if exploded. Types by member name; `others` applies to unlisted names.
  case object(members: [String: Scalars], others: Scalars, explode: Bool)
  /// A `content` header of a JSON media type.
  case json

  /// The types that a text may represent.
  package struct Scalars: OptionSet, Sendable, Hashable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let string = Scalars(rawValue: 1)
    package static let number = Scalars(rawValue: 2)
    package static let boolean = Scalars(rawValue: 4)
    package static let null = Scalars(rawValue: 8)
  }

  /// Finds the types of a schema, through `$ref`, `allOf`, `oneOf` and `anyOf`.
  package init(_ schema: Located, in sources: inout DocumentSet, explode: Bool) {
    var types = SchemaTypes()
    types.collect(schema, in: &sources, depth: 0)
    if types.names.contains("array") {
      var items = SchemaTypes()
      for schema in types.items { items.collect(schema, in: &sources, depth: 0) }
      self = .array(items: items.scalars)
    } else if types.names.contains("object") {
      var members: [String: Scalars] = [:]
      for (name, schema) in types.members {
        var member = SchemaTypes()
        member.collect(schema, in: &sources, depth: 0)
        members[name] = member.scalars
      }
      self = .object(members: members, others: [.string], explode: explode)
    } else {
      self = types.scalars == [.string] ? .text : .scalar(types.scalars)
    }
  }
}

/// The types that a schema names.
private struct SchemaTypes {
  var names: Set<String> = []
  var items: [Located] = []
  var members: [(String, Located)] = []

  /// Without a type: a string, because every header is text.
  var scalars: HeaderShape.Scalars {
    var scalars: HeaderShape.Scalars = []
    if names.contains("integer") || names.contains("number") { scalars.insert(.number) }
    if names.contains("boolean") { scalars.insert(.boolean) }
    if names.contains("null") { scalars.insert(.null) }
    if names.contains("string") || scalars.isEmpty { scalars.insert(.string) }
    return scalars
  }

  mutating func collect(_ schema: Located, in sources: inout DocumentSet, depth: Int) {
    guard depth < 8, let schema = try? sources.resolved(schema) else { return }
    let values = (schema["enum"]?.value.array ?? []) + (schema["const"].map { [$0.value] } ?? [])
    names.formUnion(schema.types ?? values.map(\.typeName))
    if schema["nullable"]?.value.bool == true { names.insert("null") }
    if let item = schema["items"] { items.append(item) }
    members += (schema["properties"]?.members ?? []).map { ($0.key, $0.located) }
    for keyword in ["allOf", "oneOf", "anyOf"] {
      for branch in schema[keyword]?.items ?? [] { collect(branch, in: &sources, depth: depth + 1) }
    }
  }
}
