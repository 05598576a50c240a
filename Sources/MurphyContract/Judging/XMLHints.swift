import MurphySchema

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
      case let type?: throw UnmappableXML("nodeType \(type) is not mapped")
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
