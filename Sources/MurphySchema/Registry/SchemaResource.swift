import MurphyJSON

/// A schema resource: the part of a document under one base URI and one dialect (2020-12 core §4.3.5).
struct SchemaResource {
  let uri: URIReference
  let document: Int
  let root: JSONPointer
  let dialect: Dialect
  let vocabularies: Vocabularies
  /// Plain names and where they stand in the document.
  var anchors: [String: JSONPointer] = [:]
  /// The anchors that take part in dynamic scope.
  var dynamicAnchors: [String: JSONPointer] = [:]
  /// 2019-09's `$recursiveAnchor: true` at the root.
  var isRecursive = false
}
