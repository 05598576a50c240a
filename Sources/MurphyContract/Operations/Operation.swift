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
    /// The document's `summary`; empty without one.
    package var title = ""
    /// Where the operation stands.
    package let source: SourceMark

    package let responses: [ResponsePromise]
    /// What keeps requests to it from being built or its answers from being judged; errors.
    package let mistakes: [Diagnostic]
    /// False for a request that a scenario makes outside of the contract.
    package var isDocumented = true
    /// The operation whose rate limits count this one: set for requests that depart from that operation on purpose.
    package var countsAs: String?

    /// Whether a path, percent-encoded and without a query, is one of the operation's.
    package func isPath(_ path: some StringProtocol) -> Bool {
      let wanted = self.path.split(separator: "/", omittingEmptySubsequences: false)
      let given = path.split(separator: "/", omittingEmptySubsequences: false)
      return wanted.count == given.count && zip(wanted, given).allSatisfy { Self.isSegment($1[...], of: $0) }
    }

    /// `17.json` is a segment of `{id}.json`.
    private static func isSegment(_ given: some StringProtocol, of wanted: Substring) -> Bool {
      guard let open = wanted.firstIndex(of: "{"), let close = wanted.lastIndex(of: "}"), open < close else {
        return wanted == given || String(wanted) == PercentEncoding.decode(String(given))
      }
      let (before, after) = (wanted[..<open], wanted[wanted.index(after: close)...])
      return given.count > before.count + after.count && given.hasPrefix(before) && given.hasSuffix(after)
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
  package struct SecurityRequirement: Sendable, Hashable {
    package var schemes: [String]
  }
}

extension Contract {
  /// A parameter of an operation.
  package struct Parameter: Sendable {
    package typealias Location = OperationSummary.Parameter.Location

    package let name: String
    package let location: Location
    package let isRequired: Bool
    package let style: ParameterStyle
    package let explode: Bool
    package let allowReserved: Bool
    /// The media type of a `content` parameter, whose value is sent as one text; nil for one with a `schema`.
    package let contentType: String?
    package let source: SourceMark

    package let schema: SchemaSite?

    /// What OpenAPI assumes for parameters at `location` without a `style`.
    package static func defaultStyle(_ location: Location) -> ParameterStyle {
      switch location {
      case .path, .header: .simple
      case .query, .cookie: .form
      }
    }

    /// The styles that OpenAPI admits at `location`.
    package static func styles(_ location: Location) -> [ParameterStyle] {
      switch location {
      case .path: [.matrix, .label, .simple]
      case .header: [.simple]
      case .query: [.form, .spaceDelimited, .pipeDelimited, .deepObject]
      case .cookie: [.form, .cookie]
      }
    }
  }
}

extension Contract {
  /// What an operation takes as its body.
  package struct RequestBody: Sendable {
    package let isRequired: Bool
    /// In the document's order.
    package let mediaTypes: [String]
    package let source: SourceMark

    package let content: [MediaTypePromise]
  }
}

extension Contract {
  /// A rate limit that the document promises.
  ///
  /// ```yaml
  /// x-ratelimit: { allow: 30, per: 60s, key: X-Device-ID, algorithm: fixed, policy: votes }
  /// ```
  /// on an operation, a path item or the document's root; the nearest one counts. A list states several limits.
  /// An operation that documents status 429 without the extension promises a limit of unknown size: `allow` and
  /// `per` are nil.
  package struct DocumentedLimit: Sendable, Hashable {
    package enum Origin: String, Sendable, Hashable {
      case operation, path, document
      /// Only a `429` response is documented.
      case response
    }

    /// Requests per window.
    package var allow: Int?
    package var per: Duration?
    /// What it counts by; nil when the document does not say.
    package var key: LimitKey?
    /// `fixed`, `sliding`, `token-bucket` …, as written.
    package var algorithm: String?
    /// Operations whose limits have the same policy name share one counter.
    package var policy: String?
    package var origin: Origin
    /// Headers documented on the `429` response.
    package var headers: [String]
    package var source: SourceMark
  }
}

extension Contract {
  /// The documented operation that requests of an operation count as, where they depart from it on purpose.
  package func owner(of operation: Int) -> Int {
    operations[operation].countsAs.flatMap(index(of:)) ?? operation
  }
}

extension Contract {
  /// A server of the document.
  package struct Server: Sendable, Hashable {
    /// `https://{region}.example.org/v1`
    package let template: String
    package let variables: [Variable]
    package let description: String?

    package struct Variable: Sendable, Hashable {
      package let name: String
      package let defaultValue: String
      /// Empty: anything goes.
      package let allowed: [String]
    }

    /// The template with every variable replaced, by `values` or else by its default.
    package func url(_ values: [String: String] = [:]) -> String {
      var url = template
      for variable in variables {
        url = url.split(separator: "{\(variable.name)}", omittingEmptySubsequences: false)
          .joined(separator: values[variable.name] ?? variable.defaultValue)
      }
      return url
    }
  }
}
