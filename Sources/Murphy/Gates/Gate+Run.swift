import MurphyEngine
import MurphyHTTP
import MurphyModel
import MurphyProbe
import MurphyScenario
import MurphyServer

extension Gate {
  /// Sends the load and returns the record.
  ///
  /// - Parameters:
  ///   - options: they override the scenario.
  ///   - stop: ends the load within a second when requested; all measurements are kept.
  ///   - progress: called about once a second, from any thread.
  /// - Throws: a `GateError` if the run could not begin. Later errors are in the record.
  public func run(
    _ options: RunOptions = RunOptions(), stop: StopSignal = StopSignal(),
    progress: @escaping @Sendable (Snapshot) -> Void = { _ in }
  ) async throws -> RunRecord {
    try await measure(options, stop: stop, progress: progress).record
  }

  /// The same, with the part that merges with those of other shards.
  package func measure(
    _ options: RunOptions, stop: StopSignal = StopSignal(),
    progress: @escaping @Sendable (Snapshot) -> Void = { _ in }
  ) async throws -> (record: RunRecord, part: RunMeasurement) {
    let target = try effectiveTarget(options.target)
    try checkSessions(options)
    try checkShard(options, target)
    try checkCertificates(options)
    var reference = options.reference
    reference.spanEndpoint = options.spans?.endpoint ?? reference.spanEndpoint
    let running = try await RunningTarget.start(target, reference: reference)
    try target.checkReachability(transport(options))
    do {
      var gate = self
      gate.scenario = try await authorised(scenario, at: running.url, options)
      gate.scenario.load = try load(options)
      var engine = try shardOptions(options, target: running.url)
      engine.checksOpening = options.checksOpening && !running.isEmbedded && options.exploration == nil
      let races = RaceTests()
      var measured = try await Engine.measure(
        gate.scenario, contract: contract, target: running.url, options: engine, stop: stop,
        progress: progress
      ) { [gate] in
        await gate.walk(after: $0, &$1, running, options)
        await gate.test(races, after: $0, running, target, options, stop)
      }
      measured.record.races = races.tests
      if !stop.isRequested { measured.record.aftermath = await gate.aftermath(of: measured.record, running, options) }
      measured.record.spans = await spans(of: measured.record, options, stop)
      await running.stop()
      return measured
    } catch {
      await running.stop()
      throw (error as? EngineError).map(Self.error) ?? error
    }
  }

  /// The spans of the target, after a wait for those of the last requests; nil without a receiver.
  private func spans(of record: RunRecord, _ options: RunOptions, _ stop: StopSignal) async -> SpanReport? {
    guard let receiver = options.spans else { return nil }
    let requests = record.operations.map { (operation: $0.operation, count: $0.outcomes.answered) }
    await receiver.settle(requests: requests.reduce(0) { $0 + $1.count }, stop: stop)
    return receiver.collector.report(requests)
  }

  /// A part of the load that needs figures, but no verdict.
  ///
  /// - Throws: `GateError.usage` also if its setup failed: it then has no figures.
  func measure(
    _ scenario: Scenario, at url: String, _ options: EngineOptions, stop: StopSignal
  ) async throws(GateError) -> RunRecord {
    let record: RunRecord
    do throws(EngineError) {
      record = try await Engine.measure(scenario, contract: contract, target: url, options: options, stop: stop).record
    } catch {
      throw Self.error(error)
    }
    if let setup = record.info.setup, let reason = setup.failed, !stop.isRequested {
      throw .usage("\(scenario.file): the setup failed, so murphy sent no load: \(record.mask.masked(reason)).")
    }
    if let lost = record.info.lostCredentials {
      throw .usage("\(scenario.file): \(lost.sentence), so murphy has no result.")
    }
    return record
  }

  private static func error(_ error: EngineError) -> GateError {
    if case .unreachable(let sentence) = error { return .unreachable(sentence) }
    return .usage(error.description)
  }

  /// Reads the collections once more after the load, if the load was complete (docs/relations.md, "The walk").
  private func walk(
    after record: RunRecord, _ relations: inout RelationLog, _ running: RunningTarget, _ options: RunOptions
  ) async {
    let wanted = scenario.expectations.relations
    guard options.walksCollections, !wanted.all.isOff else { return }
    if let shard = options.shard, shard.number > 1 {
      relations.unwalked = RelationLog.leftToTheFirst
      return
    }
    guard scenario.tokenSources.isEmpty else {
      relations.unwalked = "murphy requests no access token for the requests after the load"
      return
    }
    guard !record.info.cutShort, record.info.aborted == nil, record.info.lostCredentials == nil,
      record.ledger.answered > 0
    else {
      relations.unwalked = "the load did not complete"
      return
    }
    let walk = CollectionWalk(
      scenario, contract.adding(undocumentedOf: record.operations), environment: options.environment,
      isAlone: wanted.all.isExclusive ?? running.isEmbedded)
    relations.append(await walk.run(after: record, url: running.url, transport: transport(options)))
  }

