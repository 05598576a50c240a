import Dispatch
import MurphyModel
import MurphySchema
import Synchronization

extension Contract {
  /// Every mistake of an OpenAPI document, as ``examine(_:reader:)`` finds them.
  package static func check(_ file: String, reader: FileReader = .files) -> [Diagnostic] {
    examine(file, reader: reader).diagnostics
  }

  /// Every mistake of an OpenAPI document, in the order of its lines: violations of the specification as errors, legal
  /// but useless parts as warnings. No request is sent.
  ///
  /// - Returns: the contract too, if it can be used. It is for the search for relations, not for checks of responses.
  package static func examine(
    _ file: String, reader: FileReader = .files
  ) -> (contract: Contract?, diagnostics: [Diagnostic]) {
    var sources = DocumentSet(reader: reader)
    do throws(ContractError) {
      _ = try sources.open(FileReader.absolute(file), named: file)
    } catch {
      return (nil, error.diagnostics)
    }
    return examine(&sources, file)
  }

  /// - Parameter sources: with the document as its first one.
  static func examine(_ sources: inout DocumentSet, _ file: String) -> (contract: Contract?, diagnostics: [Diagnostic])
  {
    let root = sources.root(0)
    guard let version = OpenAPIVersion(root) else { return (nil, [OpenAPIVersion.diagnostic(root, in: sources)]) }
    sources.openReferenced()
    if root["swagger"] != nil { sources.bundle(0) }
    let mixed = sources.settleVersions()
    let (structure, assembled) = checkedAndAssembled(file, sources, line: version.line)
    var found = mixed + sources.documents.flatMap(\.notes) + structure.diagnostics
    found += unused(structure.uses, in: sources)
    let hasErrors = found.contains { $0.severity == .error }
    // For a line with errors of both, the message of the tables is better than that of the compiler.
    let lines = Set(found.map { line(of: $0.mark) })
    let (contract, meaning) = meaning(of: assembled, sources, hasErrors: hasErrors)
    found += meaning.filter { $0.severity == .warning || !lines.contains(line(of: $0.mark)) }
    return (contract, ordered(found))
  }

  /// The line of a position; the value in a line that has the whole document.
  private static func line(of mark: SourceMark) -> SourceMark {
    SourceMark(file: mark.file, line: mark.line, column: 0, pointer: mark.pointer)
  }

  /// The check by the specification's tables and the contract, which take about the same time and need nothing of each
  /// other.
  private static func checkedAndAssembled(
    _ file: String, _ sources: DocumentSet, line: OpenAPIVersion.Line
  ) -> (StructureCheck, Result<Contract, ContractError>) {
    let structure = Mutex(StructureCheck(sources: sources, line: line))
    let assembled = Mutex(Result<Contract, ContractError>.failure(ContractError([])))
    DispatchQueue.concurrentPerform(iterations: 2) { part in
      guard part == 0 else {
        return structure.withLock { structure in
          structure.run()
          structure.paths()
        }
      }
      var assembly = ContractAssembly(sources: sources, options: JudgeOptions(), isLint: true)
      let result = Result { () throws(ContractError) in try assembly.contract([file]) }
      assembled.withLock { $0 = result }
    }
    return (structure.withLock { $0 }, assembled.withLock { $0 })
  }

  /// Mistakes that only the compilation of the schemas reveals.
  private static func meaning(
    of assembled: Result<Contract, ContractError>, _ sources: DocumentSet, hasErrors: Bool
  ) -> (contract: Contract?, diagnostics: [Diagnostic]) {
    let contract: Contract
    do throws(ContractError) { contract = try assembled.get() } catch { return (nil, error.diagnostics) }
    var examples = ExampleCheck(contract.schemas.documents)
    if !hasErrors { examples.collect() }
    // One program: the compilation takes most of the time for a large document.
    let variant = contract.schemas.variant(sampling: examples.schemas)
    var found = variant.problems.map { sources.diagnostic($0, severity: .error) }
    found += contract.operations.flatMap(\.mistakes)
    found += contract.warnings
    found += contract.idleSchemas()
    found += examples.diagnostics(variant)
    return (contract, found)
  }

  /// Responses without a schema, or whose schema cannot reject anything.
  private func idleSchemas() -> [Diagnostic] {
    let rejection = RejectionCheck(sources)
    var seen: Set<LocationKey> = []
    var found: [Diagnostic] = []
    for operation in operations {
      for response in operation.responses {
        for media in response.content where media.range.isJSON {
          guard let schema = media.schema else {
            let site = "the response \(response.status.text) of \(operation.id)"
            found.append(Self.warning("\(site) has no schema, so every JSON value conforms", media.source, sources))
            continue
          }
          guard seen.insert(schema.located.key).inserted, !rejection.canReject(schema.located) else { continue }
          found.append(
            sources.diagnostic(
              "this schema accepts every JSON value", at: schema.located, severity: .warning))
        }
      }
    }
    return found
  }

  private static func warning(_ message: String, _ mark: SourceMark, _ sources: DocumentSet) -> Diagnostic {
    let text = sources.documents.first { $0.text.file == mark.file }?.text
    return text?.diagnostic(message, at: mark, severity: .warning) ?? Diagnostic(message, at: mark, severity: .warning)
  }

