extension SchemaRegistry {
  /// Makes the document's root a resource and finds the resources inside.
  mutating func addRoot(of document: Int, uri: URIReference, dialect: Dialect) throws(SchemaError) {
    let value = documents[document].value
    if dialect.isOpenAPI, value["openapi"] != nil {
      var inner = dialect
      if dialect == .openAPI31, let named = value["jsonSchemaDialect"]?.string, let known = Dialect(uri: named) {
        inner = known
      }
      let resource = register(
        SchemaResource(uri: uri, document: document, root: .root, dialect: inner, vocabularies: .standard))
      if Self.hasIdentifiers(value, inner) {
        try discoverInOpenAPI(value, at: .root, document: document, resource: resource)
      }
      return
    }
    let (own, vocabularies) = try terms(of: value, at: location(document, .root), dialect: dialect)
    let resource = register(
      SchemaResource(uri: uri, document: document, root: .root, dialect: own, vocabularies: vocabularies))
    guard Self.hasIdentifiers(value, own) else { return }
    if own.isOpenAPI, Self.isOpenAPIObject(value) {
      try discoverInOpenAPI(value, at: .root, document: document, resource: resource)
    } else {
      try discover(value, at: .root, document: document, resource: resource)
    }
  }

  /// True if a part of the document may be a resource or an anchor. Most documents have none, and this search needs no
  /// pointers.
  private static func hasIdentifiers(_ value: JSONValue, _ dialect: Dialect) -> Bool {
    if dialect == .openAPI30 { return false }
    let names = ["$id", "$anchor", "$dynamicAnchor", "$recursiveAnchor", "id"].prefix(dialect == .draft4 ? 5 : 4)
    return has(names, in: value)
  }

  /// True if an object of the document has one of these members.
  static func has(_ names: some Collection<String>, in value: JSONValue) -> Bool {
    var pending = [value]
    while let value = pending.popLast() {
      switch value {
      case .array(let items): pending += items
      case .object(let object):
        if names.contains(where: { object[$0] != nil }) { return true }
        for member in object.members {
          switch member.value {
          case .array, .object: pending.append(member.value)
          default: break
          }
        }
      default: break
      }
    }
    return false
  }

  /// True for a file with a path item, a response, a parameter or a similar object. It contains schemas at deeper
  /// levels.
  private static func isOpenAPIObject(_ value: JSONValue) -> Bool {
    let fields = ["schema", "content", "responses", "get", "put", "post", "delete", "patch", "components"]
    return value["type"] == nil && value["properties"] == nil && fields.contains { value[$0]?.object != nil }
  }

  /// Finds identifiers in a schema and its subschemas. It looks only where the dialect has subschemas: an `$id` inside
  /// `enum` or an unknown keyword is not an identifier. Iterative; cost linear in the schema.
  mutating func discover(_ value: JSONValue, at pointer: JSONPointer, document: Int, resource: Int) throws(SchemaError)
  {
    var pending = [(value, pointer, resource)]
    while let (value, pointer, outer) = pending.popLast() {
      guard case .object(let object) = value else { continue }
      let resource = try identify(object, value, at: pointer, document: document, resource: outer)
      for child in SubschemaKeywords.children(of: object, dialect: resources[resource].dialect) {
        pending.append((child.value, JSONPointer(tokens: pointer.tokens + child.path), resource))
      }
    }
  }

  private mutating func discoverInOpenAPI(
    _ value: JSONValue, at pointer: JSONPointer, document: Int, resource: Int
  ) throws(SchemaError) {
    var pending = [(value, pointer)]
    while let (value, pointer) = pending.popLast() {
      switch value {
      case .array(let values):
        for (index, child) in values.enumerated() { pending.append((child, pointer.appending(index))) }
      case .object(let object):
        for member in object.members {
          let place = pointer.appending(member.key)
          if member.key == "schema" {
            try discover(member.value, at: place, document: document, resource: resource)
          } else if member.key == "schemas", pointer.tokens == ["components"], case .object(let schemas) = member.value
          {
            for schema in schemas.members {
              try discover(schema.value, at: place.appending(schema.key), document: document, resource: resource)
            }
          } else if member.key != "example" && member.key != "examples" {
            pending.append((member.value, place))
          }
        }
      default: break
      }
    }
  }

