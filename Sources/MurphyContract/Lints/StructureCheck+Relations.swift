import MurphyModel
import MurphySchema

extension StructureCheck {
  /// Rules that the tables cannot express: fields that require or exclude each other.
  mutating func relations(_ site: Located, _ kind: ObjectKind) {
    switch kind {
    case .document: document(site)
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
      report("\"\(one)\" and \"\(other)\" exclude each other", at: second)
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
