import MurphyHTTP
import MurphyModel
import MurphyScenario
import MurphySchema

/// One virtual user in one session. Lives on its loop, in one task and the tasks of its bursts.
final class SessionRun {
  let loopRun: LoopRun
  let arrival: Arrival
  private(set) var connection: Connection
  var scope: Scope
  var random: RandomSource
  /// Used for the waits before retries: their number depends on the API, and data must not.
  var jitter: RandomSource
  let headers: [HeaderField]
  /// The sender of the last request, for the limit log.
  private var identity: LimitRecorder.KnownIdentity?
  /// The time at which the next step is due: the arrival, the end of the last step, or after the think time that
  /// follows it.
  var due: Instant
  let began: Instant
  let gate: RequestSlots
  /// The origin of the values in `scope`.
  var history = RequestHistory()
  /// The responses that the user's client keeps; nil where no step requires that.
  let kept: KeptResponses?
  /// The writes of the user without a network, to be sent afterwards; nil while it has a network.
  var unsent: UnsentWrites?
  /// The user's connection to the target, shared by the turns of a burst.
  let line: Line
  /// The user's access tokens, shared by the turns of a burst; nil where it needs none.
  let tokens: UserTokens?
  /// The user's state after its login, for its next session.
  private(set) var user: KnownUser?
  /// The current activity of the session, for the reasons of its end: an operation, or a kind of step.
  var doing = "the session"
  /// The number of the current step, for observers.
  var place = ""

  /// Continues over a new connection from another address of this machine.
  ///
  /// - Returns: false where no connection could be made, or cookies would be lost; the state is then unchanged.
  func move(to address: String) -> Bool {
    guard connection.cookiesSet == 0 else { return false }
    let other = try? loopRun.transport.connect(sourceAddress: address, keepsCookies: script.client.cookies)
    guard let other else { return false }
    connection.close()
    (connection, identity) = (other, nil)
    return true
  }

  /// The history with the secrets that the session has so far.
  var evidenceHistory: RequestHistory {
    var history = history
    // A short value, or a word such as the name of a language, occurs in many strings by chance.
    let cookies = connection.cookieValues.filter { $0.utf8.count >= 8 && !SecretName.isPlain($0) }
    history.secrets = scope.secrets + cookies.map { Secret($0, ShellVariable("SECRET", "cookie")) }
    history.unique = scope.unique
    return history
  }

  var script: SessionScript { loopRun.context.scenario.sessions[arrival.session] }
  let client: ClientHeaders
  /// The last request of a constant step, if no other header is added: a loop sends it again unchanged.
  var lastConstant: PreparedRequest?

  /// - Parameters:
  ///   - user: its state from an earlier session; nil for one that has not logged in yet.
  ///   - tokens: its tokens from an earlier session.
  init(
    loopRun: LoopRun, arrival: Arrival, start: SessionStart, due: Instant, connection: Connection,
    user: KnownUser? = nil,
    tokens: UserTokens? = nil
  ) {
    self.loopRun = loopRun
    self.arrival = arrival
    self.connection = connection
    self.due = due
    began = due
    scope = start.scope
    random = start.random
    jitter = Self.jitter(besides: start.random)
    headers = start.headers
    client = loopRun.context.clients[arrival.session]
    gate = RequestSlots(limit: loopRun.context.requestsPerUser)
    self.user = user
    line = Line()
    self.tokens = client.usesTokens ? tokens ?? UserTokens() : nil
    kept = user?.kept ?? (loopRun.context.scenario.sessions[arrival.session].keepsAnswers ? KeptResponses() : nil)
    if loopRun.context.limits.spreads(arrival),
      loopRun.context.scenario.sessions[arrival.session].client.connections != .single
    {
      connection.widths = loopRun.context.limits.widths
    }
    if let history = user?.history ?? loopRun.context.setup?.history { self.history = history }
  }

  /// One turn of a burst: the same user with a separate scope and stream.
  init(turn index: Int, of run: SessionRun, due: Instant) {
    loopRun = run.loopRun
    arrival = run.arrival
    connection = run.connection
    headers = run.headers
    client = run.client
    identity = run.identity
    kept = run.kept
    unsent = run.unsent
    line = run.line
    tokens = run.tokens
    gate = run.gate
    began = run.began
    scope = run.scope
    history = run.history
    scope.index = index
    random = RandomSource(seed: run.random.next())
    jitter = Self.jitter(besides: random)
    self.due = due
  }

  /// A separate stream that takes nothing from `random`.
  private static func jitter(besides random: RandomSource) -> RandomSource {
    var copy = random
    return RandomSource(seed: copy.next(), stream: 1)
  }

  /// The number in the limit log for the sender of a request with these headers.
  func identity(of headers: [HeaderField]) -> UInt32 {
    loopRun.recorder.limits.identity(
      sourceAddress: connection.sourceAddress ?? "", headers: headers, unique: scope.unique, last: &identity)
  }

  /// Runs the whole session. It never fails the run.
  func execute() async {
    if loopRun.isTraced { reportBegin() }
    do throws(SessionEnd) {
      if let written = loopRun.context.written[arrival.session] {
        try await execute(written)
      } else {
        if needsLogin { try await logIn() }
        try await execute(script.steps)
      }
      recordEnd(nil)
    } catch {
      recordEnd(error)
    }
  }

  @inline(never)
  private func reportBegin() {
    loopRun.context.options.trace?.report(.began(session: script.name, number: arrival.index))
  }