  /// Reads the identifiers of one schema object; returns the resource of its contents.
  private mutating func identify(
    _ object: JSONObject, _ value: JSONValue, at pointer: JSONPointer, document: Int, resource outer: Int
  ) throws(SchemaError) -> Int {
    var resource = outer
    let dialect = resources[outer].dialect
    if dialect == .openAPI30 { return outer }
    let hidden = dialect.refHidesSiblings && object["$ref"] != nil
    if !hidden, let id = object[dialect == .draft4 ? "id" : "$id"]?.string {
      let reference = URIReference(id).resolved(against: resources[outer].uri)
      let isAnchorOnly = id.hasPrefix("#") && dialect.generation <= 7
      if !isAnchorOnly {
        var uri = reference
        uri.fragment = nil
        if pointer == resources[outer].root {
          // The root's own name: it is registered under it, and references resolve against it.
          rename(outer, uri)
        } else {
          let (own, vocabularies) = try terms(
            of: value, at: location(document, pointer), dialect: dialect, vocabularies: resources[outer].vocabularies)
          resource = register(
            SchemaResource(uri: uri, document: document, root: pointer, dialect: own, vocabularies: vocabularies))
        }
      }
      if dialect.generation <= 7, let name = reference.fragment, !name.isEmpty, !name.hasPrefix("/") {
        resources[resource].anchors[name] = pointer
      }
    }
    let generation = resources[resource].dialect.generation
    if generation >= 2019, let name = object["$anchor"]?.string { resources[resource].anchors[name] = pointer }
    if generation >= 2020, let name = object["$dynamicAnchor"]?.string {
      resources[resource].anchors[name] = pointer
      resources[resource].dynamicAnchors[name] = pointer
    }
    if generation == 2019, object["$recursiveAnchor"]?.bool == true, pointer == resources[resource].root {
      resources[resource].isRecursive = true
    }
    return resource
  }

  /// Also registers the resource under the URI of its `$id`. The URI of its registration stays valid.
  private mutating func rename(_ index: Int, _ uri: URIReference) {
    resources[index].uri = uri
    alias(uri, index)
  }
}

/// The keywords with subschemas, by dialect.
enum SubschemaKeywords {
  /// The structure of a keyword's value with schemas.
  enum Shape { case one, list, map, oneOrList }

  static func shape(of keyword: String, in dialect: Dialect) -> Shape? {
    let generation = dialect.generation
    if dialect == .openAPI30 {
      switch keyword {
      case "additionalProperties", "items", "not": return .one
      case "allOf", "anyOf", "oneOf": return .list
      case "properties": return .map
      default: return nil
      }
    }
    switch keyword {
    case "additionalProperties", "not": return .one
    case "additionalItems": return generation < 2020 ? .one : nil
    case "items": return generation < 2020 ? .oneOrList : .one
    case "contains", "propertyNames": return generation >= 6 ? .one : nil
    case "if", "then", "else": return generation >= 7 ? .one : nil
    case "unevaluatedItems", "unevaluatedProperties", "contentSchema": return generation >= 2019 ? .one : nil
    case "allOf", "anyOf", "oneOf": return .list
    case "prefixItems": return generation >= 2020 ? .list : nil
    case "properties", "patternProperties", "definitions", "dependencies": return .map
    case "$defs", "dependentSchemas": return generation >= 2019 ? .map : nil
    default: return nil
    }
  }

  /// The subschemas of an object with their relative paths.
  static func children(of object: JSONObject, dialect: Dialect) -> [(path: [String], value: JSONValue)] {
    var children: [(path: [String], value: JSONValue)] = []
    for member in object.members {
      guard let shape = shape(of: member.key, in: dialect) else { continue }
      switch (shape, member.value) {
      case (.one, .object), (.oneOrList, .object): children.append(([member.key], member.value))
      case (.list, .array(let values)), (.oneOrList, .array(let values)):
        for (index, value) in values.enumerated() { children.append(([member.key, String(index)], value)) }
      case (.map, .object(let map)):
        for entry in map.members { children.append(([member.key, entry.key], entry.value)) }
      default: break
      }
    }
    return children
  }
}
