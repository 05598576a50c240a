import MurphySchema

/// The objects of the OpenAPI Specification (3.0 §4.7, 3.1 and 3.2 §4.8).
enum ObjectKind: String, CaseIterable {
  case document = "OpenAPI Object"
  /// The root of Swagger 2.0, in the form that murphy converts it to.
  case swagger = "Swagger Object"
  case info = "Info Object"
  case contact = "Contact Object"
  case license = "License Object"
  case server = "Server Object"
  case serverVariable = "Server Variable Object"
  case components = "Components Object"
  case paths = "Paths Object"
  case pathItem = "Path Item Object"
  case operation = "Operation Object"
  case externalDocumentation = "External Documentation Object"
  case parameter = "Parameter Object"
  case requestBody = "Request Body Object"
  case mediaType = "Media Type Object"
  case encoding = "Encoding Object"
  case responses = "Responses Object"
  case response = "Response Object"
  case callback = "Callback Object"
  case example = "Example Object"
  case link = "Link Object"
  case header = "Header Object"
  case tag = "Tag Object"
  case securityScheme = "Security Scheme Object"
  case oauthFlows = "OAuth Flows Object"
  case oauthFlow = "OAuth Flow Object"
  case securityRequirement = "Security Requirement Object"
  case discriminator = "Discriminator Object"
  case xml = "XML Object"

  /// With its article: `an Operation Object`.
  var phrase: String { ("AEIO".contains(rawValue.first ?? " ") ? "an " : "a ") + rawValue }
}

extension ObjectKind {
  private static let examples = [Field("example", .any), Field("examples", .map(.referable(.example)))]
  private static let described = [
    Field("description", .string), Field("required", .boolean), Field("deprecated", .boolean),
  ]
  private static let styled = [
    Field("style", .word(ParameterStyle.allCases.map(\.rawValue))), Field("explode", .boolean),
    Field("allowReserved", .boolean), Field("schema", .schema), Field("content", .content),
    Field("allowEmptyValue", .boolean),
  ]

