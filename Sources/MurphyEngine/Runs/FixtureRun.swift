import MurphyHTTP
import MurphyModel
import MurphyScenario

/// What the setup has left for the sessions.
struct SetupState: Sendable {
  var scope: Scope
  /// Where the values in `scope` came from.
  var history: RequestHistory
}

/// Runs the setup or the teardown: one user, once, on a loop of its own.
///
/// Its answers are judged, and its requests stand in the logs of limits and invariants, as those of the load. They are
/// counted apart: no budget, rate or share is made of them.
struct FixtureRun: Sendable {
  let context: RunContext
  let start: SessionStart
  /// Where the values came from that it begins with.
  var history = RequestHistory()
  /// How long it may still run when the whole run is to end; nil for not at all.
  var grace: Duration?

  struct Completion: Sendable {
    var result: FixtureResult
    var began: Instant
    /// Nil where it could not begin.
    var measurement: RunMeasurement?
    var start: SessionStart
    var history: RequestHistory

    /// For sessions, which have no answer and no turn of their own yet.
    var state: SetupState {
      var scope = start.scope
      (scope.status, scope.answer) = (nil, nil)
      (scope.index, scope.sequence, scope.typed) = (0, 0, "")
      return SetupState(scope: scope, history: history)
    }
  }

  /// In the place of the number of an arrival; each shard's fixtures are a session of their own.
  private var number: Int { -2 - context.options.shard.index }
  /// Between two looks at the stop signal, nanoseconds.
  private static let pulse: Int64 = 20_000_000

  func run(stop: StopSignal) async -> Completion {
    do throws(SystemError) {
      let loop = try EventLoop(number: context.loops)
      let outcome = await loop.submit { await perform(on: loop, stop) }.value
      loop.shutdown()
      return outcome
    } catch {
      return unbegun(error.description)
    }
  }

  private func unbegun(_ reason: String) -> Completion {
    let result = FixtureResult(requests: 0, duration: 0, failed: reason)
    return Completion(result: result, began: context.start, start: start, history: history)
  }

  private func perform(on loop: EventLoop, _ stop: StopSignal) async -> Completion {
    let loopRun = LoopRun(context: context, loop: loop, number: 0)
    let keepsCookies = context.scenario.sessions[0].client.cookies
    let connection: Connection
    do {
      connection = try loopRun.transport.connect(sourceAddress: start.address, keepsCookies: keepsCookies)
    } catch {
      loopRun.transport.close()
      return unbegun("\(error)")
    }
    loopRun.began(0)
    var arrival = context.plan.session(user: 0, iteration: 0)
    arrival.index = number
    let run = SessionRun(loopRun: loopRun, arrival: arrival, start: start, due: .now, connection: connection)
    run.history = history
    let ender = loop.start(with: loopRun) { await end($0, stop) }
    await run.execute()
    loop.interruptSleepers()
    await ender.value
    connection.close()
    loopRun.transport.close()
    let tally = loopRun.recorder.measured.sessions[0]
    let isOver = tally.completed > 0 || !tally.left.isEmpty
    let measurement = loopRun.finish()
    let result = FixtureResult(
      requests: measurement.ledger.sent, duration: context.seconds(.now),
      failed: isOver ? nil : tally.failed.keys.first ?? "it was ended before its last step")
    var state = start
    (state.scope, state.random) = (run.scope, run.random)
    return Completion(
      result: result, began: context.start, measurement: measurement, start: state, history: run.history)
  }

  /// Cuts a fixture that still runs when the run is to end and its grace is over.
  private func end(_ loopRun: LoopRun, _ stop: StopSignal) async {
    var deadline: Instant?
    while loopRun.users > 0 {
      if stop.isRequested { deadline = deadline ?? .now + (grace ?? .zero).nanoseconds }
      if let deadline, .now >= deadline {
        context.tokens?.abandon()
        return loopRun.cut()
      }
      _ = await loopRun.loop.sleep(until: .now + Self.pulse)
    }
  }
}