  /// - Throws: `GateError.usage` for a file without certificates, or without a key: no request could be sent.
  func checkCertificates(authorities: String?, _ certificate: ClientCertificate?) throws(GateError) {
    try CertificateFiles.check(
      authorities: authorities ?? scenario.settings.certificateAuthorities,
      certificate ?? scenario.settings.certificate)
  }

  func checkCertificates(_ options: RunOptions) throws(GateError) {
    try checkCertificates(authorities: options.authorities, options.certificate)
  }

  func transport(_ options: RunOptions) -> TransportOptions {
    TransportOptions(scenario.settings, authorities: options.authorities, certificate: options.certificate)
  }

  /// The schedule of arrivals and random values, the same byte for byte for the same seed; nothing is sent.
  public func plan(_ options: RunOptions = RunOptions()) throws(GateError) -> String {
    // An invalid load is reported before an unknown session.
    _ = try load(options)
    try checkSessions(options)
    let plan = try plan(options, seed: try commonSeed(options), salt: options.salt)
    guard let shard = options.shard else { return PlanText(plan).text }
    return PlanText(plan, shard: (index: shard.number - 1, count: shard.of)).text
  }

  /// - Throws: `GateError.usage` for an unknown session in `only`.
  func checkSessions(_ options: RunOptions) throws(GateError) {
    let names = scenario.sessions.map(\.name)
    guard let unknown = options.only.first(where: { !names.contains($0) }) else { return }
    let near = didYouMean(unknown, among: names)
    throw .usage("unknown session \"\(unknown)\".\(near) Known: \(names.joined(separator: ", ")).")
  }

  /// The sessions of these names, in the scenario's order; all of them for none.
  /// - Throws: `GateError.usage` for an unknown name.
  package func sessionNames(among wanted: [String]) throws(GateError) -> [String] {
    var options = RunOptions()
    options.only = wanted
    try checkSessions(options)
    return scenario.sessions.map(\.name).filter { wanted.isEmpty || wanted.contains($0) }
  }

  func load(_ options: RunOptions) throws(GateError) -> LoadProfile {
    let load = changedLoad(options)
    if options.iterations != nil, case .open = load {
      throw .usage(
        """
        --iterations limits the sessions of each user, but the load of \(scenario.file) is an arrival rate. Add \
        --users N.
        """)
    }
    if let excess = load.excess { throw .usage("\(scenario.file): \(excess).") }
    return load
  }

  /// The scenario's load as `--users`, `--duration` and `--load` change it.
  private func changedLoad(_ options: RunOptions) -> LoadProfile {
    var load = scenario.load
    if let users = options.users {
      load = .closed(ClosedLoad(stages: [UserStage(from: users, to: users, duration: load.duration)]))
    }
    if let duration = options.duration { load = load.stretched(to: duration) }
    if let iterations = options.iterations { load = load.limited(to: iterations) }
    return options.load == 1 ? load : load.scaled(by: options.load)
  }

  func engineOptions(_ options: RunOptions) -> EngineOptions {
    var engine = EngineOptions(seed: seed(options))
    // Below 2^53 like the seed.
    engine.salt = options.salt ?? UInt64.random(in: 1..<(1 << 53))
    engine.isSaltNew = options.salt == nil
    engine.loops = options.loops
    engine.only = options.only
    engine.sessions = sessions
    engine.authorities = options.authorities
    engine.certificate = options.certificate
    engine.isWatched = options.isWatched
    engine.environment = options.environment
    engine.trace = options.trace
    engine.tracedRuns = options.spans?.collector.runs
    engine.skipsThinking = options.skipsThinking
    return engine
  }

  /// The options' seed, otherwise the scenario's, otherwise a new random one.
  func seed(_ options: RunOptions) -> UInt64 {
    // Below 2^53, so that every JSON reader returns the recorded seed exactly.
    options.seed ?? scenario.seed ?? UInt64.random(in: 1..<(1 << 53))
  }

  /// A fingerprint of the scenario's texts and of the options that select sessions; nil without a scenario file.
  func scenarioDigest(_ options: RunOptions) -> String? {
    guard !scenarioTexts.isEmpty else { return nil }
    let selection = options.only.sorted() + (options.iterations.map { ["iterations", String($0)] } ?? [])
    return Finding.fingerprint(of: [scenarioTexts] + selection)
  }

  /// The properties of a run that decide whether earlier results are comparable with it, before it begins.
  func plannedInfo(_ options: RunOptions) throws(GateError) -> RunInfo {
    var info = Self.info(scenario.name, scenario.file, target: nil, options)
    info.scenarioDigest = scenarioDigest(options)
    info.load = try load(options).stages
    return info
  }

  /// The effective target: the options', otherwise the scenario's.
  func effectiveTarget(_ wanted: Target?) throws(GateError) -> Target {
    if let wanted { return wanted }
    if let text = scenario.target { return try Target(text) }
    throw .usage(
      "\(scenario.file) names no target. Add `target: http://HOST:PORT` to the file, or use --target.")
  }
}
