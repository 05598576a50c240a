import MurphyModel
import MurphySchema

/// Builds a ``Contract`` from its documents and collects every mistake.
struct ContractAssembly {
  var sources: DocumentSet
  let options: JudgeOptions
  /// True if no response is checked against the contract. Then no warning says what a run does about a mistake.
  var isLint = false
  var problems: [Diagnostic] = []
  /// Schemas that responses are checked against, in the order of their use.
  var sites: [Located] = []
  private(set) var siteIndices: [LocationKey: Int] = [:]
  /// Used names, so that every operation's id is unique.
  var identifiers: [String: (mark: SourceMark, document: Int)] = [:]

  /// The operations without an operationId, by the names that scenarios use.
  var unnamed: [(name: String, site: Located)] = []
  /// By `METHOD /path`: the position and the root document.
  var routes: [String: (mark: SourceMark, document: Int)] = [:]
  /// The root document in progress.
  var root = 0

  /// True if the last parameters have a required header `Authorization`, false if it is optional; nil without one.
  var authorization: Bool?
  /// True if an operation uses such a header for its credentials.
  var readsAuthorization = false
  /// The mistake of a security scheme that cannot be used, by its name.
  var unusableSchemes: [String: Diagnostic] = [:]

  /// Suffix of warnings about schemas that cannot be used.
  static let uncheckedSuffix = "; responses that need this part count as unchecked"
  /// Suffix of warnings about parts of a request that cannot be read.
  static let unknownSuffix = "; murphy uses the operation without this part"

  mutating func contract(_ files: [String]) throws(ContractError) -> Contract {
    var roots = try openRoots(files)
    let versions = try self.versions(of: roots)
    sources.openReferenced()
    // Parts of Swagger 2.0 in other files have its form too, so they are converted with the document.
    for root in roots where root["swagger"] != nil { sources.bundle(root.document) }
    roots = roots.map { sources.root($0.document) }
    problems += sources.settleVersions()
    problems += sources.documents.flatMap(\.notes).map { Self.warning($0, "") }
    let servers = self.servers(roots.first?["servers"])
    var securitySchemes = securitySchemes(of: roots)
    var operations: [Contract.Operation] = []
    for root in roots { operations += self.operations(root) }
    reportUnnamed()
    if readsAuthorization { securitySchemes[SecurityScheme.header.name] = SecurityScheme.header }
    let errors = problems.filter { $0.severity == .error }
    guard errors.isEmpty else { throw ContractError(errors) }
    let library = SchemaLibrary(sources: sources, sites: sites, hasBranches: !isLint)
    var mode = SchemaVariant.Mode()
    mode.formatAssertion = options.formatAssertion
    if !isLint {
      problems += Self.uncallable(operations)
      problems += library.variant(mode).problems.map { problem in
        sources.diagnostic(problem, severity: .warning, Self.uncheckedSuffix)
      }
    }
    let titles = roots.compactMap { $0["info"]?["title"]?.value.string }
    return Contract(
      files: files, version: versions.map(\.text).joined(separator: ", "), title: titles.joined(separator: ", "),
      operations: operations,
      servers: servers, securitySchemes: securitySchemes, warnings: problems, schemas: library)
  }

  /// One warning for each mistake, with the operations that cannot be called because of it.
  static func uncallable(_ operations: [Contract.Operation]) -> [Diagnostic] {
    var names: [Diagnostic: [String]] = [:]
    var mistakes: [Diagnostic] = []
    for operation in operations {
      for mistake in operation.mistakes {
        if names[mistake] == nil { mistakes.append(mistake) }
        names[mistake, default: []].append(operation.id)
      }
    }
    return mistakes.map { mistake in
      let affected = names[mistake] ?? []
      let others = affected.count > 1 ? " and \(affected.count - 1) more" : ""
      return warning(mistake, "; \(affected.first ?? "")\(others) cannot be called until this is fixed")
    }
  }

  static func warning(_ error: Diagnostic, _ consequence: String) -> Diagnostic {
    var warning = error
    warning.severity = .warning
    warning.message += consequence
    return warning
  }

  /// The site of a schema that responses are checked against.
  mutating func site(_ schema: Located, isJudged: Bool) -> SchemaSite {
    guard isJudged else { return SchemaSite(located: schema, index: nil) }
    if let known = siteIndices[schema.key] { return SchemaSite(located: schema, index: known) }
    sites.append(schema)
    siteIndices[schema.key] = sites.count - 1
    return SchemaSite(located: schema, index: sites.count - 1)
  }

  mutating func report(
    _ message: String, at located: Located, ofName: Bool = true, _ severity: Diagnostic.Severity = .error
  ) {
    problems.append(sources.diagnostic(message, at: located, ofName: ofName, severity: severity))
  }

