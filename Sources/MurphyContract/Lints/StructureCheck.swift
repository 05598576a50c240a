import MurphyModel
import MurphySchema

/// Checks a document against the specification's tables: every field known, of its type, and none missing.
///
/// Referenced files are checked as the object type that their reference requires.
struct StructureCheck {
  var sources: DocumentSet
  let line: OpenAPIVersion.Line
  var diagnostics: [Diagnostic] = []
  /// The references between components, for the search for unused components.
  var uses = ComponentUses()
  /// The first position of each operationId.
  var identifiers: [String: SourceMark] = [:]
  /// Links that name an operation. They are resolved when all operations are known.
  var links: [(name: String, site: Located)] = []
  private(set) var visited: [String: Set<LocationKey>] = [:]
  /// The rules of objects, each made once.
  private(set) var rules: [ObjectKind: ObjectRule] = [:]
  /// Targets of references, checked iteratively: a long chain of references uses no stack.
  private(set) var pending: [(Located, FieldRule)] = []

  mutating func run() {
    let root = sources.root(0)
    check(root, .object(root["swagger"] == nil ? .document : .swagger))
    while let (site, rule) = pending.popLast() { check(site, rule) }
    linkTargets()
  }

  /// The specification of the document, for messages.
  var specification: String {
    if isSwagger { return "Swagger 2.0" }
    return switch line {
    case .v30: "OpenAPI 3.0"
    case .v31: "OpenAPI 3.1"
    case .v32: "OpenAPI 3.2"
    }
  }

  var isSwagger: Bool { sources.root(0)["swagger"] != nil }

  mutating func later(_ target: Located, _ rule: FieldRule) { pending.append((target, rule)) }

  mutating func check(_ site: Located, _ rule: FieldRule) {
    switch rule {
    case .any: break
    case .string: expect(site, site.value.string != nil, "a string")
    case .uri: uri(site)
    case .email: email(site)
    case .mediaRanges: mediaRanges(site)
    case .boolean: expect(site, site.value.bool != nil, "true or false")
    case .word(let words): word(site, words)
    case .object(let kind): object(site, kind)
    case .referable(let kind): if isReference(site) { reference(site, .referable(kind)) } else { object(site, kind) }
    case .list(let item):
      if expect(site, site.value.array != nil, "a list") { for entry in site.items { check(entry, item) } }
    case .map(let value):
      if expect(site, site.value.object != nil, "an object") { for (_, entry) in site.members { check(entry, value) } }
    case .componentMap(let value): components(site, value)
    case .content: content(site)
    case .schema: schema(site)
    }
  }

  @discardableResult
  mutating func expect(_ site: Located, _ isRight: Bool, _ expected: String) -> Bool {
    if !isRight {
      report("\(label(site)) must be \(expected); found \(Self.found(site.value))", at: site, ofName: false)
    }
    return isRight
  }

  private mutating func word(_ site: Located, _ words: [String]) {
    guard expect(site, site.value.string != nil, "one of \(words.joined(separator: ", "))") else { return }
    let text = site.value.string ?? ""
    guard !words.contains(text) else { return }
    report(
      "\(label(site)) must be one of \(words.joined(separator: ", ")); found \"\(text)\""
        + suggestion(for: text, among: words), at: site, ofName: false)
  }

  private mutating func object(_ site: Located, _ kind: ObjectKind) {
    guard visit(site, as: kind.rawValue) else { return }
    guard expect(site, site.value.object != nil, "an object (\(kind.rawValue))") else { return }
    let rule = rule(of: kind)
    for entry in site.value.object?.members ?? [] {
      let name = entry.key
      if rule.isExtensible, name.hasPrefix("x-") { continue }
      let field = rule.fields.first { $0.name == name && $0.since <= line && line <= $0.until }
      if name != "$ref", field?.rule.isMet(by: entry.value) == true { continue }
      let member = site.member(entry)
      if let field {
        if name == "$ref" { reference(site, .object(kind)) } else { check(member, field.rule) }
      } else if let patterned = rule.patterned(name) {
        check(member, patterned)
      } else {
        unknown(name, member, kind, rule)
      }
    }
    for name in rule.required where site.value[name] == nil {
      report("\(label(site)) must have \"\(name)\", because it is \(kind.phrase)", at: site)
    }
    relations(site, kind)
  }

