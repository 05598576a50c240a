import MurphyModel

/// One request to an operation of the contract.
package struct CallStep: Sendable {
  package var operation: OperationReference
  /// Parameters in the order written. A value that evaluates to null is left out.
  package var path: [NamedTemplate] = []
  /// Path and query instead of the operation's own, as an answer gave them.
  package var url: Template?
  package var query: [NamedTemplate] = []
  package var headers: [NamedTemplate] = []
  package var cookies: [NamedTemplate] = []
  package var body: BodyTemplate?
  /// Taken from a 2xx answer, or from one whose status is expected.
  package var saves: [Save] = []
  package var checks = AnswerChecks()
  /// What the user does on statuses and failures; the first match counts.
  package var reactions: [AnswerReaction] = []
  /// What the client shows at once, before the answer; taken back when the API refuses.
  package var optimistic: [Assignment] = []
  /// Whether its method may change something (RFC 9110 §9.2.1).
  package var isWrite = false
  /// Which outcomes the client tries again by itself, before the user sees any.
  package var retry: RetryRule?
  /// When the client answers it from what it has; nil sends it always.
  package var reuse: ReuseRule?
  /// Whether its body is a GraphQL request, whose answers tell of errors in their body.
  package var isGraphQL = false
  /// Indices into `Scenario.tags`, ascending: those of the session and of the steps around it, and its own.
  package var tags: [Int] = []
  /// Overrides `settings: timeout`.
  package var timeout: Duration?
  /// How long a stream of events is read; nil for the usual time.
  package var stream: StreamPatience?
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
    (path + query + headers + cookies).flatMap(\.value.variables) + (url?.variables ?? []) + (body?.variables ?? [])
  }

  /// Whether every request of this step is the same, so that it can be serialised once.
  package var isConstant: Bool {
    (operation.undocumented?.url.isConstant ?? true) && (url?.isConstant ?? true)
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

extension CallStep {
  /// What the user does after an answer with this status.
  ///
  /// What `on:` says counts first, then `expect: status` and `on-failure`; else a 429 does not end a session and any
  /// other status from 400 up does.
  package func reaction(to status: Int) -> Reaction {
    if let written = written(for: status) { return written.reaction }
    if checks.names(status) { return .proceed }
    if checks.refuses(status), checks.onFailure == .proceed { return .proceed }
    return status >= 400 && status != 429 ? .end : .proceed
  }

  /// What the user does when no complete answer came; leaving unless `on: error` says otherwise.
  package var reactionToTransportFailure: Reaction {
    writtenForTransportFailure?.reaction ?? .end
  }

  /// Whether `on:` itself says that the user leaves after this status, as a part of the script.
  package func scriptsEnd(at status: Int) -> Bool {
    written(for: status)?.reaction == .end
  }

  /// The same of a request that got no complete answer.
  package var scriptsEndAtTransportFailure: Bool { writtenForTransportFailure?.reaction == .end }

  /// The entry of `on:` that counts for this status.
  package func written(for status: Int) -> AnswerReaction? { reactions.first { $0.trigger.matches(status) } }

  /// The entry of `on:` that counts when no complete answer came.
  package var writtenForTransportFailure: AnswerReaction? { reactions.first { $0.trigger == .transport } }

  /// The entry of `on:` that counts where a user without a network has no answer kept.
  package var writtenForOffline: AnswerReaction? { reactions.first { $0.trigger == .offline } }

  /// Its own and those of the steps in its `on:`.
  package var calls: [CallStep] { [self] + reactions.flatMap { $0.steps.flatMap(\.calls) } }

  /// Whether values are saved from an answer with this status: 2xx and the statuses `expect:` names.
  package func savesFrom(_ status: Int) -> Bool {
    (200...299).contains(status) || checks.names(status)
  }
}

/// A call as a step of a session: one reference, so that to hand it on copies nothing, with what every turn asks for
/// worked out once.
package final class Call: Sendable {
  package let step: CallStep
  /// Whether every request of the step is the same, so that it can be serialised once.
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

  /// Whether the step names the status under `expect: status`.
  package func names(_ status: Int) -> Bool { step.checks.names(status) }

  /// Whether a status other than 2xx is what the step asks for: it names that status, and none of 2xx. A step that
  /// expects `[2XX, 404]` bears a 404, and it succeeds with 2xx.
  package func asksFor(_ status: Int) -> Bool {
    names(status) && !step.checks.statuses.contains { $0.range.overlaps(200...299) }
  }
}

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
