import Foundation
import MurphyContract
import MurphyModel
import MurphyScenario
import MurphyTransport

/// Runs a scenario's load against a target and returns what it measured. It judges nothing but answers.
package enum Engine {
  /// From the start of the loops to the load's zero, so that all of them are ready.
  private static let lead: Int64 = 30_000_000
  /// The same where the moment was known long before: loops that have all the time they want begin together with those of
  /// other processes.
  private static let longLead: Int64 = 300_000_000
  /// Between two looks at what the machine has left, nanoseconds.
  private static let look: Int64 = 500_000_000
  /// Between two looks at the clock.
  private static let pulse: Duration = .milliseconds(20)

  /// - Parameters:
  ///   - target: an `http` or `https` URL.
  ///   - stop: ends the load within a second when it is requested; everything measured is kept, and the teardown has the
  ///     grace of the scenario to come to its end.
  ///   - progress: called about once a second.
  ///   - afterwards: called behind a load that was not stopped, before the teardown; it may add to the log of relations.
  package static func run(
    _ scenario: Scenario, contract: Contract, target: String, options: EngineOptions,
    stop: StopSignal = StopSignal(), progress: @escaping @Sendable (Snapshot) -> Void = { _ in },
    afterwards: ((RunRecord, inout RelationLog) async -> Void)? = nil
  ) async throws(EngineError) -> RunRecord {
    try await measure(
      scenario, contract: contract, target: target, options: options, stop: stop, progress: progress,
      afterwards: afterwards
    ).record
  }

  /// The same, with the part that merges with those of other processes.
  package static func measure(
    _ scenario: Scenario, contract: Contract, target: String, options: EngineOptions,
    stop: StopSignal = StopSignal(), progress: @escaping @Sendable (Snapshot) -> Void = { _ in },
    afterwards: ((RunRecord, inout RelationLog) async -> Void)? = nil
  ) async throws(EngineError) -> (record: RunRecord, part: RunMeasurement) {
    var inputs = try RunInputs(scenario, contract, target, options)
    let tokens = try await TokenService.open(
      for: inputs.scenario, target: inputs.origin,
      transport: TransportOptions(scenario.settings, authorities: options.authorities, certificate: options.certificate)
    )
    inputs.tokens = tokens
    do throws(EngineError) {
      var (measured, context) = try await run(inputs, stop, progress, afterwards)
      measured.logs[0].info.tokens = await tokens?.close()
      return (measured.record(RunFrame(context), mask: context.mask), measured)
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

  /// The load's zero: at the moment that was asked for, or as soon as the loops are ready.
  private static func beginning(_ options: EngineOptions, _ stop: StopSignal) async -> Instant {
    guard let wanted = options.startAt else { return .now + lead }
    // The time of day may be set while this waits.
    func left() -> Int64 { wanted - WallClock.nanoseconds() }
    while left() > longLead, !stop.isRequested {
      try? await Task.sleep(for: .nanoseconds(min(left() - longLead, look)))
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

  /// By the user of the setup, who knows what it has saved.
  private static func tearDown(
    _ inputs: RunInputs, after setup: FixtureRun.Completion?, _ stop: StopSignal
  ) async -> FixtureRun.Completion? {
    guard let script = inputs.scenario.teardown else { return nil }
    let context = inputs.context(fixture: script)
    let start =
      setup?.start
      ?? context.plan.start(fixture: script, clock: WallClock.nanoseconds, shard: inputs.options.shard.index)
    return await FixtureRun(
      context: context, start: start, trail: setup?.trail ?? RequestHistory(), grace: inputs.scenario.settings.grace
    ).run(stop: stop)
  }

  /// What the scenario reads before the load, in a context of its own: the load's zero comes after it.
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
    let watcher = Task { await watch(context, before, progress) }
    let parts = await watchdog.measurements()
    // A loop that does not end would keep its shutdown from ending too.
    for (loop, part) in zip(loops, parts) where part != nil { loop.shutdown() }
    watcher.cancel()
    let (end, resources) = await watcher.value
    if let fault = end.opening { throw .unreachable(fault) }
    let finals = await StateFinals(context, parts.compactMap { $0?.logs[0].unmasked }).recorded()
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

  /// What ended the load before its end; nothing where it came to it, or was stopped.
  private struct EarlyEnd {
    /// Seconds after which silence did.
    var silent: Double?
    var lost: LostBudget?
    var credentials: LostCredentials?
    /// Why the first responses show that no load should be sent there.
    var opening: String?

    var isNatural: Bool { silent == nil && lost == nil && credentials == nil && opening == nil }
  }

  /// Ends the load when the target is silent or a budget is lost, and shows progress, until the run has ended.
  /// - Returns: what ended it early, and what the run used of its machine.
  private static func watch(
    _ context: RunContext, _ before: MachineFigures, _ progress: @Sendable (Snapshot) -> Void
  ) async -> (end: EarlyEnd, resources: GeneratorResources) {
    var shown = 0
    var resources = GeneratorResources(before)
    var looked = Instant.now
    var silence = context.scenario.settings.abortAfter.map(SilenceDetector.init)
    // A shard sees too little of the run to end it.
    let loss = context.options.shard.count == 1 ? BudgetAbort(context) : nil
    let credentials = CredentialWatch(
      isRenewed: context.credentialInterest.isRenewed, isShared: context.credentialInterest.isShared)
    var end = EarlyEnd()
    while !Task.isCancelled {
      try? await Task.sleep(for: pulse)
      let now = Instant.now
      let elapsed = context.seconds(now)
      if now - looked > look {
        resources.note(.now, since: before)
        looked = now
      }
      if !context.cutting.isRequested, now < context.loadEnd, let loops = context.board.vitals,
        silence?.isOver(loops, at: context.elapsed(now)) == true
      {
        end.silent = elapsed
        context.aborting.request()
        context.cutting.request()
      }
      if Int(saturating: elapsed) > shown {
        shown = Int(saturating: elapsed)
        if let loss, !context.cutting.isRequested, now < context.loadEnd, let standing = context.board.standing,
          let lost = loss.lost(standing, at: elapsed)
        {
          end.lost = lost
          context.cutting.request()
        }
        if !context.cutting.isRequested, let openings = context.board.openings, let fault = context.fault(openings) {
          end.opening = fault
          context.cutting.request()
        }
        if !context.cutting.isRequested, now < context.loadEnd, let standings = context.board.credentials,
          let lost = credentials.lost(standings)
        {
          end.credentials = lost
          context.cutting.request()
        }
        progress(context.snapshot(elapsed: elapsed))
      }
    }
    if end.isNatural, !context.cutting.isRequested, let openings = context.board.openings {
      end.opening = context.fault(openings)
    }
    if end.isNatural, !context.cutting.isRequested, let standings = context.board.credentials {
      end.credentials = credentials.lost(standings, isOver: true)
    }
    resources.note(.now, since: before)
    return (end, resources)
  }
}

extension RunContext {
  /// Why a load with these first responses should not go on; nil for no reason.
  fileprivate func fault(_ openings: [Opening]) -> String? {
    var anyone = transport
    (anyone.checksCertificates, anyone.connectTimeout) = (false, .seconds(2))
    return OpeningWatch(
      contract: contract, origin: origin, missing: { [credentials] in credentials[$0].missing },
      speaksTLS: { [origin] in (try? Reachability.check(origin, anyone, isEncrypted: true)) != nil }
    ).fault(openings).map { mask.masked("\(origin.text): \($0)") }
  }

  /// What all loops published last, together.
  fileprivate func snapshot(elapsed: Double) -> Snapshot {
    var whole = Snapshot()
    whole.elapsed = elapsed
    whole.duration = scenario.load.duration.inSeconds
    var last = SecondTally()
    var fingerprints: Set<String> = []
    for part in board.all {
      whole.planned += part.planned
      whole.sent += part.sent
      whole.outcomes += part.outcomes
      whole.users += part.users
      whole.occurrences += part.occurrences
      fingerprints.formUnion(part.fingerprints)
      last.merge(part.lastSecond)
    }
    whole.findings = fingerprints.count
    whole.rate = last.sent
    whole.p95 = last.percentile(0.95)
    if options.isWatched { whole.details = details }
    return whole
  }

  private var details: SnapshotDetails {
    var seconds: [Int: SecondTally] = [:]
    var outcomes = contract.operations.map { _ in Outcomes() }
    var counts: [[String]: SnapshotDetails.FindingCount] = [:]
    let parts = board.all.compactMap(\.details)
    // Loops publish one after the other: of an older second only some of them tell.
    let first = parts.map(\.firstSecond).max() ?? 0
    for part in parts {
      for (offset, tally) in part.seconds.enumerated() {
        seconds[part.firstSecond + offset, default: SecondTally()].merge(tally)
      }
      for (index, count) in part.outcomes.enumerated() { outcomes[index] += count }
      for found in part.findings {
        let key = [found.kind.rawValue, found.operation ?? ""]
        if var known = counts[key] {
          known.count += found.count
          known.firstSeen = min(known.firstSeen, found.firstSeen)
          counts[key] = known
        } else {
          counts[key] = found
        }
      }
    }
    var details = SnapshotDetails()
    details.points = seconds.filter { $0.key >= first }.sorted { $0.key < $1.key }.map {
      $0.value.point(second: $0.key)
    }
    details.latencySums = seconds.filter { $0.key >= first }.mapValues { Double($0.total) / 1e9 }
    details.operations = zip(contract.operations, outcomes).filter { $0.1 != Outcomes() }.map { ($0.id, $1) }
    details.findings = counts.values.sorted { ($0.firstSeen, $0.kind.rawValue) < ($1.firstSeen, $1.kind.rawValue) }
    return details
  }
}

/// Why a run could not begin.
package enum EngineError: Error, Sendable, CustomStringConvertible {
  /// The target is not a usable URL.
  case target(String)
  /// The target's name has no address.
  case unreachable(String)
  /// The operating system gives no thread, epoll set or file.
  case system(String)
  case sessions(String)

  package var description: String {
    switch self {
    case .target(let text), .unreachable(let text), .system(let text), .sessions(let text): text
    }
  }
}
