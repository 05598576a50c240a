extension NodeBuilder {
  /// True for a property that is not sent in the selected direction: `readOnly` in requests, `writeOnly` in responses
  /// (OpenAPI 3.0.3 §4.7.24.2). It may be missing even if required, and must not be present.
  func isLeftOut(_ property: String) -> Bool {
    guard dialect.isOpenAPI, let direction = compiler.options.direction,
      let schema = object["properties"]?[property]
    else { return false }
    let keyword = direction == .request ? "readOnly" : "writeOnly"
    return says(keyword, schema, from: place.resource, depth: 0)
  }

  /// Looks through references and `allOf`, up to a depth that real documents do not exceed.
  private func says(_ keyword: String, _ schema: JSONValue, from resource: Int, depth: Int) -> Bool {
    guard depth < 8, case .object(let object) = schema else { return false }
    if let text = object["$ref"]?.string,
      let target = try? compiler.registry.resolve(text, from: resource, at: location),
      says(keyword, target.value, from: target.resource, depth: depth + 1)
    {
      return true
    }
    if dialect.refHidesSiblings, object["$ref"] != nil { return false }
    if object[keyword]?.bool == true { return true }
    return object["allOf"]?.array?.contains { says(keyword, $0, from: resource, depth: depth + 1) } ?? false
  }

  /// The node of a property that must not be present.
  func forbidden(_ property: String) -> NodeID {
    let keyword = compiler.options.direction == .request ? "readOnly" : "writeOnly"
    return compiler.forbiddenNode(location.appending("properties", property, keyword))
  }

  /// For `rejectsUndocumentedProperties`: closes every object that is not closed already.
  func closeIfAsked() {
    guard closed else { return }
    rules.append(SchemaRule(keyword: Self.undocumented, assertion: .undocumentedProperties))
  }

  /// The name under which undocumented properties are reported.
  static let undocumented = "undocumented-properties"
}

extension SchemaCompiler {
  /// A node that no value satisfies, at the given location.
  func forbiddenNode(_ location: SchemaLocation) -> NodeID {
    let rule = SchemaRule(keyword: location.pointer.tokens.last ?? "", assertion: .never)
    nodes.append(SchemaNode(location: location, resource: 0, rules: [rule]))
    return NodeID(nodes.count - 1)
  }
}
