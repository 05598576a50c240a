import MurphyModel
import MurphySchema

/// Parameters, headers, bodies and forms.
extension SwaggerConversion {
  /// The fields of a parameter, of `items` or of a header that describe its value.
  private static let schemaFields: Set = [
    "type", "format", "items", "default", "maximum", "exclusiveMaximum", "minimum", "exclusiveMinimum", "maxLength",
    "minLength", "pattern", "maxItems", "minItems", "uniqueItems", "enum", "multipleOf", "x-nullable",
  ]

  static func isOfBody(_ parameter: MarkedValue) -> Bool {
    ["body", "formData"].contains(parameter["in"]?.string ?? "")
  }

  /// The parameters that stay parameters, rewritten, and the original ones of the body.
  mutating func split(_ list: MarkedValue?) -> (kept: [MarkedValue], bodies: [MarkedValue]) {
    var kept: [MarkedValue] = []
    var bodies: [MarkedValue] = []
    for site in list?.items ?? [] {
      guard let target = target(site) else {
        kept.append(site)
        continue
      }
      if Self.isOfBody(target) {
        bodies.append(target)
      } else if let reference = site["$ref"]?.string, reference.hasPrefix("#/parameters/") {
        kept.append(site)
      } else {
        kept.append(parameter(target))
      }
    }
    return (kept, bodies)
  }

  /// The shared parameters. Those of bodies are written where operations use them.
  mutating func sharedParameters(_ shared: MarkedValue) -> MarkedValue {
    guard case .object(let members) = shared.content else { return shared }
    let kept = members.filter { !Self.isOfBody(target($0.value) ?? $0.value) }
    var shared = shared.with(kept)
    shared.mapMembers { $1["$ref"] == nil ? parameter($1) : $1 }
    return shared
  }

  private mutating func parameter(_ site: MarkedValue) -> MarkedValue {
    var result = described(site)
    if site["type"] == nil, site["schema"] == nil, !site.members.isEmpty {
      note("a parameter needs \"type\"", at: site, .error)
    }
    guard site["type"]?.string == "array" else { return result }
    let place = site["in"]?.string ?? ""
    let format = site["collectionFormat"]
    if place == "query" {
      let (style, explode) = serialization(format)
      result.put("style", (format ?? site).text(style))
      result.put("explode", MarkedValue(.bool(explode), at: (format ?? site).place))
    } else if let format, format.string != "csv" {
      note(
        "OpenAPI 3 has no collectionFormat \(format.string ?? "") for a \(place) parameter, so the items are separated "
          + "by commas", at: format)
    }
    return result
  }

  mutating func header(_ site: MarkedValue) -> MarkedValue {
    if let format = site["collectionFormat"], format.string != "csv" {
      note(
        "OpenAPI 3 has no collectionFormat \(format.string ?? "") for a header, so the items are separated by commas",
        at: format)
    }
    return described(site)
  }

  /// A parameter or header whose fields that describe its value are in a `schema`.
  private mutating func described(_ site: MarkedValue) -> MarkedValue {
    guard case .object(let members) = site.content else { return site }
    var result: [MarkedValue.Member] = []
    for member in members where !Self.schemaFields.contains(member.key) && member.key != "collectionFormat" {
      let key = member.key == "x-example" && site["example"] == nil ? "example" : member.key
      result.append(MarkedValue.Member(key: key, isQuoted: member.isQuoted, value: member.value))
    }
    var described = site.with(result)
    if site["schema"] == nil { described.put("schema", valueSchema(site)) }
    return described
  }

  private mutating func valueSchema(_ site: MarkedValue) -> MarkedValue {
    schema(site.with(site.members.filter { Self.schemaFields.contains($0.key) }))
  }

  /// The `style` and `explode` of a query parameter or a form's field.
  private mutating func serialization(_ format: MarkedValue?) -> (style: String, explode: Bool) {
    guard let format, let text = format.string else { return ("form", false) }
    switch text {
    case "csv": return ("form", false)
    case "ssv": return ("spaceDelimited", false)
    case "pipes": return ("pipeDelimited", false)
    case "multi": return ("form", true)
    case "tsv": note("OpenAPI 3 has no collectionFormat tsv, so the items are separated by commas", at: format)
    default:
      let known = ["csv", "ssv", "tsv", "pipes", "multi"]
      note(
        "\"collectionFormat\" must be one of \(known.joined(separator: ", ")); found \"\(text)\""
          + suggestion(for: text, among: known), at: format, .error)
    }
    return ("form", false)
  }

