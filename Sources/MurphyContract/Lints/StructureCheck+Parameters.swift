import MurphyModel

/// Parameters, headers and path items: fields that require or exclude each other.
extension StructureCheck {
  private static let serialization = ["style", "explode", "allowReserved"]

  mutating func parameter(_ site: Located) {
    described(site)
    let place = site["in"]?.value.string ?? ""
    if place != "query", let field = site["allowEmptyValue"] {
      report("\"allowEmptyValue\" is for query parameters only", at: field, inapplicable)
    }
    if place == "querystring" { return querystring(site) }
    guard let location = Contract.Parameter.Location(rawValue: place) else { return }
    if location == .path, site.value["required"]?.bool != true {
      report("a path parameter needs \"required: true\"", at: site["required"] ?? site)
    }
    let styles = Contract.Parameter.styles(location).map(\.rawValue).filter { line == .v32 || $0 != "cookie" }
    if let style = site["style"], let text = style.value.string, !styles.contains(text) {
      report(
        "the style of a \(location.rawValue) parameter is one of \(styles.joined(separator: ", ")); found \"\(text)\"",
        at: style, ofName: false)
    }
    if location == .header, let field = site["name"], let name = field.value.string {
      headerName(name, at: field, ofName: false)
    }
    if location == .cookie, line == .v32, let field = site["explode"], field.value.bool == false {
      report("cookies have no commas, so \"explode\": false is undefined for them", at: field, .warning)
    }
    shaped(site)
    if let field = site["allowReserved"], !percentEncodes(location, style: site["style"]?.value.string) {
      let where32 = "parameters whose place and style percent-encode: not header, not the style cookie"
      report(
        "\"allowReserved\" is for \(line == .v32 ? where32 : "query parameters only")", at: field, inapplicable)
    }
  }

  /// Styles for arrays or objects only.
  private mutating func shaped(_ site: Located) {
    let needed = [
      "deepObject": ["object"], "spaceDelimited": ["array", "object"], "pipeDelimited": ["array", "object"],
    ]
    guard let style = site["style"], let fitting = style.value.string.flatMap({ needed[$0] }),
      let found = (site["schema"].flatMap { try? sources.resolved($0) })?.types,
      !found.contains(where: fitting.contains)
    else { return }
    report(
      "the style \(style.value.string ?? "") is for schemas of type \(fitting.joined(separator: " or ")); found "
        + found.joined(separator: ", "), at: style, ofName: false, since32)
  }

  /// True where `allowReserved` applies: in queries; from 3.2 on wherever values are percent-encoded.
  private func percentEncodes(_ location: Contract.Parameter.Location, style: String?) -> Bool {
    switch location {
    case .query: true
    case .path: line == .v32
    case .cookie: line == .v32 && style != "cookie"
    case .header: false
    }
  }

  mutating func header(_ site: Located) {
    described(site)
    for name in ["name", "in"] {
      if let field = site[name] { report("a Header Object has no \"\(name)\"", at: field) }
    }
    for name in ["allowEmptyValue", "allowReserved"] {
      if line > .v30, let field = site[name] { report("a Header Object has no \"\(name)\"", at: field) }
    }
    if let style = site["style"], let text = style.value.string, text != "simple" {
      report("the style of a header is simple; found \"\(text)\"", at: style, ofName: false)
    }
  }

  /// Rules for both parameters and headers.
  private mutating func described(_ site: Located) {
    exclusive(site, "example", "examples")
    exclusive(site, "schema", "content")
    if site.value["schema"] == nil, site.value["content"] == nil {
      report("\(label(site)) needs \"schema\" or \"content\"", at: site)
    }
    guard let content = site["content"] else { return }
    if content.value.object.map({ $0.count != 1 }) ?? false {
      report("\"content\" of a parameter must have exactly one media type", at: content)
    }
    for name in Self.serialization where site.value["schema"] == nil {
      if let field = site[name] {
        report("\"\(name)\" goes with \"schema\", not with \"content\"", at: field, inapplicable)
      }
    }
  }

  private mutating func querystring(_ site: Located) {
    if let schema = site["schema"] {
      report("a querystring parameter has \"content\", not \"schema\"", at: schema)
    }
  }

  mutating func pathItem(_ site: Located) {
    parameterLists([site["parameters"]])
    distinct(site["parameters"])
    serverNames(site["servers"])
    for (_, operation) in ContractAssembly.operations(in: [site]) {
      parameterLists([site["parameters"], operation["parameters"]])
    }
    let fixed = Set(ContractAssembly.methods.map { $0.uppercased() })
    for (name, entry) in site["additionalOperations"]?.members ?? [] {
      if !HeaderName.isValid(name) {
        report("\"\(name)\" is not a method: a token such as COPY is expected", at: entry)
      } else if fixed.contains(name) {
        report("\(name) is not an additional operation: write it as \"\(name.lowercased())\"", at: entry)
      }
    }
  }

  /// At most one `querystring`, and none together with `query`: it is the whole query.
  mutating func parameterLists(_ lists: [Located?]) {
    guard line == .v32 else { return }
    var whole = 0
    var hasQuery = false
    for entry in lists.compactMap({ $0 }).flatMap(\.items) {
      switch (try? sources.resolved(entry))?["in"]?.value.string {
      case "query": hasQuery = true
      case "querystring": whole += 1
      default: continue
      }
      if whole > 1 { return report("only one parameter may be in: querystring", at: entry) }
      if whole == 1, hasQuery { return report("in: querystring and in: query exclude each other", at: entry) }
    }
  }
}