  private mutating func rule(of kind: ObjectKind) -> ObjectRule {
    if let known = rules[kind] { return known }
    let rule = kind.rule(line)
    rules[kind] = rule
    return rule
  }

  private mutating func unknown(_ name: String, _ member: Located, _ kind: ObjectKind, _ rule: ObjectRule) {
    if let later = rule.fields.first(where: { $0.name == name }) {
      let version = later.since == .v32 ? "3.2" : "3.1"
      report(
        "\"\(name)\" belongs to OpenAPI \(version), but \"openapi\" of this document is another version", at: member)
      return
    }
    switch kind {
    case .paths: report("the path \"\(name)\" must begin with a slash", at: member)
    case .responses: report("\"\(name)\" is not a status; a status is 100 to 599, 1XX to 5XX or default", at: member)
    default:
      let hint = suggestion(for: name, among: rule.fields.map(\.name))
      report("\(kind.phrase) cannot have \"\(name)\"\(hint)", at: member)
    }
  }

  private mutating func components(_ site: Located, _ rule: FieldRule) {
    guard expect(site, site.value.object != nil, "an object") else { return }
    for (name, entry) in site.members {
      let isPlain = name.utf8.allSatisfy { FieldTable.isToken($0) && !"!#$%&'*+^`|~".utf8.contains($0) }
      if name.isEmpty || !isPlain {
        report("the name \"\(name)\" may have only letters, digits, dots, hyphens and underscores", at: entry)
      }
      check(entry, rule)
    }
  }

  private mutating func content(_ site: Located) {
    guard expect(site, site.value.object != nil, "an object of media types") else { return }
    for (name, entry) in site.members {
      if MediaRange(name) == nil {
        report("\"\(name)\" is not a media type; application/json is an example of one", at: entry)
      }
      check(entry, line == .v32 ? .referable(.mediaType) : .object(.mediaType))
      applicable(entry, to: name)
    }
  }

  /// False if the place was checked as this role before.
  mutating func visit(_ site: Located, as role: String) -> Bool {
    visited[role, default: []].insert(site.key).inserted
  }

  func isReference(_ site: Located) -> Bool { site.value["$ref"] != nil }

  /// Follows a reference and checks its target with `rule`.
  mutating func reference(_ site: Located, _ rule: FieldRule) {
    guard let field = site["$ref"], expect(field, field.value.string != nil, "a string") else { return }
    do throws(Diagnostic) {
      let target = try sources.target(of: field.value.string ?? "", from: site)
      if field.value.string?.hasSuffix("#/") == true, target.pointer.tokens.isEmpty {
        report(
          "\"#/\" refers to a property with an empty name; use \"#\" for the whole file", at: field, ofName: false,
          .warning)
      }
      uses.add(from: site, to: target)
      guard visit(site, as: "$ref") else { return }
      // Only schemas may have circular references. The cost is the length of the chain.
      if case .schema = rule {} else { _ = try sources.resolved(site) }
      pending.append((target, rule))
    } catch {
      var found = error
      // The document may be valid all the same. If an operation needs the target, it is an error on loading.
      if DocumentSet.isOnNetwork(field.value.string ?? "") { found.severity = .warning }
      diagnostics.append(found)
    }
  }

  mutating func report(
    _ message: String, at site: Located, ofName: Bool = true, _ severity: Diagnostic.Severity = .error
  ) {
    diagnostics.append(sources.diagnostic(message, at: site, ofName: ofName, severity: severity))
  }

