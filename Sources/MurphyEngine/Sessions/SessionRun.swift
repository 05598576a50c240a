import MurphyHTTP
import MurphyModel
import MurphyScenario
import MurphySchema

/// One virtual user going through one session. Lives on its loop, in one task and the tasks of its bursts.
final class SessionRun {
  let loopRun: LoopRun
  let arrival: Arrival
  private(set) var connection: Connection
  var scope: Scope
  var random: RandomSource
  /// For the waits before retries: how many there are depends on the API, and data must not.
  var jitter: RandomSource
  let headers: [HeaderField]
  /// Who the last request was from, for the limit log.
  private var identity: LimitRecorder.KnownIdentity?
  /// When the next step is due: the arrival, the end of the last step, or think time after it.
  var due: Instant
  let began: Instant
  let gate: RequestSlots
  /// Where the values in `scope` came from.
  var history = RequestHistory()
  /// What the user's client keeps of answers; nil where no step asks for that.
  let kept: KeptAnswers?
  /// What the user writes without a network, to be sent afterwards; nil while it has one.
  var unsent: UnsentWrites?
  /// The user's way to the target, shared by the turns of a burst.
  let line: Line
  /// The user's access tokens, shared by the turns of a burst; nil where it needs none.
  let tokens: UserTokens?
  /// What the user knows from its login, for its next session.
  private(set) var user: KnownUser?
  /// What the session is at, for the reasons of its end: an operation, or a kind of step.
  var doing = "the session"
  /// The number of the step that it is at, for who looks on.
  var place = ""

  /// Goes on over a connection of its own from another address of this machine.
  ///
  /// - Returns: false where no connection could be made, or cookies would be lost; nothing has changed then.
  func move(to address: String) -> Bool {
    guard connection.cookiesSet == 0 else { return false }
    let other = try? loopRun.transport.connect(sourceAddress: address, keepsCookies: script.client.cookies)
    guard let other else { return false }
    connection.close()
    (connection, identity) = (other, nil)
    return true
  }

  /// The history with what the session knows of secrets by now.
  var evidenceHistory: RequestHistory {
    var history = history
    // A short value, or a word, as that of a language, is in many texts by chance.
    let cookies = connection.cookieValues.filter { $0.utf8.count >= 8 && !SecretName.isPlain($0) }
    history.secrets = scope.secrets + cookies.map { Secret($0, ShellVariable("SECRET", "cookie")) }
    history.unique = scope.unique
    return history
  }

  var script: SessionScript { loopRun.context.scenario.sessions[arrival.session] }
  let client: ClientHeaders
  /// The last request of a constant step, when no other header comes to it: a loop sends it again as it is.
  var lastConstant: PreparedRequest?

  /// - Parameters:
  ///   - user: what it knows from an earlier session; nil for one that has yet to log in.
  ///   - tokens: those that it has from an earlier session.
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
    kept = user?.kept ?? (loopRun.context.scenario.sessions[arrival.session].keepsAnswers ? KeptAnswers() : nil)
    if let history = user?.history ?? loopRun.context.setup?.history { self.history = history }
  }

  /// One turn of a burst: the same user with a scope and a stream of its own.
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

  /// A stream of its own that takes nothing from `random`.
  private static func jitter(besides random: RandomSource) -> RandomSource {
    var copy = random
    return RandomSource(seed: copy.next(), stream: 1)
  }

  /// The number in the limit log of who sends a request with these headers.
  func identity(of headers: [HeaderField]) -> UInt32 {
    loopRun.recorder.limits.identity(
      sourceAddress: connection.sourceAddress ?? "", headers: headers, unique: scope.unique, last: &identity)
  }

  /// Runs the whole session; never fails the run.
  func execute() async {
    var end: SessionEnd?
    if loopRun.isTraced { loopRun.context.options.trace?.tell(.began(session: script.name, number: arrival.index)) }
    do throws(SessionEnd) {
      if let written = loopRun.context.written[arrival.session] {
        try await execute(written)
      } else {
        try await logIn()
        try await execute(script.steps)
      }
    } catch {
      end = error
    }
    loopRun.recorder.learn(scope.secrets)
    loopRun.ended(arrival, end)
  }

  /// `login:`, unless the user did so before an earlier session.
  nonisolated(nonsending) private func logIn() async throws(SessionEnd) {
    guard let login = script.login, user == nil else { return }
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
      case .think(let think):
        let pause = try evaluate(think)
        if !loopRun.context.options.skipsThinking { try await self.pause(pause) }
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
  }

  /// Waits until `nanoseconds` after the last step.
  nonisolated(nonsending) func pause(_ nanoseconds: Int64) async throws(SessionEnd) {
    due = due + nanoseconds
    try await wait(until: due)
  }

  /// Lets the loop's other users and deadlines have their turn: steps that never wait must not keep them from theirs.
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
    if let until = loop.until { throw .failed("poll: \(turns) turns, and \(until.source) never came true") }
  }
}

struct KnownUser {
  /// As the login left it.
  let scope: Scope
  let history: RequestHistory
  /// What its client keeps from one session to the next.
  let kept: KeptAnswers?
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

/// Lets a user have only so many requests in flight, as a browser does; the others wait in order.
final class RequestSlots {
  private let limit: Int
  private var inside = 0
  private var waiting: [UnsafeContinuation<Void, Never>] = []

  init(limit: Int) { self.limit = limit }

  nonisolated(nonsending) func enter() async {
    if inside < limit {
      inside += 1
    } else {
      // The one who leaves hands its place over.
      await withUnsafeContinuation { waiting.append($0) }
    }
  }

  func leave() {
    if waiting.isEmpty { inside -= 1 } else { waiting.removeFirst().resume() }
  }
}

/// Why a session leaves before its last step.
enum SessionEnd: Error, Sendable, Equatable {
  /// By its own will: an `end` step.
  case completed
  /// A step failed; the reason holds no value of one session, so that equal ones are counted together.
  case failed(String)
  /// An `on:` of the scenario says that the user leaves here; with the reason.
  case left(String)
  case cut
}
