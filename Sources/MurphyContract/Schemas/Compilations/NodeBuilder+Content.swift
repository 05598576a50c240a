import MurphyJSON

extension NodeBuilder {
  func formats() throws(SchemaError) {
    // A metaschema that took any text for a pattern would call schemas valid that are none.
    let isMetaschemasPattern = object["format"]?.string == "regex" && Metaschema.text(location.document) != nil
    let asserted =
      vocabularies.contains(.formatAssertion) || compiler.options.formatAssertion || isMetaschemasPattern
    guard asserted else { return }
    try rule("format") { value throws(SchemaError) in
      guard let name = value.string else {
        throw invalid("format", "format must be a string; found \(value.excerpt)")
      }
      // A format nobody has registered is an annotation (2020-12 validation §7.2.3).
      return Format(name: name, dialect: dialect).map { .format($0) }
    }
  }

  func content() throws(SchemaError) {
    guard compiler.options.contentAssertion ?? (dialect == .draft7), dialect.generation >= 7 else { return }
    let encoding = object["contentEncoding"]?.string
    let mediaType = object["contentMediaType"]?.string
    guard encoding != nil || mediaType != nil else { return }
    var node: NodeID?
    if dialect.generation >= 2019, let schema = object["contentSchema"], mediaType != nil {
      node = child(["contentSchema"], schema, isPart: false)
    }
    let keyword = mediaType == nil ? "contentEncoding" : "contentMediaType"
    try rule(keyword) { _ in .content(EncodedContent(encoding: encoding, mediaType: mediaType, node: node)) }
  }
}
