import MurphyModel
import MurphySchema

/// Operations, and the links and callbacks between them.
extension StructureCheck {
  /// The operations of paths, webhooks and callbacks.
  mutating func operation(_ site: Located) {
    parameterLists([site["parameters"]])
    distinct(site["parameters"])
    serverNames(site["servers"])
    guard let field = site["operationId"], let id = field.value.string else { return }
    let mark = sources.mark(field)
    if let first = identifiers[id], first != mark {
      report(
        "the operationId \"\(id)\" is already used at \(sources.words(of: first, near: field))", at: field,
        ofName: false)
    } else {
      identifiers[id] = mark
    }
  }

  /// A parameter is identified by name and location and may occur once in a list.
  mutating func distinct(_ list: Located?) {
    var seen: Set<[String]> = []
    for parameter in parameters(list) where !seen.insert([parameter.name, parameter.place]).inserted {
      report(
        "the \(parameter.place) parameter \"\(parameter.name)\" appears here twice", at: parameter.site, ofName: false)
    }
  }

  mutating func link(_ site: Located) {
    exclusive(site, "operationRef", "operationId")
    if site.value["operationRef"] == nil, site.value["operationId"] == nil {
      report("\(label(site)) needs \"operationId\" or \"operationRef\"", at: site)
    }
    if let field = site["operationId"], let name = field.value.string { links.append((name, field)) }
    if let field = site["operationRef"], let text = field.value.string, !DocumentSet.isOnNetwork(text) {
      do throws(Diagnostic) {
        later(try sources.target(of: text, from: field), .object(.operation))
      } catch {
        report(error.message, at: field, ofName: false, .warning)
      }
    }
    for (_, value) in site["parameters"]?.members ?? [] { expression(value) }
    if let body = site["requestBody"] { expression(body) }
  }

  /// A missing target does not stop a run: links are not followed.
  mutating func linkTargets() {
    for (name, site) in links where identifiers[name] == nil {
      let hint = suggestion(for: name, among: identifiers.keys.sorted())
      report("no operation has the operationId \"\(name)\"\(hint)", at: site, ofName: false, .warning)
    }
  }

  mutating func callback(_ site: Located) {
    for (name, entry) in site.members where !name.hasPrefix("x-") {
      for text in RuntimeExpression.wrong(in: name) {
        report("\"\(text)\" is not a runtime expression such as $request.body#/url", at: entry, .warning)
      }
    }
  }

  /// A value that is not an expression is a constant. That is rarely intended if it starts with `$`.
  private mutating func expression(_ site: Located) {
    for text in site.value.string.map(RuntimeExpression.wrong) ?? [] {
      report(
        "\"\(text)\" is not a runtime expression such as $response.body#/id", at: site, ofName: false, .warning)
    }
  }
}

/// The runtime expressions of links and callbacks (OpenAPI 3.2 §4.22.1; the same in 3.0 and 3.1).
struct RuntimeExpression {
  /// The invalid expressions in `text`: the whole string if it starts with `$`, otherwise each part in braces that
  /// starts with `$`.
  static func wrong(in text: String) -> [String] {
    if text.hasPrefix("$") { return isExpression(text[...]) ? [] : [text] }
    return text.split(separator: "{", omittingEmptySubsequences: false).dropFirst().compactMap { part in
      guard part.hasPrefix("$"), let inner = part.split(separator: "}", omittingEmptySubsequences: false).first else {
        return nil
      }
      return isExpression(inner) ? nil : String(inner)
    }
  }

