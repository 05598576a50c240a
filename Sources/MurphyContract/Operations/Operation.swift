import MurphyModel

extension Contract {
  /// One operation of the contract, compiled.
  package struct Operation: Sendable {
    /// The operationId, or `GET /laws/{id}` if the document has none.
    package let id: String
    /// Upper case.
    package let method: String
    /// `/laws/{id}/vote`
    package let path: String
    /// Includes those of the path item.
    package let parameters: [Parameter]
    /// Nil if the contract documents none.
    package let requestBody: RequestBody?
    /// Alternatives; each lists schemes that are needed together. Empty if none is needed.
    package let security: [SecurityRequirement]
    /// Documented rate limits.
    package let documentedLimits: [DocumentedLimit]
    /// Calls of it are allowed all the same.
    package let isDeprecated: Bool
    /// The document's `summary`, or the first sentence of its `description`; empty without both.
    package var title = ""
    /// The position of the operation.
    package let source: SourceMark

    /// In the document's order.
    package let responses: [ResponsePromise]
    /// Errors that prevent requests to it, or checks of its responses.
    package let mistakes: [Diagnostic]
    /// False for a request of a scenario outside of the contract.
    package var isDocumented = true
    /// The operation whose rate limits count this one. Set for requests that deviate from that operation on purpose.
    package var countsAs: String?

    /// True if a path, percent-encoded and without a query, matches the operation's template.
    package func isPath(_ path: some StringProtocol) -> Bool {
      let wanted = self.path.split(separator: "/", omittingEmptySubsequences: false)
      let given = path.split(separator: "/", omittingEmptySubsequences: false)
      return wanted.count == given.count && zip(wanted, given).allSatisfy { Self.isSegment($1[...], of: $0) }
    }

    /// `17.json` matches the segment `{id}.json`.
    private static func isSegment(_ given: some StringProtocol, of wanted: Substring) -> Bool {
      guard let open = wanted.firstIndex(of: "{"), let close = wanted.lastIndex(of: "}"), open < close else {
        return wanted == given || String(wanted) == PercentEncoding.decode(String(given))
      }
      let (before, after) = (wanted[..<open], wanted[wanted.index(after: close)...])
      return given.count > before.count + after.count && given.hasPrefix(before) && given.hasSuffix(after)
    }

    var summary: OperationSummary {
      var summary = OperationSummary(
        id: id, method: method, path: path,
        parameters: parameters.map {
          OperationSummary.Parameter(name: $0.name, location: $0.location, required: $0.isRequired)
        },
        takesBody: requestBody != nil, requiresBody: requestBody?.isRequired ?? false,
        statuses: responses.map(\.status.text))
      let rejection = [ResponsePromise.Status.exactly(429), .hundred(4), .any].lazy.compactMap { status in
        responses.first { $0.status == status }
      }.first
      summary.rejectionTypes = rejection?.content.map(\.range.text) ?? []
      return summary
    }
  }

  /// Schemes that are needed together, each with its scopes.
  package struct SecurityRequirement: Sendable, Hashable {
    /// Names of the schemes; all of them are needed.
    package var schemes: [String]
  }
}

extension Contract {
  /// A documented parameter.
  package struct Parameter: Sendable {
    package typealias Location = OperationSummary.Parameter.Location

    package let name: String
    package let location: Location
    /// True if a request without it violates the contract.
    package let isRequired: Bool
    /// The serialisation of the value.
    package let style: ParameterStyle
    /// True if each element of an array has a parameter of its own.
    package let explode: Bool
    /// True if reserved characters are sent without encoding.
    package let allowReserved: Bool
    /// The media type of a `content` parameter, whose value is sent as one string; nil for one with a `schema`.
    package let contentType: String?
    /// The position of the parameter in the contract.
    package let source: SourceMark

    /// Nil if the parameter has no schema.
    package let schema: SchemaSite?

    /// OpenAPI's default for parameters at `location` without a `style`.
    package static func defaultStyle(_ location: Location) -> ParameterStyle {
      switch location {
      case .path, .header: .simple
      case .query, .cookie: .form
      }
    }

    /// The styles that OpenAPI allows at `location`.
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
  /// The request body of an operation.
  package struct RequestBody: Sendable {
    /// True if a request without a body violates the contract.
    package let isRequired: Bool
    /// In the document's order.
    package let mediaTypes: [String]
    /// The position of the body in the contract.
    package let source: SourceMark

    /// One entry for each documented media type.
    package let content: [MediaTypePromise]
  }
}

extension Contract {
  /// A documented rate limit.
  ///
  /// ```yaml
  /// x-ratelimit: { allow: 30, per: 60s, key: X-Device-ID, algorithm: fixed, policy: votes }
  /// ```
  /// on an operation, a path item or the document's root; the nearest one applies. A list states several limits. An
  /// operation that documents status 429 without the extension has a limit of unknown size: `allow` and `per` are nil.
  package struct DocumentedLimit: Sendable, Hashable {
    /// The source of the limit.
    package enum Origin: String, Sendable, Hashable {
      case operation, path, document
      /// Only a `429` response is documented.
      case response
    }

    /// Requests per window.
    package var allow: Int?
    /// Nil if the contract states no window.
    package var per: Duration?
    /// The key that requests are counted by; nil if the document states none.
    package var key: LimitKey?
    /// `fixed`, `sliding`, `token-bucket` …, in the original spelling.
    package var algorithm: String?
    /// Operations whose limits have the same policy name share one counter.
    package var policy: String?
    /// The part of the contract that states the limit.
    package var origin: Origin
    /// Headers documented on the `429` response.
    package var headers: [String]
    /// The place of the limit in the contract.
    package var source: SourceMark
  }
}

extension Contract {
  /// The documented operation that requests of `operation` count as, if they deviate from it on purpose.
  package func owner(of operation: Int) -> Int {
    operations[operation].countsAs.flatMap(index(of:)) ?? operation
  }
}

extension Contract {
  /// A server of the document.
  package struct Server: Sendable, Hashable {
    /// `https://{region}.example.org/v1`
    package let template: String
    /// The variables of the template, in their order in the document.
    package let variables: [Variable]
    /// The document's text for readers; nil if there is none.
    package let description: String?

    /// A variable of a server's URL.
    package struct Variable: Sendable, Hashable {
      /// As it occurs between braces in the URL.
      package let name: String
      /// Used unless the scenario sets another value.
      package let defaultValue: String
      /// Empty if any value is allowed.
      package let allowed: [String]
    }

    /// The template with every variable replaced by its entry in `values`, or otherwise by its default.
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
