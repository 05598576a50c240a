import MurphyJSON

/// The documents that schemas live in, by URI, with every `$id`, `id`, `$anchor` and `$dynamicAnchor` in them.
///
/// The registry never touches the network: a document that was not added is asked of the loader. The metaschemas of
/// all dialects are known from the start. Not Sendable; programs compiled from it are.
public final class SchemaRegistry {
  /// Gives the document at an absolute URI (without fragment), nil where there is none.
  public typealias Loader = (_ uri: String) throws -> JSONValue?

  private let loader: Loader
  var documents: [SchemaDocument] = []
  var resources: [SchemaResource] = []
  private var byURI: [String: Int] = [:]

  public init(loader: @escaping Loader = { _ in nil }) { self.loader = loader }

  /// Registers a document. An OpenAPI document is registered whole: what stands under `schema` and `schemas` is
  /// searched for identifiers. Adding a URI again changes nothing.
  /// - Parameters:
  ///   - uri: absolute, or any name that references may resolve against.
  ///   - dialect: holds where the document has no `$schema`.
  /// - Throws: for a `$schema` or a required vocabulary that is not known.
  public func add(_ document: JSONValue, uri: String, dialect: Dialect) throws(SchemaError) {
    let reference = URIReference(uri)
    guard byURI[Self.key(reference)] == nil else { return }
    let index = documents.count
    documents.append(SchemaDocument(uri: reference.textWithoutFragment, value: document))
    try addRoot(of: index, uri: reference, dialect: dialect)
  }

  /// The index of the resource with this URI, loading its document where need be.
  func resource(_ uri: URIReference, from dialect: Dialect) throws -> Int? {
    let key = Self.key(uri)
    if let index = byURI[key] { return index }
    if let metaschema = Metaschema.text(key) {
      try add(try JSONValue.parse(metaschema), uri: key, dialect: .draft202012)
    } else if let document = try loader(key) {
      try add(document, uri: key, dialect: dialect)
    }
    return byURI[key]
  }

  /// Makes a resource findable. The first one under a URI stays.
  func register(_ resource: SchemaResource) -> Int {
    let index = resources.count
    resources.append(resource)
    documents[resource.document].resources[resource.root.description] = index
    let key = Self.key(resource.uri)
    if byURI[key] == nil { byURI[key] = index }
    return index
  }

  func alias(_ uri: URIReference, _ resource: Int) {
    let key = Self.key(uri)
    if byURI[key] == nil { byURI[key] = resource }
  }

  private static func key(_ uri: URIReference) -> String { uri.textWithoutFragment }

  func location(_ document: Int, _ pointer: JSONPointer) -> SchemaLocation {
    SchemaLocation(document: documents[document].uri, pointer: pointer)
  }
}
