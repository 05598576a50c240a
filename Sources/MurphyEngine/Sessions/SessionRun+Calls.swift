import MurphyHTTP
import MurphyModel
import MurphyScenario

extension SessionRun {
  /// Sends a call and waits for its response. The step's reaction determines how the user continues.
  nonisolated(nonsending) func execute(_ call: Call) async throws(SessionEnd) {
    if loopRun.isTraced { place = call.step.number }
    let request = try prepare(call)
    if let unsent { return try await execute(call, request, without: unsent) }
    if !call.step.optimistic.isEmpty { return try await perform(request, for: call, assuming: assume(call.step)) }
    guard let rule = call.step.reuse, let kept else { return try await perform(request, for: call) }
    try await perform(request, for: call, reusing: rule, of: kept)
  }

  /// Sends `request` when it is due, and again after a rejection if the step waits for that.
  ///
  /// - Parameters:
  ///   - assumed: the values that the client already shows; reverted when the API rejects the request.
  ///   - later: the values that it shows on top of that, of writes that are still to be sent.
  nonisolated(nonsending) func perform(
    _ first: PreparedRequest, for call: Call, assuming assumed: Assumption? = nil, under later: [Assumption] = []
  ) async throws(SessionEnd) {
    var request = first
    var renewals = 0
    var redirects = 0
    var attempt = 0
    var retries = 0
    while true {
      if client.usesTokens { request = try await authorise(request) }
      if let network = client.network { try await send(over: network) }
      var received = 0
      let answer = try await exchange(request, intended: due) { transfer throws(SessionEnd) in
        received = transfer.bytesReceived
        if client.usesTokens, renewals == 0, isRefused(transfer, call) {
          // The user does not see this result: nothing is checked or saved.
          return CallAnswer(
            ended: transfer.left, reaction: .proceed, operation: call.step.operation.id, needsToken: true)
        }
        return try conclude(transfer, request, call, retries: retries, assumed, under: later)
      }
      due = answer.ended
      if let network = client.network { try receive(received, over: network) }
      if answer.needsToken {
        renewals += 1
        let refused = request.http.headers.first { $0.name == "Authorization" }?.value
        request = try await authorise(request, refused: refused)
        loopRun.recorder.retry(request.operation)
        continue
      }
      if let wait = answer.retryIn {
        retries += 1
        loopRun.recorder.retry(request.operation)
        try await pause(wait)
        continue
      }
      if let location = answer.location, redirects < loopRun.context.scenario.settings.redirects {
        request = try redirected(request, to: location, status: answer.status)
        redirects += 1
        continue
      }
      if answer.reaction != .wait { try assume(again: later) }
      switch answer.reaction {
      case .proceed: return answer.steps.isEmpty ? () : try await execute(answer.steps)
      case .end: throw answer.end
      case .wait:
        guard attempt < Reaction.mostWaits, answer.retryAfter <= Reaction.longestWait.nanoseconds else {
          throw .failed(answer.reason)
        }
        attempt += 1
        try await pause(answer.retryAfter)
      }
    }
  }

  /// One request over the wire, recorded with any result; `use` reads the response before its bytes are released.
  ///
  /// - Parameters:
  ///   - intended: the time at which the scenario plans the request.
  ///   - ready: the time at which the user could send it, if that is later: after a wait for the previous response.
  ///   - patience: nanoseconds until a newer query supersedes it, by the plan; nil for never.
  nonisolated(nonsending) func exchange<Value>(
    _ request: PreparedRequest, intended: Instant, ready: Instant? = nil, patience: Int64? = nil,
    started: ((Transfer) -> Void)? = nil, use: (Transfer) throws(SessionEnd) -> Value
  ) async throws(SessionEnd) -> Value {
    let recorder = loopRun.recorder
    recorder.plan(request.operation, at: intended)
    let begun = max(intended, ready ?? intended)
    let intent = Intent(due: intended, late: max(Instant.now - begun, 0), patience: patience)
    guard !loopRun.isOver else {
      drop(request, begun > intended ? .answerBefore : .loadOver, intent)
      throw .cut
    }
    recorder.measured.lateness.record(intent.late)
    await gate.enter()
    defer { gate.leave() }
    guard !loopRun.isOver else {
      drop(request, .noFreeConnection, intent)
      throw .cut
    }
    let cookies = connection.cookiesSet
    let transfer = connection.start(request.http)
    defer { transfer.release() }
    recorder.send(request.operation, at: transfer.sent)
    started?(transfer)
    await transfer.finished()
    loopRun.record(transfer, request, intent, by: self)
    if loopRun.isTraced { trace(transfer, request) }
    if connection.cookiesSet > cookies {
      let id = loopRun.context.contract.operations[request.operation].id
      history.setCookies(history.call(id, request, sent: transfer.sent))
    }
    if case .abandoned = transfer.ending { throw .cut }
    if transfer.isCutShort { throw .cut }
    return try use(transfer)
  }

  private func drop(_ request: PreparedRequest, _ reason: DropReason, _ intent: Intent) {
    let now = loopRun.recorder.closed ?? .now
    loopRun.recorder.drop(
      request.operation, reason, intent, at: now, isOverdue: loopRun.isOverdue(since: intent.due, at: now))
  }
}