  /// The object's fixed and patterned fields, as the specification's tables list them.
  func rule(_ line: OpenAPIVersion.Line) -> ObjectRule {
    switch self {
    case .info:
      ObjectRule(
        [
          Field("title", .string), Field("summary", .string, since: .v31), Field("description", .string),
          Field("termsOfService", .uri), Field("contact", .object(.contact)), Field("license", .object(.license)),
          Field("version", .string),
        ], required: ["title", "version"])
    case .contact: ObjectRule([Field("name", .string), Field("url", .uri), Field("email", .email)])
    case .license:
      ObjectRule(
        [Field("name", .string), Field("identifier", .string, since: .v31), Field("url", .uri)], required: ["name"])
    case .server:
      ObjectRule(
        [
          Field("url", .string), Field("description", .string), Field("name", .string, since: .v32),
          Field("variables", .map(.object(.serverVariable))),
        ], required: ["url"])
    case .serverVariable:
      ObjectRule(
        [Field("enum", .list(.string)), Field("default", .string), Field("description", .string)], required: ["default"]
      )
    case .tag:
      ObjectRule(
        [
          Field("name", .string), Field("summary", .string, since: .v32), Field("description", .string),
          Field("externalDocs", .object(.externalDocumentation)), Field("parent", .string, since: .v32),
          Field("kind", .string, since: .v32),
        ], required: ["name"])
    case .externalDocumentation:
      ObjectRule([Field("description", .string), Field("url", .uri)], required: ["url"])
    case .components:
      ObjectRule([
        Field("schemas", .componentMap(.schema)), Field("responses", .componentMap(.referable(.response))),
        Field("parameters", .componentMap(.referable(.parameter))),
        Field("examples", .componentMap(.referable(.example))),
        Field("requestBodies", .componentMap(.referable(.requestBody))),
        Field("headers", .componentMap(.referable(.header))),
        Field("securitySchemes", .componentMap(.referable(.securityScheme))),
        Field("links", .componentMap(.referable(.link))), Field("callbacks", .componentMap(.referable(.callback))),
        Field("pathItems", .componentMap(.referable(.pathItem)), since: .v31),
        Field("mediaTypes", .componentMap(.referable(.mediaType)), since: .v32),
      ])
    case .document:
      ObjectRule(
        [
          Field("openapi", .string), Field("$self", .uri, since: .v32), Field("info", .object(.info)),
          Field("jsonSchemaDialect", .uri, since: .v31), Field("servers", .list(.object(.server))),
          Field("paths", .object(.paths)), Field("webhooks", .map(.referable(.pathItem)), since: .v31),
          Field("components", .object(.components)), Field("security", .list(.object(.securityRequirement))),
          Field("tags", .list(.object(.tag))), Field("externalDocs", .object(.externalDocumentation)),
        ], required: line == .v30 ? ["openapi", "info", "paths"] : ["openapi", "info"])
    case .swagger:
      ObjectRule(
        [
          Field("swagger", .string), Field("info", .object(.info)), Field("servers", .list(.object(.server))),
          Field("paths", .object(.paths)), Field("definitions", .map(.schema)),
          Field("parameters", .map(.referable(.parameter))), Field("responses", .map(.referable(.response))),
          Field("components", .object(.components)), Field("security", .list(.object(.securityRequirement))),
          Field("tags", .list(.object(.tag))), Field("externalDocs", .object(.externalDocumentation)),
        ], required: ["swagger", "info", "paths"])
    case .paths: ObjectRule([]) { $0.hasPrefix("/") ? .object(.pathItem) : nil }
    case .pathItem:
      ObjectRule(
        ContractAssembly.methods.map { Field($0, .object(.operation), since: $0 == "query" ? .v32 : .v30) } + [
          Field("additionalOperations", .map(.object(.operation)), since: .v32), Field("$ref", .string),
          Field("summary", .string), Field("description", .string), Field("servers", .list(.object(.server))),
          Field("parameters", .list(.referable(.parameter))),
        ])
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
    case .operation:
      ObjectRule(
        [
          Field("tags", .list(.string)), Field("summary", .string), Field("description", .string),
          Field("externalDocs", .object(.externalDocumentation)), Field("operationId", .string),
          Field("parameters", .list(.referable(.parameter))), Field("requestBody", .referable(.requestBody)),
          Field("responses", .object(.responses)), Field("callbacks", .map(.referable(.callback))),
          Field("deprecated", .boolean), Field("security", .list(.object(.securityRequirement))),
          Field("servers", .list(.object(.server))),
        ], required: line == .v30 ? ["responses"] : [])
    case .header: ObjectRule(Self.described + Self.styled + Self.examples)
    case .mediaType:
      ObjectRule(
        Self.examples + [
          Field("schema", .schema), Field("itemSchema", .schema, since: .v32),
          // In the published schema of 3.2 (2025-11-23), not in its text.
          Field("description", .string, since: .v32),
          Field("encoding", .map(.object(.encoding))),
          Field("prefixEncoding", .list(.object(.encoding)), since: .v32),
          Field("itemEncoding", .object(.encoding), since: .v32),
        ])
    case .encoding:
      ObjectRule([
        Field("contentType", .mediaRanges), Field("headers", .map(.referable(.header))),
        Field("style", .word(["form", "spaceDelimited", "pipeDelimited", "deepObject"])), Field("explode", .boolean),
        Field("allowReserved", .boolean), Field("encoding", .map(.object(.encoding)), since: .v32),
        Field("prefixEncoding", .list(.object(.encoding)), since: .v32),
        Field("itemEncoding", .object(.encoding), since: .v32),
      ])
    case .example:
      ObjectRule([
        Field("summary", .string), Field("description", .string), Field("value", .any),
        Field("externalValue", .uri), Field("dataValue", .any, since: .v32),
        Field("serializedValue", .string, since: .v32),
      ])
    case .discriminator:
      ObjectRule(
        [
          Field("propertyName", .string), Field("mapping", .map(.string)),
          Field("defaultMapping", .string, since: .v32),
        ], required: ["propertyName"])
    case .xml:
      ObjectRule([
        Field("name", .string), Field("namespace", .string), Field("prefix", .string), Field("attribute", .boolean),
        Field("wrapped", .boolean),
        Field("nodeType", .word(["element", "attribute", "text", "cdata", "none"]), since: .v32),
      ])
    case .parameter:
      ObjectRule(
        [
          Field("name", .string),
          Field("in", .word(["query", "header", "path", "cookie"] + (line == .v32 ? ["querystring"] : []))),
        ] + Self.described + Self.styled + Self.examples, required: ["name", "in"])
    case .oauthFlows:
      ObjectRule([
        Field("implicit", .object(.oauthFlow)), Field("password", .object(.oauthFlow)),
        Field("clientCredentials", .object(.oauthFlow)), Field("authorizationCode", .object(.oauthFlow)),
        Field("deviceAuthorization", .object(.oauthFlow), since: .v32),
      ])
    case .oauthFlow:
      ObjectRule(
        [
          Field("authorizationUrl", .uri), Field("tokenUrl", .uri), Field("refreshUrl", .uri),
          Field("deviceAuthorizationUrl", .uri, since: .v32), Field("scopes", .map(.string)),
        ], required: ["scopes"])
    case .securityRequirement: ObjectRule([], isExtensible: false) { _ in .list(.string) }
    case .securityScheme:
      ObjectRule(
        [
          Field("type", .word(["apiKey", "http", "oauth2", "openIdConnect"] + (line == .v30 ? [] : ["mutualTLS"]))),
          Field("description", .string), Field("name", .string), Field("in", .word(["query", "header", "cookie"])),
          Field("scheme", .string), Field("bearerFormat", .string), Field("flows", .object(.oauthFlows)),
          Field("openIdConnectUrl", .uri), Field("oauth2MetadataUrl", .uri, since: .v32),
          Field("deprecated", .boolean, since: .v32),
        ], required: ["type"])
    }
  }
}

