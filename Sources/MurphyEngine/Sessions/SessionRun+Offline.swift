import MurphyHTTP
import MurphyModel
import MurphyScenario
import MurphySchema

/// The writes of a user without a network, in order. Lives on the user's loop.
final class UnsentWrites {
  struct Write {
    let request: PreparedRequest
    let call: Call
    let assumed: Assumption?
  }

  private(set) var writes: [Write] = []
  /// A client that keeps more writes than this has lost its user.
  private static let most = 10_000

  func keep(_ write: Write) throws(SessionEnd) {
    guard writes.count < Self.most else {
      throw .failed("\(write.call.step.operation.id): more than \(Self.most) writes while the user was offline")
    }
    writes.append(write)
  }
}

extension SessionRun {
  /// Executes the steps without a network, then sends their writes one after the other as the user's client would.
  nonisolated(nonsending) func execute(_ offline: OfflineStep) async throws(SessionEnd) {
    let back = due + (try evaluate(offline.duration))
    let unsent = UnsentWrites()
    self.unsent = unsent
    var end: SessionEnd?
    do throws(SessionEnd) {
      try await execute(offline.steps)
    } catch {
      end = error
    }
    self.unsent = nil
    // A user who leaves by the script has an app that sends the remaining writes. Any other end of a session ends the
    // app.
    if let end, end != .completed { throw end.leaving(unsent.writes.count) }
    due = max(due, back)
    try await wait(until: due)
    try await send(unsent.writes)
    if let end { throw end }
  }

  nonisolated(nonsending) private func send(_ writes: [UnsentWrites.Write]) async throws(SessionEnd) {
    for (number, write) in writes.enumerated() {
      if loopRun.loop.isOverdue { try await yieldLoop() }
      doing = write.call.step.operation.id
      let later = write.assumed == nil ? [] : writes[(number + 1)...].compactMap(\.assumed)
      do throws(SessionEnd) {
        try await perform(write.request, for: write.call, assuming: write.assumed, under: later)
      } catch {
        throw error.leaving(writes.count - number - 1)
      }
    }
  }

  /// A call that cannot be sent: a write is kept; a read uses the client's response, of any age.
  nonisolated(nonsending) func execute(
    _ call: Call, _ request: PreparedRequest, without unsent: UnsentWrites
  ) async throws(SessionEnd) {
    guard !call.step.isWrite else {
      trace("\(call.step.operation.id): offline: the request is stored and sent later")
      try unsent.keep(UnsentWrites.Write(request: request, call: call, assumed: assume(call.step)))
      return recordNoResponse()
    }
    if call.step.reuse != nil, let response = kept?.latest(KeptResponses.Key(request.http)) {
      loopRun.recorder.skipCached(request.operation)
      trace("\(call.step.operation.id): offline: served from the client cache")
      return try await useKept(response, for: call)
    }
    recordNoResponse()
    trace("\(call.step.operation.id): offline: no response")
    // The user keeps its existing values.
    for save in call.step.saves {
      if let fallback = save.fallback { scope[save.variable] = try evaluate(fallback) }
    }
    guard let written = call.step.writtenForOffline else { return }
    if written.reaction == .end { throw .left("\(call.step.operation.id): offline") }
    try await execute(written.steps)
  }

  private func recordNoResponse() {
    scope.status = 0
    if script.readsAnswers { scope.answer = LastAnswer(status: 0) }
  }
}

extension SessionEnd {
  /// The same end for a user with unsent writes. It excludes their number, so that equal ends are counted together.
  fileprivate func leaving(_ unsent: Int) -> SessionEnd {
    guard unsent > 0 else { return self }
    let words = "; writes of the offline time were not sent"
    return switch self {
    case .failed(let reason): .failed(reason + words)
    case .left(let reason): .left(reason + words)
    case .completed, .cut: self
    }
  }
}

/// The values that a client shows for a call before its response.
final class Assumption {
  let assignments: [Assignment]
  /// The values of the names without it.
  fileprivate(set) var before: [(variable: Variable, value: JSONValue?)] = []

  init(_ assignments: [Assignment]) { self.assignments = assignments }
}

extension SessionRun {
  /// Shows the user the expected result of the call; nil where the call defines none.
  func assume(_ step: CallStep) throws(SessionEnd) -> Assumption? {
    guard !step.optimistic.isEmpty else { return nil }
    let assumption = Assumption(step.optimistic)
    try show(assumption)
    return assumption
  }

