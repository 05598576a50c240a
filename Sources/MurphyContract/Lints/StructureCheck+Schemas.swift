import MurphyModel
import MurphySchema

extension StructureCheck {
  mutating func schema(_ site: Located) {
    guard visit(site, as: "schema") else { return }
    if line > .v30, site.value.bool != nil { return }
    guard expect(site, site.value.object != nil, line == .v30 ? "an object (Schema Object)" : "an object or a boolean")
    else { return }
    if isReference(site) { schemaReference(site) }
    if line == .v30, isReference(site) { return }
    let known = SchemaKeyword.known(line)
    let isTuple = line == .v30 && site.value["items"]?.array != nil
    for entry in site.value.object?.members ?? [] where !entry.key.hasPrefix("x-") {
      let name = entry.key
      if known[name]?.isMet(by: entry.value) == true { continue }
      let value = site.member(entry)
      if isTuple, name == "items" {
        tuple(value)
      } else if isTuple, name == "additionalItems" {
        keyword(value, .schemaOrBoolean)
      } else if let keyword = known[name] {
        self.keyword(value, keyword)
      } else {
        unknownKeyword(name, value, known)
      }
    }
    bounds(site)
    discriminated(site)
    if line == .v30 { oldRules(site) }
  }

  private mutating func schemaReference(_ site: Located) {
    let text = site["$ref"]?.value.string ?? ""
    let fragment = text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).dropFirst().first ?? ""
    // The compiler resolves anchors and identifiers and reports those that cannot be resolved.
    let isIdentified = line > .v30 && (!fragment.isEmpty && !fragment.hasPrefix("/") || text.contains("://"))
    if !isIdentified { reference(site, .schema) }
    guard line == .v30 else { return }
    let idle = ["$ref", "description", "summary", "title", "example", "deprecated"]
    for (name, value) in site.members where !idle.contains(name) && !name.hasPrefix("x-") {
      report(
        "\"\(name)\" next to a $ref has no effect in \(specification); wrap the $ref in allOf", at: value, .warning)
    }
  }

  /// One schema for each position of an array, as in JSON Schema before 2020-12.
  private mutating func tuple(_ items: Located) {
    report(
      "\"items\" must be one schema in \(specification); murphy reads the list as one schema for each position",
      at: items)
    for item in items.items { schema(item) }
  }

  private mutating func unknownKeyword(_ name: String, _ value: Located, _ known: [String: SchemaKeyword]) {
    let hint = suggestion(for: name, among: known.keys.sorted())
    if line == .v30 {
      let reason = SchemaKeyword.known(.v31)[name] == nil ? hint : "; OpenAPI 3.1 added this keyword"
      report("a Schema Object of \(specification) cannot have \"\(name)\"\(reason)", at: value)
    } else if name == "nullable" {
      report(
        "\"nullable\" belongs to OpenAPI 3.0 and has no effect here; write type: [\"string\", \"null\"]", at: value,
        .warning)
    } else if !hint.isEmpty {
      report("the keyword \"\(name)\" is unknown and has no effect\(hint)", at: value, .warning)
    }
  }

  private mutating func keyword(_ value: Located, _ keyword: SchemaKeyword) {
    switch keyword {
    case .any: break
    case .string: check(value, .string)
    case .boolean: check(value, .boolean)
    case .number: expect(value, value.value.number != nil, "a number")
    case .positive: expect(value, value.value.double.map { $0 > 0 } ?? false, "a number above 0")
    case .count: expect(value, value.value.int.map { $0 >= 0 } ?? false, "a whole number from 0 on")
    case .list: expect(value, value.value.array != nil, "a list")
    case .names: names(value)
    case .namesMap:
      if expect(value, value.value.object != nil, "an object of lists of names") {
        for (_, list) in value.members { names(list) }
      }
    case .values: values(value)
    case .identifier: identifier(value)
    case .anchor: anchor(value)
    case .typeName: types(value)
    case .schema: schema(value)
    case .schemaOrBoolean: if value.value.bool == nil { schema(value) }
    case .schemas:
      if expect(value, value.value.array.map { !$0.isEmpty } ?? false, "a list of at least one schema") {
        for item in value.items { schema(item) }
      }
    case .schemaMap:
      if expect(value, value.value.object != nil, "an object of schemas") {
        for (_, item) in value.members { schema(item) }
      }
    case .object(let kind): check(value, .object(kind))
    }
  }

  /// Bounds that no value can meet, and keywords that do not apply to the declared type.
  private mutating func bounds(_ site: Located) {
    for (low, high) in [
      ("minimum", "maximum"), ("minLength", "maxLength"), ("minItems", "maxItems"), ("minProperties", "maxProperties"),
    ] {
      guard let lower = site.value[low]?.number, let upper = site.value[high]?.number, upper < lower else { continue }
      report(
        "no value is valid: \"\(high)\" \(upper.text) is less than \"\(low)\" \(lower.text)", at: site[high] ?? site,
        .warning)
    }
    requiredNames(site)
  }

  /// A name in `required` that is a probable misspelling of one in `properties`.
  private mutating func requiredNames(_ site: Located) {
    guard let properties = site.value["properties"]?.object,
      site.value["required"]?.array?.contains(where: { $0.string.map { properties[$0] == nil } ?? false }) == true
    else { return }
    for item in site["required"]?.items ?? [] {
      guard let name = item.value.string, properties[name] == nil,
        let near = nearestName(to: name, among: properties.keys)
      else { continue }
      report(
        "\"\(name)\" is required but not among the properties. Did you mean \"\(near)\"?", at: item, ofName: false,
        .warning)
    }
  }
}

