import MurphyModel
import MurphySchema

/// `expect:` of a call: what its answers must show beyond the contract.
package struct AnswerChecks: Sendable {
  /// What a query must find in the body.
  package struct BodyCheck: Sendable {
    package var path: JSONPath
    package var condition: ValueCondition
    package var mark: SourceMark
  }

  /// What a header's first field must be.
  package struct HeaderCheck: Sendable {
    package var name: String
    package var condition: ValueCondition
    package var mark: SourceMark
  }

  /// An expression over the answer that must be true.
  package struct Claim: Sendable {
    package var formula: Formula
    package var mark: SourceMark
  }

  /// `on-failure:` what the session does after an answer that is not as expected.
  package enum OnFailure: String, Sendable, CaseIterable {
    /// Leaves; the session counts as failed.
    case end
    /// Goes on, unless `on:` says otherwise of the status; the failed expectation stays a finding.
    case proceed = "continue"
  }

  /// Empty when any status will do.
  package var statuses: [StatusPattern] = []
  package var statusMark: SourceMark?
  /// Asked only of answers with an expected status, as are `headers` and `claims`.
  package var body: [BodyCheck] = []
  package var headers: [HeaderCheck] = []
  /// `that:`
  package var claims: [Claim] = []
  package var onFailure = OnFailure.end

  package init() {}

  package var isEmpty: Bool { statuses.isEmpty && body.isEmpty && headers.isEmpty && claims.isEmpty }

  /// Whether `status` is named; false when none is.
  package func names(_ status: Int) -> Bool { statuses.contains { $0.matches(status) } }

  /// Whether the scenario says what it expects of a GraphQL answer's `errors`.
  package var namesErrors: Bool {
    body.contains { check in ["$.errors", "$['errors']"].contains { "\(check.path)".hasPrefix($0) } }
  }

  /// Whether an answer with this status fails for its status alone.
  package func refuses(_ status: Int) -> Bool { !statuses.isEmpty && !names(status) }
}

/// What a value of an answer must be.
package enum ValueCondition: Sendable {
  /// This value; of a query that may find several nodes, one of them must be it.
  case equals(Template)
  /// There, or not there.
  case present(Bool)
  /// Every value found conforms to a JSON Schema, and there is one.
  case conforms(InlineSchema)

  /// For messages: behind "expected $.limit ".
  package var text: String {
    switch self {
    case .equals(let template): "to be \(template.isConstant ? template.constantText : template.source)"
    case .present(true): "to be present"
    case .present(false): "to be absent"
    case .conforms(let schema): schema.text
    }
  }
}

/// A JSON Schema that stands in a scenario: `{ type: string }`, `{ pattern: ^a }`, `{ schema: { … } }`.
package struct InlineSchema: Sendable {
  package var value: JSONValue
  /// What it asks for, for messages: `to match the pattern ^a`.
  package var text: String
  package var mark: SourceMark
  /// Where each part stands, by JSON Pointer into `value`.
  package var marks: [String: SourceMark]
}

extension Template {
  /// A constant as JSON.
  fileprivate var constantText: String {
    if case .constant(let value) = content { value.text } else { source }
  }
}

/// A part of an answer that the session keeps under a name.
package struct Save: Sendable {
  package enum Source: Sendable {
    /// A singular query (RFC 9535 §2.3.5.1) gives the value itself, any other the array of what it finds.
    case body(JSONPath)
    /// All of the body, as text.
    case text
    /// The first header field of this name, as text.
    case header(String)
    /// The status, a number.
    case status
    /// What the answer sets the cookie to, or else what the user has under this name for the request.
    case cookie(String)
    /// Where the first `Link` of this relation leads (RFC 8288): path and query at the target.
    case link(String)
  }

  package var variable: Variable
  package var source: Source
  /// Taken out of the source's text; nil takes all of it.
  package var pattern: ECMAPattern?
  /// Taken when a singular query, a header or the like finds nothing; without one the session ends there.
  package var fallback: Template?
  /// The value is masked in every output.
  package var isSecret: Bool
  package var mark: SourceMark
}
