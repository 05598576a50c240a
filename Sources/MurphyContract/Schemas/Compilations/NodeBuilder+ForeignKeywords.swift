import MurphyJSON

extension NodeBuilder {
  /// Keywords of later drafts in an OpenAPI 3.0 document: whoever wrote them expects a check that 3.0 does not make.
  func foreignKeywords() throws(SchemaError) {
    for keyword in Self.foreign where object[keyword] != nil {
      let message = "\(keyword) has no meaning in OpenAPI 3.0, so it is not checked; OpenAPI 3.1 knows it"
      let error = SchemaError(kind: .unsupported, location: location.appending(keyword), message: message)
      try rule(keyword) { _ throws(SchemaError) in throw error }
    }
  }

  private static let foreign = [
    "const", "contains", "dependencies", "dependentRequired", "dependentSchemas", "if", "patternProperties",
    "prefixItems", "propertyNames", "unevaluatedItems", "unevaluatedProperties", "$dynamicRef",
  ]
}
