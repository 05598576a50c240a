import MurphyJSON

/// A registered document.
struct SchemaDocument {
  let uri: String
  let value: JSONValue
  /// Resource roots inside the document, by the pointer's text.
  var resources: [String: Int] = [:]
}
