import Foundation
import MurphyContract
import MurphyHTTP
import MurphyModel
import MurphyScenario

/// Runs a scenario's load against a target and returns the measurement. It judges only responses.
package enum Engine {
  /// The time from the start of the loops to the load's zero, so that all of them are ready.
  private static let lead: Int64 = 30_000_000
  /// The same for a start time that was known long before. With a longer lead, loops begin together with those of other
  /// processes.
  private static let longLead: Int64 = 300_000_000

  /// Returns the record, and the part that merges with those of other processes.
  ///
  /// - Parameters:
  ///   - target: an `http` or `https` URL.
  ///   - stop: ends the load within a second when it is requested. The measurement is kept, and the teardown may use
  ///     the scenario's grace to complete.
  ///   - progress: called about once a second.
  ///   - afterwards: called after a load that was not stopped, before the teardown. It may add to the log of relations.
  package static func measure(
    _ scenario: Scenario, contract: Contract, target: String, options: EngineOptions,
    stop: StopSignal = StopSignal(), progress: @escaping @Sendable (Snapshot) -> Void = { _ in },
    afterwards: ((RunRecord, inout RelationLog) async -> Void)? = nil
  ) async throws(EngineError) -> (record: RunRecord, part: RunMeasurement) {
    var inputs = try RunInputs(scenario, contract, target, options)
    let tokens = try await TokenService.open(
      for: inputs.scenario, target: inputs.origin, transport: inputs.transport)
    inputs.tokens = tokens
    do throws(EngineError) {
      var (measured, context) = try await run(inputs, stop, progress, afterwards)
      let credential = inputs.scenario.credential
      let counts = [await tokens?.close(), credential?.takeCounts()].compactMap(\.self)
      measured.logs[0].info.tokens = counts.dropFirst().reduce(counts.first) { sum, more in sum.map { $0 + more } }
      let mask = context.mask.adding(credential?.secrets ?? [])
      return (measured.record(RunFrame(context), mask: mask), measured)
    } catch {
      _ = await tokens?.close()
      throw error
    }
  }

  private static func run(
    _ inputs: RunInputs, _ stop: StopSignal, _ progress: @escaping @Sendable (Snapshot) -> Void,
    _ afterwards: ((RunRecord, inout RelationLog) async -> Void)?
  ) async throws(EngineError) -> (RunMeasurement, RunContext) {
    let setup = await setUp(inputs, stop)
    let starts = setup?.result.failed == nil ? await starts(inputs) : nil
    let context = inputs.context(start: await beginning(inputs.options, stop), setup: setup?.state)
    inputs.options.tracedRuns?.add(
      context.traceKey, operations: context.contract.operations.map(\.id), part: inputs.options.tracedPart)
    var measured: RunMeasurement
    do throws(EngineError) {
      measured = try await load(context, setup, starts, stop, progress)
    } catch {
      _ = await tearDown(inputs, after: setup, stop)
      throw error
    }
    if let afterwards, setup?.result.failed == nil, !stop.isRequested {
      let record = measured.record(RunFrame(context), mask: context.mask)
      await afterwards(record, &measured.logs[0].relations)
    }
    if let teardown = await tearDown(inputs, after: setup, stop) { measured.add(teardown, loadBegan: context.start) }
    return (measured, context)
  }

  /// The load's zero: at the requested time, or as soon as the loops are ready.
  private static func beginning(_ options: EngineOptions, _ stop: StopSignal) async -> Instant {
    guard let wanted = options.startAt else { return .now + lead }
    // The time of day may be changed while this waits.
    func left() -> Int64 { wanted - WallClock.nanoseconds() }
    while left() > longLead, !stop.isRequested {
      try? await Task.sleep(for: .nanoseconds(min(left() - longLead, longLead)))
    }
    return .now + max(stop.isRequested ? 0 : left(), lead)
  }

  private static func setUp(_ inputs: RunInputs, _ stop: StopSignal) async -> FixtureRun.Completion? {
    guard let script = inputs.scenario.setup else { return nil }
    let context = inputs.context(fixture: script)
    let start = context.plan.start(
      fixture: script, clock: WallClock.nanoseconds, shard: inputs.options.shard.index)
    return await FixtureRun(context: context, start: start).run(stop: stop)
  }

  /// Runs the teardown as the user of the setup, who has the saved values.
  private static func tearDown(
    _ inputs: RunInputs, after setup: FixtureRun.Completion?, _ stop: StopSignal
  ) async -> FixtureRun.Completion? {
    guard let script = inputs.scenario.teardown else { return nil }
    let context = inputs.context(fixture: script)
    let start =
      setup?.start
      ?? context.plan.start(fixture: script, clock: WallClock.nanoseconds, shard: inputs.options.shard.index)
    return await FixtureRun(
      context: context, start: start, history: setup?.history ?? RequestHistory(), grace: inputs.scenario.settings.grace
    ).run(stop: stop)
  }

  /// The reads of the scenario before the load, in a separate context: the load's zero comes after it.
  private static func starts(_ inputs: RunInputs) async -> StateReads? {
    guard inputs.scenario.expectations.state.contains(where: { !$0.starts.isEmpty }) else { return nil }
    return await StateReads.starts(inputs.context(start: .now))
  }

  /// Sends the load, unless the setup failed.
  private static func load(
    _ context: RunContext, _ setup: FixtureRun.Completion?, _ starts: StateReads?, _ stop: StopSignal,
    _ progress: @escaping @Sendable (Snapshot) -> Void
  ) async throws(EngineError) -> RunMeasurement {
    let prelude = setup.flatMap { setup in
      setup.measurement?.before(context.start - setup.began, stages: context.stages.count)
    }
    guard setup?.result.failed == nil else {
      var info = RunInfo(context)
      (info.setup, info.cutShort) = (setup?.result, stop.isRequested)
      return RunMeasurement(context, info, setup: prelude)
    }
    let before = MachineFigures.now
    let loops = try start(context.loops, context.options.clock)
    let watchdog = RunWatchdog(loops)
    do throws(SystemError) { try watchdog.watch(context, stop) } catch { throw .system(error.description) }
    for (number, loop) in loops.enumerated() {
      _ = loop.submit { watchdog.deliver(await runLoop(context, loop, number), of: number) }
    }
    let watcher = Task { await RunMonitor(context).watch(since: before, progress) }
    let parts = await watchdog.measurements()
    // A loop that does not end would also prevent the end of its shutdown.
    for (loop, part) in zip(loops, parts) where part != nil { loop.shutdown() }
    watcher.cancel()
    let (end, resources) = await watcher.value
    if let fault = end.opening { throw .unreachable(fault) }
    let finals = await StateFinals(context: context, recorders: parts.compactMap { $0?.logs[0].unmasked }).recorded()
    var info = RunInfo(context)
    (info.setup, info.cutShort) = (setup?.result, context.cutting.isRequested && end.isNatural)
    (info.aborted, info.lost, info.lostCredentials) = (end.silent, end.lost, end.credentials)
    return RunMeasurement(
      context, info, setup: prelude, starts: starts?.log(countingFrom: context), loops: parts, finals: finals,
      slowLoops: watchdog.working, resources: resources)
  }

  private static func start(_ count: Int, _ clock: LoopClock) throws(EngineError) -> [EventLoop] {
    var loops: [EventLoop] = []
    do throws(SystemError) {
      for number in 0..<count { loops.append(try EventLoop(number: number, clock: clock)) }
    } catch {
      for loop in loops { loop.shutdown() }
      throw .system(error.description)
    }
    return loops
  }

  private static func runLoop(_ context: RunContext, _ loop: EventLoop, _ number: Int) async -> RunMeasurement {
    let loopRun = LoopRun(context: context, loop: loop, number: number)
    await loopRun.run()
    return loopRun.finish()
  }
}

/// The reasons why a run cannot begin.
package enum EngineError: Error, Sendable, CustomStringConvertible {
  /// The target is not a usable URL.
  case target(String)
  /// The target's name cannot be resolved to an address.
  case unreachable(String)
  /// The operating system cannot provide a thread, an epoll set or a file.
  case system(String)
  case sessions(String)

  package var description: String {
    switch self {
    case .target(let text), .unreachable(let text), .system(let text), .sessions(let text): text
    }
  }
}
