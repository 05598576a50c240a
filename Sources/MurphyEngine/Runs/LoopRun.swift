import MurphyContract
import MurphyHTTP
import MurphyModel
import MurphyScenario
import MurphySchema

/// One loop's part of a run: its users, their connections, its recorder. All of its code runs on the loop.
final class LoopRun {
  let context: RunContext
  let loop: EventLoop
  let number: Int
  let transport: Transport
  let recorder: Recorder
  let judge: ResponseJudge
  /// The parser of the current response, which is parsed once for all readers.
  var parser: TapeParser { judge.bodyParser }
  let requests: RequestWriter
  let schemas = InlineSchemas()
  /// The scratch memory for the patterns of saves.
  private(set) lazy var patterns = RegexScratch()

  private(set) var users = 0
  private(set) var peakUsers = 0
  /// True if requests and sessions must end now: the grace is over or the run was stopped.
  private(set) var isOver = false
  private(set) var isStopped = false
  /// Sessions in Swift, which are cancelled when the load is over.
  var writtenTasks: [Int: Task<Void, Never>] = [:]
  var connections = ConnectionPool()
  /// Makes the trace ids of the requests; nil if the scenario turns tracing off.
  var tracer: Tracer?
  /// True if there is an observer. Read for each request.
  let isTraced: Bool
  /// The contract's judgement of the last response; kept only for observers.
  var judgement: Judgement?
  private var idleWaiter: UnsafeContinuation<Void, Never>?

  init(context: RunContext, loop: EventLoop, number: Int) {
    self.context = context
    self.loop = loop
    self.number = number
    isTraced = context.options.trace != nil
    transport = Transport(
      loop: loop, origin: context.origin, options: context.transport, resolved: context.resolved)
    recorder = Recorder(context: context)
    judge = ResponseJudge(contract: context.contract, options: context.judging)
    judge.relations = context.relations.relations.map { RelationReader($0) }
    requests = RequestWriter(context: context)
    let share = context.options.tracedRuns == nil ? context.scenario.settings.tracing : 1
    tracer = share.map { Tracer(key: context.traceKey, loop: number, share: $0) }
  }

  /// The maximum of this loop's concurrent users.
  var userLimit: Int { max(context.options.userLimit / context.loops, 1) }

  func began(_ session: Int) {
    users += 1
    peakUsers = max(peakUsers, users)
    recorder.measured.sessions[session].started += 1
  }

  /// Counts a session that failed before its first step, for example because of a template of its client.
  func failedToBegin(_ session: Int, _ reason: String) {
    recorder.measured.sessions[session].started += 1
    recorder.measured.sessions[session].failed.count(reason)
  }

  func ended(_ arrival: Arrival, _ end: SessionEnd?) {
    users -= 1
    trace(end: end, of: arrival)
    let isWritten = writtenTasks.removeValue(forKey: arrival.index) != nil
    switch end {
    // A session in Swift may ignore the error that signals the end.
    case nil where isWritten && isOver: recorder.measured.sessions[arrival.session].unfinished += 1
    case nil, .completed: recorder.measured.sessions[arrival.session].completed += 1
    case .failed(let reason): recorder.measured.sessions[arrival.session].failed.count(reason)
    case .left(let reason): recorder.measured.sessions[arrival.session].left.count(reason)
    case .cut: recorder.measured.sessions[arrival.session].unfinished += 1
    }
    if users == 0 { idleWaiter.take()?.resume() }
  }

  /// Ends everything now: sleeps, requests in flight, sessions.
  func cut() {
    if recorder.closed == nil { recorder.closed = .now }
    isStopped = true
    isOver = true
    for task in writtenTasks.values { task.cancel() }
    transport.abandonAll()
    loop.interruptSleepers()
  }

  /// Suspends until no user is left, or `abandonUsers` was called.
  func idle() async {
    guard users > 0 else { return }
    await withUnsafeContinuation { idleWaiter = $0 }
  }

  /// Resumes `idle` although sessions still run; they are counted as unfinished.
  func abandonUsers() { idleWaiter.take()?.resume() }
}

/// The idle connections of ended sessions, for the next sessions: `client: { connections: reuse }`.
///
/// Models a gateway or a proxy of the API's clients. Without it each session opens and closes its own TCP connection.
/// The closing side keeps the port for a minute (TIME_WAIT, RFC 9293 §3.6.1). With about 28,000 ephemeral ports on a
/// machine, a sustained load is limited to some 470 sessions per second to one address.
struct ConnectionPool {
  private struct Kind: Hashable {
    var address: String?
    var keepsCookies: Bool
  }

  private var idle: [Kind: [Connection]] = [:]

  /// The connection that was returned last, since the server is least likely to close it; nil when there is none.
  mutating func removeConnection(address: String?, keepsCookies: Bool) -> Connection? {
    idle[Kind(address: address, keepsCookies: keepsCookies)]?.popLast()
  }

