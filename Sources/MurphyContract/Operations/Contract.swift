import Foundation
import MurphyModel
import MurphySchema

/// An OpenAPI document, read and compiled: the allowed requests and the required responses.
///
/// Immutable and shared by all loops.
public struct Contract: Sendable {
  /// The documents and overlays by the names given, in that order.
  package let files: [String]
  /// The name of the first document.
  public var file: String { files.first ?? "" }
  /// `3.1.0`; of several documents each version once: `3.0.3, 3.1.0`.
  package let version: String
  /// The titles of the documents, separated by commas.
  package let title: String
  /// In the document's order.
  package let operations: [Operation]
  /// In the order of the first document.
  package let servers: [Server]
  /// By name, as under `components/securitySchemes`.
  package let securitySchemes: [String: SecurityScheme]
  /// Mistakes that do not prevent the use of the contract.
  package let warnings: [Diagnostic]

  /// The compiled schemas, shared by all loops.
  package let schemas: SchemaLibrary
  /// The headers that checks of responses need.
  package let fieldNames: FieldNames
  private let indices: [String: Int]
  /// By `METHOD /path`.
  private let titles: [String: Int]

  init(
    files: [String], version: String, title: String, operations: [Operation], servers: [Server],
    securitySchemes: [String: SecurityScheme], warnings: [Diagnostic], schemas: SchemaLibrary
  ) {
    self.files = files
    self.version = version
    self.title = title
    self.operations = operations
    self.servers = servers
    self.securitySchemes = securitySchemes
    self.warnings = warnings
    self.schemas = schemas
    fieldNames = FieldNames(operations.flatMap { $0.responses.flatMap { $0.headers.map(\.name) } })
    indices = Dictionary(operations.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
    titles = Dictionary(
      operations.enumerated().map { ("\($1.method) \($1.path)", $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The operation's index, by operationId or by `METHOD /path`.
  package func index(of operationId: String) -> Int? {
    indices[operationId] ?? titles[operationId]
  }

  /// The mistakes of the document that prevent calls of these operations (by index), each once.
  package func mistakes(of operations: some Sequence<Int>) -> [Diagnostic] {
    var seen: Set<Diagnostic> = []
    return operations.flatMap { self.operations[$0].mistakes }.filter { seen.insert($0).inserted }
  }

  /// The warnings about operations that cannot be called.
  package var uncallableWarnings: [Diagnostic] { ContractAssembly.uncallable(operations) }

  /// Warnings about overlays: mistakes of form, and actions that change nothing.
  package var overlayWarnings: [Diagnostic] {
    let files = Set(sources.documents.flatMap(\.overlayFiles))
    return warnings.filter { files.contains($0.mark.file) }
  }

  var sources: DocumentSet { schemas.sources }
  var coveragePlan: CoveragePlan { schemas.coveragePlan(self) }

  /// The properties that a scenario needs, in the operations' order.
  package var summaries: [OperationSummary] {
    var summaries = operations.map(\.summary)
    for shape in relations().collections { summaries[shape.operation].itemFields = shape.fields }
    return summaries
  }
}

extension Contract {
  /// The reason why responses to requests outside of the contract are not checked.
  package static let undocumentedReason = "not in the contract"

  /// A request that the contract does not describe. It is sent and counted all the same.
  package struct UndocumentedOperation: Sendable {
    package var id: String
    package var method: String
    package var path: String
    /// The rate limits that also count it.
    package var limits: [DocumentedLimit]
    /// The documented operation whose rate limits count it.
    package var countsAs: String?

    package init(
      id: String, method: String, path: String, limits: [DocumentedLimit] = [], countsAs: String? = nil
    ) {
      self.id = id
      self.method = method
      self.path = path
      self.limits = limits
      self.countsAs = countsAs
    }
  }

  /// The contract with more operations at its end. Their responses all count as unchecked. Existing ids are skipped.
  package func adding(_ undocumented: [UndocumentedOperation]) -> Contract {
    let new = undocumented.filter { index(of: $0.id) == nil }
    guard !new.isEmpty else { return self }
    let more = new.map { request in
      Operation(
        id: request.id, method: request.method, path: request.path, parameters: [], requestBody: nil, security: [],
        documentedLimits: request.limits, isDeprecated: false, source: SourceMark(file: file, line: 1, column: 1),
        responses: [],
        mistakes: [],
        isDocumented: false, countsAs: request.countsAs)
    }
    return Contract(
      files: files, version: version, title: title, operations: operations + more, servers: servers,
      securitySchemes: securitySchemes, warnings: warnings, schemas: schemas)
  }
}

extension Contract {
  /// The contract extended by the undocumented operations of a run. Operation numbers in the run's logs are then
  /// indices of ``operations``.
  package func adding(undocumentedOf operations: [OperationRecord]) -> Contract {
    adding(
      operations.filter { !$0.isDocumented }.map {
        UndocumentedOperation(id: $0.operation, method: $0.method, path: $0.path)
      })
  }
}

/// The reasons why a contract cannot be used: every mistake found.
package struct ContractError: Error, Sendable, CustomStringConvertible {
  /// In the order in which they were found; at least one.
  package let diagnostics: [Diagnostic]

  package init(_ diagnostics: [Diagnostic]) { self.diagnostics = diagnostics }

  package var description: String { Diagnostic.texts(of: diagnostics).joined(separator: "\n") }
}

extension Contract {
  /// Reads the OpenAPI document `file` (YAML or JSON) with all files that it refers to, and compiles its schemas.
  ///
  /// A document of several megabytes takes about a second. Nothing is fetched from a network.
  /// - Throws: a ``ContractError`` with every mistake that makes the contract unusable.
  package static func load(
    _ file: String, options: JudgeOptions = JudgeOptions(), reader: FileReader = .files
  ) throws(ContractError) -> Contract {
    try load([file], options: options, reader: reader)
  }

  /// Reads several files: OpenAPI documents, whose operations are combined, and overlays, each applied to the OpenAPI
  /// document before it.
  ///
  /// - Parameters:
  ///   - files: paths, or URLs of `fetched`, in order.
  ///   - options: the strictness of the judge.
  ///   - fetched: documents that are not read from the disk, by their URL in `files`.
  package static func load(
    _ files: [String], fetched: [String: [UInt8]] = [:], options: JudgeOptions = JudgeOptions(),
    reader: FileReader = .files
  ) throws(ContractError) -> Contract {
    var assembly = ContractAssembly(sources: DocumentSet(reader: reader.serving(fetched)), options: options)
    return try assembly.contract(files)
  }

  /// Reads a text in memory. `file` is its name in messages and the base of its `$ref`s.
  package static func parse(
    _ text: String, file: String, options: JudgeOptions = JudgeOptions()
  ) throws(ContractError) -> Contract {
    let path = FileReader.absolute(file)
    let reader = FileReader { wanted in wanted == path ? Array(text.utf8) : try FileReader.files.read(wanted) }
    return try load(file, options: options, reader: reader)
  }
}

extension Contract {
  /// Members that hold a secret in every API, documented or not: the fields of OAuth 2.0 (RFC 6749) and OpenID Connect,
  /// and passwords.
  private static let secretMemberNames: Set<String> = [
    "password", "access_token", "refresh_token", "id_token", "client_secret",
  ]

  /// The names of an operation's secret members.
  package struct SecretMembers: Sendable {
    /// Members of request and response bodies: those whose schema has `format: password` or `writeOnly: true`, and those
    /// that are secret in every API.
    package let names: Set<String>
    /// True if a successful response has a member that its schema marks as secret.
    package let isInResponse: Bool
  }

  /// By operation.
  package var secretMembers: [SecretMembers] {
    var search = SecretMemberSearch(sources: sources)
    return operations.indices.map { secretMembers($0, &search) }
  }

  /// The names of ``SecretMembers`` of one operation.
  package func secretMembers(operation: Int) -> Set<String> {
    var search = SecretMemberSearch(sources: sources)
    return secretMembers(operation, &search).names
  }

  private func secretMembers(_ operation: Int, _ search: inout SecretMemberSearch) -> SecretMembers {
    let operation = operations[operation]
    var found = SecretMemberSearch.Found()
    for response in operation.responses {
      for content in response.content { if let schema = content.schema { search.visit(schema.located, &found) } }
    }
    let isInResponse = !found.marked.isEmpty
    for content in operation.requestBody?.content ?? [] {
      if let schema = content.schema { search.visit(schema.located, &found) }
    }
    return SecretMembers(
      names: Self.secretMemberNames.union(found.marked).union(found.credentials), isInResponse: isInResponse)
  }
}

extension JSONObject {
  /// True for the member `key` of `{"key": "title", "value": …}`: its text is a name.
  package func isPairName(_ member: String) -> Bool { member == "key" && self["value"] != nil }
}

/// Finds the names of secret members of schemas and of the schemas they refer to. It reads each schema once.
private struct SecretMemberSearch {
  /// The result for one operation.
  struct Found {
    /// Names that the document marks.
    var marked: Set<String> = []
    /// Names that are known credentials.
    var credentials: Set<String> = []
    fileprivate var visited: Set<Int> = []
  }

  private struct Schema {
    let isMarked: Bool
    var members: [(name: String, isCredential: Bool, schema: Int)] = []
    var parts: [Int] = []
  }

  private var sources: DocumentSet
  private var schemas: [Schema] = []
  private var numbers: [LocationKey: Int] = [:]

  init(sources: DocumentSet) { self.sources = sources }

  mutating func visit(_ schema: Located, _ found: inout Found) {
    guard let number = number(of: schema) else { return }
    var pending = [number]
    while let next = pending.popLast() {
      guard found.visited.insert(next).inserted else { continue }
      for member in schemas[next].members {
        if member.isCredential { found.credentials.insert(member.name) }
        if schemas[member.schema].isMarked { found.marked.insert(member.name) }
        pending.append(member.schema)
      }
      pending += schemas[next].parts
    }
  }

  /// The number of the schema at a place, or of the one that a reference there leads to; nil if that does not exist.
  private mutating func number(of place: Located) -> Int? {
    guard let schema = try? sources.resolved(place) else { return nil }
    let key = schema.key
    if let known = numbers[key] { return known }
    let number = schemas.count
    numbers[key] = number
    schemas.append(
      Schema(isMarked: schema.value["format"]?.string == "password" || schema.value["writeOnly"]?.bool == true))
    for (name, member) in schema["properties"]?.members ?? [] {
      guard let member = self.number(of: member) else { continue }
      schemas[number].members.append((name, SecretName.isCredential(name), member))
    }
    var parts = ["items", "additionalProperties", "not", "if", "then", "else"].compactMap { schema[$0] }
    for key in ["allOf", "anyOf", "oneOf", "prefixItems"] { parts += schema[key]?.items ?? [] }
    for part in parts { if let part = self.number(of: part) { schemas[number].parts.append(part) } }
    return number
  }
}