  private static func unused(_ uses: ComponentUses, in sources: DocumentSet) -> [Diagnostic] {
    // A document without paths is a library of components for other documents.
    guard sources.root(0)["paths"]?.members.isEmpty == false else { return [] }
    return uses.unused(in: sources.root(0)).map { name, site in
      sources.diagnostic("the component \"\(name)\" is not used", at: site, severity: .warning)
    }
  }

  /// Sorted by file and line, each position and message once. An error replaces a warning at the same position.
  private static func ordered(_ diagnostics: [Diagnostic]) -> [Diagnostic] {
    let errors = Set(diagnostics.filter { $0.severity == .error }.map(\.mark))
    var seen: Set<Diagnostic> = []
    var marks: Set<SourceMark> = []
    var unique: [Diagnostic] = []
    for diagnostic in diagnostics where seen.insert(diagnostic).inserted {
      if diagnostic.severity == .warning, errors.contains(diagnostic.mark) { continue }
      // The first message for a position is the best one.
      if diagnostic.severity == .error, !marks.insert(diagnostic.mark).inserted { continue }
      unique.append(diagnostic)
    }
    let files = Dictionary(
      unique.enumerated().map { ($1.mark.file, $0) }, uniquingKeysWith: { first, _ in first })
    return unique.sorted {
      (files[$0.mark.file] ?? 0, $0.mark.line, $0.mark.column) < (
        files[$1.mark.file] ?? 0, $1.mark.line, $1.mark.column
      )
    }
  }
}

/// Finds schemas of responses that cannot reject any response.
struct RejectionCheck {
  private let navigator: SchemaNavigator

  init(_ sources: DocumentSet) { navigator = SchemaNavigator(sources) }

  /// True if `schema` rejects some JSON value. A part that cannot be followed counts as able to reject.
  func canReject(_ schema: Located) -> Bool {
    var visited: Set<LocationKey> = []
    return canReject(schema, &visited, depth: 0)
  }

  private func canReject(_ schema: Located, _ visited: inout Set<LocationKey>, depth: Int) -> Bool {
    if schema.value.bool == false || depth > 200 { return true }
    // A circular reference adds nothing.
    guard visited.insert(schema.key).inserted else { return false }
    // Most schemas need no walk.
    let target = navigator.target(of: schema).value
    if target["$ref"] == nil, target.object?.members.contains(where: { Self.asserts($0.key, $0.value) }) == true {
      return true
    }
    let scope = navigator.scope(of: schema)
    if scope.isOpaque { return true }
    for part in scope.parts {
      if part.value.object?.members.contains(where: { Self.asserts($0.key, $0.value) }) == true { return true }
      for child in SchemaSurvey.children(of: part) where canReject(child, &visited, depth: depth + 1) { return true }
    }
    for choice in scope.choices {
      if choice.keyword == "oneOf", choice.branches.count > 1 { return true }
      if choice.keyword == "if" || choice.branches.count == 1 {
        for branch in choice.branches where canReject(branch, &visited, depth: depth + 1) { return true }
      } else {
        var all = true
        for branch in choice.branches where !canReject(branch, &visited, depth: depth + 1) { all = false }
        if all { return true }
      }
    }
    return false
  }

  /// True for keywords that reject some values on their own.
  private static func asserts(_ keyword: String, _ value: JSONValue) -> Bool {
    switch keyword {
    case "type", "enum", "const", "multipleOf", "maximum", "exclusiveMaximum", "minimum", "exclusiveMinimum",
      "maxLength",
      "pattern", "maxItems", "maxProperties", "format", "contains", "propertyNames", "dependentRequired", "not":
      true
    case "minLength", "minItems", "minProperties": value.int != 0
    case "required": value.array?.isEmpty == false
    case "uniqueItems": value.bool == true
    case "additionalProperties", "unevaluatedProperties", "unevaluatedItems", "items": value == .bool(false)
    default: false
    }
  }
}

/// The references between components, to find unused components.
struct ComponentUses {
  /// A component of the root document: `schemas/Law`.
  typealias Name = String

  private var roots: Set<Name> = []
  private var edges: [Name: Set<Name>] = [:]

  mutating func add(from site: Located, to target: Located) {
    guard let used = Self.component(of: target) else { return }
    if let user = Self.component(of: site) { edges[user, default: []].insert(used) } else { roots.insert(used) }
  }

  /// Components that no path, webhook or other file reaches, in the document's order.
  func unused(in root: Located) -> [(name: Name, located: Located)] {
    var reached = roots
    var pending = Array(roots)
    while let next = pending.popLast() {
      for used in edges[next] ?? [] where reached.insert(used).inserted { pending.append(used) }
    }
    let kinds = Self.swaggerKinds.compactMap { kind in root[kind].map { (kind, $0) } }
    return ((root["components"]?.members ?? []) + kinds).flatMap { kind, components in
      components.members.compactMap { name, located in
        reached.contains("\(kind)/\(name)") || kind.hasPrefix("x-") ? nil : ("\(kind)/\(name)", located)
      }
    }
  }

  /// The fields of the root that hold components in Swagger 2.0.
  private static let swaggerKinds = ["definitions", "parameters", "responses"]

  private static func component(of site: Located) -> Name? {
    let tokens = site.pointer.tokens
    guard site.document == 0, tokens.count >= 2 else { return nil }
    if swaggerKinds.contains(tokens[0]) { return "\(tokens[0])/\(tokens[1])" }
    return tokens[0] == "components" && tokens.count >= 3 ? "\(tokens[1])/\(tokens[2])" : nil
  }
}
