import MurphyModel
import MurphySchema

extension ContractAssembly {
  /// The schemes of all documents. A name has the same meaning in each.
  mutating func securitySchemes(of roots: [Located]) -> [String: SecurityScheme] {
    var all: [String: SecurityScheme] = [:]
    var sites: [String: Located] = [:]
    for root in roots {
      let list = root["components"]?["securitySchemes"]
      for (name, scheme) in securitySchemes(list) {
        guard let site = list?[name] else { continue }
        if let known = all[name], known != scheme, let first = sites[name] {
          report(
            "the security scheme \"\(name)\" is defined differently in \(sources.mark(first).text); "
              + "use an overlay to rename it", at: site)
        }
        all[name] = all[name] ?? scheme
        sites[name] = sites[name] ?? site
      }
    }
    return all
  }

  private mutating func securitySchemes(_ schemes: Located?) -> [String: SecurityScheme] {
    var result: [String: SecurityScheme] = [:]
    for (name, site) in schemes?.members ?? [] {
      do throws(Diagnostic) {
        let scheme = try sources.resolved(site)
        result[name] = SecurityScheme(
          name: name, kind: try kind(of: scheme, name), clientCredentials: clientCredentials(scheme))
      } catch {
        unusableSchemes[name] = error
      }
    }
    return result
  }

  private func clientCredentials(_ scheme: Located) -> SecurityScheme.ClientCredentials? {
    guard scheme["type"]?.value.string == "oauth2", let flow = scheme["flows"]?["clientCredentials"],
      let url = flow["tokenUrl"]?.value.string
    else { return nil }
    return SecurityScheme.ClientCredentials(tokenURL: url, scopes: flow["scopes"]?.members.map(\.key) ?? [])
  }

  private func kind(of scheme: Located, _ name: String) throws(Diagnostic) -> SecurityScheme.Mechanism {
    switch scheme["type"]?.value.string {
    case "http": return .http(scheme: scheme["scheme"]?.value.string?.lowercased() ?? "bearer")
    case "oauth2", "openIdConnect": return .token
    case "mutualTLS": return .mutualTLS
    case "apiKey":
      guard let field = scheme["name"]?.value.string,
        let place = scheme["in"]?.value.string.flatMap(SecurityScheme.KeyPlace.init(rawValue:))
      else {
        throw sources.diagnostic(
          "the API key \"\(name)\" needs \"name\" and \"in\": header, query or cookie", at: scheme)
      }
      return .apiKey(name: field, place: place)
    default:
      throw sources.diagnostic(
        "the security scheme \"\(name)\" needs \"type\": apiKey, http, mutualTLS, oauth2 or openIdConnect",
        at: scheme["type"] ?? scheme)
    }
  }

  /// The credentials of an operation with a parameter `Authorization` and no `security`. OpenAPI ignores that
  /// parameter, but frameworks document credentials with it.
  mutating func headerCredentials(_ isRequired: Bool?) -> [Contract.SecurityRequirement] {
    guard let isRequired, unusableSchemes[SecurityScheme.header.name] == nil else { return [] }
    readsAuthorization = true
    let required = Contract.SecurityRequirement(schemes: [SecurityScheme.header.name])
    return isRequired ? [required] : [required, Contract.SecurityRequirement(schemes: [])]
  }
}