  /// Returns a connection to the pool. It must not have a request in flight.
  mutating func leave(_ connection: Connection, keepsCookies: Bool) {
    connection.forgetCookies()
    idle[Kind(address: connection.sourceAddress, keepsCookies: keepsCookies), default: []].append(connection)
  }

  mutating func closeAll() {
    for connection in idle.values.joined() { connection.close() }
    idle = [:]
  }
}

extension LoopRun {
  /// The time within which sessions written in Swift must react to the end of the load.
  private static let patience: Int64 = 500_000_000

  /// The interval between two checks of the flag that Ctrl-C sets.
  private static let pulse: Int64 = 50_000_000

  /// The whole load of this loop: from the first arrival to the last response or the end of the grace.
  func run() async {
    let ticker = loop.start(with: self) { await $0.publishSnapshots() }
    let ender = loop.start(with: self) { await $0.endAfterGrace() }
    if context.plan.closed == nil { await admitArrivals() } else { await admitUsers() }
    await idle()
    cut()
    await ender.value
    await ticker.value
    connections.closeAll()
    transport.close()
  }

  /// Cancels the remaining work when the grace is over or the run is stopped.
  private func endAfterGrace() async {
    let deadline = context.loadEnd + context.scenario.settings.grace.nanoseconds
    while !isOver, !context.cutting.isRequested, .now < deadline {
      _ = await loop.sleep(until: min(.now + Self.pulse, deadline))
    }
    cut()
    guard users > 0 else { return }
    context.tokens?.abandon()
    // The interrupted sessions have jobs queued; only those that wait for something else need longer.
    for _ in 0..<10 where users > 0 { _ = await loop.sleep(until: .now + Self.patience / 10) }
    abandonUsers()
  }

  private func publishSnapshots() async {
    var second: Int64 = 1
    // A cut wakes only sleeping tasks: a task that was awake must check for it itself.
    while !isOver, await loop.sleep(until: context.start + second * 1_000_000_000) {
      context.board.publish(recorder.snapshot(users: users, transport.streams, at: .now + -1), of: number)
      second += 1
    }
    context.board.publish(recorder.snapshot(users: users, transport.streams, at: .now), of: number)
  }
}

/// The findings of the transport in addition to the responses: requests that were sent twice, and responses that
/// violate rules of HTTP.
extension LoopRun {
  /// Counts each repeated attempt of a request. One that was lost too soon is the server's error.
  func record(repeatsOf transfer: Transfer, _ request: PreparedRequest, by run: SessionRun) {
    for attempt in transfer.repeats {
      recorder.measured.ledger.repeated += 1
      recorder.limits.record(
        lost: attempt, request.operation, request.http, identity: run.identity(of: request.http.headers))
      if recorder.state.concerns(request.operation) {
        recorder.state.record(
          lost: attempt, request.http, operation: request.operation, session: run.arrival.index,
          unique: run.scope.unique)
      }
      guard attempt.isEarly else { continue }
      let occurrence = Occurrence(
        kind: .transportClosedEarly, severity: attempt.isStream ? .warning : .error, operation: request.operation,
        message: attempt.isStream
          ? "the server refused the HTTP/2 stream of a request, or closed the connection before it responded; murphy "
            + "sent the request again"
          : "the server closed a kept-alive connection before it responded to a request, although the connection had "
            + "been idle for less than \(attempt.rule); murphy sent the request again",
        details: [
          attempt.isStream
            ? "A server that refuses a stream has not processed its request. Behind a proxy, murphy cannot distinguish "
              + "a refused request from a lost request."
            : "Before the first attempt, the connection had been idle for \(attempt.idle.text)."
        ],
        discriminator: "closed-early", at: transfer.ended)
      recorder.find(occurrence) { evidence(transfer, request, run.evidenceHistory) }
    }
  }

  func find(violationsOf transfer: Transfer, _ request: PreparedRequest, _ run: SessionRun) {
    guard !transfer.violations.isEmpty else { return }
    for violation in transfer.violations.each {
      let occurrence = Occurrence(
        kind: violation.kind, operation: request.operation, message: violation.sentence,
        discriminator: violation.kind.name,
        at: transfer.ended)
      recorder.find(occurrence) { evidence(transfer, request, run.evidenceHistory) }
    }
  }

  /// Bytes that were received over idle connections, under the operation of the last response on each of them.
  func findStrays() {
    for stray in transport.strays {
      let operation = context.contract.operations.indices.contains(stray.label) ? stray.label : nil
      let violation = ProtocolViolation.surplus
      recorder.find(
        Occurrence(
          kind: violation.kind, operation: operation, message: violation.sentence,
          discriminator: violation.kind.name, at: stray.at)
      ) { nil }
    }
  }
}
