import MurphyModel

extension Contract {
  /// Why answers to requests outside of the contract are not checked.
  package static let undocumentedReason = "not in the contract"

  /// A request that the contract does not describe, to be sent and counted all the same.
  package struct UndocumentedOperation: Sendable {
    package var id: String
    package var method: String
    package var path: String

    package init(id: String, method: String, path: String) {
      self.id = id
      self.method = method
      self.path = path
    }
  }

  /// The contract with more operations at its end, whose answers all count as unchecked. Ids that it has are left out.
  package func adding(_ undocumented: [UndocumentedOperation]) -> Contract {
    let new = undocumented.filter { index(of: $0.id) == nil }
    guard !new.isEmpty else { return self }
    let more = new.map { request in
      Operation(
        id: request.id, method: request.method, path: request.path, parameters: [], requestBody: nil, security: [],
        documentedLimits: [], isDeprecated: false, source: SourceMark(file: file, line: 1, column: 1), responses: [],
        mistakes: [],
        isDocumented: false)
    }
    return Contract(
      files: files, version: version, title: title, operations: operations + more, servers: servers,
      securitySchemes: securitySchemes, warnings: warnings, schemas: schemas)
  }
}
