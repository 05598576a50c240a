/// The documents with schemas, by URI, and all their `$id`, `id`, `$anchor` and `$dynamicAnchor`.
///
/// The registry never uses the network: it requests unknown documents from the loader. The metaschemas of all dialects
/// are built in. A copy shares the documents that were already searched for identifiers.
package struct SchemaRegistry: Sendable {
  /// Returns the document at an absolute URI (without fragment), nil if there is none.
  package typealias Loader = @Sendable (_ uri: String) throws -> JSONValue?

  private let loader: Loader
  var documents: [SchemaDocument] = []
  var resources: [SchemaResource] = []
  private var byURI: [String: Int] = [:]
  /// True if a schema of an OpenAPI document may be for one direction only: it names `readOnly` or `writeOnly`.
  package private(set) var hasDirections = false

  /// An empty registry; `loader` provides documents that references lead to.
  package init(loader: @escaping Loader = { _ in nil }) { self.loader = loader }

  /// Registers a document. An OpenAPI document is registered as a whole: values under `schema` and `schemas` are
  /// searched for identifiers. Adding the same URI again has no effect.
  /// - Parameters:
  ///   - document: a schema, or a document that contains some.
  ///   - uri: absolute, or any name that references can be resolved against.
  ///   - dialect: applies if the document has no `$schema`.
  /// - Throws: for an unknown `$schema` or an unknown required vocabulary.
  package mutating func add(_ document: JSONValue, uri: String, dialect: Dialect) throws(SchemaError) {
    let reference = URIReference(uri)
    guard byURI[Self.key(reference)] == nil else { return }
    let index = documents.count
    documents.append(SchemaDocument(uri: reference.textWithoutFragment, value: document))
    if dialect.isOpenAPI, !hasDirections { hasDirections = Self.has(["readOnly", "writeOnly"], in: document) }
    try addRoot(of: index, uri: reference, dialect: dialect)
  }

  /// The index of the resource with this URI. Loads its document if necessary.
  mutating func resource(_ uri: URIReference, from dialect: Dialect) throws -> Int? {
    let key = Self.key(uri)
    if let index = byURI[key] { return index }
    if let metaschema = Metaschema.text(key) {
      try add(try JSONValue.parse(metaschema), uri: key, dialect: .draft202012)
    } else if let document = try loader(key) {
      try add(document, uri: key, dialect: dialect)
    }
    return byURI[key]
  }

  /// Registers a resource. If a URI is already in use, its first resource stays.
  mutating func register(_ resource: SchemaResource) -> Int {
    let index = resources.count
    resources.append(resource)
    documents[resource.document].resources[resource.root] = index
    alias(resource.uri, index)
    return index
  }

  mutating func alias(_ uri: URIReference, _ resource: Int) {
    let key = Self.key(uri)
    if byURI[key] == nil { byURI[key] = resource }
  }

  private static func key(_ uri: URIReference) -> String { uri.textWithoutFragment }

  func location(_ document: Int, _ pointer: JSONPointer) -> SchemaLocation {
    SchemaLocation(document: documents[document].uri, pointer: pointer)
  }
}

struct SchemaDocument {
  let uri: String
  let value: JSONValue
  /// Resource roots inside the document.
  var resources: [JSONPointer: Int] = [:]

  /// The resource whose root is at the pointer. Most documents have one resource, and no search.
  func resource(at pointer: JSONPointer) -> Int? { resources.count > 1 ? resources[pointer] : nil }
}

extension SchemaRegistry {
  /// The dialect and vocabularies by a resource root's `$schema`; without one the given ones.
  ///
  /// A custom metaschema is loaded and its `$vocabulary` read. Its own `$schema` determines the draft.
  mutating func terms(
    of value: JSONValue, at location: SchemaLocation, dialect: Dialect, vocabularies: Vocabularies = .standard
  ) throws(SchemaError) -> (Dialect, Vocabularies) {
    guard dialect != .openAPI30, let uri = value["$schema"]?.string else { return (dialect, vocabularies) }
    return try terms(named: uri, at: location.appending("$schema"), seen: [])
  }

  private mutating func terms(
    named uri: String, at location: SchemaLocation, seen: Set<String>
  ) throws(SchemaError) -> (Dialect, Vocabularies) {
    if let known = Dialect(uri: uri) { return (known, .standard) }
    let key = URIReference(uri).textWithoutFragment
    guard !seen.contains(key), let metaschema = try metaschema(key, at: location) else {
      throw SchemaError(
        kind: .unknownDialect, location: location,
        message: "the dialect \"\(uri)\" is not supported; the supported drafts are 4, 6, 7, 2019-09 and 2020-12")
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
          kind: .unknownDialect, location: location, message: "the vocabulary \"\(name)\" is required but not supported"
        )
      }
    }
    return (dialect, vocabularies)
  }

  private mutating func metaschema(_ uri: String, at location: SchemaLocation) throws(SchemaError) -> JSONValue? {
    do {
      // A document that is its own metaschema is not registered yet, so the loader's copy is used.
      guard let index = try resource(URIReference(uri), from: .draft202012) else { return nil }
      let resource = resources[index]
      return resource.root.resolve(in: documents[resource.document].value)
    } catch let error as SchemaError {
      throw error
    } catch {
      throw SchemaError(kind: .unreadable, location: location, message: "\"\(uri)\" could not be read: \(error)")
    }
  }

  /// The target of a reference, resolved from a resource.
  /// - Throws: with the reference's own location if it cannot be resolved.
  mutating func resolve(
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
    guard let found else { throw unresolved("the document \(uri.textWithoutFragment) does not exist") }
    let resource = resources[found]
    let fragment = URIReference.percentDecoded(uri.fragment ?? "")
    let isWhole = fragment.isEmpty || fragment == "/" && documents[resource.document].value[""] == nil
    if isWhole { return try place(resource.document, resource.root, unresolved) }
    if fragment.utf8.first == 0x2F {
      guard let pointer = JSONPointer(fragment) else { throw unresolved("\"\(fragment)\" is not a JSON Pointer") }
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
    var resource = documents[document].resources[.root] ?? 0
    var path = JSONPointer.root
    for token in pointer.tokens {
      guard let next = JSONPointer.step(value, token) else {
        throw unresolved("\(documents[document].uri)#\(path) has no property \"\(token)\"")
      }
      value = next
      path.tokens.append(token)
      if let inner = documents[document].resource(at: path) { resource = inner }
    }
    return SchemaPlace(document: document, pointer: pointer, resource: resource, value: value)
  }
}

/// A schema resource: the part of a document under one base URI and one dialect (2020-12 core §4.3.5).
struct SchemaResource {
  var uri: URIReference
  let document: Int
  let root: JSONPointer
  let dialect: Dialect
  let vocabularies: Vocabularies
  /// Plain-name anchors and their positions in the document.
  var anchors: [String: JSONPointer] = [:]
  /// The anchors that are part of the dynamic scope.
  var dynamicAnchors: [String: JSONPointer] = [:]
  /// 2019-09's `$recursiveAnchor: true` at the root.
  var isRecursive = false
}

/// A schema inside the registry: its value, and the resource that defines its base URI and dialect.
struct SchemaPlace {
  let document: Int
  let pointer: JSONPointer
  let resource: Int
  let value: JSONValue
}