/// The allowed values of an object's field.
indirect enum FieldRule: Sendable {
  case any
  case string
  case uri
  case email
  /// A list of media ranges, separated by commas.
  case mediaRanges
  case boolean
  case word([String])
  case object(ObjectKind)
  /// The object, or a Reference Object in its place.
  case referable(ObjectKind)
  case list(FieldRule)
  case map(FieldRule)
  /// A map whose keys name components: `^[a-zA-Z0-9._-]+$`.
  case componentMap(FieldRule)
  /// A map of media ranges.
  case content
  case schema
}

/// A field: its name, its allowed values, and the versions that have it.
struct Field: Sendable {
  let name: String
  let rule: FieldRule
  let since: OpenAPIVersion.Line
  let until: OpenAPIVersion.Line

  init(
    _ name: String, _ rule: FieldRule, since: OpenAPIVersion.Line = .v30, until: OpenAPIVersion.Line = .v32
  ) {
    self.name = name
    self.rule = rule
    self.since = since
    self.until = until
  }
}

/// The specification's rules for one object.
struct ObjectRule {
  let fields: [Field]
  let required: [String]
  /// The rule of patterned fields, by name; nil for names that are not allowed here.
  let patterned: (String) -> FieldRule?
  /// `x-` fields are allowed.
  let isExtensible: Bool

  init(
    _ fields: [Field], required: [String] = [], isExtensible: Bool = true,
    patterned: @escaping (String) -> FieldRule? = { _ in nil }
  ) {
    self.fields = fields
    self.required = required
    self.isExtensible = isExtensible
    self.patterned = patterned
  }
}
