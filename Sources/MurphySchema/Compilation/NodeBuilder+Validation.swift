extension NodeBuilder {
  func types() throws(SchemaError) {
    try rule("type") { value throws(SchemaError) in
      var listed = [value.string ?? ""]
      if value.string == nil { listed = try names("type", value) }
      var types: TypeSet = []
      for name in listed {
        guard let type = TypeSet(name, dialect: dialect) else {
          throw invalid("type", "\"\(name)\" is not a type")
        }
        types.formUnion(type)
      }
      if dialect == .openAPI30, object["nullable"]?.bool == true { types.formUnion(.null) }
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
      low: dialect.generation == 4 && object["exclusiveMinimum"]?.bool == true,
      high: dialect.generation == 4 && object["exclusiveMaximum"]?.bool == true
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
            throw invalid(keyword, "\(keyword) is a boolean in \(dialect.name); found \(value.excerpt)")
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
}
