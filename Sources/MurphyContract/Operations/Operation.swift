import MurphyModel

extension Contract {
  /// One operation of the contract.
  package struct Operation: Sendable {
    /// The operationId, or `GET /laws/{id}` where the document has none.
    package let id: String
    /// Upper case.
    package let method: String
    /// `/laws/{id}/vote`
    package let path: String
    /// Those of the path item included.
    package let parameters: [Parameter]
    package let requestBody: RequestBody?
    /// Alternatives; each names schemes that are needed together. Empty: none is needed.
    package let security: [SecurityRequirement]
    /// Rate limits that the document promises.
    package let documentedLimits: [DocumentedLimit]
    package let isDeprecated: Bool
    /// Where the operation stands.
    package let source: SourceMark

    package let responses: [ResponsePromise]
    /// What keeps requests to it from being built or its answers from being judged; errors.
    package let mistakes: [Diagnostic]
    /// False for a request that a scenario makes outside of the contract.
    package var isDocumented = true

    var summary: OperationSummary {
      OperationSummary(
        id: id, method: method, path: path,
        parameters: parameters.map {
          OperationSummary.Parameter(name: $0.name, location: $0.location, required: $0.isRequired)
        },
        takesBody: requestBody != nil, requiresBody: requestBody?.isRequired ?? false,
        statuses: responses.map(\.status.text))
    }
  }

  /// Schemes that are needed together, each with its scopes.
  package struct SecurityRequirement: Sendable, Hashable {
    package var schemes: [String]

    package init(schemes: [String]) { self.schemes = schemes }
  }
}
