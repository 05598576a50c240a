import MurphyModel
import MurphySchema

/// Parameters, headers and path items: fields that require or exclude each other.
extension StructureCheck {
  private static let serialization = ["style", "explode", "allowReserved"]

  /// The parts of a document that describe a header in place of a parameter (OpenAPI 3.1 §4.8.12.2).
  private static let describedElsewhere = [
    "accept": "\"content\" of the responses", "content-type": "\"content\" of the request body",
    "authorization": "\"security\"",
  ]

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
        "the style of a \(location.rawValue) parameter must be one of \(styles.joined(separator: ", ")); found "
          + "\"\(text)\"",
        at: style, ofName: false)
    }
    if location == .header, let field = site["name"], let name = field.value.string {
      headerName(name, at: field, ofName: false)
      if !isSwagger, let part = Self.describedElsewhere[name.lowercased()] {
        report(
          "OpenAPI ignores the header parameter \"\(name)\", because \(part) describes this header", at: field,
          ofName: false, .warning)
      }
    }
    if location == .cookie, line == .v32, let field = site["explode"], field.value.bool == false {
      report("cookies have no commas, so \"explode\": false is undefined for them", at: field, .warning)
    }
    shaped(site)
    if let field = site["allowReserved"], !percentEncodes(location, style: site["style"]?.value.string) {
      let where32 = "percent-encoded parameters only, not for headers or the style cookie"
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
      report("the style of a header must be simple; found \"\(text)\"", at: style, ofName: false)
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
        report("\"\(name)\" is allowed only with \"schema\", not with \"content\"", at: field, inapplicable)
      }
    }
  }

  private mutating func querystring(_ site: Located) {
    if let schema = site["schema"] {
      report("a querystring parameter must have \"content\" instead of \"schema\"", at: schema)
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
      if whole > 1 { return report("only one parameter may have in: querystring", at: entry) }
      if whole == 1, hasQuery { return report("in: querystring and in: query cannot be used together", at: entry) }
    }
  }
}

/// Strings with a prescribed syntax.
extension StructureCheck {
  /// A URI reference, relative or not. Template braces and letters of any script are accepted: many documents have
  /// them.
  mutating func uri(_ site: Located) {
    guard expect(site, site.value.string != nil, "a string"), let text = site.value.string else { return }
    guard let wrong = text.unicodeScalars.first(where: Self.isOutsideURIs) else { return }
    let shown = wrong.properties.isWhitespace ? "a space" : "\"\(wrong)\""
    report("\(label(site)) must be a URI, which cannot have \(shown); found \"\(text)\"", at: site, ofName: false)
  }

  /// RFC 3986 §2 and RFC 3987 §2.2.
  static func isOutsideURIs(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value <= 0x20 || scalar.value == 0x7F || "<>\"\\^`".unicodeScalars.contains(scalar)
      || scalar.properties.isWhitespace
  }

  mutating func email(_ site: Located) {
    guard expect(site, site.value.string != nil, "a string"), let text = site.value.string else { return }
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    guard parts.count < 2 || parts.contains(where: \.isEmpty) || text.contains(where: \.isWhitespace) else { return }
    report("\(label(site)) must be an e-mail address; found \"\(text)\"", at: site, ofName: false)
  }

  /// `image/png, image/*`
  mutating func mediaRanges(_ site: Located) {
    guard expect(site, site.value.string != nil, "a string"), let text = site.value.string else { return }
    var isQuoted = false
    let ranges = text.split(omittingEmptySubsequences: false) { character in
      if character == "\"" { isQuoted.toggle() }
      return character == "," && !isQuoted
    }
    for range in ranges where MediaRange(String(range.trimmed)) == nil {
      report(
        "\(label(site)) must be media types, separated by commas; found \"\(range.trimmed)\"", at: site, ofName: false)
    }
  }

  /// Header names are tokens (RFC 9110 §5.1); others cannot be sent.
  mutating func headerNames(_ headers: Located?) {
    for (name, entry) in headers?.members ?? [] { headerName(name, at: entry, ofName: true) }
  }

  mutating func headerName(_ name: String, at site: Located, ofName: Bool) {
    guard !HeaderName.isValid(name) else { return }
    report("no header can have the name \"\(name)\" (RFC 9110 §5.1)", at: site, ofName: ofName, since32)
  }
}

/// Keywords whose values have a prescribed syntax.
extension StructureCheck {
  mutating func types(_ value: Located) {
    let names = SchemaKeyword.typeNames + (line == .v30 ? [] : ["null"])
    guard line > .v30, let list = value.value.array else { return check(value, .word(names)) }
    if list.isEmpty { report("\"type\" must have at least one type", at: value) }
    for item in value.items { check(item, .word(names)) }
    unique(value, "type")
  }

  /// A list of unique names. In 3.0 it must not be empty.
  mutating func names(_ value: Located) {
    guard expect(value, value.value.array != nil, "a list of names") else { return }
    for item in value.items { check(item, .string) }
    unique(value, "property")
    if line == .v30, value.value.array?.isEmpty == true {
      report("\(label(value)) must name at least one property in \(specification); leave it out", at: value)
    }
  }

  private mutating func unique(_ value: Located, _ what: String) {
    let names = value.value.array?.compactMap(\.string) ?? []
    if Set(names).count != names.count { report("\(label(value)) names a \(what) twice", at: value) }
  }

  /// "SHOULD have at least one element" (JSON Schema Validation §6.1.2); in 3.0, MUST.
  mutating func values(_ value: Located) {
    guard expect(value, value.value.array != nil, "a list"), value.value.array?.isEmpty == true else { return }
    report("no value is valid: \"enum\" has no value", at: value, line == .v30 ? .error : .warning)
  }

  mutating func identifier(_ value: Located) {
    uri(value)
    guard let text = value.value.string, let fragment = URIReference(text).fragment, !fragment.isEmpty else { return }
    report("\"$id\" must not have a fragment; \"$anchor\" names a part", at: value, ofName: false)
  }

  /// JSON Schema Core §8.2.2.
  mutating func anchor(_ value: Located) {
    guard expect(value, value.value.string != nil, "a string"), let text = value.value.string else { return }
    let isName = text.utf8.enumerated().allSatisfy { index, byte in
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"): true
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."): index > 0
      default: false
      }
    }
    guard text.isEmpty || !isName else { return }
    report(
      "\(label(value)) must begin with a letter or _, and have only letters, digits, -, _ and .; found \"\(text)\"",
      at: value, ofName: false)
  }

  /// The rules of OpenAPI 3.0 for a Schema Object that go beyond its keywords' types (§4.7.24).
  mutating func oldRules(_ site: Located) {
    if site.value["type"]?.string == "array", site.value["items"] == nil {
      report("a schema of type array needs \"items\"", at: site)
    }
    if site.value["readOnly"]?.bool == true, site.value["writeOnly"]?.bool == true, let second = site["writeOnly"] {
      report("\"readOnly\" and \"writeOnly\" cannot be used together", at: second)
    }
    for (flag, bound) in [("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")] {
      if let field = site[flag], field.value.bool == true, site.value[bound] == nil {
        report("\"\(flag)\" has no effect without \"\(bound)\"", at: field, .warning)
      }
    }
  }
}
