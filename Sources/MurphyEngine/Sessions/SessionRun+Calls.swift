import MurphyContract
import MurphyHTTP
import MurphyModel
import MurphyScenario
import MurphySchema

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
    var tries = Tries()
    while true {
      if client.usesTokens { request = try await authorise(request) }
      if client.network != nil { try await sendOverNetwork() }
      let next = try await exchange(request, intended: due) { transfer, outcome throws(SessionEnd) in
        try react(to: transfer, outcome, &request, call, &tries, assuming: assumed, under: later)
      }
      switch next {
      case .proceed(let steps): return steps.isEmpty ? () : try await execute(steps)
      case .again: continue
      case .wait(let time): try await pause(time)
      }
    }
  }

  /// How often a call was sent again, by cause.
  private struct Tries {
    var redirects = 0
    var waits = 0
    var retries = 0
  }

  /// What the user does after a response.
  private enum Next {
    case proceed([Step])
    /// Sends the changed request.
    case again
    /// Sends the request again after some nanoseconds.
    case wait(Int64)
  }

  /// A function of its own, so that its values take no memory of an idle user: async functions keep theirs in the task.
  @inline(never)
  private func react(
    to transfer: Transfer, _ outcome: StepOutcome, _ request: inout PreparedRequest, _ call: Call, _ tries: inout Tries,
    assuming assumed: Assumption?, under later: [Assumption]
  ) throws(SessionEnd) -> Next {
    if tries.retries + tries.waits > 0, !transfer.isWithheld {
      loopRun.recorder.second(transfer.sent) { $0.course.retried += 1 }
    }
    let response = try conclude(
      transfer, request, call, isRejected: outcome.isRejected, retries: tries.retries, assumed, under: later)
    due = response.ended
    if let network = client.network { try receive(transfer.bytesReceived, over: network) }
    if let wait = response.retryIn {
      tries.retries += 1
      if !response.isWithheld { loopRun.recorder.retry(request.operation) }
      return .wait(wait)
    }
    if let location = response.location, tries.redirects < loopRun.context.scenario.settings.redirects {
      request = try redirected(request, to: location, status: response.status)
      tries.redirects += 1
      return .again
    }
    if response.reaction != .wait { try assume(again: later) }
    switch response.reaction {
    case .proceed: return .proceed(response.steps)
    case .end: throw response.end
    case .wait:
      guard tries.waits < Reaction.mostWaits, response.retryAfter <= Reaction.longestWait.nanoseconds else {
        throw .failed(response.reason)
      }
      tries.waits += 1
      return .wait(response.retryAfter)
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
    started: ((Transfer) -> Void)? = nil, use: (Transfer, StepOutcome) throws(SessionEnd) -> Value
  ) async throws(SessionEnd) -> Value {
    if loopRun.context.isOut { return try await withhold(use) }
    let recorder = loopRun.recorder
    var (request, intended, ready, isRepeat) = (request, intended, ready, false)
    while true {
      // The wait for a new token is not the API's.
      if loopRun.context.credential != nil, let waited = await freshen(&request) {
        (intended, ready) = (max(intended, waited), nil)
      }
      recorder.plan(request.operation, at: intended)
      let begun = max(intended, ready ?? intended)
      let intent = Intent(due: intended, late: max(Instant.now - begun, 0), patience: patience)
      guard !loopRun.isOver else {
        drop(request, begun > intended ? .responseBefore : .loadOver, intent)
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
      let context = loopRun.tracer?.next(request.operation, session: arrival.index)
      let transfer = connection.start(request.http, of: request.operation, trace: context)
      defer { transfer.release() }
      recorder.send(request.operation, at: transfer.sent)
      started?(transfer)
      await transfer.finished()
      var end: SessionEnd?
      if isRepeat {
        recordRepeat(transfer, request)
      } else if isRefused(transfer, request) {
        switch await renewed(request) {
        case .success(let renewed)?:
          loopRun.record(transfer, request, intent, by: self, isRenewed: true)
          if loopRun.isTraced { trace(transfer, request) }
          recorder.retry(request.operation)
          (request, intended, ready, isRepeat) = (renewed, .now, nil, true)
          continue
        case .failure(let reason)?: end = reason
        case nil: break
        }
      }
      let outcome = loopRun.record(transfer, request, intent, by: self)
      if loopRun.isTraced { trace(transfer, request) }
      if connection.cookiesSet > cookies { keepCookieSetter(request, sent: transfer.sent) }
      if let end { throw end }
      if case .abandoned = transfer.ending { throw .cut }
      if transfer.isCutShort { throw .cut }
      return try use(transfer, outcome)
    }
  }

  @inline(never)
  private func keepCookieSetter(_ request: PreparedRequest, sent: Instant) {
    let id = loopRun.context.contract.operations[request.operation].id
    history.setCookies(history.call(id, request, sent: sent))
  }

  /// The time after which a withheld request fails: about a round trip, so that a user without pauses does not spin.
  private static let refusal: Int64 = 10_000_000

  /// A request during an outage of the load. It fails like one to a host that refuses connections, and nothing is sent.
  @inline(never)
  nonisolated(nonsending) private func withhold<Value>(
    _ use: (Transfer, StepOutcome) throws(SessionEnd) -> Value
  ) async throws(SessionEnd) -> Value {
    loopRun.recorder.second(.now) { $0.course.withheld += 1 }
    try await wait(until: .now + Self.refusal)
    let transfer = loopRun.transport.withhold()
    defer { transfer.release() }
    return try use(transfer, StepOutcome())
  }

  @inline(never)
  private func drop(_ request: PreparedRequest, _ reason: DropReason, _ intent: Intent) {
    let now = loopRun.recorder.closed ?? .now
    loopRun.recorder.drop(
      request.operation, reason, intent, at: now, isOverdue: loopRun.isOverdue(since: intent.due, at: now))
  }

  func prepare(_ call: Call) throws(SessionEnd) -> PreparedRequest {
    if let lastConstant, lastConstant.call === call {
      lastConstant.http.keepBytes()
      return lastConstant
    }
    var request: PreparedRequest
    if let kept = loopRun.requests.constant(call) {
      request = kept
      request.http.keepBytes()
    } else {
      request = try write(call.step)
      request.call = call
      loopRun.requests.keep(request)
    }
    try addClientHeaders(to: &request)
    if call.isConstant, client.isSteady { lastConstant = request }
    return request
  }

  private func write(_ step: CallStep) throws(SessionEnd) -> PreparedRequest {
    guard let operation = step.operation.index ?? loopRun.context.contract.index(of: step.operation.id) else {
      throw .failed("\(step.operation.id): the contract has no operation with this operationId")
    }
    var call = try OperationCall(step, operation: operation, boundary: { random.next() }) {
      template throws(SessionEnd) in try evaluate(template)
    }
    if let written = call.url { call.url = try url(written, of: step, operation) }
    do throws(RequestError) {
      return try loopRun.requests.write(call)
    } catch {
      throw .failed("\(step.operation.id): \(error)")
    }
  }

  /// The path and query that the step sets itself. Users stay at the target, and at the operation where there is one.
  private func url(_ written: String, of step: CallStep, _ operation: Int) throws(SessionEnd) -> String {
    var url = written
    let origin = loopRun.context.origin.text
    // A URL from a response may contain the target's origin.
    if url.hasPrefix(origin + "/") { url.removeFirst(origin.count) }
    guard url.hasPrefix("/"), !url.hasPrefix("//") else {
      throw .failed("\(step.operation.id): the url must be a path of the target that begins with /")
    }
    let known = loopRun.context.contract.operations[operation]
    if step.url != nil, !known.isPath(url.prefix { $0 != "?" && $0 != "#" }) {
      throw .failed("\(step.operation.id): the url does not match \(known.method) \(known.path)")
    }
    return String(url.prefix { $0 != "#" })
  }

  /// Adds the client's own headers and credentials. A header of the same name in the step takes precedence.
  func addClientHeaders(to request: inout PreparedRequest) throws(SessionEnd) {
    request.http.add(clientHeaders: headers)
    guard !client.isSteady else { return }
    for header in client.headers where !request.http.headers.names(header.name) {
      // Omitted until the session has saved the value that it reads.
      guard let value = try? evaluate(header.value), value != JSONValue.null else { continue }
      request.http.headers.append(HeaderField(header.name, value.interpolated))
    }
    if let authentication = client.authentication { authenticate(&request, authentication) }
  }

  /// If the session has not yet saved a required value, the request is sent without credentials.
  private func authenticate(_ request: inout PreparedRequest, _ authentication: Authentication) {
    guard let credentials = try? authentication.credentials(in: &scope, random: &random) else { return }
    request.http.add(credentials)
  }

  func evaluate(_ template: Template) throws(SessionEnd) -> JSONValue {
    try evaluating { () throws(EvaluationError) in try template.evaluate(in: &scope, random: &random) }
  }

  func evaluate(_ duration: DurationValue) throws(SessionEnd) -> Int64 {
    try evaluating { () throws(EvaluationError) in try duration.evaluate(in: &scope, random: &random) }
  }

  func evaluate(_ count: CountValue) throws(SessionEnd) -> Int {
    try evaluating { () throws(EvaluationError) in try count.evaluate(in: &scope, random: &random) }
  }

  func isTrue(_ condition: Formula) throws(SessionEnd) -> Bool {
    try evaluating { () throws(EvaluationError) in try condition.isTrue(in: &scope, random: &random) }
  }

  @inline(__always)
  func evaluating<Value>(_ body: () throws(EvaluationError) -> Value) throws(SessionEnd) -> Value {
    do throws(EvaluationError) { return try body() } catch { throw failure(error) }
  }

  /// Names the step, so that equal reasons of different steps are counted separately.
  private func failure(_ error: EvaluationError) -> SessionEnd { .failed("\(doing): \(error.text)") }

  func assign(_ assignments: [Assignment]) throws(SessionEnd) {
    for assignment in assignments {
      let value = try evaluate(assignment.value)
      scope[assignment.variable] = value
      if assignment.value.isSecret(in: scope) { scope.keepSecret(assignment.variable) }
      trace(saved: assignment.variable, value)
      history.derive(assignment.variable, from: assignment.value.variables)
    }
  }
}
