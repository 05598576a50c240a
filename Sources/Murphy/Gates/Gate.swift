import MurphyContract
import MurphyEngine
import MurphyHTTP
import MurphyJudge
import MurphyModel
import MurphyProbe
import MurphyReport
import MurphyScenario
import MurphyServer

/// A scenario with its contract, ready to be run and judged.
///
/// ```swift
/// let gate = try Gate.load("scenarios/murphys-laws/release-gate.yaml")
/// let record = try await gate.run()
/// let result = gate.judge(record)
/// try gate.report(result, to: "reports/mine")
/// ```
public struct Gate: Sendable {
  /// The sessions, the load and the checks.
  public var scenario: Scenario
  /// The OpenAPI document that every response is checked against.
  public let contract: Contract
  /// Sessions written in Swift, in addition to the scenario's.
  public var sessions: [SwiftSession] = []
  /// The contract coverage of earlier runs, from the scenario's `coverage: baseline:`; nil before the first.
  var coverageBaseline: CoverageBaseline?
  /// A fingerprint of the texts of scenario and contract, and of all their files.
  var texts = ""
  /// The same without the contract; empty for sessions written in Swift.
  var scenarioTexts = ""
  /// Documents of the contract that the target provided, by their URL.
  var documents: [String: [UInt8]] = [:]
  /// Questionable parts of the files that are not errors.
  public var warnings: [Diagnostic] { contract.warnings + scenario.warnings }

  init(scenario: Scenario, contract: Contract, sessions: [SwiftSession] = []) {
    self.scenario = scenario
    self.contract = contract
    self.sessions = sessions
  }

  /// A gate without a scenario file: sessions written in Swift, under a load.
  ///
  /// - Parameters:
  ///   - name: the name of the run in the report.
  ///   - contract: the OpenAPI document's file.
  ///   - target: a URL, or `embedded:SYSTEM`.
  ///   - sessions: the load is distributed to them by their weights.
  ///   - load: the number of sessions that begin, and their times.
  ///   - budgets: limits on latency, errors and throughput.
  /// - Throws: a `GateError` with every mistake in the contract.
  public init(
    name: String = "Swift sessions", contract: String, target: String, sessions: [SwiftSession], load: LoadProfile,
    budgets: [Budget] = []
  ) throws(GateError) {
    var expectations = Expectations()
    expectations.budgets = budgets
    var scenario = Scenario(name: name, file: "Swift", sessions: [], load: load, expectations: expectations)
    scenario.contract = contract
    scenario.target = target
    do {
      self.init(scenario: scenario, contract: try Contract.load(contract), sessions: sessions)
    } catch {
      throw .mistakes(error.diagnostics)
    }
  }
}

extension Gate {
  /// Writes `result.json`, `report.html`, `junit.xml`, `metrics.txt`, `summary.md` and `findings.sarif` into `folder`.
  /// - Returns: the paths written.
  /// - Throws: the first file's error, after all files were tried.
  @discardableResult
  public func report(_ result: RunResult, to folder: String) throws -> [String] {
    try Report.write(result, to: folder)
  }

  /// The baseline extended by the coverage of a run; nil if the scenario names none.
  package func advancedBaseline(_ result: RunResult) -> (file: String, text: String)? {
    guard let file = coverageBaselineFile else { return nil }
    let next = coverageBaseline?.advanced(by: result.coverage.items) ?? CoverageBaseline(result.coverage.items)
    return (file, next.text)
  }

  /// The file of the scenario's `coverage: baseline:`, relative to murphy's working directory.
  var coverageBaselineFile: String? {
    scenario.expectations.coverage?.baseline.map { ScenarioFiles.path($0, relativeTo: scenario.file) }
  }

  /// Removes secrets from every output before anything is sent: values of the environment and credentials.
  package func mask(environment: [String: String]) -> SecretMask {
    SecretMask(scenario, contract, environment: environment)
  }

  /// A verb's result without those secrets, before any report is generated: a line break may split a secret.
  func masked<Result: Codable>(_ result: Result, by mask: SecretMask) throws(GateError) -> Result {
    do {
      return try mask.masked(result)
    } catch {
      throw .usage("cannot redact the secrets in the result: \(error)")
    }
  }
}

extension Gate {
  /// The verdict on a run, with a row for each check. A pure function of the record.
  public func judge(_ record: RunRecord, options: RunOptions = RunOptions()) -> RunResult {
    var run = FinishedRun(record, scenario, contract)
    run.coverageBaseline = coverageBaseline
    run.failsOnUnchecked = run.failsOnUnchecked || options.failOnUnchecked
    run.provokesFailures = options.exploration != nil
    if let target = try? effectiveTarget(options.target), case .embedded = target {
      run.isEmbedded(timeScale: (try? target.timeScale(options.reference)) ?? 1)
    }
    let faults = options.reference.given.filter { $0.name == "fault" }.map(\.value)
    var result = isShard(record) ? run.shardResult : run.result()
    result.findings = withCommands(result.findings, record.info, options)
    result.run.scenarioDigest = scenarioDigest(options)
    result.run.faults = faults.isEmpty ? nil : faults
    return result.masked(by: record.mask)
  }

