import MurphyContract
import MurphyEngine
import MurphyHTTP
import MurphyJudge
import MurphyModel
import MurphyScenario
import MurphyServer

/// Probes the limiters in a scenario's checks with as few requests as necessary, in sequence.
package struct LimitProbe {
  let scenario: Scenario
  let contract: Contract
  private let target: Target
  let options: LimitsOptions
  /// A factor on every window of the target's limiters.
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
    transport = TransportOptions(
      scenario.settings, authorities: options.authorities, certificate: options.certificate)
  }

  /// - Parameters:
  ///   - stop: ends the probe within a tenth of a second when requested; the result has the data so far.
  ///   - announce: called with a limit's name and the phases of its probe, before they begin.
  ///   - progress: called several times a second, from the probe's own thread, with the limit's name.
  ///   - found: called with each limit separately at the end of its probe, with unmasked secrets.
  /// - Returns: the result, with unmasked secrets.
  /// - Throws: a `GateError` if the probe could not begin. Reasons are a forbidden target, an operation that cannot be
  ///   called, or a target that is not reachable.
  package func run(
    stop: StopSignal, announce: @escaping @Sendable (String, [ProbePhase]) -> Void,
    progress: @escaping @Sendable (String, ProbeProgress) -> Void, found: (LimitsResult) -> Void
  ) async throws(GateError) -> LimitsResult {
    let choices = try choices()
    let seed = options.seed ?? UInt64.random(in: 1..<(1 << 53))
    try checkPermission()
    let running = try await RunningTarget.start(target, reference: options.reference)
    do throws(GateError) {
      try target.checkReachability(transport)
      var limits: [ProbedLimit] = []
      for choice in choices where !stop.isRequested {
        // Each probe generates its own clients.
        var limit = try await probe(
          choice, after: limits, at: running.url, seed: seed &+ UInt64(limits.count), isEmbedded: running.isEmbedded,
          stop,
          announce: { announce(choice.name, $0) }, progress: { progress(choice.name, $0) })
        if let serve = target.serveCommand(options.reference) {
          limit.findings = limit.findings.map { $0.leaving(running.url, startedBy: serve) }
        }
        limits.append(limit)
        found(LimitsResult(scenario: scenario, target: running.url, limits: [limit], isCutShort: stop.isRequested))
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
      "the target is not on this machine, and a probe uses up its rate limits. If you are allowed to test it, add "
        + "--i-may-test-this-target.")
  }

  private func probe(
    _ choice: ProbeChoice, after earlier: [ProbedLimit], at url: String, seed: UInt64, isEmbedded: Bool,
    _ stop: StopSignal, announce: ([ProbePhase]) -> Void, progress: @escaping @Sendable (ProbeProgress) -> Void
  ) async throws(GateError) -> ProbedLimit {
    let subject = try SubjectFinder(scenario, contract, environment: options.environment).subject(
      choice, seed: seed, hasOtherAddresses: Loopback.hasManyAddresses(url))
    var probing = ProbeOptions(
      maxRequests: options.maxRequests, maxSeconds: options.maxSeconds, declared: choice.policy)
    probing.isWindowTooLong = choice.isWindowTooLong
    probing.isQuick = options.isQuick
    probing.rivals = choice.rivals
    // The reference API counts in nanoseconds of this machine's clock. The clock step of another server is known only
    // if it is declared.
    if !isEmbedded, let policy = choice.policy {
      probing.tick = policy.tick?.inSeconds ?? LimitProof.coarsestTick(for: policy.window.inSeconds)
    }
    let isDrawn = choice.policy?.isKeyDrawn(by: subject)
    var startsQuiet = isEmbedded
    if isDrawn != true, let rest = choice.rest(after: earlier, contract) {
      if rest <= options.maxSeconds { await Self.wait(rest, stop, progress) } else { startsQuiet = false }
    }
    probing.startsQuiet = startsQuiet || isDrawn != false
    probing.rivalsStartQuiet = startsQuiet || choice.rivals.allSatisfy { $0.isKeyDrawn(by: subject) }
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
    // The clients were generated for this probe, so no request used their quota before.
    judging.startsQuiet = startsQuiet || isDrawn == true && probing.rivalsStartQuiet
    judging.sharesClock = Loopback.holds(url)
    // The reference API counts in nanoseconds of this machine's clock.
    if isEmbedded { judging.tick = .milliseconds(1) }
    // If this machine was late, the speed of rejections cannot be measured.
    judging.refusalBudget =
      outcome.report.wasLate
      ? nil : scenario.expectations.limits.first { $0.policy.name == choice.name }?.refusalBudget
    var limit = ProbedLimit(choice, outcome, judging)
    let script = ProbeScript(
      subject, limit, url: url, mask: mask, options: transport)
    limit.findings = script.added(to: limit.findings)
    limit.findings += LimitExpectations.contradictions(
      scenario.expectations.limits.filter { $0.policy.name == choice.name }, contract)
    return limit
  }

  /// Waits until the counters that earlier probes used are empty again.
  private static func wait(
    _ seconds: Double, _ stop: StopSignal, _ progress: @escaping @Sendable (ProbeProgress) -> Void
  ) async {
    let begin = Instant.now
    func elapsed() -> Double { Double(Instant.now - begin) / 1e9 }
    while elapsed() < seconds, !stop.isRequested {
      progress(
        ProbeProgress(
          stage: "waiting until the counters of the previous probe are empty", phase: .allowance, requests: 0,
          elapsed: elapsed(), remaining: seconds - elapsed()))
      try? await Task.sleep(for: .milliseconds(100))
    }
  }
}

