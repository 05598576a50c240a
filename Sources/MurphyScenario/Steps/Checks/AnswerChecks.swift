import MurphyJSON
import MurphyModel

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

  /// Whether `status` is among those named.
  package func names(_ status: Int) -> Bool { statuses.contains { $0.matches(status) } }

  /// Whether `status` is named; false when none is.
  package func expects(_ status: Int) -> Bool { names(status) }

  /// Whether the scenario says what it expects of a GraphQL answer's `errors`.
  package var namesErrors: Bool {
    body.contains { check in ["$.errors", "$['errors']"].contains { "\(check.path)".hasPrefix($0) } }
  }

  /// Whether an answer with this status fails for its status alone.
  package func refuses(_ status: Int) -> Bool { !statuses.isEmpty && !names(status) }
}
