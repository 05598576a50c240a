import MurphyModel

extension ContractAssembly {
  mutating func securitySchemes(_ schemes: Located?) -> [String: SecurityScheme] {
    var result: [String: SecurityScheme] = [:]
    for (name, site) in schemes?.members ?? [] {
      guard let scheme = resolve(site) else { continue }
      guard let kind = kind(of: scheme, name) else { continue }
      result[name] = SecurityScheme(name: name, kind: kind)
    }
    return result
  }

  private mutating func kind(of scheme: Located, _ name: String) -> SecurityScheme.Kind? {
    switch scheme["type"]?.value.string {
    case "http": return .http(scheme: scheme["scheme"]?.value.string?.lowercased() ?? "bearer")
    case "oauth2", "openIdConnect": return .token
    case "mutualTLS": return .mutualTLS
    case "apiKey":
      guard let field = scheme["name"]?.value.string,
        let place = scheme["in"]?.value.string.flatMap(SecurityScheme.KeyPlace.init(rawValue:))
      else {
        report("the API key \"\(name)\" needs \"name\" and \"in\" as header, query or cookie", at: scheme)
        return nil
      }
      return .apiKey(name: field, place: place)
    default:
      report(
        "the security scheme \"\(name)\" needs \"type\" as apiKey, http, mutualTLS, oauth2 or openIdConnect",
        at: scheme["type"] ?? scheme)
      return nil
    }
  }
}
