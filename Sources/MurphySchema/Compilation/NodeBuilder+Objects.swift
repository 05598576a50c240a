extension NodeBuilder {
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
    if let value = object["additionalProperties"] {
      members.additional = child(["additionalProperties"], value, isPart: false)
    }
    let keywords = ["properties", "patternProperties", "additionalProperties"].filter { object[$0] != nil }
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
}