extension ProbeChoice {
  /// Seconds after which requests of earlier probes to the same operations no longer count, even in a sliding counter.
  /// Nil if they sent no request that this limit counts.
  func rest(after earlier: [ProbedLimit], _ contract: Contract) -> Double? {
    let id = contract.operations[operation].id
    return earlier.filter { limit in
      limit.operation == id || policy?.covers(limit.operation) == true || limit.policy?.covers(id) == true
    }.map { limit in
      2.1 * max(limit.policy?.window.inSeconds ?? 0, limit.report.window?.largest ?? 0, policy?.window.inSeconds ?? 0)
    }.max()
  }
}

extension LimitPolicy {
  /// True if the probe generated the key itself.
  fileprivate func isKeyDrawn(by subject: ProbeSubject) -> Bool {
    let drawn = Set(subject.otherDevices.flatMap { $0 }.map { $0.name.lowercased() })
    return !key.parts.isEmpty && key.headerNames.contains { drawn.contains($0) }
  }
}

/// The result of `murphy limits`: one entry for each probed limit.
public struct LimitsResult: Sendable, Codable, Hashable {
  /// The name of the scenario.
  package var scenario: String
  /// The URL of the API.
  package var target: String
  /// The version of murphy.
  package var version: String
  /// Fail if a check was contradicted, no data if one was not decided, otherwise pass.
  public var verdict: Verdict
  /// The reasons for the verdict.
  public var reasons: [String]
  /// One for each probed limit, in the order of the declarations.
  package var limits: [ProbedLimit]
  /// True if the user ended it early.
  package var isCutShort: Bool
}

extension LimitsResult {
  /// The result of a crashed process: no limit is known.
  package init(crashed scenario: String, because reason: String) {
    self.init(
      scenario: scenario, target: "", version: ProductVersion.text, verdict: .invalid, reasons: [reason], limits: [],
      isCutShort: true)
  }

  /// Fail if any check was contradicted, no data if any was not decided, otherwise pass.
  init(scenario: Scenario, target: String, limits: [ProbedLimit], isCutShort: Bool) {
    let verdicts = limits.map(\.verdict)
    let verdict: Verdict =
      verdicts.contains(.fail) ? .fail : isCutShort || verdicts.contains(.noData) || limits.isEmpty ? .noData : .pass
    self.init(
      scenario: scenario.name, target: target, version: ProductVersion.text, verdict: verdict,
      reasons: limits.filter { $0.verdict == verdict }.map(\.reason), limits: limits, isCutShort: isCutShort)
    if isCutShort { reasons.append("stopped by the user before the probe was complete") }
  }
}

