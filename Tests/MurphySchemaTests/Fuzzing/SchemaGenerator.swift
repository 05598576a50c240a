import MurphySchema

/// Random schemas of all drafts over the documents' world.
struct SchemaGenerator {
  var documents: DocumentGenerator
  let dialect: Dialect

  private static let formats = [
    "date", "date-time", "email", "uri", "ipv4", "ipv6", "hostname", "uuid", "regex", "json-pointer", "int32", "byte",
  ]
  private static let patterns = ["^a", "b$", "^.$", "[0-9]+", "^longer", "é", "^\\\\w+$", "(a|b)*c?"]
  private static let types = ["null", "boolean", "object", "array", "number", "string", "integer"]

  private var isOld: Bool { dialect == .draft4 || dialect == .openAPI30 }
  private var isLate: Bool { dialect == .draft201909 || dialect == .draft202012 || dialect == .openAPI31 }
  private var isLatest: Bool { dialect == .draft202012 || dialect == .openAPI31 }

  mutating func schema() -> String {
    // `one` and `two` may refer to each other; whether that ends is for the compiler and the run to say.
    let definitions = ["one", "two"].map { "\"\($0)\":" + subschema(depth: 2) }.joined(separator: ",")
    let keyword = isLate ? "$defs" : "definitions"
    let body = object(depth: 0)
    return "{\"\(keyword)\":{\(definitions)}" + (body.isEmpty ? "" : "," + body) + "}"
  }

  private mutating func subschema(depth: Int) -> String {
    if !isOld, documents.random.chance(8) { return documents.random.chance(70) ? "true" : "false" }
    if documents.random.chance(8) {
      return "{\"$ref\":\"#/\(isLate ? "$defs" : "definitions")/\(documents.random.chance(50) ? "one" : "two")\"}"
    }
    if depth > 4 { return "{\"type\":\"\(documents.random.pick(Self.types))\"}" }
    return "{" + object(depth: depth) + "}"
  }

  private mutating func object(depth: Int) -> String {
    var seen: Set<String> = []
    var keywords: [String] = []
    for _ in 0..<(1 + documents.random.below(4)) {
      for (name, value) in keyword(depth: depth) where seen.insert(name).inserted {
        keywords.append("\"\(name)\":\(value)")
      }
    }
    return keywords.joined(separator: ",")
  }

  private mutating func list(_ depth: Int) -> String {
    "[" + (0...documents.random.below(3)).map { _ in subschema(depth: depth + 1) }.joined(separator: ",") + "]"
  }

  private mutating func map(_ names: [String], _ depth: Int) -> String {
    var pairs: [String] = []
    var seen: Set<String> = []
    for _ in 0...documents.random.below(4) {
      let name = documents.random.pick(names)
      if seen.insert(name).inserted { pairs.append("\"\(name)\":" + subschema(depth: depth + 1)) }
    }
    return "{" + pairs.joined(separator: ",") + "}"
  }

  private mutating func names() -> String {
    let listed = (0...documents.random.below(2)).map { _ in "\"\(documents.random.pick(DocumentGenerator.names))\"" }
    return "[" + Set(listed).sorted().joined(separator: ",") + "]"
  }

  /// A choice with a tag, as APIs have it.
  private mutating func tagged(_ depth: Int) -> String {
    let branches = ["\"a\"", "\"ab\"", "1", "null"].prefix(2 + documents.random.below(3)).map {
      "{\"type\":\"object\",\"required\":[\"a\"],\"properties\":{\"a\":{\"enum\":[\($0)]},\"b\":\(subschema(depth: depth + 1))}}"
    }
    return "[" + branches.joined(separator: ",") + "]"
  }

