import MurphySchema

/// What the `xml` objects of a property's schemas say (OpenAPI 3.1 §4.8.26).
///
/// Where documents and tools disagree whose name counts, of the property or of what its `$ref` leads to, every
/// candidate is taken.
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
    /// The local name is this one and the namespace another: the contract does not tell whether it is meant.
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

/// Why a schema's words for an XML document are not determined: no value is guessed then.
struct UnmappableXML: Error {
  let reason: String

  init(_ reason: String) { self.reason = reason }
}
