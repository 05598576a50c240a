import MurphyModel

/// Security schemes, their flows and the operations that require them.
extension StructureCheck {
  /// The fields of each type of scheme: the required ones, then the optional ones.
  private static let schemeFields: [String: (needed: [String], others: [String])] = [
    "apiKey": (["name", "in"], []), "http": (["scheme"], ["bearerFormat"]), "mutualTLS": ([], []),
    "oauth2": (["flows"], ["oauth2MetadataUrl"]), "openIdConnect": (["openIdConnectUrl"], []),
  ]

  private static let flowFields: [String: [String]] = [
    "implicit": ["authorizationUrl"], "password": ["tokenUrl"], "clientCredentials": ["tokenUrl"],
    "authorizationCode": ["authorizationUrl", "tokenUrl"],
    "deviceAuthorization": ["deviceAuthorizationUrl", "tokenUrl"],
  ]

  mutating func securityScheme(_ site: Located) {
    guard let type = site["type"]?.value.string, let fields = Self.schemeFields[type] else { return }
    for name in fields.needed where site.value[name] == nil {
      report("a security scheme of type \(type) needs \"\(name)\"", at: site)
    }
    let foreign = Set(Self.schemeFields.values.flatMap { $0.needed + $0.others }).subtracting(
      fields.needed + fields.others)
    for (name, field) in site.members where foreign.contains(name) {
      report("a security scheme of type \(type) has no \"\(name)\"", at: field, inapplicable)
    }
    if type == "http", let format = site["bearerFormat"], let scheme = site["scheme"]?.value.string,
      scheme.lowercased() != "bearer"
    {
      report("\"bearerFormat\" is for the scheme bearer; found \"\(scheme)\"", at: format, .warning)
    }
  }

  mutating func oauthFlows(_ site: Located) {
    for (name, flow) in site.members {
      guard let needed = Self.flowFields[name], flow.value.object != nil else { continue }
      for field in needed where flow.value[field] == nil {
        report("the flow \(name) needs \"\(field)\"", at: flow)
      }
      let foreign = Set(Self.flowFields.values.flatMap { $0 }).subtracting(needed)
      for (field, place) in flow.members where foreign.contains(field) {
        report("the flow \(name) has no \"\(field)\"", at: place, inapplicable)
      }
    }
  }

  mutating func requirement(_ site: Located) {
    let schemes = sources.root(0)["components"]?["securitySchemes"]
    for (name, field) in site.members {
      if let scheme = schemes?[name] {
        uses.add(from: site, to: scheme)
        scopes(field, of: scheme, name)
        continue
      }
      // From 3.2 on, the name may be the URI of a scheme.
      if line == .v32, name.contains(where: { "#/:".contains($0) }),
        let scheme = try? sources.target(of: name, from: site)
      {
        uses.add(from: site, to: scheme)
        later(scheme, .referable(.securityScheme))
        continue
      }
      let hint = suggestion(for: name, among: schemes?.members.map(\.key) ?? [])
      report("there is no security scheme \"\(name)\" under components\(hint)", at: field)
    }
  }

  /// "For other security scheme types, the array MUST be empty" (3.0.4 §4.7.30); later versions put roles there.
  private mutating func scopes(_ field: Located, of scheme: Located, _ name: String) {
    guard line == .v30, field.value.array?.isEmpty == false,
      let type = (try? sources.resolved(scheme))?["type"]?.value.string, !["oauth2", "openIdConnect"].contains(type)
    else { return }
    report("\"\(name)\" is of type \(type), which has no scopes: its list must be empty", at: field)
  }
}