  private static func isExpression(_ text: Substring) -> Bool {
    if ["$url", "$method", "$statusCode"].contains(text) { return true }
    guard let prefix = ["$request.", "$response."].first(where: text.hasPrefix) else { return false }
    let source = text.dropFirst(prefix.count)
    if source.hasPrefix("header.") {
      let name = source.dropFirst("header.".count)
      return HeaderName.isValid(name)
    }
    if source.hasPrefix("query.") || source.hasPrefix("path.") { return true }
    guard source.hasPrefix("body") else { return false }
    let pointer = source.dropFirst("body".count)
    return pointer.isEmpty || pointer.hasPrefix("#") && JSONPointer(String(pointer.dropFirst())) != nil
  }
}

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
      report("a security scheme of type \(type) cannot have \"\(name)\"", at: field, inapplicable)
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
        report("the flow \(name) cannot have \"\(field)\"", at: place, inapplicable)
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
      report("there is no security scheme \"\(name)\"\(hint)", at: field)
    }
  }

  /// "For other security scheme types, the array MUST be empty" (3.0.4 §4.7.30); later versions put roles there.
  private mutating func scopes(_ field: Located, of scheme: Located, _ name: String) {
    guard line == .v30, field.value.array?.isEmpty == false,
      let type = (try? sources.resolved(scheme))?["type"]?.value.string, !["oauth2", "openIdConnect"].contains(type)
    else { return }
    report("\"\(name)\" is of type \(type), which has no scopes: its list must be empty", at: field)
  }

  /// Rules that the tables cannot express: fields that require or exclude each other.
  mutating func relations(_ site: Located, _ kind: ObjectKind) {
    switch kind {
    case .document: document(site)
    case .swagger: tags(site["tags"])
    case .pathItem: pathItem(site)
    case .operation: operation(site)
    case .callback: callback(site)
    case .parameter: parameter(site)
    case .header: header(site)
    case .mediaType:
      exclusive(site, "example", "examples")
      encodings(site)
    case .encoding: encodings(site)
    case .example: example(site)
    case .link: link(site)
    case .license: exclusive(site, "identifier", "url")
    case .server: server(site)
    case .serverVariable: serverVariable(site)
    case .securityScheme: securityScheme(site)
    case .oauthFlows: oauthFlows(site)
    case .securityRequirement: requirement(site)
    case .discriminator: mappings(site)
    case .response: headerNames(site["headers"])
    case .xml: xml(site)
    case .responses:
      if site.members.allSatisfy({ $0.key.hasPrefix("x-") }) {
        report("\"responses\" must have at least one status", at: site)
      }
    default: break
    }
  }

  /// The severity of fields that the official schema of 3.1 rejects and the text of 3.0 only calls not applicable.
  var inapplicable: Diagnostic.Severity { line == .v30 ? .warning : .error }

  private mutating func document(_ site: Located) {
    if line > .v30, ["paths", "components", "webhooks"].allSatisfy({ site.value[$0] == nil }) {
      report("the document must have \"paths\", \"components\" or \"webhooks\"", at: site)
    }
    if let own = site["$self"], own.value.string?.contains("#") == true {
      report("\"$self\" must not have a fragment", at: own, ofName: false)
    }
    version(site["openapi"])
    tags(site["tags"])
    serverNames(site["servers"])
  }

  /// Names are unique. In 3.2 a parent is the name of another tag, and no tag is its own ancestor.
  private mutating func tags(_ list: Located?) {
    var parents: [String: (parent: String, site: Located)] = [:]
    var names: Set<String> = []
    for tag in list?.items ?? [] {
      guard let field = tag["name"], let name = field.value.string else { continue }
      if !names.insert(name).inserted { report("the tag \"\(name)\" appears here twice", at: field, ofName: false) }
      if let parent = tag["parent"], let text = parent.value.string { parents[name] = (text, parent) }
    }
    for (name, entry) in parents.sorted(by: { $0.key < $1.key }) {
      if !names.contains(entry.parent) {
        let hint = suggestion(for: entry.parent, among: names.sorted())
        report("the parent \"\(entry.parent)\" is not the name of a tag\(hint)", at: entry.site, ofName: false)
      }
      var above = entry.parent
      for _ in 0..<parents.count {
        if above == name {
          report("the tag \"\(name)\" is its own ancestor", at: entry.site, ofName: false)
          break
        }
        guard let next = parents[above] else { break }
        above = next.parent
      }
    }
  }

  mutating func exclusive(_ site: Located, _ one: String, _ other: String) {
    if site.value[one] != nil, let second = site[other] {
      report("\"\(one)\" and \"\(other)\" cannot be used together", at: second)
    }
  }

  private mutating func serverVariable(_ site: Located) {
    guard let values = site["enum"] else { return }
    // "SHOULD NOT be empty" in 3.0, "MUST NOT" from 3.1 on.
    if values.value.array?.isEmpty == true { report("\"enum\" must not be empty", at: values, inapplicable) }
    if let value = site["default"], let list = values.value.array, !list.isEmpty, !list.contains(value.value) {
      report("the default \(value.value.text) is not in \"enum\"", at: value, ofName: false)
    }
  }

  private mutating func xml(_ site: Located) {
    exclusive(site, "nodeType", "attribute")
    exclusive(site, "nodeType", "wrapped")
    if let namespace = site["namespace"], let text = namespace.value.string, URIReference(text).scheme == nil {
      report("\"namespace\" must be a URI with its scheme; found \"\(text)\"", at: namespace, ofName: false)
    }
  }
}
