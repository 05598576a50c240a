import MurphyJSON

extension SchemaRegistry {
  /// The dialect and vocabularies that a resource root's `$schema` asks for; without one those given.
  ///
  /// A metaschema of somebody's own is loaded and its `$vocabulary` read; its own `$schema` tells the draft.
  func terms(
    of value: JSONValue, at location: SchemaLocation, dialect: Dialect, vocabularies: Vocabularies = .standard
  ) throws(SchemaError) -> (Dialect, Vocabularies) {
    guard dialect != .openAPI30, let uri = value["$schema"]?.string else { return (dialect, vocabularies) }
    return try terms(named: uri, at: location.appending("$schema"), seen: [])
  }

  private func terms(
    named uri: String, at location: SchemaLocation, seen: Set<String>
  ) throws(SchemaError) -> (Dialect, Vocabularies) {
    if let known = Dialect(uri: uri) { return (known, .standard) }
    let key = URIReference(uri).textWithoutFragment
    guard !seen.contains(key), let metaschema = try metaschema(key, at: location) else {
      throw SchemaError(
        kind: .unknownDialect, location: location,
        message: "the dialect \"\(uri)\" is not known; drafts 4, 6, 7, 2019-09 and 2020-12 are")
    }
    var dialect = Dialect.draft202012
    if let own = metaschema["$schema"]?.string {
      dialect = try terms(named: own, at: location, seen: seen.union([key])).0
    }
    guard case .object(let listed)? = metaschema["$vocabulary"] else { return (dialect, .standard) }
    var vocabularies: Vocabularies = []
    for (name, required) in listed {
      if let known = Vocabularies.named(name, required: required.bool ?? true) {
        vocabularies.formUnion(known)
      } else if required.bool != false {
        throw SchemaError(
          kind: .unknownDialect, location: location, message: "the vocabulary \"\(name)\" is required and not known")
      }
    }
    return (dialect, vocabularies)
  }

  private func metaschema(_ uri: String, at location: SchemaLocation) throws(SchemaError) -> JSONValue? {
    do {
      // A document that is its own metaschema is not registered yet: the loader's copy will do.
      guard let index = try resource(URIReference(uri), from: .draft202012) else { return nil }
      let resource = resources[index]
      return resource.root.resolve(in: documents[resource.document].value)
    } catch let error as SchemaError {
      throw error
    } catch {
      throw SchemaError(kind: .unreadable, location: location, message: "\"\(uri)\" could not be read: \(error)")
    }
  }
}
