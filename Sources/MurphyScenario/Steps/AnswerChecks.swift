import MurphyJSON
import MurphyModel

/// `expect:` of a call: what its answers must show beyond the contract.
package struct AnswerChecks: Sendable {
  package struct BodyCheck: Sendable {
    package var path: JSONPath
    /// What a singular query must find, or what any other query must find among its nodes.
    package var value: Template
    package var mark: SourceMark

    package init(path: JSONPath, value: Template, mark: SourceMark) {
      self.path = path
      self.value = value
      self.mark = mark
    }
  }

  /// Empty when any status will do.
  package var statuses: [StatusPattern] = []
  package var body: [BodyCheck] = []
  package var headers: [NamedTemplate] = []

  package init() {}

  package var isEmpty: Bool { statuses.isEmpty && body.isEmpty && headers.isEmpty }

  /// Whether `status` is among those named.
  package func names(_ status: Int) -> Bool { statuses.contains { $0.matches(status) } }

  /// Whether `status` is named; false when none is.
  package func expects(_ status: Int) -> Bool { names(status) }
}
