import MurphyModel
import MurphySchema

extension ContractAssembly {
  static let methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"]

  mutating func operations(_ root: Located) -> [Contract.Operation] {
    self.root = root.document
    let surroundings = Surroundings(
      security: root["security"], limits: Self.statesLimits(root) ? root : nil, limitOrigin: .document, parameters: [])
    var operations: [Contract.Operation] = []
    for (path, item) in root["paths"]?.members ?? [] where !path.hasPrefix("x-") {
      guard path.hasPrefix("/") else {
        report("the path \"\(path)\" must begin with a slash; murphy ignores its operations", at: item, .warning)
        continue
      }
      operations += self.operations(of: path, item, surroundings)
    }
    return operations
  }

  /// The properties that operations inherit from a path item or the document.
  struct Surroundings {
    var security: Located?
    /// The path item or document whose `x-ratelimit` applies.
    var limits: Located?
    var limitOrigin: Contract.DocumentedLimit.Origin
    var parameters: [Contract.Parameter]
    /// True if the parameters have a required header `Authorization`, false if it is optional; nil without one.
    var authorization: Bool?
    /// The mistakes of the path item's parameters.
    var mistakes: [Diagnostic] = []
  }

  private mutating func operations(
    of path: String, _ item: Located, _ document: Surroundings
  ) -> [Contract.Operation] {
    // Fields next to a path item's $ref also apply (3.0 leaves their meaning open; 3.1 §4.8.9.1).
    var sites = [item]
    if item["$ref"] != nil {
      let known = problems.count
      guard let target = resolve(item) else {
        problems += mistakes(since: known).map {
          Self.warning($0, "; murphy ignores the operations of the path \"\(path)\"")
        }
        return []
      }
      sites.append(target)
    }
    var surroundings = document
    if let limits = sites.first(where: { Self.statesLimits($0) }) {
      surroundings.limits = limits
      surroundings.limitOrigin = .path
    }
    let known = problems.count
    surroundings.parameters =
      sites.lazy.compactMap { $0["parameters"] }.first.map { parameters($0, inherited: []) } ?? []
    surroundings.authorization = authorization.take()
    surroundings.mistakes = mistakes(since: known)
    return Self.operations(in: sites).map { method, site in operation(method, path, site, surroundings) }
  }

  /// The operations of a path item and of its `$ref` target, with their methods in the form that is sent.
  static func operations(in sites: [Located]) -> [(method: String, site: Located)] {
    let fixed = methods.compactMap { method in
      sites.lazy.compactMap { $0[method] }.first.map { (method.uppercased(), $0) }
    }
    let additional = sites.lazy.compactMap { $0["additionalOperations"] }.first?.members ?? []
    return fixed + additional.map { ($0.key, $0.located) }
  }

  /// Removes the errors added to `problems` since it had `count` entries: they concern one operation, and others stay
  /// usable.
  private mutating func mistakes(since count: Int) -> [Diagnostic] {
    let added = problems[count...]
    problems.removeSubrange(count...)
    problems += added.filter { $0.severity == .warning }
    return added.filter { $0.severity == .error }
  }

  private mutating func operation(
    _ method: String, _ path: String, _ site: Located, _ surroundings: Surroundings
  ) -> Contract.Operation {
    let id = identifier(method, path, site)
    let known = problems.count
    let documented =
      site["parameters"].map { self.parameters($0, inherited: surroundings.parameters) }
      ?? surroundings.parameters
    let parameters = documented + undeclared(in: path, documented, at: site)
    let responses = responses(site, method: method)
    let security =
      (site["security"] ?? surroundings.security)?.items.map {
        Contract.SecurityRequirement(schemes: $0.members.map(\.key))
      } ?? headerCredentials(authorization.take() ?? surroundings.authorization)
    authorization = nil
    let body = site["requestBody"].flatMap { requestBody($0) }
    let limits = limits(site, surroundings, responses)
    let schemes = Set(security.flatMap(\.schemes)).sorted()
    return Contract.Operation(
      id: id, method: method, path: path, parameters: parameters, requestBody: body, security: security,
      documentedLimits: limits, isDeprecated: site["deprecated"]?.value.bool ?? false,
      title: Self.title(site), source: sources.mark(site), responses: responses,
      mistakes: surroundings.mistakes + mistakes(since: known) + schemes.compactMap { unusableSchemes[$0] })
  }

