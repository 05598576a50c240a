import MurphyModel

extension ContractAssembly {
  /// The parameters of a list, after those of `inherited` that it does not override by name and place.
  mutating func parameters(_ list: Located, inherited: [Contract.Parameter]) -> [Contract.Parameter] {
    let own = list.items.compactMap { parameter($0) }
    return inherited.filter { old in !own.contains { $0.name == old.name && $0.location == old.location } } + own
  }

  private mutating func parameter(_ site: Located) -> Contract.Parameter? {
    guard let parameter = resolve(site) else { return nil }
    guard let name = parameter["name"]?.value.string else {
      report("a parameter without a name", at: parameter, ofName: false)
      return nil
    }
    guard let place = parameter["in"]?.value.string, let location = Contract.Parameter.Location(rawValue: place) else {
      return unplaced(name, parameter)
    }
    // These three are described elsewhere in the document (OpenAPI 3.1 §4.8.12.2).
    if location == .header, ["accept", "content-type", "authorization"].contains(name.lowercased()) { return nil }
    let isRequired = parameter["required"]?.value.bool ?? false
    if location == .path, !isRequired {
      report("the path parameter \"\(name)\" needs \"required: true\"", at: parameter, ofName: false, .warning)
    }
    let style = style(of: parameter, name, location)
    let content = parameter["content"]?.members.first
    return Contract.Parameter(
      name: name, location: location, isRequired: isRequired || location == .path, style: style,
      explode: parameter["explode"]?.value.bool ?? (style == .form || style == .cookie),
      allowReserved: parameter["allowReserved"]?.value.bool ?? false, contentType: content?.key,
      source: sources.mark(parameter, ofName: false),
      schema: (parameter["schema"] ?? content?.located["schema"]).map { SchemaSite(located: $0, index: nil) })
  }

  private mutating func unplaced(_ name: String, _ parameter: Located) -> Contract.Parameter? {
    let place = parameter["in"]?.value.string
    // 3.2's whole query string as one value; nothing can be filled in by name.
    if place == "querystring" { return nil }
    let found = place.map { "found \"\($0)\"" } ?? "it is missing"
    report(
      "the parameter \"\(name)\" must have \"in\" as path, query, header or cookie; \(found)",
      at: parameter["in"] ?? parameter, ofName: false)
    return nil
  }

  private mutating func style(
    of parameter: Located, _ name: String, _ location: Contract.Parameter.Location
  ) -> ParameterStyle {
    guard let field = parameter["style"] else { return Contract.Parameter.defaultStyle(location) }
    let admitted = Contract.Parameter.styles(location)
    if let text = field.value.string, let style = ParameterStyle(rawValue: text), admitted.contains(style) {
      return style
    }
    report(
      "the style of a \(location.rawValue) parameter is one of \(admitted.map(\.rawValue).joined(separator: ", ")); "
        + "found \(field.value.text)", at: field, ofName: false)
    return Contract.Parameter.defaultStyle(location)
  }
}
