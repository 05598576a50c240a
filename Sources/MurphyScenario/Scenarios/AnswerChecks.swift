import MurphyModel
import MurphySchema

/// `expect:` of a call: the requirements for its responses in addition to the contract.
package struct AnswerChecks: Sendable {
  /// The value that a query must find in the body.
  package struct BodyCheck: Sendable {
    package var path: JSONPath
    package var condition: ValueCondition
    /// The position in the scenario.
    package var mark: SourceMark
  }

  /// The requirement for the first header with this name.
  package struct HeaderCheck: Sendable {
    package var name: String
    package var condition: ValueCondition
    /// The position in the scenario.
    package var mark: SourceMark
  }

  /// An expression over the response that must be true.
  package struct Claim: Sendable {
    package var formula: Formula
    /// The position in the scenario.
    package var mark: SourceMark
  }

  /// `on-failure:` the session's action after an unexpected response.
  package enum OnFailure: String, Sendable, CaseIterable {
    /// The session ends and counts as failed.
    case end
    /// Continues, unless `on:` has an entry for the status. The failed expectation stays a finding.
    case proceed = "continue"
  }

  /// Empty if any status is accepted.
  package var statuses: [StatusPattern] = []
  /// The position of `status:`; nil without it.
  package var statusMark: SourceMark?
  /// Checked only for responses with an expected status, as are `headers` and `claims`.
  package var body: [BodyCheck] = []
  package var headers: [HeaderCheck] = []
  /// `that:`
  package var claims: [Claim] = []
  /// The session's reaction to a failed check.
  package var onFailure = OnFailure.end

  /// True if only the contract applies.
  package var isEmpty: Bool { statuses.isEmpty && body.isEmpty && headers.isEmpty && claims.isEmpty }

  /// True if `status` is in the list; false if the list is empty.
  package func names(_ status: Int) -> Bool { statuses.contains { $0.matches(status) } }

  /// True if the scenario has an expectation for a GraphQL response's `errors`.
  package var namesErrors: Bool {
    body.contains { check in ["$.errors", "$['errors']"].contains { "\(check.path)".hasPrefix($0) } }
  }

  /// True if a response with this status fails because of its status alone.
  package func refuses(_ status: Int) -> Bool { !statuses.isEmpty && !names(status) }
}

/// The requirement for a value of a response.
package enum ValueCondition: Sendable {
  /// Equal to this value. If a query finds several nodes, one of them must be equal.
  case equals(Template)
  /// Present, or absent.
  case present(Bool)
  /// There is a value, and every value found conforms to a JSON Schema.
  case conforms(InlineSchema)

  /// For messages: the words after "expected $.limit ".
  package var text: String {
    switch self {
    case .equals(let template): "to be \(template.isConstant ? template.constantText : template.source)"
    case .present(true): "to be present"
    case .present(false): "to be absent"
    case .conforms(let schema): schema.text
    }
  }
}

/// A JSON Schema in a scenario: `{ type: string }`, `{ pattern: ^a }`, `{ schema: { … } }`.
package struct InlineSchema: Sendable {
  /// The schema as JSON.
  package var value: JSONValue
  /// Its requirement, for messages: `to match the pattern ^a`.
  package var text: String
  /// The position in the scenario.
  package var mark: SourceMark
  /// The position of each part, by JSON Pointer into `value`.
  package var marks: [String: SourceMark]
}

extension Template {
  /// A constant as JSON.
  fileprivate var constantText: String {
    if case .constant(let value) = content { value.text } else { source }
  }
}

/// A part of a response that the session saves under a name.
package struct Save: Sendable {
  /// The part of the response that is saved.
  package enum Source: Sendable {
    /// A singular query (RFC 9535 §2.3.5.1) returns the value itself, any other the array of its results.
    case body(JSONPath)
    /// The whole body, as a string.
    case text
    /// The first header of this name, as a string.
    case header(String)
    /// The status, a number.
    case status
    /// The cookie's value in the response. Without one, the user's value of this cookie for the request.
    case cookie(String)
    /// The target of the first `Link` with this relation (RFC 8288): path and query at the target.
    case link(String)
  }

  package var variable: Variable
  package var source: Source
  /// Extracted from the source's text; nil takes the whole text.
  package var pattern: ECMAPattern?
  /// Used if a singular query, a header or a similar source finds nothing. Without a fallback, the session ends there.
  package var fallback: Template?
  /// The value is masked in every output.
  package var isSecret: Bool
  /// The position in the scenario.
  package var mark: SourceMark
}
