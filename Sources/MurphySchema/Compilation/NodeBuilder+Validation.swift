extension NodeBuilder {
  func types() throws(SchemaError) {
    try rule("type") { value throws(SchemaError) in
      var listed = [value.string ?? ""]
      if value.string == nil { listed = try names("type", value) }
      var types: TypeSet = []
      for name in listed {
        guard let type = TypeSet(name, dialect: dialect) else {
          throw invalid("type", "\"\(name)\" is not a valid type")
        }
        types.formUnion(type)
      }
      if dialect == .openAPI30, self["nullable"]?.bool == true { types.formUnion(.null) }
      return .types(types)
    }
    try rule("enum") { value throws(SchemaError) in
      .enumeration(EnumeratedValues(try need(value.array, "enum", "a list", value)))
    }
    try rule("const", since: 6) { value in .enumeration(EnumeratedValues([value])) }
  }

  func numbers() throws(SchemaError) {
    try rule("multipleOf") { value throws(SchemaError) in
      let number = try number("multipleOf", value)
      guard number > JSONNumber(0) else {
        throw invalid("multipleOf", "multipleOf must be greater than 0; found \(number.text)")
      }
      return .multiple(of: number)
    }
    let isExclusive = (
      low: dialect.generation == 4 && self["exclusiveMinimum"]?.bool == true,
      high: dialect.generation == 4 && self["exclusiveMaximum"]?.bool == true
    )
    try rule("minimum") { value throws(SchemaError) in
      .minimum(try number("minimum", value), exclusive: isExclusive.low)
    }
    try rule("maximum") { value throws(SchemaError) in
      .maximum(try number("maximum", value), exclusive: isExclusive.high)
    }
    for keyword in ["exclusiveMinimum", "exclusiveMaximum"] {
      try rule(keyword) { value throws(SchemaError) in
        if dialect.generation == 4 {
          if value.bool == nil {
            throw invalid(keyword, "\(keyword) must be a boolean in \(dialect.name); found \(value.excerpt)")
          }
          return nil
        }
        let number = try number(keyword, value)
        return keyword == "exclusiveMinimum" ? .minimum(number, exclusive: true) : .maximum(number, exclusive: true)
      }
    }
  }

  private func number(_ keyword: String, _ value: JSONValue) throws(SchemaError) -> JSONNumber {
    try need(value.number, keyword, "a number", value)
  }

  func strings() throws(SchemaError) {
    try rule("minLength") { value throws(SchemaError) in .minLength(try count("minLength", value)) }
    try rule("maxLength") { value throws(SchemaError) in .maxLength(try count("maxLength", value)) }
    try rule("pattern") { value throws(SchemaError) in
      .pattern(try pattern(need(value.string, "pattern", "a string", value), at: location.appending("pattern")))
    }
  }

  /// A pattern in the grammar with `u`, or otherwise in the web's legacy grammar.
  func pattern(_ text: String, at place: SchemaLocation) throws(SchemaError) -> ECMAPattern {
    do throws(RegexError) {
      do throws(RegexError) {
        return try ECMAPattern(text)
      } catch {
        guard error.kind == .syntax else { throw error }
        return try ECMAPattern(text, syntax: .legacy)
      }
    } catch {
      let kind = error.kind == .syntax ? SchemaError.Reason.invalidKeyword : .unsupported
      throw SchemaError(kind: kind, location: place, message: "\(error)")
    }
  }

  /// The bounds on sizes and names, which belong to the validation vocabulary.
  func counts() throws(SchemaError) {
    try rule("minItems") { value throws(SchemaError) in .minItems(try count("minItems", value)) }
    try rule("maxItems") { value throws(SchemaError) in .maxItems(try count("maxItems", value)) }
    try rule("uniqueItems") { value throws(SchemaError) in
      try need(value.bool, "uniqueItems", "a boolean", value) ? .uniqueItems : nil
    }
    try rule("minProperties") { value throws(SchemaError) in .minProperties(try count("minProperties", value)) }
    try rule("maxProperties") { value throws(SchemaError) in .maxProperties(try count("maxProperties", value)) }
    try rule("required") { value throws(SchemaError) in
      let names = try names("required", value).filter { !isLeftOut($0) }
      return names.isEmpty ? nil : .required(names)
    }
    try rule("dependentRequired", since: 2019) { value throws(SchemaError) in
      var dependencies: [(String, [String])] = []
      for member in try map("dependentRequired", value).members {
        dependencies.append((member.key, try names("dependentRequired", member.value)))
      }
      return .dependentRequired(dependencies)
    }
  }

  func objects() throws(SchemaError) {
    try members()
    try rule("propertyNames", since: 6) { value in .propertyNames(child(["propertyNames"], value, isPart: false)) }
    try rule("dependentSchemas", since: 2019) { value throws(SchemaError) in
      .dependentSchemas(
        try map("dependentSchemas", value).members.map {
          ($0.key, child(["dependentSchemas", $0.key], $0.value, isPart: true))
        })
    }
    if dialect != .openAPI30 { try dependencies() }
  }

  private func members() throws(SchemaError) {
    var members = ObjectMembers()
    // These three keywords are one rule. Each is read separately, so that an error names its keyword.
    try rule("properties") { value throws(SchemaError) in
      for member in try map("properties", value).members {
        let isLeftOut = isLeftOut(member.key)
        members.add(
          member.key,
          isLeftOut ? forbidden(member.key) : child(["properties", member.key], member.value, isPart: false))
      }
      return nil
    }
    if dialect != .openAPI30 {
      try rule("patternProperties") { value throws(SchemaError) in
        for member in try map("patternProperties", value).members {
          let place = location.appending("patternProperties", member.key)
          members.patterns.append(
            ObjectMembers.Pattern(
              pattern: try pattern(member.key, at: place),
              node: child(["patternProperties", member.key], member.value, isPart: false)))
        }
        return nil
      }
    }
    if let value = self["additionalProperties"] {
      members.additional = child(["additionalProperties"], value, isPart: false)
    }
    let keywords = ["properties", "patternProperties", "additionalProperties"].filter { self[$0] != nil }
    guard let keyword = keywords.first else { return }
    rules.append(SchemaRule(keyword: keyword, assertion: .properties(members)))
  }

  /// `dependencies` of drafts 4 to 7: schemas or lists of names. Later drafts keep it for compatibility.
  private func dependencies() throws(SchemaError) {
    var schemas: [(String, NodeID)] = []
    try rule("dependencies") { value throws(SchemaError) in
      var required: [(String, [String])] = []
      for member in try map("dependencies", value).members {
        if case .array = member.value {
          required.append((member.key, try names("dependencies", member.value)))
        } else {
          schemas.append((member.key, child(["dependencies", member.key], member.value, isPart: true)))
        }
      }
      return required.isEmpty ? nil : .dependentRequired(required)
    }
    if !schemas.isEmpty { rules.append(SchemaRule(keyword: "dependencies", assertion: .dependentSchemas(schemas))) }
  }

  /// True for a property that is not sent in the selected direction: `readOnly` in requests, `writeOnly` in responses
  /// (OpenAPI 3.0.3 §4.7.24.2). It may be missing even if required, and must not be present.
  func isLeftOut(_ property: String) -> Bool {
    guard compiler.registry.hasDirections, dialect.isOpenAPI, let direction = compiler.options.direction,
      let schema = self["properties"]?[property]
    else { return false }
    let keyword = direction == .request ? "readOnly" : "writeOnly"
    return says(keyword, schema, from: place.resource, depth: 0)
  }

  /// Looks through references and `allOf`, up to a depth that real documents do not exceed.
  private func says(_ keyword: String, _ schema: JSONValue, from resource: Int, depth: Int) -> Bool {
    guard depth < 8, case .object(let object) = schema else { return false }
    if let text = object["$ref"]?.string, refers(text, to: keyword, from: resource, depth: depth) { return true }
    if dialect.refHidesSiblings, object["$ref"] != nil { return false }
    if object[keyword]?.bool == true { return true }
    return object["allOf"]?.array?.contains { says(keyword, $0, from: resource, depth: depth + 1) } ?? false
  }

  private func refers(_ text: String, to keyword: String, from resource: Int, depth: Int) -> Bool {
    let key = SchemaCompiler.Reference(text: JSONKey(text), resource: resource)
    if depth == 0, let known = compiler.directed[key] { return known }
    var isDirected = false
    if let target = try? compiler.registry.resolve(text, from: resource, at: location) {
      isDirected = says(keyword, target.value, from: target.resource, depth: depth + 1)
    }
    if depth == 0 { compiler.directed[key] = isDirected }
    return isDirected
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
