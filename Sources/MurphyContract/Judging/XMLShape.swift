import MurphySchema

/// The kind of value of an element, from all schemas that apply to it.
struct XMLShape {
  enum ValueType {
    case object, array, string, number, boolean
    /// The schemas have no requirements.
    case anything
  }

  let kind: ValueType
  let isNullable: Bool

  /// Keywords on names and counts of members. They cannot be checked for an element without a schema for each member.
  private static let blocking = [
    "not", "patternProperties", "propertyNames", "unevaluatedProperties", "unevaluatedItems", "dependentRequired",
    "dependencies", "minProperties", "maxProperties", "prefixItems", "additionalItems", "contains", "contentSchema",
  ]
  private static let annotations: Set<String> = [
    "title", "description", "example", "examples", "xml", "deprecated", "default", "readOnly", "writeOnly", "nullable",
    "externalDocs", "$ref", "allOf", "$comment", "$id", "$anchor", "$defs",
  ]

  init(_ scope: SchemaScope) throws(UnmappableXML) {
    if scope.isOpaque { throw UnmappableXML("a reference or discriminator of the schema cannot be mapped to XML") }
    if let choice = scope.choices.first {
      throw UnmappableXML("the schema's \(choice.keyword) cannot be mapped to XML")
    }
    var types: Set<String> = []
    for part in scope.parts {
      for keyword in Self.blocking where part[keyword] != nil {
        throw UnmappableXML("the schema's \(keyword) cannot be mapped to XML")
      }
      types.formUnion(part.types ?? [])
    }
    if types.isEmpty {
      for part in scope.parts {
        types.formUnion(((part["enum"]?.value.array ?? []) + (part["const"].map { [$0.value] } ?? [])).map(\.typeName))
        if part["properties"] != nil { types.insert("object") }
        if part["items"] != nil { types.insert("array") }
      }
    }
    isNullable =
      types.remove("null") != nil || scope.parts.contains { $0["nullable"]?.value.bool == true }
    if types.remove("integer") != nil { types.insert("number") }
    switch types {
    case ["object"]: kind = .object
    case ["array"]: kind = .array
    case ["string"]: kind = .string
    case ["number"]: kind = .number
    case ["boolean"]: kind = .boolean
    case []:
      let keys = scope.parts.flatMap { $0.members.map(\.key) }
      guard keys.allSatisfy({ Self.annotations.contains($0) || $0.hasPrefix("x-") }) else {
        throw UnmappableXML("a schema without a type cannot be mapped to XML")
      }
      kind = .anything
    default: throw UnmappableXML("a schema of several types cannot be mapped to XML")
    }
  }
}

/// Converts the text of an element or attribute to a JSON value (XML Schema 1.0 part 2 §3.2).
enum XMLScalar {
  /// Text that is not a value of the kind stays a string, which the schema then rejects.
  static func value(_ raw: String, trimmed: String, _ shape: XMLShape) throws(UnmappableXML) -> JSONValue {
    switch shape.kind {
    case .object, .array: throw UnmappableXML("an object or array in an attribute cannot be mapped to XML")
    // For indented text the line breaks are not part of the value.
    case .anything, .string: return .string(raw.contains("\n") ? trimmed : raw)
    case .number: return trimmed.isEmpty && shape.isNullable ? .null : try number(trimmed)
    case .boolean:
      switch trimmed {
      case "true", "1": return .bool(true)
      case "false", "0": return .bool(false)
      case "" where shape.isNullable: return .null
      default: return .string(trimmed)
      }
    }
  }

  /// Accepts XML's numbers that JSON does not have: `+1`, `007`, `.5`, `5.`.
  private static func number(_ text: String) throws(UnmappableXML) -> JSONValue {
    if ["NaN", "INF", "-INF", "+INF"].contains(text) {
      throw UnmappableXML("\(text) is a number in XML, but not in JSON")
    }
    return YAMLScalar.decimal(text).flatMap(JSONNumber.init(text:)).map(JSONValue.number) ?? .string(text)
  }
}

/// The `xml` objects of a property's schemas (OpenAPI 3.1 §4.8.26).
///
/// Documents and tools disagree on the name that applies: the property's or that of its `$ref` target. Every candidate
/// is accepted.
struct XMLHints {
  private(set) var names: [String] = []
  private(set) var namespaces: Set<String> = []
  private(set) var prefixes: Set<String> = []
  private(set) var isAttribute = false
  private(set) var isWrapped = false

  init(_ schemas: [Located], parts: [Located], name: String?, isArray: Bool = false) throws(UnmappableXML) {
    let own = schemas.compactMap { $0["xml"] }
    let all = own + parts.compactMap { $0["xml"] }
    let given = own.compactMap { $0["name"]?.value.string }
    if given.count == 1, schemas.allSatisfy({ $0["$ref"] == nil }) {
      names = given
    } else {
      for candidate in all.compactMap({ $0["name"]?.value.string }) + (name.map { [$0] } ?? [])
      where !names.contains(candidate) { names.append(candidate) }
    }
    for xml in all {
      if let namespace = xml["namespace"]?.value.string { namespaces.insert(namespace) }
      if let prefix = xml["prefix"]?.value.string { prefixes.insert(prefix) }
      if xml["attribute"]?.value.bool == true { isAttribute = true }
      if xml["wrapped"]?.value.bool == true { isWrapped = true }
      switch xml["nodeType"]?.value.string {
      case nil: break
      case "attribute" where !isArray: isAttribute = true
      case "element" where !isArray: break
      case let type?: throw UnmappableXML("nodeType \(type) cannot be mapped to XML")
      }
    }
  }

  enum Match {
    case yes, no
    /// The local name matches and the namespace differs, so it is unclear whether this element is the documented one.
    case doubtful
  }

  func match(_ element: XMLElement, under parent: XMLElement) -> Match {
    if names.contains(where: { $0.contains(":") && $0 == element.qualifiedName }) { return .yes }
    guard names.contains(element.name) else { return .no }
    if !namespaces.isEmpty { return element.namespace.map(namespaces.contains) ?? false ? .yes : .doubtful }
    if element.namespace == nil || element.namespace == parent.namespace { return .yes }
    return element.prefix.map(prefixes.contains) ?? false ? .yes : .doubtful
  }

  func match(_ attribute: XMLElement.Attribute) -> Bool {
    let qualified = attribute.prefix.map { "\($0):\(attribute.name)" } ?? attribute.name
    if names.contains(qualified) { return true }
    guard names.contains(attribute.name), let namespace = attribute.namespace else { return false }
    return namespaces.contains(namespace) || attribute.prefix.map(prefixes.contains) ?? false
  }
}

/// The reason why the mapping of a schema to XML is not determined. Then no value is guessed.
struct UnmappableXML: Error {
  let reason: String

  init(_ reason: String) { self.reason = reason }
}
