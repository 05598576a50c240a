import MurphyContract
import MurphyEngine
import MurphyHTTP
import MurphyJudge
import MurphyModel
import MurphyScenario
import MurphyServer

/// Probes the limiters in a scenario's checks with as few requests as necessary.
package struct LimitProbe {
  let scenario: Scenario
  let contract: Contract
  private let target: Target
  let options: LimitsOptions
  /// A factor on every window of the target's limiters.
  let timeScale: Double
  private let mask: SecretMask
  /// Secret by the contract.
  private let secretNames: Set<String>
  private let transport: TransportOptions

  /// - Throws: `GateError.usage` for wrong options of an embedded target.
  package init(
    _ scenario: Scenario, _ contract: Contract, at target: Target, _ options: LimitsOptions
  ) throws(GateError) {
    self.scenario = scenario
    self.contract = contract.adding(undocumentedOf: scenario)
    self.target = target
    self.options = options
    timeScale = try target.timeScale(options.reference)
    mask = SecretMask(scenario, contract, environment: options.environment)
    secretNames = contract.secretMembers.reduce(into: []) { $0.formUnion($1.names) }
    transport = TransportOptions(
      scenario.settings, authorities: options.authorities, certificate: options.certificate)
  }

  /// - Parameters:
  ///   - stop: ends the probe within a tenth of a second when requested; the result has the data so far.
  ///   - prepare: runs sessions once at a URL, and returns the values that they saved. Called if requests of the probe
  ///     read such values.
  ///   - load: runs a scenario at a URL until the signal. Called for limits on costs and on requests in flight.
  ///   - announce: called with a limit's name and the phases of its probe, before they begin.
  ///   - progress: called several times a second, from the probe's own thread, with the limit's name.
  ///   - found: called with each limit separately at the end of its probe, with unmasked secrets.
  /// - Returns: the result, with unmasked secrets.
  /// - Throws: a `GateError` if the probe could not begin. Reasons are a forbidden target, an operation that cannot be
  ///   called, or a target that is not reachable.
  package func run(
    stop: StopSignal, prepare: ([String], String) async -> SavedValues,
    load: @escaping @Sendable (Scenario, String, StopSignal) async throws(GateError) -> RunRecord,
    announce: @escaping @Sendable (String, [ProbePhase]) -> Void,
    progress: @escaping @Sendable (String, ProbeProgress) -> Void, found: (LimitsResult) -> Void
  ) async throws(GateError) -> LimitsResult {
    let choices = try choices()
    let seed = options.seed ?? UInt64.random(in: 1..<(1 << 53))
    try checkPermission()
    let running = try await RunningTarget.start(target, reference: options.reference)
    do throws(GateError) {
      try target.checkReachability(transport)
      let end = Instant.now + options.time.nanoseconds
      let finder = CallFinder(scenario, contract, seed: seed)
      var sources: Set<String> = []
      for choice in choices {
        guard let session = try finder.source(of: choice.operation) else { continue }
        sources.insert(session)
        progress(
          choice.name,
          ProbeProgress(
            stage: "running session \(session) once", phase: .allowance, requests: 0, elapsed: .zero,
            remaining: options.time))
      }
      let saved = sources.isEmpty ? SavedValues() : await prepare(sources.sorted(), running.url)
      let subjects = try subjects(choices, at: running.url, seed: seed, saved)
      let visit = ProbeVisit(
        url: running.url, isEmbedded: running.isEmbedded, hasSent: !sources.isEmpty,
        mask: mask.adding(saved.secrets), stop: stop, end: end, load: load, announce: announce, progress: progress)
      let limits = try await probe(ProbeOrder(choices, subjects, contract, mayRepeat: !options.isQuick), visit) {
        limit in
        found(LimitsResult(scenario: scenario.name, target: running.url, limits: [limit], isCutShort: stop.isRequested))
      }
      await running.stop()
      return LimitsResult(scenario: scenario.name, target: running.url, limits: limits, isCutShort: stop.isRequested)
    } catch {
      await running.stop()
      throw error
    }
  }

  /// The clients of each probe. A repeated probe has other clients.
  private func subjects(
    _ choices: [ProbeChoice], at url: String, seed: UInt64, _ saved: SavedValues
  ) throws(GateError) -> [(first: ProbeSubject, again: ProbeSubject)] {
    let finder = SubjectFinder(scenario, contract, environment: options.environment, saved: saved)
    let hasOtherAddresses = Loopback.hasManyAddresses(url)
    var subjects: [(first: ProbeSubject, again: ProbeSubject)] = []
    for (index, choice) in choices.enumerated() {
      func subject(_ number: Int) throws(GateError) -> ProbeSubject {
        try finder.subject(choice, seed: seed &+ UInt64(number), hasOtherAddresses: hasOtherAddresses)
      }
      subjects.append((try subject(index), try subject(choices.count + index)))
    }
    return subjects
  }

  /// Probes independent limits at the same time, and the others in sequence.
  ///
  /// - Returns: the limits in the order of their declarations.
  private func probe(
    _ order: ProbeOrder, _ visit: ProbeVisit, found: (ProbedLimit) -> Void
  ) async throws(GateError) -> [ProbedLimit] {
    var order = order
    var failure: GateError?
    await withTaskGroup(of: (ProbeOrder.Turn, Result<ProbedLimit, GateError>).self) { group in
      func begin() {
        while failure == nil, !visit.stop.isRequested, let turn = order.next() {
          group.addTask { (turn, await result(turn, visit)) }
        }
      }
      begin()
      while let (turn, result) = await group.next() {
        switch result {
        case .success(let limit): if order.finish(turn, limit) { found(limit) }
        case .failure(let error): failure = failure ?? error
        }
        begin()
      }
    }
    if let failure { throw failure }
    return order.results
  }

  private func result(_ turn: ProbeOrder.Turn, _ visit: ProbeVisit) async -> Result<ProbedLimit, GateError> {
    do throws(GateError) {
      return .success(try await probe(turn, visit))
    } catch {
      return .failure(error)
    }
  }

  private func checkPermission() throws(GateError) {
    guard case .url(let url) = target, !options.mayTestTarget, !Loopback.holds(url) else { return }
    throw .usage(
      "the target is not on this machine, and a probe uses up its rate limits. If you are allowed to test it, add "
        + "--i-may-test-this-target.")
  }

  private func probe(_ turn: ProbeOrder.Turn, _ visit: ProbeVisit) async throws(GateError) -> ProbedLimit {
    let (choice, subject) = (turn.choice, turn.subject)
    let isDrawn = choice.policy?.isKeyDrawn(by: subject)
    var startsQuiet = visit.isEmbedded && !visit.hasSent
    if turn.isRepeat || isDrawn != true, let rest = choice.rest(after: turn, contract) {
      if rest <= visit.left { await wait(rest, choice.name, visit) } else { startsQuiet = false }
    }
    guard visit.left > .zero else {
      return ProbedLimit(choice, subject.operation, unprobed: .notBegun(allowed: options.time.inSeconds))
    }
    guard choice.countsRequests else { return try await probeWithLoad(choice, subject.operation, visit) }
    var probing = ProbeOptions(maxRequests: options.maxRequests, time: visit.left, declared: choice.policy)
    probing.isWindowTooLong = choice.isWindowTooLong
    probing.isQuick = options.isQuick
    probing.endsWhenContradicted = options.endsWhenContradicted
    probing.rivals = choice.rivals
    // The reference API counts in nanoseconds of this machine's clock. The clock step of another server is known only
    // if it is declared.
    if !visit.isEmbedded, let policy = choice.policy {
      probing.tick = policy.tick?.inSeconds ?? LimitProof.coarsestTick(for: policy.window.inSeconds)
    }
    probing.startsQuiet = startsQuiet || isDrawn != false
    probing.rivalsStartQuiet = startsQuiet || choice.rivals.allSatisfy { $0.isKeyDrawn(by: subject) }
    if options.asksFollowUps {
      probing.dimensions = subject.dimensions
      probing.deviceHeaders = subject.deviceHeaderNames
      probing.freshDimensions = subject.freshDimensions
      probing.triesRace = true
      probing.triesInvalid = subject.invalid != nil
    }
    visit.announce(choice.name, Prober(operation: subject.operation, options: probing).phases)
    var probe = ProbeSession(
      subject: subject, options: probing, url: visit.url, transport: transport, stop: visit.stop,
      progress: { visit.progress(choice.name, $0) })
    probe.credential = scenario.credential
    var outcome = try await probe.run()
    outcome.log.requests = outcome.requests.map {
      CurlRequest($0, visit.mask.adding(contentOf: $0, secretNames), transport)
    }
    var judging = judging(visit)
    // The clients were generated for this probe, so no request used their quota before.
    judging.startsQuiet = startsQuiet || isDrawn == true && probing.rivalsStartQuiet
    // If this machine was late, the speed of rejections cannot be measured.
    judging.refusalBudget =
      outcome.report.wasLate
      ? nil : scenario.expectations.limits.first { $0.policy.name == choice.name }?.refusalBudget
    var limit = ProbedLimit(choice, outcome, judging)
    let script = ProbeScript(
      subject, limit, url: visit.url, mask: visit.mask, secretNames: secretNames, options: transport)
    limit.findings = script.added(to: limit.findings)
    limit.findings += LimitExpectations.contradictions(
      scenario.expectations.limits.filter { $0.policy.name == choice.name }, contract)
    if let serve = target.serveCommand(options.reference) {
      limit.findings = limit.findings.map { $0.leaving(visit.url, startedBy: serve) }
    }
    return limit
  }

  private func judging(_ visit: ProbeVisit) -> LimitJudgeOptions {
    var judging = LimitJudgeOptions()
    judging.target = visit.url
    judging.operations = contract.summaries
    judging.sharesClock = Loopback.holds(visit.url)
    // The reference API counts in nanoseconds of this machine's clock.
    if visit.isEmbedded { judging.tick = .milliseconds(1) }
    return judging
  }

  private func probeWithLoad(
    _ choice: ProbeChoice, _ operation: String, _ visit: ProbeVisit
  ) async throws(GateError) -> ProbedLimit {
    let probe = LoadedProbe(choice: choice, operation: operation, options: options)
    guard let policy = choice.policy, let loaded = probe.scenario(scenario) else {
      return ProbedLimit(choice, operation, unprobed: .otherUnit)
    }
    guard probe.time <= visit.left else {
      return ProbedLimit(choice, operation, unprobed: .notBegun(allowed: options.time.inSeconds))
    }
    visit.progress(
      choice.name,
      ProbeProgress(
        stage: "sending a load", phase: .allowance, requests: 0, elapsed: .zero, remaining: probe.time))
    let record = try await visit.load(loaded, visit.url, StopSignal(within: visit.stop, until: visit.end))
    guard !visit.stop.isRequested else { return ProbedLimit(choice, operation, unprobed: .byUser) }
    return ProbedLimit(choice, policy, operation, record, judging(visit))
  }

  /// Waits until the counters that earlier probes used are empty again.
  private func wait(_ time: Duration, _ name: String, _ visit: ProbeVisit) async {
    let begin = Instant.now
    func elapsed() -> Duration { .nanoseconds(Instant.now - begin) }
    while elapsed() < time, !visit.stop.isRequested {
      visit.progress(
        name,
        ProbeProgress(
          stage: "waiting until the counters of the previous probe are empty", phase: .allowance, requests: 0,
          elapsed: elapsed(), remaining: time - elapsed()))
      try? await Task.sleep(for: .milliseconds(100))
    }
  }
}

/// The common part of all probes of one command.
private struct ProbeVisit: Sendable {
  var url: String
  var isEmbedded: Bool
  /// True if sessions ran before the probes.
  var hasSent: Bool
  /// Removes the secrets of the scenario, and those that sessions saved.
  var mask: SecretMask
  var stop: StopSignal
  /// No probe takes longer.
  var end: Instant
  var load: @Sendable (Scenario, String, StopSignal) async throws(GateError) -> RunRecord
  var announce: @Sendable (String, [ProbePhase]) -> Void
  var progress: @Sendable (String, ProbeProgress) -> Void

  var left: Duration { .nanoseconds(max(0, end - .now)) }
}