  /// The request body of parameters in the body or in a form.
  mutating func requestBody(_ parameters: [MarkedValue], _ consumes: MarkedValue?) -> MarkedValue.Member? {
    guard let first = parameters.first else { return nil }
    let bodies = parameters.filter { $0["in"]?.string == "body" }
    if bodies.count > 1 { note("an operation can have at most one body parameter", at: bodies[1], .error) }
    let fields = parameters.filter { $0["in"]?.string == "formData" }
    if let body = bodies.first {
      if let field = fields.first { note("a body and a form cannot be used together", at: field, .error) }
      return self.body(body, consumes)
    }
    let isFile = fields.contains { $0["type"]?.string == "file" }
    let standard = isFile ? "multipart/form-data" : "application/x-www-form-urlencoded"
    let forms = (consumes?.items ?? []).filter { type in
      let range = type.string.flatMap { MediaRange($0) }
      return range?.type == "multipart" || range?.subtype == "x-www-form-urlencoded" && !isFile
    }
    let types = forms.isEmpty ? [first.text(standard)] : forms
    let (schema, encoding) = form(fields)
    let entries = types.map { type in
      var entry = mediaType(type, schema, nil, at: first)
      if !encoding.members.isEmpty { entry.value.put("encoding", encoding) }
      return entry
    }
    var body = first.with([MarkedValue.Member(key: "content", value: first.with(entries))])
    if let required = fields.compactMap({ $0["required"] }).first(where: { $0.value.bool == true }) {
      body.put("required", required)
    }
    return MarkedValue.Member(key: "requestBody", value: body)
  }

  private mutating func body(_ site: MarkedValue, _ consumes: MarkedValue?) -> MarkedValue.Member {
    if site["schema"] == nil { note("a body parameter needs \"schema\"", at: site, .error) }
    let schema = site["schema"].map { self.schema($0) }
    let example = site["x-example"]
    let entries = mediaTypes(consumes, otherwise: "application/json", at: site).map { type in
      mediaType(type, schema, example, at: site["schema"] ?? site)
    }
    let moved = ["name", "in", "schema", "x-example"]
    var body = site.with(site.members.filter { !moved.contains($0.key) })
    body.put("content", (site["schema"] ?? site).with(entries))
    return MarkedValue.Member(key: "requestBody", value: body)
  }

  /// The schema of a form's fields, and how lists are encoded.
  private mutating func form(_ fields: [MarkedValue]) -> (schema: MarkedValue, encoding: MarkedValue) {
    var properties: [MarkedValue.Member] = []
    var required: [MarkedValue] = []
    var encoding: [MarkedValue.Member] = []
    for field in fields {
      guard let name = field["name"], let key = name.string else {
        note("a parameter needs \"name\"", at: field, .error)
        continue
      }
      var property = valueSchema(field)
      property.name = name.place
      if let text = field["description"] { property.put("description", text) }
      if let example = field["x-example"] { property.put("example", example) }
      properties.append(MarkedValue.Member(key: key, value: property))
      if field["required"]?.value.bool == true { required.append(name) }
      guard field["type"]?.string == "array" else { continue }
      let format = field["collectionFormat"]
      let (style, explode) = serialization(format)
      var entry = (format ?? field).with([])
      entry.put("style", (format ?? field).text(style))
      entry.put("explode", MarkedValue(.bool(explode), at: (format ?? field).place))
      encoding.append(MarkedValue.Member(key: key, value: entry))
    }
    let site = fields[0]
    var schema = site.with([])
    schema.put("type", site.text("object"))
    schema.put("properties", site.with(properties))
    if !required.isEmpty { schema.put("required", MarkedValue(.array(required), value: site.place, name: site.name)) }
    return (schema, site.with(encoding))
  }
}
