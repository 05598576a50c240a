import MurphyHTTP
import MurphyModel
import MurphyScenario

extension LoopRun {
  /// Open model: starts this loop's arrivals of the plan, independently of the target.
  func admitArrivals() async {
    for index in context.numbers(of: number, below: context.plan.arrivals) {
      let arrival = context.plan.arrival(index)
      let due = context.start + arrival.due
      if due > .now { _ = await loop.sleep(until: due) } else if loop.isOverdue { await Task.yield() }
      // An arrival whose time was not reached was not planned. One whose time passed before murphy processed it was
      // planned.
      guard !isStopped else {
        guard due < .now, !context.cutting.isRequested else { return }
        recorder.dropSession(.loadOver, at: due)
        continue
      }
      admit(arrival, due: due)
    }
  }

  /// Begins a session, or counts it as dropped.
  private func admit(_ arrival: Arrival, due: Instant) {
    guard users < userLimit else {
      return recorder.dropSession(.tooManyUsers(limit: context.options.userLimit), at: due)
    }
    guard let run = begin(arrival, due: due, connection: nil) else { return }
    let task = loop.start(with: run) { run in
      await run.execute()
      run.loopRun.leave(run)
    }
    if context.written[arrival.session] != nil { writtenTasks[arrival.index] = task }
  }

  /// A session that is ready to run; nil when it is dropped.
  ///
  /// - Parameters:
  ///   - user: the state of its user from an earlier session.
  ///   - tokens: the tokens of its user from an earlier session.
  func begin(
    _ arrival: Arrival, due: Instant, connection: Connection?, user: KnownUser? = nil, tokens: UserTokens? = nil
  ) -> SessionRun? {
    do {
      let begun = try context.plan.start(arrival, clock: WallClock.nanoseconds, after: context.setup?.scope)
      guard var start = begun else {
        recorder.dropSession(.feedEnded, at: due)
        return nil
      }
      let script = context.scenario.sessions[arrival.session]
      if let user, let login = script.login { start.recall(login, from: user.scope) }
      let keepsCookies = script.client.cookies
      let connection =
        try reusable(connection, start.address, keepingCookies: user != nil)
        ?? left(for: arrival, start.address)
        ?? transport.connect(sourceAddress: start.address, keepsCookies: keepsCookies)
      began(arrival.session)
      if context.goodput != nil { recorder.second(due) { $0.course.begun += 1 } }
      return SessionRun(
        loopRun: self, arrival: arrival, start: start, due: due, connection: connection, user: user, tokens: tokens)
    } catch {
      let reason = DropReason.unableToBegin(Self.text(error))
      recorder.dropSession(reason, at: due)
      failedToBegin(arrival.session, reason.text)
      return nil
    }
  }

  /// Ends with the session, or continues with the next session.
  private func leave(_ run: SessionRun) {
    guard run.script.client.connections == .reuse else { return run.connection.close() }
    connections.leave(run.connection, keepsCookies: run.script.client.cookies)
  }

  private func left(for arrival: Arrival, _ address: String?) -> Connection? {
    let client = context.scenario.sessions[arrival.session].client
    guard client.connections == .reuse else { return nil }
    return connections.removeConnection(address: address, keepsCookies: client.cookies)
  }

  private static func text(_ error: any Error) -> String {
    (error as? EvaluationError)?.text ?? "\(error)"
  }

  /// The TCP connection of the user's last session, without its cookies unless the user is logged in. Nil when this
  /// session uses another source address.
  private func reusable(_ connection: Connection?, _ address: String?, keepingCookies: Bool) -> Connection? {
    guard let connection else { return nil }
    guard connection.sourceAddress == address else {
      connection.close()
      return nil
    }
    if !keepingCookies { connection.forgetCookies() }
    return connection
  }
}

extension LoopRun {
  /// Closed model: starts and ends this loop's users.
  func admitUsers() async {
    guard let closed = context.plan.closed else { return }
    var tasks: [Task<Void, Never>] = []
    for user in context.numbers(of: number, below: closed.mostUsers) {
      let user = ClosedUser(loopRun: self, number: user, load: closed)
      tasks.append(loop.start(with: user) { await $0.live() })
    }
    for task in tasks { await task.value }
  }
}

/// A user of a closed model: begins a session when its last one has ended.
private final class ClosedUser {
  let loopRun: LoopRun
  let number: Int
  let load: ClosedLoad
  private var connection: Connection?
  private var user: KnownUser?
  private let tokens = UserTokens()
  private var iteration = 0

  init(loopRun: LoopRun, number: Int, load: ClosedLoad) {
    self.loopRun = loopRun
    self.number = number
    self.load = load
  }

  func live() async {
    let start = loopRun.context.start
    for presence in load.presences(of: number) {
      var due = start + presence.begin
      while iteration < load.iterations ?? .max, due - start < presence.end {
        if due > .now { _ = await loopRun.loop.sleep(until: due) }
        guard !loopRun.isStopped, let run = begin(due) else { return leave() }
        await run.execute()
        due = next(after: run, due)
        if loopRun.loop.isOverdue { await Task.yield() }
      }
    }
    leave()
  }

  // Functions of their own: an idle user keeps the memory of the async functions that wait.

  @inline(never)
  private func begin(_ due: Instant) -> SessionRun? {
    let arrival = loopRun.context.plan.session(user: number, iteration: iteration)
    iteration += 1
    let run = loopRun.begin(arrival, due: due, connection: connection, user: user, tokens: tokens)
    if let run { connection = run.connection }
    return run
  }

  /// The time at which the user's next session is due.
  @inline(never)
  private func next(after run: SessionRun, _ due: Instant) -> Instant {
    user = run.user
    // A session that neither waits nor calls takes no time. The next one begins now; otherwise sessions would
    // repeat forever at one instant.
    return (run.due > due ? run.due : max(due, .now)) + pause(run)
  }

  private func pause(_ run: SessionRun) -> Int64 {
    (try? load.pause.evaluate(in: &run.scope, random: &run.random)) ?? 0
  }

  private func leave() {
    connection?.close()
    connection = nil
  }
}
