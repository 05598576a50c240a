import MurphyModel

/// An operation of the contract as a scenario names it.
package struct OperationReference: Sendable, Hashable {
  /// The operationId.
  package var id: String
  /// Index into the contract's operations; nil when the scenario was read without its contract.
  package var index: Int?
  /// For a request that no operation of the contract describes.
  package var undocumented: UndocumentedRequest?

  package init(id: String, index: Int? = nil) {
    self.id = id
    self.index = index
  }
}

/// A request outside of the contract: `call: { method: POST, url: /api/v1/laws/1/vote }`.
package struct UndocumentedRequest: Sendable, Hashable {
  package enum Method: String, Sendable, CaseIterable {
    case get = "GET"
    case head = "HEAD"
    case post = "POST"
    case put = "PUT"
    case patch = "PATCH"
    case delete = "DELETE"
    case options = "OPTIONS"
    case trace = "TRACE"
  }

  package var method: Method
  /// Path and query behind the target's own path; what it computes is percent-encoded where a URL needs it.
  package var url: Template

  /// Path as counts and reports show it: `/laws/{pick(ids)}/vote`, with what is computed in braces.
  package var path: String { url.source.replacing("${", with: "{") }

  /// The name under which it is counted: `POST /laws/{pick(ids)}/vote`.
  package var id: String { "\(method.rawValue) \(path)" }
}
