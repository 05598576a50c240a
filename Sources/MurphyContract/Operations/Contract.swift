import MurphyJSON
import MurphyModel

/// An OpenAPI document, read and compiled: what may be asked, and what each answer must be.
///
/// Immutable and shared by all loops.
public struct Contract: Sendable {
  /// The documents and overlays as they were named, in that order.
  public let files: [String]
  /// The first document's.
  public var file: String { files.first ?? "" }
  /// `3.1.0`; of several documents each version once: `3.0.3, 3.1.0`.
  public let version: String
  public let title: String
  /// In the document's order.
  public let operations: [Operation]
  public let servers: [Server]
  /// By name, as under `components/securitySchemes`.
  public let securitySchemes: [String: SecurityScheme]
  public let warnings: [Diagnostic]

  package let schemas: SchemaLibrary
  /// The header fields that answers are asked for.
  package let fieldNames: FieldNames
  private let indices: [String: Int]

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
  }

  /// The operation's index, by operationId or by `METHOD /path`.
  public func index(of operationId: String) -> Int? {
    indices[operationId] ?? operations.firstIndex { "\($0.method) \($0.path)" == operationId }
  }

  /// What keeps these operations, by index, from being called: mistakes of the document, each once.
  public func mistakes(of operations: some Sequence<Int>) -> [Diagnostic] {
    var seen: Set<Diagnostic> = []
    return operations.flatMap { self.operations[$0].mistakes }.filter { seen.insert($0).inserted }
  }

  /// The warnings about operations that cannot be called.
  public var uncallableWarnings: [Diagnostic] {
    warnings.filter { $0.message.hasSuffix(ContractAssembly.uncallableSuffix) }
  }

  /// Warnings about overlays: about their form, and about actions that change nothing.
  package var overlayWarnings: [Diagnostic] {
    let files = Set(sources.documents.flatMap(\.overlayFiles))
    return warnings.filter { files.contains($0.mark.file) }
  }

  var sources: DocumentSet { schemas.sources }
  var coveragePlan: CoveragePlan { schemas.coveragePlan(self) }

  /// What a scenario must know, in the operations' order.
  public var summaries: [OperationSummary] { operations.map(\.summary) }
}
