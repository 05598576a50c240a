import MurphyHTTP
import MurphyModel
import MurphyScenario
import MurphySchema

struct CallOutcome {
  /// The time at which the user could continue.
  var ended: Instant
  var reaction: Reaction
  var operation: String
  var cause = Cause.status
  /// The steps of an `on:` that the user executes before it continues.
  var steps: [Step] = []
  /// Nanoseconds until the client sends the request again, from `retry:`.
  var retryIn: Int64?
  /// The wait that a rejection requests, nanoseconds.
  var retryAfter: Int64 = 0
  var status = 0
  /// The destination of a redirect, when the scenario follows redirects.
  var location: String?
  /// True if murphy withheld the request during an outage of the load.
  var isWithheld: Bool { if case .withheld = cause { true } else { false } }
  /// True if an `on:` of the scenario, not the default, determines the user's reaction.
  var isScripted = false

  enum Cause {
    case status
    case transport(TransportError)
    case withheld
    /// The expectation, as in the scenario.
    case expectation(String)
  }

  var reason: String {
    switch cause {
    case .status: ReasonCount.reason(operation, status: status)
    case .transport(let error): "\(operation): \(error.kind.name)"
    case .withheld: "\(operation): withheld in the outage of the load"
    case .expectation(let expected):
      "\(operation): expected \(expected)" + (expected.hasPrefix("status ") ? ", found \(status)" : "")
    }
  }

  var end: SessionEnd { isScripted ? .left(reason) : .failed(reason) }
}

extension SessionRun {
  /// Processes saves and checks of the response and selects the step's reaction.
  ///
  /// - Parameters:
  ///   - isRejected: true if a rate limit rejected the request.
  ///   - retries: the number of retries of this call so far.
  ///   - assumed: the values that the client showed before the response. A rejected value is reverted before anything
  ///     is saved.
  ///   - later: the values that it shows on top of that.
  func conclude(
    _ transfer: Transfer, _ request: PreparedRequest, _ call: Call, isRejected: Bool, retries: Int,
    _ assumed: Assumption? = nil, under later: [Assumption] = []
  ) throws(SessionEnd) -> CallOutcome {
    let id = call.step.operation.id
    if let wait = retryWait(transfer, call.step.retry, retries) {
      // The user does not see this result: nothing is checked or saved.
      return CallOutcome(
        ended: transfer.left, reaction: .proceed, operation: id, cause: transfer.isWithheld ? .withheld : .status,
        retryIn: wait)
    }
    switch transfer.ending {
    case .failed(let error):
      if let assumed { settle(assumed, isAccepted: false, under: later) }
      scope.status = 0
      if script.readsAnswers { scope.answer = LastAnswer(status: 0) }
      return CallOutcome(
        ended: transfer.ended, reaction: call.step.reactionToTransportFailure, operation: id,
        cause: transfer.isWithheld ? .withheld : .transport(error),
        steps: call.step.writtenForTransportFailure?.steps ?? [], retryAfter: Reaction.defaultWait.nanoseconds,
        isScripted: transfer.isWithheld || call.step.scriptsEndAtTransportFailure)
    case .answered:
      scope.status = transfer.status
      var reaction = call.step.reaction(to: transfer.status, isRejected: isRejected)
      if isRejected, loopRun.context.options.waitsAtLimits, call.step.written(for: transfer.status) == nil,
        !call.step.checks.names(transfer.status)
      {
        reaction = .wait
      }
      var response = CallOutcome(ended: transfer.left, reaction: reaction, operation: id, status: transfer.status)
      response.location = location(of: transfer)
      if response.location != nil { return response }
      if let assumed, reaction != .wait {
        settle(assumed, isAccepted: (200..<300).contains(transfer.status), under: later)
      }
      if let expected = try readBody(of: transfer, request, call) {
        return CallOutcome(
          ended: transfer.left, reaction: .end, operation: id, cause: .expectation(expected), status: transfer.status)
      }
      if reaction == .wait { response.retryAfter = retryAfter(transfer) }
      response.isScripted = call.step.scriptsEnd(at: transfer.status)
      response.steps = call.step.written(for: transfer.status)?.steps ?? []
      return response
    case .cancelled, .inFlight, .abandoned:
      return CallOutcome(ended: transfer.left, reaction: .proceed, operation: id)
    }
  }

  /// Nanoseconds until the client retries automatically; nil when it does not.
  private func retryWait(_ transfer: Transfer, _ rule: RetryRule?, _ retries: Int) -> Int64? {
    guard let rule, retries < rule.times else { return nil }
    switch transfer.ending {
    case .failed: guard rule.applies(to: 0) else { return nil }
    case .answered: guard rule.applies(to: transfer.status) else { return nil }
    case .cancelled, .inFlight, .abandoned: return nil
    }
    let requested = transfer.headers.contains { $0.name == "retry-after" } ? retryAfter(transfer) : 0
    return rule.wait(before: retries + 1, chance: jitter.unit(), asked: requested)
  }

  /// Checks the response and saves values from it, if the scenario does either. Returns the failed expectation if the
  /// response ends the session.
  private func readBody(
    of transfer: Transfer, _ request: PreparedRequest, _ call: Call
  ) throws(SessionEnd) -> String? {
    let keepsResponse = script.readsAnswers || !call.step.checks.claims.isEmpty
    let isChecked = !call.step.checks.isEmpty || call.step.isGraphQL
    guard keepsResponse || isChecked || !call.step.saves.isEmpty || request.keptUnder != nil else {
      return nil
    }
    let body = ResponseBody(transfer: transfer, parser: loopRun.parser)
    if keepsResponse { scope.answer = LastAnswer(transfer, body) }
    if isChecked, let miss = try check(call, transfer, request, body).first,
      call.step.checks.onFailure != .proceed
    {
      return miss.expected
    }
    guard call.step.savesFrom(transfer.status) else {
      try saveDefaults(of: call.step)
      return nil
    }
    try save(call.step, transfer, request, body)
    if let place = request.keptUnder {
      let earlier = history.call(call.step.operation.id, request, sent: transfer.sent)
      kept?.keep(
        KeptResponses.Kept(response: LastAnswer(transfer, body), call: earlier, ended: transfer.ended),
        under: place.key)
    }
    return nil
  }

  /// `Retry-After` in nanoseconds (RFC 9110 §10.2.3): whole seconds, or a date relative to the response's own.
  private func retryAfter(_ transfer: Transfer) -> Int64 {
    (RetryAfter.wait(transfer.headers, now: WallClock.seconds) ?? Reaction.defaultWait).nanoseconds
  }
}

extension LastAnswer {
  /// The response of a transfer.
  init(_ transfer: Transfer, _ body: ResponseBody) {
    self.init(
      status: transfer.status, headers: transfer.headers,
      body: body.value.map { .json($0) } ?? .text(String(decoding: transfer.bodyBytes, as: UTF8.self)))
  }
}
