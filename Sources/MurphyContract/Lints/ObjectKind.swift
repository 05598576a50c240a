/// The objects of the OpenAPI Specification (3.0 §4.7, 3.1 and 3.2 §4.8).
enum ObjectKind: String, CaseIterable {
  case document = "OpenAPI Object"
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
