extension ObjectKind {
  /// Paths, operations and what they are made of.
  func operationRule(_ line: OpenAPIVersion.Line) -> ObjectRule {
    switch self {
    case .paths: ObjectRule([]) { $0.hasPrefix("/") ? .object(.pathItem) : nil }
    case .pathItem: pathItemRule
    case .callback: ObjectRule([]) { _ in .referable(.pathItem) }
    case .responses:
      ObjectRule([Field("default", .referable(.response))]) {
        ResponsePromise.Status($0) == nil ? nil : .referable(.response)
      }
    case .response:
      ObjectRule(
        [
          Field("summary", .string, since: .v32), Field("description", .string),
          Field("headers", .map(.referable(.header))), Field("content", .content),
          Field("links", .componentMap(.referable(.link))),
        ], required: line == .v32 ? [] : ["description"])
    case .requestBody:
      ObjectRule(
        [Field("description", .string), Field("content", .content), Field("required", .boolean)], required: ["content"])
    case .link:
      ObjectRule([
        Field("operationRef", .uri), Field("operationId", .string), Field("parameters", .map(.any)),
        Field("requestBody", .any), Field("description", .string), Field("server", .object(.server)),
      ])
    default: operationObjectRule(line)
    }
  }

  private var pathItemRule: ObjectRule {
    let methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace"]
    return ObjectRule(
      methods.map { Field($0, .object(.operation)) } + [
        Field("query", .object(.operation), since: .v32),
        Field("additionalOperations", .map(.object(.operation)), since: .v32), Field("$ref", .string),
        Field("summary", .string), Field("description", .string), Field("servers", .list(.object(.server))),
        Field("parameters", .list(.referable(.parameter))),
      ])
  }

  private func operationObjectRule(_ line: OpenAPIVersion.Line) -> ObjectRule {
    ObjectRule(
      [
        Field("tags", .list(.string)), Field("summary", .string), Field("description", .string),
        Field("externalDocs", .object(.externalDocumentation)), Field("operationId", .string),
        Field("parameters", .list(.referable(.parameter))), Field("requestBody", .referable(.requestBody)),
        Field("responses", .object(.responses)), Field("callbacks", .map(.referable(.callback))),
        Field("deprecated", .boolean), Field("security", .list(.object(.securityRequirement))),
        Field("servers", .list(.object(.server))),
      ], required: line == .v30 ? ["responses"] : [])
  }

  /// Parameters, headers, media types and what goes with them.
  func contentRule(_ line: OpenAPIVersion.Line) -> ObjectRule {
    let examples = [Field("example", .any), Field("examples", .map(.referable(.example)))]
    let described = [Field("description", .string), Field("required", .boolean), Field("deprecated", .boolean)]
    let styled = [
      Field("style", .word(ParameterStyle.allCases.map(\.rawValue))), Field("explode", .boolean),
      Field("allowReserved", .boolean), Field("schema", .schema), Field("content", .content),
      Field("allowEmptyValue", .boolean),
    ]
    switch self {
    case .header: return ObjectRule(described + styled + examples)
    case .mediaType:
      return ObjectRule(
        examples + [
          Field("schema", .schema), Field("itemSchema", .schema, since: .v32),
          // In the published schema of 3.2 (2025-11-23), not in its text.
          Field("description", .string, since: .v32),
          Field("encoding", .map(.object(.encoding))),
          Field("prefixEncoding", .list(.object(.encoding)), since: .v32),
          Field("itemEncoding", .object(.encoding), since: .v32),
        ])
    case .encoding:
      return ObjectRule([
        Field("contentType", .mediaRanges), Field("headers", .map(.referable(.header))),
        Field("style", .word(["form", "spaceDelimited", "pipeDelimited", "deepObject"])), Field("explode", .boolean),
        Field("allowReserved", .boolean), Field("encoding", .map(.object(.encoding)), since: .v32),
        Field("prefixEncoding", .list(.object(.encoding)), since: .v32),
        Field("itemEncoding", .object(.encoding), since: .v32),
      ])
    case .example:
      return ObjectRule([
        Field("summary", .string), Field("description", .string), Field("value", .any),
        Field("externalValue", .uri), Field("dataValue", .any, since: .v32),
        Field("serializedValue", .string, since: .v32),
      ])
    case .discriminator:
      return ObjectRule(
        [
          Field("propertyName", .string), Field("mapping", .map(.string)),
          Field("defaultMapping", .string, since: .v32),
        ], required: ["propertyName"])
    case .xml:
      return ObjectRule([
        Field("name", .string), Field("namespace", .string), Field("prefix", .string), Field("attribute", .boolean),
        Field("wrapped", .boolean),
        Field("nodeType", .word(["element", "attribute", "text", "cdata", "none"]), since: .v32),
      ])
    default:
      let places = ["query", "header", "path", "cookie"] + (line == .v32 ? ["querystring"] : [])
      return ObjectRule(
        [Field("name", .string), Field("in", .word(places))] + described + styled + examples, required: ["name", "in"])
    }
  }
}