  /// Applies the values of unsent writes on top of the values from the responses so far.
  func assume(again assumptions: [Assumption]) throws(SessionEnd) {
    // The number of these evaluations depends on the API, and data must not.
    let stream = random
    for assumption in assumptions { try show(assumption) }
    random = stream
  }

  private func show(_ assumption: Assumption) throws(SessionEnd) {
    assumption.before = assumption.assignments.map { (variable: $0.variable, value: scope[$0.variable]) }
    try assign(assumption.assignments)
  }

  /// Restores the values of the names by the responses so far, without those of unsent writes.
  func settle(_ assumption: Assumption, isAccepted: Bool, under later: [Assumption]) {
    // In reverse, because a name may be set more than once.
    for assumption in later.reversed() { revert(assumption) }
    if !isAccepted { revert(assumption) }
  }

  private func revert(_ assumption: Assumption) {
    for (variable, value) in assumption.before.reversed() { scope[variable] = value }
  }
}

/// True after the user's first connection to the target.
final class Line { var isConnected = false }

/// Simulates the user's network in time. The requests that leave murphy are delayed by the network, and the user sees
/// the responses late. The API's time is measured without it.
extension SessionRun {
  /// Waits until a request of the user has reached the target: half a round trip, after another one for the connection.
  nonisolated(nonsending) func sendOverNetwork() async throws(SessionEnd) {
    try delaySend()
    try await wait(until: due)
  }

  @inline(never)
  private func delaySend() throws(SessionEnd) {
    guard let network = client.network else { return }
    let trip = try chance(network.latency)
    due = due + trip / 2 + (line.isConnected ? 0 : trip) + resending(network, trip)
    line.isConnected = true
  }

  /// Delays the user's next step until a response with this number of bytes has reached it.
  func receive(_ bytes: Int, over network: UserNetwork) throws(SessionEnd) {
    let trip = try chance(network.latency)
    let transfer = network.down.map { Int64(saturating: Double(bytes) * 8e9 / $0) } ?? 0
    due = due + trip / 2 + transfer + resending(network, trip)
  }

  /// A random time from a separate stream, because the number of such times depends on the API.
  func chance(_ duration: DurationValue) throws(SessionEnd) -> Int64 {
    try evaluating { () throws(EvaluationError) in try duration.evaluate(in: &scope, random: &jitter) }
  }

  /// Nanoseconds that packet loss costs: each retransmission takes twice as long (RFC 6298 §5.5).
  private func resending(_ network: UserNetwork, _ trip: Int64) -> Int64 {
    guard network.loss > 0 else { return 0 }
    var (lost, wait, sum) = (0, trip + UserNetwork.timeout.nanoseconds, Int64(0))
    while lost < UserNetwork.mostLosses, jitter.unit() < network.loss {
      (lost, sum, wait) = (lost + 1, sum + wait, wait * 2)
    }
    return sum
  }
}

extension SessionRun {
  /// The destination of the response, if it is a redirect and the scenario follows redirects (RFC 9110 §15.4).
  func location(of transfer: Transfer) -> String? {
    guard loopRun.context.scenario.settings.redirects > 0, [301, 302, 303, 307, 308].contains(transfer.status) else {
      return nil
    }
    return transfer.headers.first { $0.name == "location" }?.value
  }

  /// The request that follows a redirect, under the same operation. Each hop is sent, answered and judged like any
  /// other request. Users stay at the target: a redirect to another origin ends the session, and no request is sent
  /// there.
  func redirected(
    _ request: PreparedRequest, to location: String, status: Int
  ) throws(SessionEnd) -> PreparedRequest {
    let id = loopRun.context.contract.operations[request.operation].id
    var next = request
    switch Redirect(location, from: request.http.target, at: loopRun.context.origin) {
    case .within(let target): next.http.target = target
    case .away: throw .failed("\(id): redirected to another server than the target")
    case .downgrade: throw .failed("\(id): redirected from https to http")
    case .malformed: throw .failed("\(id): redirected to an invalid URI reference")
    }
    // 303 requires a GET. 301 and 302 convert a POST into a GET, as in every browser (RFC 9110 §15.4).
    let method = request.http.method
    if (status == 303 && method != "HEAD") || (status < 303 && method == "POST") {
      next.http.method = "GET"
      next.http.body = nil
      next.http.headers.removeAll { $0.name.lowercased().hasPrefix("content-") }
    }
    return next
  }
}