  /// Follows `$ref`s. Returns nil and reports a problem if they cannot be resolved.
  mutating func resolve(_ located: Located) -> Located? {
    do throws(Diagnostic) {
      return try sources.resolved(located)
    } catch {
      if !problems.contains(error) { problems.append(error) }
      return nil
    }
  }

  /// Follows `$ref`s to a part of an operation. If they cannot be resolved, the operation is used without the part.
  ///
  /// - Parameter suffix: what the warning says about the part.
  /// - Returns: the part, or the reason why there is none.
  mutating func resolve(_ located: Located, _ suffix: String) -> (part: Located?, defect: Diagnostic?) {
    do throws(Diagnostic) {
      return (try sources.resolved(located), nil)
    } catch {
      let warning = Self.warning(error, suffix)
      if !isLint, !problems.contains(warning) { problems.append(warning) }
      return (nil, error)
    }
  }

  mutating func servers(_ list: Located?) -> [Contract.Server] {
    (list?.items ?? []).compactMap { server in
      guard let url = server["url"]?.value.string else { return nil }
      let variables = (server["variables"]?.members ?? []).map { name, variable in
        Contract.Server.Variable(
          name: name, defaultValue: variable["default"]?.value.string ?? "",
          allowed: variable["enum"]?.items.compactMap(\.value.string) ?? [])
      }
      return Contract.Server(template: url, variables: variables, description: server["description"]?.value.string)
    }
  }
}

extension ContractAssembly {
  /// The parameters of a list, after those of `inherited` that it does not override by name and location.
  mutating func parameters(_ list: Located, inherited: [Contract.Parameter]) -> [Contract.Parameter] {
    let own = list.items.compactMap { parameter($0) }
    return inherited.filter { old in !own.contains { $0.name == old.name && $0.location == old.location } } + own
  }

  private mutating func parameter(_ site: Located) -> Contract.Parameter? {
    guard let parameter = resolve(site, Self.unknownSuffix).part else { return nil }
    guard let name = parameter["name"]?.value.string else {
      report("a parameter needs \"name\"", at: parameter, ofName: false)
      return nil
    }
    guard let place = parameter["in"]?.value.string, let location = Contract.Parameter.Location(rawValue: place) else {
      return unplaced(name, parameter)
    }
    let isRequired = parameter["required"]?.value.bool ?? false
    // Other parts of the document describe these three (OpenAPI 3.1 §4.8.12.2).
    if location == .header, ["accept", "content-type", "authorization"].contains(name.lowercased()) {
      if name.lowercased() == "authorization" { authorization = isRequired || authorization == true }
      return nil
    }
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
    // 3.2's whole query string as one value, without named parts.
    if place == "querystring" { return nil }
    let found = place.map { "found \"\($0)\"" } ?? "it is missing"
    report(
      "the parameter \"\(name)\" must have \"in\": path, query, header or cookie; \(found)",
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
      "the style of a \(location.rawValue) parameter must be one of "
        + "\(admitted.map(\.rawValue).joined(separator: ", ")); "
        + "found \(field.value.text)", at: field, ofName: false)
    return Contract.Parameter.defaultStyle(location)
  }
}

extension ContractAssembly {
  /// The OpenAPI documents among `files`, with their overlays applied.
  mutating func openRoots(_ files: [String]) throws(ContractError) -> [Located] {
    var roots: [Int] = []
    for file in files {
      let path = FileReader.absolute(file)
      let open = sources.index(of: path)
      let document = if let open { sources.documents[open] } else { try sources.document(path, named: file) }
      guard Overlay.isOverlay(document) else {
        let index = open ?? sources.add(document)
        if roots.contains(index) {
          throw ContractError([document.diagnostic("the contract names this document twice", at: .root)])
        }
        roots.append(index)
        continue
      }
      guard let base = roots.last else {
        throw ContractError([
          document.diagnostic(
            "the scenario's contract has no OpenAPI document before this overlay",
            at: .root.appending("overlay"))
        ])
      }
      problems += try sources.overlay(path, named: file, over: base)
    }
    let errors = problems.filter { $0.severity == .error }
    guard errors.isEmpty else { throw ContractError(errors) }
    sources.roots = roots
    return roots.map { sources.root($0) }
  }

  /// The documents' versions, each once. Every document is read in its own.
  func versions(of roots: [Located]) throws(ContractError) -> [OpenAPIVersion] {
    var versions: [OpenAPIVersion] = []
    for root in roots {
      guard let version = OpenAPIVersion(root) else {
        throw ContractError([OpenAPIVersion.diagnostic(root, in: sources)])
      }
      if !versions.contains(version) { versions.append(version) }
    }
    return versions
  }
}