/// Checks discriminators against the schemas that they select from.
extension StructureCheck {
  mutating func mappings(_ site: Located) {
    for (_, entry) in site["mapping"]?.members ?? [] { mapping(entry, of: site) }
    if let entry = site["defaultMapping"] { mapping(entry, of: site) }
  }

  /// A mapping's value is a reference or the name of a component.
  private mutating func mapping(_ entry: Located, of site: Located) {
    guard let text = entry.value.string else { return }
    if let named = sources.root(entry.document)["components"]?["schemas"]?[text] {
      uses.add(from: site, to: named)
      return
    }
    do throws(Diagnostic) {
      uses.add(from: site, to: try sources.target(of: text, from: entry))
    } catch {
      report("the mapping \"\(text)\" is neither a schema's name nor a reference to one", at: entry, ofName: false)
    }
  }

  /// From 3.2 on, `defaultMapping` is required if the property is optional.
  mutating func discriminated(_ site: Located) {
    guard line == .v32, let discriminator = site["discriminator"], discriminator.value["defaultMapping"] == nil,
      let name = discriminator["propertyName"]?.value.string
    else { return }
    var visited: Set<LocationKey> = []
    guard !requires(name, site, &visited) else { return }
    // Without branches there is nothing to select from here. Schemas that extend this one may require the property.
    let chooses = site.value["oneOf"] != nil || site.value["anyOf"] != nil
    report(
      "\"\(name)\" may be missing here, so the discriminator needs \"defaultMapping\"", at: discriminator,
      chooses ? .error : .warning)
  }

  /// True if every object that the schema allows has the property. A part that cannot be followed counts as requiring
  /// it.
  private mutating func requires(_ name: String, _ site: Located, _ visited: inout Set<LocationKey>) -> Bool {
    guard visited.insert(site.key).inserted else { return false }
    if site.value["required"]?.array?.contains(.string(name)) == true { return true }
    if let reference = site.value["$ref"]?.string {
      guard let target = try? sources.target(of: reference, from: site) else { return true }
      if requires(name, target, &visited) { return true }
    }
    for part in site["allOf"]?.items ?? [] where requires(name, part, &visited) { return true }
    for keyword in ["oneOf", "anyOf"] {
      guard let branches = site[keyword]?.items, !branches.isEmpty else { continue }
      var all = true
      for branch in branches {
        var path = visited
        if !requires(name, branch, &path) { all = false }
      }
      if all { return true }
    }
    return false
  }
}

/// The allowed values of a keyword of a Schema Object.
enum SchemaKeyword {
  case any, string, boolean, number, positive, count, typeName, names, list, values, schema, schemaOrBoolean, schemas
  case schemaMap, namesMap
  /// `$id`: a URI without fragment.
  case identifier
  /// The name of `$anchor` and `$dynamicAnchor`.
  case anchor
  case object(ObjectKind)

  /// The keywords of the version's Schema Object (3.0 §4.7.24; draft 2020-12 and the OpenAPI base vocabulary).
  static func known(_ line: OpenAPIVersion.Line) -> [String: SchemaKeyword] { line == .v30 ? v30 : v31 }

  private static let common: [String: SchemaKeyword] = [
    "title": .string, "multipleOf": .positive, "maximum": .number, "minimum": .number, "maxLength": .count,
    "minLength": .count, "pattern": .string, "maxItems": .count, "minItems": .count, "uniqueItems": .boolean,
    "maxProperties": .count, "minProperties": .count, "required": .names, "enum": .values, "type": .typeName,
    "not": .schema, "allOf": .schemas, "oneOf": .schemas, "anyOf": .schemas, "items": .schema,
    "properties": .schemaMap, "additionalProperties": .schemaOrBoolean, "description": .string, "format": .string,
    "default": .any, "discriminator": .object(.discriminator), "readOnly": .boolean, "writeOnly": .boolean,
    "example": .any, "externalDocs": .object(.externalDocumentation), "deprecated": .boolean, "xml": .object(.xml),
  ]

  private static let v30 = common.merging(
    ["nullable": .boolean, "exclusiveMaximum": .boolean, "exclusiveMinimum": .boolean, "$ref": .string]
  ) { $1 }

  private static let v31 = common.merging([
    "exclusiveMaximum": .number, "exclusiveMinimum": .number, "$ref": .string, "$id": .identifier, "$schema": .string,
    "$anchor": .anchor, "$dynamicRef": .string, "$dynamicAnchor": .anchor, "$vocabulary": .any, "$comment": .string,
    "$defs": .schemaMap, "definitions": .schemaMap, "prefixItems": .schemas, "contains": .schema,
    "minContains": .count, "maxContains": .count, "patternProperties": .schemaMap, "propertyNames": .schema,
    "if": .schema, "then": .schema, "else": .schema, "dependentSchemas": .schemaMap, "dependentRequired": .namesMap,
    "dependencies": .any, "unevaluatedItems": .schema, "unevaluatedProperties": .schema, "const": .any,
    "examples": .list, "contentEncoding": .string, "contentMediaType": .string, "contentSchema": .schema,
  ]) { $1 }

  static let typeNames = ["array", "boolean", "integer", "number", "object", "string"]
}

/// Most fields of a document are strings. They are checked without their positions.
extension FieldRule {
  /// True if the rule needs only the type of a value, and it has this type.
  func isMet(by value: JSONValue) -> Bool {
    switch self {
    case .any: true
    case .string: value.string != nil
    case .boolean: value.bool != nil
    default: false
    }
  }
}

extension SchemaKeyword {
  /// True if the keyword needs only the type of a value, and it has this type.
  fileprivate func isMet(by value: JSONValue) -> Bool {
    switch self {
    case .any: true
    case .string: value.string != nil
    case .boolean: value.bool != nil
    case .number: value.number != nil
    default: false
    }
  }
}
