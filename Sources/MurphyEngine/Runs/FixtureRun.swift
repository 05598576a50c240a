import MurphyHTTP
import MurphyModel
import MurphyScenario

/// The state after the setup, for the sessions.
struct SetupState: Sendable {
  var scope: Scope
  /// The origin of the values in `scope`.
  var history: RequestHistory
}

/// Runs the setup or the teardown: one user, once, on a separate loop.
///
/// Its responses are judged, and its requests are in the logs of limits and invariants, like those of the load. They
/// are counted separately: they are excluded from every budget, rate and share.
struct FixtureRun: Sendable {
  let context: RunContext
  let start: SessionStart
  /// The origin of the values at its beginning.
  var history = RequestHistory()
  /// The time for which it may continue after the end of the whole run is due; nil for none.
  var grace: Duration?

  struct Completion: Sendable {
    var result: FixtureResult
    var began: Instant
    /// Nil where it could not begin.
    var measurement: RunMeasurement?
    var start: SessionStart
    var history: RequestHistory

    /// The state for sessions, which have no response and no turn of their own yet.
    var state: SetupState {
      var scope = start.scope
      (scope.status, scope.answer) = (nil, nil)
      (scope.index, scope.sequence, scope.typed) = (0, 0, "")
      return SetupState(scope: scope, history: history)
    }
  }

  /// A number in place of an arrival's number. The fixtures of each shard are a separate session.
  private var number: Int { -2 - context.options.shard.index }
  /// The interval between two checks of the stop signal, nanoseconds.
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
    let result = FixtureResult(requests: 0, duration: .zero, failed: reason)
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
      requests: measurement.ledger.sent, duration: context.time(.now),
      failed: isOver ? nil : tally.failed.keys.first ?? "the time ended before the last step")
    var state = start
    (state.scope, state.random) = (run.scope, run.random)
    return Completion(
      result: result, began: context.start, measurement: measurement, start: state, history: run.history)
  }

  /// Cancels a fixture that still runs when the run should end and its grace is over.
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