  /// True for one of several shards: a single shard is the whole run.
  private func isShard(_ record: RunRecord) -> Bool {
    record.info.shards == nil && (record.info.shard?.of ?? 1) > 1
  }

  /// Findings that no single request shows get the command that repeats the load. Scripts for a target that was started
  /// for the run use its current address.
  private func withCommands(_ findings: [Finding], _ run: RunInfo, _ options: RunOptions) -> [Finding] {
    let serve = (try? effectiveTarget(options.target))?.serveCommand(options.reference)
    return findings.map { finding in
      let finding = explained(serve.map { finding.leaving(run.target, startedBy: $0) } ?? finding, options)
      guard finding.evidence?.curl == nil else { return finding }
      var repeated = finding
      var evidence = finding.evidence ?? Evidence()
      evidence.curl = options.command(repeating: run)
      repeated.evidence = evidence
      return repeated
    }
  }
}

extension Gate {
  /// A finding about a response with status 401 or 403, with what the operation needs and what the response says.
  private func explained(_ finding: Finding, _ options: RunOptions) -> Finding {
    guard finding.kind == .contractStatus, let exchange = finding.evidence?.exchange,
      exchange.status == 401 || exchange.status == 403,
      let operation = finding.operations.lazy.compactMap({ $0.flatMap(contract.index) }).first
    else { return finding }
    var finding = finding
    finding.details.append(contract.advice(exchange, operation: operation, environment: options.environment))
    return finding
  }

  /// Probes the limiters in a scenario's checks with as few requests as necessary, in sequence.
  ///
  /// - Parameters:
  ///   - options: they override the scenario.
  ///   - stop: ends the probe within a tenth of a second when requested; the result has the data so far.
  ///   - announce: called with a limit's name and the phases of its probe, before they begin.
  ///   - progress: called several times a second, from the probe's own thread, with the limit's name.
  ///   - found: called with each limit separately at the end of its probe.
  /// - Throws: a `GateError` if the probe could not begin. Reasons are a forbidden target, an operation that cannot be
  ///   called, or a target that is not reachable.
  public func probeLimits(
    _ options: LimitsOptions = LimitsOptions(), stop: StopSignal = StopSignal(),
    announce: @escaping @Sendable (String, [ProbePhase]) -> Void = { _, _ in },
    progress: @escaping @Sendable (String, ProbeProgress) -> Void = { _, _ in },
    found: @Sendable (LimitsResult) -> Void = { _ in }
  ) async throws(GateError) -> LimitsResult {
    let target = try effectiveTarget(options.target)
    try checkCertificates(authorities: options.authorities, options.certificate)
    let probe = try LimitProbe(scenario, contract, at: target, options)
    var mask = self.mask(environment: options.environment)
    let result = try await probe.run(
      stop: stop,
      prepare: { sessions, url in
        let saved = await savedValues(of: sessions, at: url, options, stop)
        mask = mask.adding(saved.secrets)
        return saved
      },
      load: { scenario, url, stop async throws(GateError) in
        try await load(scenario, at: url, options, stop)
      }, announce: announce, progress: progress
    ) { part in
      if let masked = try? mask.masked(part) { found(masked) }
    }
    return try masked(result, by: mask)
  }

  /// The effect of limits on the sessions of this scenario; nothing is sent.
  ///
  /// - Throws: `GateError.usage` for unknown names, and if no session calls the operations to tune.
  package func tune(_ options: TuneOptions = TuneOptions()) throws(GateError) -> TuneResult {
    try LimitTuning(scenario, contract, timeScale: timeScale).tune(options)
  }

  /// A factor on every limiter's window, as the scenario's own target would be started with.
  var timeScale: Double { (try? effectiveTarget(nil).timeScale(ReferenceOptions())) ?? 1 }
}

extension Gate {
  /// Serves the run that is about to begin: a live page, and OpenMetrics text. The options must have `isWatched`, and
  /// the server must receive each snapshot (`show`) and the end (`finish`).
  ///
  /// - Parameter port: on the loopback; 0 for any free one.
  /// - Throws: `LiveError` if the port is not available.
  package func watch(_ options: RunOptions, port: Int = 0) async throws(LiveError) -> LiveServer {
    var info = Self.info(scenario.name, scenario.file, target: try? effectiveTarget(options.target), options)
    if info.target.isEmpty, case .embedded(let system, _)? = try? effectiveTarget(options.target) {
      info.target = "embedded:" + system
    }
    if let load = try? load(options) { info.load = load.stages }
    return try await LiveServer.start(port: port, run: info)
  }
}
