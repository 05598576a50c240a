import MurphyContract
import MurphyEngine
import MurphyJudge
import MurphyModel
import MurphyScenario
import MurphyTarget
import MurphyTransport

/// Probes the limiters behind a scenario's promises with as few requests as they take, one after the other.
package struct LimitProbe {
  let scenario: Scenario
  let contract: Contract
  private let target: Target
  let options: LimitsOptions
  /// Factor on every limiter's window of the target.
  let timeScale: Double
  private let mask: SecretMask
  private let transport: TransportOptions

  /// - Throws: `GateError.usage` for wrong options of an embedded target.
  package init(
    _ scenario: Scenario, _ contract: Contract, at target: Target, _ options: LimitsOptions
  ) throws(GateError) {
    self.scenario = scenario
    self.contract = contract
    self.target = target
    self.options = options
    timeScale = try target.timeScale(options.reference)
    mask = SecretMask(scenario, contract, environment: options.environment)
    transport = TransportOptions(scenario.settings, authorities: options.authorities)
  }

  /// - Parameters:
  ///   - stop: ends the probe within a tenth of a second when requested; what is known by then is the result.
  ///   - announce: called with a limit's name and the phases of its probe, before they begin.
  ///   - progress: called several times a second, from the probe's own thread, with the limit's name.
  /// - Returns: the result, secrets still in it.
  /// - Throws: a `GateError` when the probe could not begin: a target that may not be tested, an operation that nobody
  ///   knows how to call, nobody at the target.
  package func run(
    stop: StopSignal, announce: @escaping @Sendable (String, [ProbePhase]) -> Void,
    progress: @escaping @Sendable (String, ProbeProgress) -> Void
  ) async throws(GateError) -> LimitsResult {
    let choices = try choices()
    let seed = options.seed ?? UInt64.random(in: 1..<(1 << 53))
    try checkPermission()
    let running = try await RunningTarget.start(target, reference: options.reference)
    do throws(GateError) {
      try target.checkReachability()
      var limits: [ProbedLimit] = []
      for choice in choices where !stop.isRequested {
        var limit = try await probe(
          choice, at: running.url, seed: seed, isEmbedded: running.isEmbedded, stop,
          announce: { announce(choice.name, $0) }, progress: { progress(choice.name, $0) })
        if let serve = target.serveCommand(options.reference) {
          limit.findings = limit.findings.map { $0.leaving(running.url, startedBy: serve) }
        }
        limits.append(limit)
      }
      await running.stop()
      return LimitsResult(scenario: scenario, target: running.url, limits: limits, isCutShort: stop.isRequested)
    } catch {
      await running.stop()
      throw error
    }
  }

  private func checkPermission() throws(GateError) {
    guard case .url(let url) = target, !options.mayTestTarget, !Loopback.holds(url) else { return }
    throw .usage(
      "the target is not on this machine, and a probe uses up its rate limits on purpose. If you may test it, say so "
        + "with --i-may-test-this-target.")
  }

  private func probe(
    _ choice: ProbeChoice, at url: String, seed: UInt64, isEmbedded: Bool,
    _ stop: StopSignal, announce: ([ProbePhase]) -> Void, progress: @escaping @Sendable (ProbeProgress) -> Void
  ) async throws(GateError) -> ProbedLimit {
    let subject = try SubjectFinder(scenario, contract, environment: options.environment).subject(
      choice, seed: seed, hasOtherAddresses: Loopback.hasManyAddresses(url))
    var probing = ProbeOptions(
      maxRequests: options.maxRequests, maxSeconds: options.maxSeconds, declared: choice.policy)
    probing.isWindowTooLong = choice.isWindowTooLong
    probing.isQuick = options.isQuick
    probing.startsQuiet = isEmbedded || choice.policy.map { $0.isKeyDrawn(by: subject) } != false
    if options.asksFollowUps {
      probing.dimensions = subject.dimensions
      probing.deviceHeaders = subject.deviceHeaderNames
      probing.triesRace = true
      probing.triesInvalid = subject.invalid != nil
    }
    announce(Prober(operation: subject.operation, options: probing).phases)
    let probe = ProbeSession(
      subject: subject, options: probing, url: url, transport: transport, stop: stop,
      progress: progress)
    var outcome = try await probe.run()
    outcome.log.requests = outcome.requests.map { CurlRequest($0, mask, transport) }
    var judging = LimitJudgeOptions()
    judging.target = url
    judging.operations = contract.summaries
    // The clients were drawn for this probe: nobody used their allowance before.
    judging.startsQuiet = isEmbedded || choice.policy.map { $0.isKeyDrawn(by: subject) } == true
    judging.sharesClock = Loopback.holds(url)
    // The reference API counts in nanoseconds of this machine's clock.
    if isEmbedded { judging.tick = .milliseconds(1) }
    // Where this machine was late, it cannot be told how fast refusals were.
    judging.refusalBudget =
      outcome.report.wasLate
      ? nil : scenario.expectations.limits.first { $0.policy.name == choice.name }?.refusalBudget
    var limit = ProbedLimit(choice, outcome, judging)
    let script = ProbeScript(
      subject, limit, url: url, mask: mask, options: transport)
    limit.findings = script.added(to: limit.findings)
    return limit
  }
}

extension LimitPolicy {
  /// Whether the key is one that the probe made up for itself.
  fileprivate func isKeyDrawn(by subject: ProbeSubject) -> Bool {
    let drawn = Set(subject.otherDevices.flatMap { $0 }.map { $0.name.lowercased() })
    return !key.parts.isEmpty && key.headerNames.contains { drawn.contains($0) }
  }
}