extension LimitProbe {
  /// The limits to probe: those that scenario and contract declare, or the named operation.
  ///
  /// - Throws: `GateError.usage` if there is none.
  func choices() throws(GateError) -> [ProbeChoice] {
    let policies = LimitExpectations.policies(scenario.expectations.limits, contract, timeScale: timeScale)
    var choices: [ProbeChoice] = []
    if let name = options.operation {
      guard let operation = contract.index(of: name) else {
        let near = didYouMean(name, among: contract.operations.map(\.id))
        throw .usage("no operation of \(contract.file) is named \"\(name)\".\(near)")
      }
      let id = contract.operations[operation].id
      choices = policies.filter { $0.covers(id) }.map {
        ProbeChoice(operation: operation, policy: $0, name: $0.name)
      }
      if choices.isEmpty { choices = [ProbeChoice(operation: operation, policy: nil, name: id)] }
    } else {
      choices = policies.compactMap { policy in
        callable(policy).map { ProbeChoice(operation: $0, policy: policy, name: policy.name) }
      }
    }
    if !options.isBlackBox { choices = try withoutCosts(choices, policies) }
    guard !choices.isEmpty else {
      throw .usage(
        "no limit is declared: neither expect.limits in \(scenario.file) nor x-ratelimit in \(contract.file) has one. Use --operation NAME to probe an operation as a black box."
      )
    }
    if options.isBlackBox {
      var seen: Set<Int> = []
      return choices.filter { seen.insert($0.operation).inserted }.map {
        ProbeChoice(operation: $0.operation, policy: nil, name: $0.name)
      }
    }
    // The announcements in responses decide later if the window is measured or taken from the declaration.
    for index in choices.indices {
      let id = contract.operations[choices[index].operation].id
      choices[index].rivals = policies.filter { other in
        other.covers(id) && choices[index].policy.map { $0 != other && !$0.repeats(other) } ?? false
      }
      guard let window = choices[index].policy?.window.inSeconds else { continue }
      choices[index].isWindowTooLong = window * ProbeChoice.windowsNeeded > options.maxSeconds
    }
    return choices
  }

  /// The operation for probing a policy: the first that a session calls, otherwise the first of all.
  private func callable(_ policy: LimitPolicy) -> Int? {
    let indices = contract.operations.indices.filter { policy.covers(contract.operations[$0].id) }
    // A policy for the whole API is probed with an operation that changes nothing.
    if policy.operations.isEmpty, let reading = indices.first(where: { contract.operations[$0].method == "GET" }) {
      return reading
    }
    return policy.operations.lazy.compactMap { contract.index(of: $0) }.first ?? indices.first
  }
}

/// The options of `murphy limits`.
public struct LimitsOptions: Sendable {
  /// Replaces the scenario's target.
  public var target: Target?
  /// Only the limits of this operation, by operationId.
  public var operation: String?
  /// True if declarations are ignored: a black box.
  public var isBlackBox = false
  /// Requests per limit.
  public var maxRequests = 5000
  /// Seconds per limit.
  public var maxSeconds = 600.0
  /// Allowance and key only, within one window.
  package var isQuick = false
  /// True if a target on another machine may be tested.
  public var mayTestTarget = false
  /// True if the key's dimensions, races and failed requests are tested too.
  package var asksFollowUps = true
  /// PEM file of trusted authorities.
  package var authorities: String?
  /// The client certificate of users in a TLS handshake; nil for none.
  package var certificate: ClientCertificate?
  /// Environment variables that the scenario and the contract's security schemes may read.
  public var environment: [String: String] = [:]
  /// Options of the embedded reference API.
  public var reference = ReferenceOptions()
  /// The seed of the clients; nil for clients that no earlier probe used.
  public var seed: UInt64?

  /// Every declared limit of the scenario's own target, with all questions.
  public init() {}
}