  @inline(never)
  private func recordEnd(_ end: SessionEnd?) {
    loopRun.recorder.learn(scope.secrets)
    loopRun.ended(arrival, end)
  }

  private var needsLogin: Bool { script.login != nil && user == nil }

  /// Runs `login:`, unless the user did so before an earlier session.
  @inline(never)
  nonisolated(nonsending) private func logIn() async throws(SessionEnd) {
    guard let login = script.login else { return }
    try await execute(login.steps)
    guard loopRun.context.plan.closed != nil else { return }
    user = KnownUser(scope: scope, history: history, kept: kept)
  }

  nonisolated(nonsending) func execute(_ steps: [Step]) async throws(SessionEnd) {
    for step in steps {
      if loopRun.loop.isOverdue { try await yieldLoop() }
      doing = step.subject
      switch step {
      case .call(let call): try await execute(call)
      case .think(let think): if let time = try time(of: think) { try await pause(time) }
      default: try await executeRare(step)
      }
    }
  }

  /// Nil if the run skips think times.
  @inline(never)
  private func time(of think: DurationValue) throws(SessionEnd) -> Nanoseconds? {
    let time = try evaluate(think)
    return loopRun.context.options.skipsThinking ? nil : time
  }

  /// Executes a step that is neither a call nor a pause. A function of its own, because an idle user keeps the memory of
  /// the async functions that wait.
  nonisolated(nonsending) private func executeRare(_ step: Step) async throws(SessionEnd) {
    switch step {
    case .call, .think: break
    case .loop(let loop): try await execute(loop)
    case .type(let typing): try await execute(typing)
    case .burst(let burst): try await execute(burst)
    case .branch(let branch):
      try await execute(isTrue(branch.condition) ? branch.steps : branch.otherwise)
    case .choice(let choice): try await execute(choice.draw(&random))
    case .group(let group): try await execute(group.steps)
    case .offline(let offline): try await execute(offline)
    case .set(let assignments): try assign(assignments)
    case .end: throw .completed
    }
  }

  /// Waits until `nanoseconds` after the last step.
  nonisolated(nonsending) func pause(_ nanoseconds: Nanoseconds) async throws(SessionEnd) {
    due = due + nanoseconds
    try await wait(until: due)
  }

  /// Gives the loop's other users and deadlines a turn: steps that never wait must not block them.
  nonisolated(nonsending) func yieldLoop() async throws(SessionEnd) {
    await Task.yield()
    guard !loopRun.isOver else { throw .cut }
  }

  nonisolated(nonsending) func wait(until moment: Instant) async throws(SessionEnd) {
    guard !loopRun.isOver else { throw .cut }
    guard moment > .now else { return }
    guard await loopRun.loop.sleep(until: moment), !loopRun.isOver else { throw .cut }
  }

  nonisolated(nonsending) private func execute(_ loop: LoopStep) async throws(SessionEnd) {
    let outer = scope.index
    defer { scope.index = outer }
    let turns = try evaluate(loop.count)
    var began = due
    for turn in 0..<turns {
      if turn > 0, let every = loop.every {
        due = max(due, began + (try chance(every)))
        try await wait(until: due)
      }
      began = due
      scope.index = turn
      if let counter = loop.counter { scope[counter] = JSONValue(turn) }
      doing = "while"
      if let condition = loop.condition, try !isTrue(condition) { return }
      try await execute(loop.steps)
      if let until = loop.until, try isTrue(until) { return }
      if loopRun.loop.isOverdue { try await yieldLoop() }
      guard !loopRun.isOver else { throw .cut }
    }
    if let until = loop.until { throw .failed("poll: \(until.source) was not true after \(counted(turns, "attempt"))") }
  }
}

final class KnownUser {
  /// The scope after the login.
  let scope: Scope
  let history: RequestHistory
  /// The responses that its client keeps from one session to the next.
  let kept: KeptResponses?

  init(scope: Scope, history: RequestHistory, kept: KeptResponses?) {
    self.scope = scope
    self.history = history
    self.kept = kept
  }
}

extension Step {
  fileprivate var subject: String {
    switch self {
    case .call(let call): call.step.operation.id
    case .type(let typing): typing.call.step.operation.id
    case .think: "think"
    case .loop: "repeat"
    case .burst: "burst"
    case .branch: "if"
    case .choice: "choose"
    case .group(let group): group.name
    case .offline: "offline"
    case .set: "set"
    case .end: "end"
    }
  }
}

/// Limits a user's requests in flight, as a browser does; the others wait in order.
final class RequestSlots {
  private let limit: Int
  private var inside = 0
  private var waiting: [UnsafeContinuation<Void, Never>] = []

  init(limit: Int) { self.limit = limit }

  nonisolated(nonsending) func enter() async {
    if inside < limit {
      inside += 1
    } else {
      // A request that leaves passes its slot to the next.
      await withUnsafeContinuation { waiting.append($0) }
    }
  }

  func leave() {
    if waiting.isEmpty { inside -= 1 } else { waiting.removeFirst().resume() }
  }
}

/// The reason why a session leaves before its last step.
enum SessionEnd: Error, Sendable, Equatable {
  /// As scripted: an `end` step.
  case completed
  /// A step failed. The reason contains no value of a single session, so that equal ones are counted together.
  case failed(String)
  /// An `on:` of the scenario ends the session here; with the reason.
  case left(String)
  case cut
}
