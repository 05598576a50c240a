extension ObjectKind {
  /// The object's fixed and patterned fields, as the specification's tables list them.
  func rule(_ line: OpenAPIVersion.Line) -> ObjectRule {
    switch self {
    case .document, .info, .contact, .license, .server, .serverVariable, .components, .tag, .externalDocumentation:
      documentRule(line)
    case .paths, .pathItem, .operation, .callback, .link, .requestBody, .responses, .response:
      operationRule(line)
    case .parameter, .header, .mediaType, .encoding, .example, .discriminator, .xml:
      contentRule(line)
    case .securityScheme, .oauthFlows, .oauthFlow, .securityRequirement:
      securityRule(line)
    }
  }

  private func documentRule(_ line: OpenAPIVersion.Line) -> ObjectRule {
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
    case .components: componentsRule
    default:
      ObjectRule(
        [
          Field("openapi", .string), Field("$self", .uri, since: .v32), Field("info", .object(.info)),
          Field("jsonSchemaDialect", .uri, since: .v31), Field("servers", .list(.object(.server))),
          Field("paths", .object(.paths)), Field("webhooks", .map(.referable(.pathItem)), since: .v31),
          Field("components", .object(.components)), Field("security", .list(.object(.securityRequirement))),
          Field("tags", .list(.object(.tag))), Field("externalDocs", .object(.externalDocumentation)),
        ], required: line == .v30 ? ["openapi", "info", "paths"] : ["openapi", "info"])
    }
  }

  private var componentsRule: ObjectRule {
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
  }

  private func securityRule(_ line: OpenAPIVersion.Line) -> ObjectRule {
    switch self {
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
    default:
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
