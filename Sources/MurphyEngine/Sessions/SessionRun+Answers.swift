import MurphyHTTP
import MurphyModel
import MurphyScenario
import MurphySchema

struct CallAnswer {
  /// When the user could go on.
  var ended: Instant
  var reaction: Reaction
  var operation: String
  var cause = Cause.status
  /// What the user does before it goes on: the steps of an `on:`.
  var steps: [Step] = []
  /// Nanoseconds after which the client sends the request again, as `retry:` says.
  var retryIn: Int64?
  /// Nanoseconds that a refusal asks to wait.
  var retryAfter: Int64 = 0
  var status = 0
  /// Where a redirect points to, when the scenario follows redirects.
  var location: String?
  /// Whether the API refused the user's token, so that the request is sent again with a new one.
  var needsToken = false
  /// Whether an `on:` of the scenario says what the user does, not the default.
  var isScripted = false

  enum Cause {
    case status
    case transport(TransportError)
    /// What was expected, as the scenario writes it.
    case expectation(String)
  }

  var reason: String {
    switch cause {
    case .status: "\(operation): status \(status)"
    case .transport(let error): "\(operation): \(error.kind.name)"
    case .expectation(let expected):
      "\(operation): expected \(expected)" + (expected.hasPrefix("status ") ? ", found \(status)" : "")
    }
  }

  var end: SessionEnd { isScripted ? .left(reason) : .failed(reason) }
}

extension SessionRun {
  /// Takes saves and checks from the answer and picks the step's reaction.
  ///
  /// - Parameters:
  ///   - retries: of this call so far.
  ///   - assumed: what the client showed of it before; what was not accepted is taken back before anything is saved.
  ///   - later: what it shows on top of that.
  func conclude(
    _ transfer: Transfer, _ request: PreparedRequest, _ call: Call, retries: Int, _ assumed: Assumption? = nil,
    under later: [Assumption] = []
  ) throws(SessionEnd) -> CallAnswer {
    let id = call.step.operation.id
    if let wait = retryWait(transfer, call.step.retry, retries) {
      // The user does not see this outcome: nothing is checked, nothing saved.
      return CallAnswer(ended: transfer.left, reaction: .proceed, operation: id, retryIn: wait)
    }
    switch transfer.ending {
    case .failed(let error):
      if let assumed { settle(assumed, isAccepted: false, under: later) }
      scope.status = 0
      if script.readsAnswers { scope.answer = LastAnswer(status: 0) }
      return CallAnswer(
        ended: transfer.ended, reaction: call.step.reactionToTransportFailure, operation: id,
        cause: .transport(error), steps: call.step.writtenForTransportFailure?.steps ?? [],
        retryAfter: Reaction.defaultWait.nanoseconds, isScripted: call.step.scriptsEndAtTransportFailure)
    case .answered:
      scope.status = transfer.status
      let reaction = call.step.reaction(to: transfer.status)
      var answer = CallAnswer(ended: transfer.left, reaction: reaction, operation: id, status: transfer.status)
      answer.location = location(of: transfer)
      if answer.location != nil { return answer }
      if let assumed, reaction != .wait {
        settle(assumed, isAccepted: (200..<300).contains(transfer.status), under: later)
      }
      if let expected = try readBody(of: transfer, request, call) {
        return CallAnswer(
          ended: transfer.left, reaction: .end, operation: id, cause: .expectation(expected), status: transfer.status)
      }
      if reaction == .wait { answer.retryAfter = retryAfter(transfer) }
      answer.isScripted = call.step.scriptsEnd(at: transfer.status)
      answer.steps = call.step.written(for: transfer.status)?.steps ?? []
      return answer
    case .cancelled, .inFlight, .abandoned:
      return CallAnswer(ended: transfer.left, reaction: .proceed, operation: id)
    }
  }

  /// Nanoseconds until the client tries again by itself; nil when it does not.
  private func retryWait(_ transfer: Transfer, _ rule: RetryRule?, _ retries: Int) -> Int64? {
    guard let rule, retries < rule.times else { return nil }
    switch transfer.ending {
    case .failed: guard rule.applies(to: 0) else { return nil }
    case .answered: guard rule.applies(to: transfer.status) else { return nil }
    case .cancelled, .inFlight, .abandoned: return nil
    }
    let asked = transfer.headers.contains { $0.name == "retry-after" } ? retryAfter(transfer) : 0
    return rule.wait(before: retries + 1, chance: jitter.unit(), asked: asked)
  }

  /// Checks the answer and saves from it, if the scenario does either; returns what was expected of an answer that ends
  /// the session.
  private func readBody(
    of transfer: Transfer, _ request: PreparedRequest, _ call: Call
  ) throws(SessionEnd) -> String? {
    let keepsAnswer = script.readsAnswers || !call.step.checks.claims.isEmpty
    let isChecked = !call.step.checks.isEmpty || call.step.isGraphQL
    guard keepsAnswer || isChecked || !call.step.saves.isEmpty || request.keptUnder != nil else {
      return nil
    }
    let body = AnswerBody(transfer, parser: loopRun.parser)
    if keepsAnswer { scope.answer = lastAnswer(transfer, body) }
    if isChecked, let miss = try check(call, transfer, request, body).first,
      call.step.checks.onFailure != .proceed
    {
      return miss.expected
    }
    guard call.step.savesFrom(transfer.status) else { return nil }
    try save(call.step, transfer, request, body)
    if let place = request.keptUnder {
      let earlier = history.call(call.step.operation.id, request, sent: transfer.sent)
      kept?.keep(
        KeptAnswers.Kept(answer: lastAnswer(transfer, body), call: earlier, ended: transfer.ended), under: place.key)
    }
    return nil
  }

  private func lastAnswer(_ transfer: Transfer, _ body: AnswerBody) -> LastAnswer {
    LastAnswer(
      status: transfer.status, headers: transfer.headers,
      body: body.value.map { .json($0) } ?? .text(String(decoding: transfer.bodyBytes, as: UTF8.self)))
  }

  /// `Retry-After` in nanoseconds (RFC 9110 §10.2.3): whole seconds, or a date counted from the answer's own.
  private func retryAfter(_ transfer: Transfer) -> Int64 {
    let wait = RetryAfter.wait(transfer.headers, now: WallClock.seconds)
    return (wait.map { .saturating(seconds: $0) } ?? Reaction.defaultWait).nanoseconds
  }
}
