import MurphyJSON

extension SchemaRegistry {
  /// The schema that a reference leads to, seen from a resource.
  /// - Throws: naming the reference's own location when it leads nowhere.
  func resolve(
    _ reference: String, from base: Int, at location: SchemaLocation
  ) throws(SchemaError) -> SchemaPlace {
    let uri = URIReference(reference).resolved(against: resources[base].uri)
    func unresolved(_ reason: String) -> SchemaError {
      SchemaError(
        kind: .unresolvedReference, location: location, message: "\"\(reference)\" cannot be resolved: \(reason)")
    }
    let found: Int?
    do {
      let isLocal = uri.textWithoutFragment == resources[base].uri.textWithoutFragment
      found = isLocal ? base : try resource(uri, from: resources[base].dialect)
    } catch let error as SchemaError {
      throw error
    } catch {
      throw unresolved("\(uri.textWithoutFragment) could not be read: \(error)")
    }
    guard let found else { throw unresolved("there is no document \(uri.textWithoutFragment)") }
    let resource = resources[found]
    let fragment = URIReference.percentDecoded(uri.fragment ?? "")
    let isWhole = fragment.isEmpty || fragment == "/" && documents[resource.document].value[""] == nil
    if isWhole { return try place(resource.document, resource.root, unresolved) }
    if fragment.utf8.first == 0x2F {
      guard let pointer = JSONPointer(fragment) else { throw unresolved("\"\(fragment)\" is no JSON Pointer") }
      let whole = JSONPointer(tokens: resource.root.tokens + pointer.tokens)
      return try place(resource.document, whole, unresolved)
    }
    guard let anchored = resource.anchors[fragment] else {
      throw unresolved("\(resource.uri.textWithoutFragment) has no anchor \"\(fragment)\"")
    }
    return try place(resource.document, anchored, unresolved)
  }

  /// The schema at a pointer, in the innermost resource around it.
  func place(
    _ document: Int, _ pointer: JSONPointer, _ unresolved: (String) -> SchemaError
  ) throws(SchemaError) -> SchemaPlace {
    var value = documents[document].value
    var resource = documents[document].resources[""] ?? 0
    var path = JSONPointer.root
    for token in pointer.tokens {
      guard let next = JSONPointer.step(value, token) else {
        throw unresolved("\(documents[document].uri)#\(path) has no member \"\(token)\"")
      }
      value = next
      path.tokens.append(token)
      if let inner = documents[document].resources[path.description] { resource = inner }
    }
    return SchemaPlace(document: document, pointer: pointer, resource: resource, value: value)
  }
}