  /// The field's name, `"type"`, or the document.
  func label(_ site: Located) -> String {
    guard let last = site.pointer.tokens.last else { return "the document" }
    let around = JSONPointer(tokens: site.pointer.tokens.dropLast())
    guard around.resolve(in: sources.documents[site.document].value)?.array != nil else { return "\"\(last)\"" }
    return "item \(last) of \"\(around.tokens.last ?? "")\""
  }

  static func found(_ value: JSONValue) -> String {
    switch value {
    case .array: "a list"
    case .object: "an object"
    case .null: "nothing"
    default: value.text.utf8.count <= 60 ? value.text : "a \(value.typeName)"
    }
  }
}

/// Media types: fields that require each other, and fields that the media type does not use.
extension StructureCheck {
  /// From 3.2 on, `encoding` is for named parts; `prefixEncoding` and `itemEncoding` are for parts by position.
  mutating func encodings(_ site: Located) {
    exclusive(site, "encoding", "prefixEncoding")
    exclusive(site, "encoding", "itemEncoding")
    headerNames(site["headers"])
  }

  /// Fields that are legal and ignored for this media type are probably a mistake.
  mutating func applicable(_ site: Located, to name: String) {
    guard let media = try? sources.resolved(site), let range = MediaRange(name), range.type != "*" else { return }
    let isMultipart = range.type == "multipart"
    for field in ["encoding", "prefixEncoding", "itemEncoding"] {
      guard let place = media[field], place.document == site.document else { continue }
      let isForm = isMultipart || range.subtype == "x-www-form-urlencoded"
      if !(field == "encoding" ? isForm : isMultipart) {
        report("\"\(field)\" has no effect for \(name)", at: place, .warning)
      }
    }
    if let place = media["itemSchema"], !isMultipart, !range.isSequence {
      report("\"itemSchema\" is for sequences such as application/jsonl, not for \(name)", at: place, .warning)
    }
  }

  mutating func example(_ site: Located) {
    for (one, other) in [
      ("value", "externalValue"), ("value", "dataValue"), ("value", "serializedValue"),
      ("externalValue", "serializedValue"),
    ] {
      exclusive(site, one, other)
    }
  }
}

/// Versions, servers and their URL templates.
extension StructureCheck {
  /// `3.2.0`, not `3.2`.
  mutating func version(_ field: Located?) {
    guard let field, let text = field.value.string else { return }
    let release = text.split(separator: "-", maxSplits: 1).first ?? ""
    let parts = release.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count != 3 || !parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy(\.isWholeNumber) }) else { return }
    report(
      "\"openapi\" must be the full version, such as \(parts.prefix(2).joined(separator: ".")).0", at: field,
      ofName: false)
  }

  mutating func server(_ site: Located) {
    guard let url = site["url"], let text = url.value.string else { return }
    let template = PathTemplate(text)
    for name in template.names where site["variables"]?.value[name] == nil {
      report("the server variable \"\(name)\" is not under \"variables\"", at: url, ofName: false)
    }
    for name in Set(template.names) where template.names.count(where: { $0 == name }) > 1 {
      report("the server variable \"\(name)\" appears twice in \"\(text)\"", at: url, ofName: false, since32)
    }
    if template.isBroken { report("the braces of \"\(text)\" are not balanced", at: url, ofName: false, since32) }
    if let mark = template.shape.first(where: { "?#".contains($0) }) {
      let part = mark == "?" ? "query" : "fragment"
      report("the URL of a server must not have a \(part)", at: url, ofName: false, since32)
    }
    if template.shape.unicodeScalars.contains(where: Self.isOutsideURIs) {
      report("\"\(text)\" has a character that a URL cannot have", at: url, ofName: false, since32)
    }
  }

  mutating func serverNames(_ list: Located?) {
    var names: Set<String> = []
    for server in list?.items ?? [] {
      guard let field = server["name"], let name = field.value.string, !names.insert(name).inserted else { continue }
      report("the server \"\(name)\" appears here twice", at: field, ofName: false)
    }
  }

  /// The severity of constructs that 3.2 forbids and older versions do not mention.
  var since32: Diagnostic.Severity { line == .v32 ? .error : .warning }
}
