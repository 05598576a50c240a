import MurphyJSON

extension NodeBuilder {
  /// `$ref`
  func reference() throws(SchemaError) {
    try rule("$ref") { value throws(SchemaError) in
      let target = try target("$ref", value)
      return .reference(compiler.node(for: target, isPart: true))
    }
  }

  /// `$ref`, and the references that depend on who refers.
  func references() throws(SchemaError) {
    try reference()
    if dialect.generation == 2019 {
      try rule("$recursiveRef") { value throws(SchemaError) in
        let target = try target("$recursiveRef", value)
        let node = compiler.node(for: target, isPart: true)
        let resource = compiler.registry.resources[target.resource]
        guard resource.isRecursive, target.pointer == resource.root else { return .reference(node) }
        return .dynamicReference(table: compiler.dynamicTable(nil), initial: node)
      }
    }
    try rule("$dynamicRef", since: 2020) { value throws(SchemaError) in
      let target = try target("$dynamicRef", value)
      let node = compiler.node(for: target, isPart: true)
      let name = URIReference.percentDecoded(URIReference(value.string ?? "").fragment ?? "")
      let resource = compiler.registry.resources[target.resource]
      // Without an anchor, or with one that is not dynamic, it is a plain reference.
      guard resource.dynamicAnchors[name] == target.pointer else { return .reference(node) }
      return .dynamicReference(table: compiler.dynamicTable(name), initial: node)
    }
  }

  private func target(_ keyword: String, _ value: JSONValue) throws(SchemaError) -> SchemaPlace {
    guard let text = value.string else {
      throw invalid(keyword, "\(keyword) must be a URI reference; found \(value.excerpt)")
    }
    return try compiler.registry.resolve(text, from: place.resource, at: location.appending(keyword))
  }
}