  /// The summary, or the first sentence of the description.
  private static func title(_ site: Located) -> String {
    if let summary = site["summary"]?.value.string, !summary.isEmpty { return summary }
    guard let text = site["description"]?.value.string else { return "" }
    let line = text.textLines.first { !$0.isEmpty } ?? ""
    return line.firstRange(of: ". ").map { String(line[..<$0.lowerBound]) } ?? line
  }

  /// The names of a path template that no parameter describes: every value is allowed.
  private func undeclared(
    in path: String, _ documented: [Contract.Parameter], at site: Located
  ) -> [Contract.Parameter] {
    let known = Set(documented.lazy.filter { $0.location == .path }.map(\.name)).union([""])
    return Set(PathTemplate(path).names).subtracting(known).sorted().map { name in
      Contract.Parameter(
        name: name, location: .path, isRequired: true, style: .simple, explode: false, allowReserved: false,
        contentType: nil, source: sources.mark(site), schema: nil)
    }
  }

  /// The operationId. If it is missing or taken, `METHOD /path`, with a warning.
  private mutating func identifier(_ method: String, _ path: String, _ site: Located) -> String {
    let derived = "\(method) \(path)"
    if let first = routes[derived], first.document != root {
      report(
        "\(derived) is also documented at \(first.mark.text); use an overlay to remove one of them", at: site)
    }
    routes[derived] = routes[derived] ?? (sources.mark(site), root)
    guard let field = site["operationId"], let id = field.value.string, !id.isEmpty else {
      unnamed.append((derived, site))
      return derived
    }
    if let first = identifiers[id] {
      guard first.document == root else {
        report(
          "the operationId \"\(id)\" is already used at \(first.mark.text). The documents of one contract need unique "
            + "operationIds: use an overlay to change them", at: field, ofName: false)
        return derived
      }
      report(
        "the operationId \"\(id)\" is already used at \(sources.words(of: first.mark, near: field)); scenarios call "
          + "this operation \"\(derived)\"", at: field, ofName: false, .warning)
      return derived
    }
    identifiers[id] = (sources.mark(field), root)
    return id
  }

  /// One warning for all operations without an operationId.
  mutating func reportUnnamed() {
    guard let (name, site) = unnamed.first else { return }
    report(
      unnamed.count == 1
        ? "no operationId: scenarios call this operation \"\(name)\""
        : "\(unnamed.count) operations have no operationId: scenarios call them by method and path, such as \"\(name)\"",
      at: site, .warning)
  }

  private mutating func requestBody(_ site: Located) -> Contract.RequestBody? {
    guard let body = resolve(site, Self.unknownSuffix).part else {
      return Contract.RequestBody(isRequired: false, mediaTypes: [], source: sources.mark(site), content: [])
    }
    let content = mediaTypes(body["content"], isResponse: false)
    return Contract.RequestBody(
      isRequired: body["required"]?.value.bool ?? false, mediaTypes: body["content"]?.members.map(\.key) ?? [],
      source: sources.mark(body), content: content)
  }

  mutating func responses(_ operation: Located, method: String) -> [ResponsePromise] {
    guard let responses = operation["responses"] else { return [] }
    var promises: [ResponsePromise] = []
    for (key, site) in responses.members where !key.hasPrefix("x-") {
      guard let status = ResponsePromise.Status(key) else {
        report("\"\(key)\" is not a status; a status is 100 to 599, 1XX to 5XX or default", at: site)
        continue
      }
      let (response, defect) = resolve(site, Self.uncheckedSuffix)
      let content = mediaTypes(response?["content"], isResponse: true)
      let (headers, unreadable) = headers(response?["headers"])
      promises.append(
        ResponsePromise(
          status: status, text: response?["description"]?.value.string ?? "", content: content, headers: headers,
          links: links(response?["links"]), pointer: sources.pointerText(site), source: sources.mark(site),
          defect: defect.map { .response("the response \(status.text): \($0.reason)") }
            ?? unreadable.map { .header($0) }))
    }
    return promises
  }

