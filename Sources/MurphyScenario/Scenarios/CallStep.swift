import MurphyModel

/// One request to an operation of the contract.
package struct CallStep: Sendable {
  package var operation: OperationReference
  /// Parameters in the order of the file. A value that evaluates to null is left out.
  package var path: [NamedTemplate] = []
  /// Path and query from a response, in place of the operation's own.
  package var url: Template?
  package var query: [NamedTemplate] = []
  package var headers: [NamedTemplate] = []
  package var cookies: [NamedTemplate] = []
  package var body: BodyTemplate?
  /// Saved from a 2xx response, or from one whose status is expected.
  package var saves: [Save] = []
  /// The requirements in addition to the contract.
  package var checks = AnswerChecks()
  /// The user's reactions to statuses and failures; the first match counts.
  package var reactions: [AnswerReaction] = []
  /// The values that the client shows before the response. They are reverted if the API rejects the request.
  package var optimistic: [Assignment] = []
  /// True if its method may change data (RFC 9110 §9.2.1).
  package var isWrite = false
  /// The outcomes after which the client retries automatically, before the user sees them.
  package var retry: RetryRule?
  /// The rule by which the client answers it from its own data; nil sends it always.
  package var reuse: ReuseRule?
  /// True if its body is a GraphQL request, whose responses report errors in their body.
  package var isGraphQL = false
  /// Indices into `Scenario.tags`, ascending: those of the session, of the enclosing steps, and its own.
  package var tags: [Int] = []
  /// Overrides `settings: timeout`.
  package var timeout: Duration?
  /// The time for which a stream of events is read; nil for the default.
  package var stream: StreamPatience?
  /// The number of the step in its session, from 1 in each list of steps: `3`, `3.else.1`, `2.way2.1`.
  package var number = ""
  /// The position in the scenario.
  package var mark: SourceMark
  /// The positions of its values in the file, by `query/limit` or `body/items/0`: diagnostics without a message.
  package var places: [String: Diagnostic] = [:]

  package init(operation: OperationReference, mark: SourceMark) {
    self.operation = operation
    self.mark = mark
  }

  /// Every variable that its request reads.
  package var variables: [Variable] {
    (path + query + headers + cookies).flatMap(\.value.variables) + (url?.variables ?? []) + (body?.variables ?? [])
  }

  /// True if every request of this step is equal, so that it can be serialised once.
  package var isConstant: Bool {
    (operation.undocumented?.url.isConstant ?? true) && (url?.isConstant ?? true)
      && (path + query + headers + cookies).allSatisfy(\.value.isConstant) && (body?.isConstant ?? true)
  }
}

/// A parameter's or field's name and its value.
package struct NamedTemplate: Sendable {
  package var name: String
  package var value: Template
}

extension CallStep {
  /// The user's reaction to a response with this status.
  ///
  /// `on:` counts first, then `expect: status` and `on-failure`. Otherwise a rejection by a rate limit does not end a
  /// session, and any other status from 400 does.
  ///
  /// - Parameter isRejected: the decision of `RejectionRules`.
  package func reaction(to status: Int, isRejected: Bool) -> Reaction {
    if let written = written(for: status) { return written.reaction }
    if checks.names(status) { return .proceed }
    if checks.refuses(status), checks.onFailure == .proceed { return .proceed }
    return status >= 400 && !isRejected ? .end : .proceed
  }

  /// The user's reaction if no complete response was received. The session ends unless `on: error` has another
  /// reaction.
  package var reactionToTransportFailure: Reaction {
    writtenForTransportFailure?.reaction ?? .end
  }

  /// True if `on:` contains the end of the session after this status, as a part of the script.
  package func scriptsEnd(at status: Int) -> Bool {
    written(for: status)?.reaction == .end
  }

  /// The same for a request without a complete response.
  package var scriptsEndAtTransportFailure: Bool { writtenForTransportFailure?.reaction == .end }

  /// The entry of `on:` that applies to this status.
  package func written(for status: Int) -> AnswerReaction? { reactions.first { $0.trigger.matches(status) } }

  /// The entry of `on:` that applies if no complete response was received.
  package var writtenForTransportFailure: AnswerReaction? { reactions.first { $0.trigger == .transport } }

  /// The entry of `on:` that applies if a user without a network has no cached response.
  package var writtenForOffline: AnswerReaction? { reactions.first { $0.trigger == .offline } }

  /// Itself and the calls of the steps in its `on:`.
  package var calls: [CallStep] { [self] + reactions.flatMap { $0.steps.flatMap(\.calls) } }

  /// True if values are saved from a response with this status: 2xx and the statuses in `expect:`.
  package func savesFrom(_ status: Int) -> Bool {
    (200...299).contains(status) || checks.names(status)
  }
}

/// A call as a step of a session. It is a reference type, so passing it copies nothing. Values that every execution
/// reads are computed once.
package final class Call: Sendable {
  /// The step as the scenario defines it.
  package let step: CallStep
  /// True if every request of the step is equal, so that it can be serialised once.
  package let isConstant: Bool
  /// Every variable that its request reads.
  package let variables: [Variable]
  /// Indices into `Scenario.tags`.
  package let tags: [Int]

  package init(_ step: CallStep) {
    self.step = step
    tags = step.tags
    isConstant = step.isConstant
    variables = step.variables
  }

  /// True if `expect: status` of the step contains the status.
  package func names(_ status: Int) -> Bool { step.checks.names(status) }

  /// True if the step requires a status other than 2xx: it lists that status, and none of 2xx. A step that expects
  /// `[2XX, 404]` tolerates a 404, and it succeeds with 2xx.
  package func asksFor(_ status: Int) -> Bool {
    names(status) && !step.checks.statuses.contains { $0.range.overlaps(200...299) }
  }
}

/// A reference of a scenario to an operation of the contract.
package struct OperationReference: Sendable, Hashable {
  /// The operationId.
  package var id: String
  /// Index into the contract's operations; nil if the scenario was read without its contract.
  package var index: Int?
  /// For a request that no operation of the contract describes.
  package var undocumented: UndocumentedRequest?

  package init(id: String, index: Int? = nil) {
    self.id = id
    self.index = index
  }
}

/// A request outside the contract: `call: { method: POST, url: /api/v1/laws/1/vote }`.
package struct UndocumentedRequest: Sendable, Hashable {
  /// The methods that such a request may have.
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
  /// Path and query after the target's own path. Computed parts are percent-encoded where a URL requires it.
  package var url: Template

  /// Path in counts and reports: `/laws/{pick(ids)}/vote`, with expressions in braces.
  package var path: String { url.source.replacing("${", with: "{") }

  /// The name under which it is counted: `POST /laws/{pick(ids)}/vote`.
  package var id: String { "\(method.rawValue) \(path)" }
}