  private mutating func keyword(depth: Int) -> [(String, String)] {
    switch documents.random.below(24) {
    case 0...2: return [("type", type())]
    case 3:
      // A long list is looked up in a table.
      if documents.random.chance(20) {
        return [
          ("enum", "[" + (DocumentGenerator.strings.dropLast(3) + ["1", "2", "100"]).joined(separator: ",") + "]")
        ]
      }
      let listed = (0...documents.random.below(4)).map { _ in documents.value(depth: 3) }
      return [("enum", "[" + listed.joined(separator: ",") + "]")]
    case 4: return isOld ? [] : [("const", documents.value(depth: 3))]
    case 5: return [("minimum", documents.random.pick(DocumentGenerator.numbers))] + bound("exclusiveMinimum")
    case 6: return [("maximum", documents.random.pick(DocumentGenerator.numbers))] + bound("exclusiveMaximum")
    case 7:
      return [
        (
          "multipleOf",
          documents.random.pick(["1", "2", "0.1", "0.01", "1.5", "0.0001", "1e2", "123456789012345678901", "7"])
        )
      ]
    case 8: return [("minLength", "\(documents.random.below(3))"), ("maxLength", "\(1 + documents.random.below(20))")]
    case 9: return [("pattern", "\"\(documents.random.pick(Self.patterns))\"")]
    case 10: return [("format", "\"\(documents.random.pick(Self.formats))\"")]
    case 11: return [("minItems", "\(documents.random.below(3))"), ("maxItems", "\(documents.random.below(6))")]
    case 12: return [("uniqueItems", "true")]
    case 13:
      if isLatest { return [("prefixItems", list(depth)), ("items", subschema(depth: depth + 1))] }
      return dialect == .openAPI30
        ? [("items", subschema(depth: depth + 1))]
        : [("items", list(depth)), ("additionalItems", subschema(depth: depth + 1))]
    case 14: return [("items", subschema(depth: depth + 1))]
    case 15:
      guard !isOld else { return [] }
      return [("contains", subschema(depth: depth + 1))]
        + (isLate ? [("minContains", "\(documents.random.below(3))"), ("maxContains", "3")] : [])
    case 16:
      return [("minProperties", "\(documents.random.below(3))"), ("maxProperties", "\(1 + documents.random.below(5))")]
    case 17: return [("required", names())]
    case 18, 19:
      var keywords = [("properties", map(DocumentGenerator.names, depth))]
      if documents.random.chance(30), dialect != .openAPI30 {
        keywords.append(("patternProperties", map(Self.patterns, depth)))
      }
      if documents.random.chance(40) {
        keywords.append(("additionalProperties", documents.random.chance(50) ? "false" : "{}"))
      }
      return keywords
    case 20: return composition(depth)
    case 21: return [(documents.random.pick(["allOf", "anyOf", "oneOf"]), list(depth))]
    case 22: return [("not", subschema(depth: depth + 1))]
    default: return late(depth)
    }
  }

  private mutating func composition(_ depth: Int) -> [(String, String)] {
    [(documents.random.pick(["anyOf", "oneOf"]), tagged(depth))]
  }

  private mutating func late(_ depth: Int) -> [(String, String)] {
    guard isLate else {
      if isOld {
        return dialect == .openAPI30
          ? [("nullable", "true"), ("type", "\"string\"")] : [("dependencies", map(["a", "b"], depth))]
      }
      return [("propertyNames", subschema(depth: depth + 1))]
    }
    switch documents.random.below(6) {
    case 0: return [("unevaluatedProperties", documents.random.chance(60) ? "false" : subschema(depth: depth + 1))]
    case 1: return [("unevaluatedItems", documents.random.chance(60) ? "false" : subschema(depth: depth + 1))]
    case 2: return [("dependentRequired", "{\"a\":\(names())}")]
    case 3: return [("dependentSchemas", map(["a", "b"], depth))]
    case 4:
      return [
        ("if", subschema(depth: depth + 1)), ("then", subschema(depth: depth + 1)),
        ("else", subschema(depth: depth + 1)),
      ]
    default: return [("propertyNames", subschema(depth: depth + 1))]
    }
  }

  private mutating func bound(_ keyword: String) -> [(String, String)] {
    guard documents.random.chance(40) else { return [] }
    return [(keyword, isOld ? "true" : documents.random.pick(DocumentGenerator.numbers))]
  }

  private mutating func type() -> String {
    if dialect == .openAPI30 || documents.random.chance(60) { return "\"\(documents.random.pick(Self.types))\"" }
    let listed = Set((0...2).map { _ in "\"\(documents.random.pick(Self.types))\"" })
    return "[" + listed.sorted().joined(separator: ",") + "]"
  }
}
