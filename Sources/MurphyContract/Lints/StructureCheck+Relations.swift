import MurphyModel

extension StructureCheck {
  /// What the tables cannot say: fields that go together or not.
  mutating func relations(_ site: Located, _ kind: ObjectKind) {
    switch kind {
    case .document: document(site)
    case .parameter, .header: parameter(site, kind)
    case .mediaType: exclusive(site, "example", "examples")
    case .example:
      exclusive(site, "value", "externalValue")
    case .link:
      exclusive(site, "operationRef", "operationId")
    case .license: exclusive(site, "identifier", "url")
    case .server: server(site)
    case .serverVariable: serverVariable(site)
    case .securityScheme: securityScheme(site)
    case .securityRequirement: requirement(site)
    case .discriminator: mapping(site)
    case .responses:
      if line == .v30, site.members.allSatisfy({ $0.key.hasPrefix("x-") }) {
        report("\"responses\" must have at least one status", at: site)
      }
    default: break
    }
  }

  private mutating func document(_ site: Located) {
    if line > .v30, ["paths", "components", "webhooks"].allSatisfy({ site.value[$0] == nil }) {
      report("the document must have \"paths\", \"components\" or \"webhooks\"", at: site)
    }
  }

  private mutating func exclusive(_ site: Located, _ one: String, _ other: String) {
    if site.value[one] != nil, let second = site[other] {
      report("\"\(one)\" and \"\(other)\" exclude each other", at: second)
    }
  }

  private mutating func parameter(_ site: Located, _ kind: ObjectKind) {
    exclusive(site, "example", "examples")
    exclusive(site, "schema", "content")
    if site.value["schema"] == nil, site.value["content"] == nil {
      report("\(label(site)) needs \"schema\" or \"content\"", at: site)
    }
    if let content = site["content"], content.value.object.map({ $0.count != 1 }) ?? false {
      report("\"content\" of a parameter must have exactly one media type", at: content)
    }
    if kind == .header {
      for name in ["name", "in"] {
        if let field = site[name] { report("a Header Object has no \"\(name)\"", at: field) }
      }
      return
    }
    guard let location = site["in"]?.value.string.flatMap(Contract.Parameter.Location.init(rawValue:)) else { return }
    if location == .path, site.value["required"]?.bool != true {
      report("a path parameter needs \"required: true\"", at: site["required"] ?? site)
    }
    let styles = Contract.Parameter.styles(location).map(\.rawValue).filter { line == .v32 || $0 != "cookie" }
    if let style = site["style"], let text = style.value.string, !styles.contains(text) {
      report(
        "the style of a \(location.rawValue) parameter is one of \(styles.joined(separator: ", ")); found \"\(text)\"",
        at: style, ofName: false)
    }
  }

  private mutating func server(_ site: Located) {
    guard let url = site["url"], let text = url.value.string else { return }
    for name in PathTemplate(text).names where site["variables"]?.value[name] == nil {
      report("the server variable \"\(name)\" is not under \"variables\"", at: url, ofName: false)
    }
  }

  private mutating func serverVariable(_ site: Located) {
    guard let values = site["enum"] else { return }
    if values.value.array?.isEmpty == true, line > .v30 { report("\"enum\" must not be empty", at: values) }
    if let value = site["default"], let list = values.value.array, !list.isEmpty, !list.contains(value.value) {
      report("the default \(value.value.text) is not in \"enum\"", at: value, ofName: false)
    }
  }

  private mutating func securityScheme(_ site: Located) {
    let needed: [String] =
      switch site["type"]?.value.string {
      case "apiKey": ["name", "in"]
      case "http": ["scheme"]
      case "oauth2": ["flows"]
      case "openIdConnect": ["openIdConnectUrl"]
      default: []
      }
    for name in needed where site.value[name] == nil {
      report("a security scheme of type \(site["type"]?.value.string ?? "") needs \"\(name)\"", at: site)
    }
  }

  private mutating func requirement(_ site: Located) {
    let schemes = sources.root(0)["components"]?["securitySchemes"]
    for (name, field) in site.members {
      if let scheme = schemes?[name] {
        uses.add(from: site, to: scheme)
        continue
      }
      var message = "there is no security scheme \"\(name)\" under components"
      if let near = nearestName(to: name, among: schemes?.members.map(\.key) ?? []) {
        message += ". Did you mean \"\(near)\"?"
      }
      report(message, at: field)
    }
  }

  /// A mapping's value is a reference or the name of a component.
  private mutating func mapping(_ site: Located) {
    for (_, entry) in site["mapping"]?.members ?? [] {
      guard let text = entry.value.string else { continue }
      if let named = sources.root(entry.document)["components"]?["schemas"]?[text] {
        uses.add(from: site, to: named)
        continue
      }
      do throws(Diagnostic) {
        uses.add(from: site, to: try sources.target(of: text, from: entry))
      } catch {
        report("the mapping \"\(text)\" is neither a schema's name nor a reference to one", at: entry, ofName: false)
      }
    }
  }
}
