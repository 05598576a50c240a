import MurphyModel

extension Contract {
  /// One operation of the contract.
  public struct Operation: Sendable {
    /// The operationId, or `GET /laws/{id}` where the document has none.
    public let id: String
    /// Upper case.
    public let method: String
    /// `/laws/{id}/vote`
    public let path: String
    /// Those of the path item included.
    public let parameters: [Parameter]
    public let requestBody: RequestBody?
    /// Alternatives; each names schemes that are needed together. Empty: none is needed.
    public let security: [SecurityRequirement]
    /// Rate limits that the document promises.
    public let documentedLimits: [DocumentedLimit]
    public let isDeprecated: Bool
    /// Where the operation stands.
    public let source: SourceMark

    package let responses: [ResponsePromise]
    /// What keeps requests to it from being built or its answers from being judged; errors.
    package let mistakes: [Diagnostic]
    /// False for a request that a scenario makes outside of the contract.
    package var isDocumented = true

    /// The promise for `status`: the status itself, then its range such as `2XX`, then `default`.
    package func response(to status: Int) -> Int? {
      var ranged: Int?
      var fallback: Int?
      for (index, response) in responses.enumerated() {
        switch response.status {
        case .exactly(let documented): if documented == status { return index }
        case .hundred(let hundred): if hundred == status / 100 { ranged = index }
        case .any: fallback = index
        }
      }
      return ranged ?? fallback
    }

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
  public struct SecurityRequirement: Sendable, Hashable {
    public var schemes: [String]

    public init(schemes: [String]) { self.schemes = schemes }
  }
}