  private mutating func links(_ entries: Located?) -> [ResponseLink] {
    (entries?.members ?? []).compactMap { _, entry in
      guard let link = try? sources.resolved(entry), let operation = Self.linked(link) else { return nil }
      var parameters: [String: JSONPointer] = [:]
      for (name, value) in link["parameters"]?.members ?? [] {
        // `path.id` includes the parameter's location.
        let name = name.split(separator: ".", maxSplits: 1).last.map(String.init) ?? name
        guard let text = value.value.string, text.hasPrefix("$response.body#"),
          let pointer = JSONPointer(String(text.dropFirst("$response.body#".count)))
        else { continue }
        parameters[name] = pointer
      }
      return ResponseLink(operation: operation, parameters: parameters)
    }
  }

  /// The operation that a link refers to.
  private static func linked(_ link: Located) -> String? {
    link["operationId"]?.value.string
      ?? link["operationRef"]?.value.string.flatMap(Contract.operationName(reference:))
  }

  /// The media types of a `content`, the most specific range first.
  mutating func mediaTypes(_ content: Located?, isResponse: Bool) -> [MediaTypePromise] {
    var promises: [MediaTypePromise] = []
    for (key, entry) in content?.members ?? [] {
      guard let range = MediaRange(key) else {
        report("\"\(key)\" is not a media type; application/json is an example of one", at: entry)
        continue
      }
      // 3.2 allows references to media types.
      let (media, defect) = resolve(entry, isResponse ? Self.uncheckedSuffix : Self.unknownSuffix)
      let isJudged = isResponse && (range.admitsJSON || range.isXML || range.isText)
      promises.append(
        MediaTypePromise(
          range: range, schema: media?["schema"].map { site($0, isJudged: isJudged) },
          isSequence: media?["itemSchema"] != nil, itemSchema: media?["itemSchema"], defect: defect?.reason,
          encodings: isResponse ? [:] : encodings(media?["encoding"]),
          text: media?["schema"].map { text(range, $0) } ?? .free, pointer: sources.pointerText(media ?? entry),
          source: sources.mark(entry)))
    }
    return promises.sorted { $0.range.specificity > $1.range.specificity }
  }

  private func encodings(_ site: Located?) -> [String: FieldEncoding] {
    Dictionary(
      (site?.members ?? []).map { ($0.key, FieldEncoding($0.located)) }, uniquingKeysWith: { first, _ in first })
  }

  private mutating func text(_ range: MediaRange, _ schema: Located) -> TextPromise {
    guard let resolved = try? sources.resolved(schema) else {
      // The compiled schema has the reason why nothing can be checked.
      return range.isText ? .scalar(.text) : .unreadable
    }
    let asserting = resolved.members.map(\.key).filter {
      !["description", "title", "example", "contentMediaType"].contains($0)
    }
    let isBytes = asserting == ["type", "format"] && ["binary", "byte"].contains(resolved["format"]?.value.string)
    if resolved.value.bool == true || asserting.isEmpty || isBytes { return .free }
    guard range.isText else { return .unreadable }
    switch HeaderShape(schema, in: &sources, explode: false) {
    case .text: return .scalar(.text)
    case .scalar(let types): return .scalar(.scalar(types))
    case .array, .object, .json: return .unreadable
    }
  }

  /// - Returns: the headers that can be read, and the reason why another one cannot be read.
  private mutating func headers(_ headers: Located?) -> (promises: [HeaderPromise], unreadable: String?) {
    var promises: [HeaderPromise] = []
    var unreadable: String?
    for (name, entry) in headers?.members ?? [] {
      // A response header named Content-Type is ignored (OpenAPI 3.1 §4.8.17.1).
      guard name.lowercased() != "content-type" else { continue }
      let (found, defect) = resolve(entry, Self.uncheckedSuffix)
      guard let header = found else {
        unreadable = defect.map { "the header \(name): \($0.reason)" }
        continue
      }
      let content = header["content"]?.members.first
      let schema = header["schema"] ?? content?.located["schema"]
      let isJSON = content.flatMap { MediaRange($0.key)?.isJSON } ?? false
      let shape = schema.map { HeaderShape($0, in: &sources, explode: header["explode"]?.value.bool ?? false) }
      promises.append(
        HeaderPromise(
          name: name, isRequired: header["required"]?.value.bool ?? false,
          shape: isJSON ? .json : shape ?? .text, schema: schema.map { site($0, isJudged: true) },
          pointer: sources.pointerText(header), source: sources.mark(header)))
    }
    return (promises, unreadable)
  }
}

extension Diagnostic {
  /// The reason why responses are unchecked: the message and its position.
  var reason: String { "\(message) (\(mark.text))" }
}
