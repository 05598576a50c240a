import MurphyContract
import MurphyHTTP
import MurphyModel
import MurphyScenario
import MurphySchema

/// One loop's part of a run: its users, their connections, its recorder. Everything happens on the loop.
final class LoopRun {
  let context: RunContext
  let loop: EventLoop
  let number: Int
  let transport: Transport
  let recorder: Recorder
  let judge: ResponseJudge
  /// Of the response at hand, which is parsed once for all that read it.
  var parser: TapeParser { judge.bodyParser }
  let requests: RequestWriter
  let schemas = InlineSchemas()
  /// What the patterns of saves match with.
  private(set) lazy var patterns = RegexScratch()

  private(set) var users = 0
  private(set) var peakUsers = 0
  /// Requests and sessions end now: the grace is over or the run was stopped.
  private(set) var isOver = false
  private(set) var isStopped = false
  /// Sessions in Swift, to be told when the load is over.
  var writtenTasks: [Int: Task<Void, Never>] = [:]
  var connections = ConnectionPool()
  /// Whether somebody looks on: asked at each request.
  let isTraced: Bool
  /// What the contract says to the last answer; kept only for who looks on.
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
  }

  /// The most users of this loop at a time.
  var userLimit: Int { max(context.options.userLimit / context.loops, 1) }

  func began(_ session: Int) {
    users += 1
    peakUsers = max(peakUsers, users)
    recorder.measured.sessions[session].started += 1
  }

  /// A session that failed before its first step, as by a template of its client.
  func failedToBegin(_ session: Int, _ reason: String) {
    recorder.measured.sessions[session].started += 1
    recorder.measured.sessions[session].failed.count(reason)
  }

  func ended(_ arrival: Arrival, _ end: SessionEnd?) {
    users -= 1
    trace(end: end, of: arrival)
    let isWritten = writtenTasks.removeValue(forKey: arrival.index) != nil
    switch end {
    // A session in Swift may swallow the error that told it of the end.
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

/// The idle connections that ended sessions have left for the next ones: `client: { connections: reuse }`.
///
/// What a gateway or a proxy of the API's clients does. Without it each session opens a TCP connection of its own and
/// closes it, and the closing side keeps the port for a minute (TIME_WAIT, RFC 9293 §3.6.1): of about 28,000 ephemeral
/// ports a machine has, some 470 sessions a second to one address can be held for ever.
struct ConnectionPool {
  private struct Kind: Hashable {
    var address: String?
    var keepsCookies: Bool
  }

  private var idle: [Kind: [Connection]] = [:]

  /// The connection that was left last, since it is the least likely to be closed by the server; nil when none is.
  mutating func take(address: String?, keepsCookies: Bool) -> Connection? {
    idle[Kind(address: address, keepsCookies: keepsCookies)]?.popLast()
  }

  /// No request may be in flight on it.
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
  /// How long sessions written in Swift may take to notice that the load is over.
  private static let patience: Int64 = 500_000_000

  /// Between two looks at the flag that Ctrl-C sets.
  private static let pulse: Int64 = 50_000_000

  /// The whole load of this loop: from the first arrival to the last answer or the end of the grace.
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

  /// When the grace is over or the run is stopped, what still runs is cut.
  private func endAfterGrace() async {
    let deadline = context.loadEnd + context.scenario.settings.grace.nanoseconds
    while !isOver, !context.cutting.isRequested, .now < deadline {
      _ = await loop.sleep(until: min(.now + Self.pulse, deadline))
    }
    cut()
    guard users > 0 else { return }
    context.tokens?.abandon()
    // The interrupted sessions have jobs waiting; only those that wait for something else need longer.
    for _ in 0..<10 where users > 0 { _ = await loop.sleep(until: .now + Self.patience / 10) }
    abandonUsers()
  }

  private func publishSnapshots() async {
    var second: Int64 = 1
    // A cut wakes only those that sleep: whoever was just awake must see it for itself.
    while !isOver, await loop.sleep(until: context.start + second * 1_000_000_000) {
      context.board.publish(recorder.snapshot(users: users, transport.streams, at: .now + -1), of: number)
      second += 1
    }
    context.board.publish(recorder.snapshot(users: users, transport.streams, at: .now), of: number)
  }
}

/// What the transport saw beside the answers: requests that were sent twice, and answers that break rules of HTTP.
extension LoopRun {
  /// Counts each further sending of a request; one that was lost too soon is the server's error.
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
          ? "the server refused a request's HTTP/2 stream, or closed the connection, before it answered; the "
            + "request was sent again"
          : "the server closed a kept-alive connection before it answered a request, though it had been idle "
            + "for less than \(attempt.rule); the request was sent again",
        details: [
          attempt.isStream
            ? "libcurl does not tell a refused stream, of which the server has processed nothing, from a lost one."
            : "The first time, the connection had been idle for \(attempt.idle.text)."
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

  /// Bytes that came over idle connections, under the operation that each of them answered last.
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
