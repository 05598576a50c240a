import MurphyModel

/// One request to an operation of the contract.
package struct CallStep: Sendable {
  package var operation: OperationReference
  /// Parameters in the order written. A value that evaluates to null is left out.
  package var path: [NamedTemplate] = []
  package var query: [NamedTemplate] = []
  package var headers: [NamedTemplate] = []
  package var cookies: [NamedTemplate] = []
  package var body: BodyTemplate?
  /// Taken from a 2xx answer, or from one whose status is expected.
  package var saves: [Save] = []
  package var checks = AnswerChecks()
  /// What the user does on statuses and failures; the first match counts.
  package var reactions: [(trigger: Trigger, reaction: Reaction)] = []
  /// Overrides `settings: timeout`.
  package var timeout: Duration?
  /// The number of the step in its session, from 1 in each list of steps: `3`, `3.else.1`, `2.way2.1`.
  package var number = ""
  package var mark: SourceMark
  /// Where its values stand in the file, by `query/limit` or `body/items/0`: diagnostics without a message.
  package var places: [String: Diagnostic] = [:]

  package init(operation: OperationReference, mark: SourceMark) {
    self.operation = operation
    self.mark = mark
  }

  /// Every variable that its request reads.
  package var variables: [Variable] {
    (path + query + headers + cookies).flatMap(\.value.variables) + (body?.variables ?? [])
  }

  /// Whether every request of this step is the same, so that it can be serialised once.
  package var isConstant: Bool {
    (operation.undocumented?.url.isConstant ?? true)
      && (path + query + headers + cookies).allSatisfy(\.value.isConstant) && (body?.isConstant ?? true)
  }
}

/// A parameter's or field's name and its value.
package struct NamedTemplate: Sendable {
  package var name: String
  package var value: Template

  package init(name: String, value: Template) {
    self.name = name
    self.value = value
  }
}
