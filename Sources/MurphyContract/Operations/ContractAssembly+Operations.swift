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
        report("the path \"\(path)\" must begin with a slash; it has no operations", at: item, .warning)
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
        problems += mistakes(since: known).map { Self.warning($0, "; the path \"\(path)\" has no operations") }
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
    let parameters =
      site["parameters"].map { self.parameters($0, inherited: surroundings.parameters) }
      ?? surroundings.parameters
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
      title: site["summary"]?.value.string ?? "", source: sources.mark(site), responses: responses,
      mistakes: surroundings.mistakes + mistakes(since: known) + schemes.compactMap { unusableSchemes[$0] })
  }

  /// The credentials of an operation with a parameter `Authorization` and no `security`. OpenAPI ignores that
  /// parameter, but frameworks document credentials with it.
  private mutating func headerCredentials(_ isRequired: Bool?) -> [Contract.SecurityRequirement] {
    guard let isRequired, unusableSchemes[SecurityScheme.header.name] == nil else { return [] }
    readsAuthorization = true
    let required = Contract.SecurityRequirement(schemes: [SecurityScheme.header.name])
    return isRequired ? [required] : [required, Contract.SecurityRequirement(schemes: [])]
  }

  /// The operationId. If it is missing or taken, `METHOD /path`, with a warning.
  private mutating func identifier(_ method: String, _ path: String, _ site: Located) -> String {
    let derived = "\(method) \(path)"
    if let first = routes[derived], first.document != root {
      report(
        "\(derived) is documented by \(first.mark.text) as well; an overlay can remove one of them", at: site)
    }
    routes[derived] = routes[derived] ?? (sources.mark(site), root)
    guard let field = site["operationId"], let id = field.value.string, !id.isEmpty else {
      report("no operationId: scenarios call this operation \"\(derived)\"", at: site, .warning)
      return derived
    }
    if let first = identifiers[id] {
      guard first.document == root else {
        report(
          "the operationId \"\(id)\" is taken by \(first.mark.text); the documents of one contract need unique "
            + "names; an overlay can change them", at: field, ofName: false)
        return derived
      }
      report(
        "the operationId \"\(id)\" is taken by \(first.mark.text); scenarios call this operation \"\(derived)\"",
        at: field,
        ofName: false, .warning)
      return derived
    }
    identifiers[id] = (sources.mark(field), root)
    return id
  }

  private mutating func requestBody(_ site: Located) -> Contract.RequestBody? {
    guard let body = resolve(site) else { return nil }
    let content = mediaTypes(body["content"], isResponse: false)
    return Contract.RequestBody(
      isRequired: body["required"]?.value.bool ?? false, mediaTypes: body["content"]?.members.map(\.key) ?? [],
      source: sources.mark(body), content: content)
  }
}
