import MurphyModel

extension ContractAssembly {
  mutating func securitySchemes(_ schemes: Located?) -> [String: SecurityScheme] {
    var result: [String: SecurityScheme] = [:]
    for (name, site) in schemes?.members ?? [] {
      do throws(Diagnostic) {
        result[name] = SecurityScheme(name: name, kind: try kind(of: try sources.resolved(site), name))
      } catch {
        unusableSchemes[name] = error
      }
    }
    return result
  }

  private func kind(of scheme: Located, _ name: String) throws(Diagnostic) -> SecurityScheme.Kind {
    switch scheme["type"]?.value.string {
    case "http": return .http(scheme: scheme["scheme"]?.value.string?.lowercased() ?? "bearer")
    case "oauth2", "openIdConnect": return .token
    case "mutualTLS": return .mutualTLS
    case "apiKey":
      guard let field = scheme["name"]?.value.string,
        let place = scheme["in"]?.value.string.flatMap(SecurityScheme.KeyPlace.init(rawValue:))
      else {
        throw sources.diagnostic(
          "the API key \"\(name)\" needs \"name\" and \"in\" as header, query or cookie", at: scheme)
      }
      return .apiKey(name: field, place: place)
    default:
      throw sources.diagnostic(
        "the security scheme \"\(name)\" needs \"type\" as apiKey, http, mutualTLS, oauth2 or openIdConnect",
        at: scheme["type"] ?? scheme)
    }
  }
}
