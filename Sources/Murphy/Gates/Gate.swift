import Foundation
import MurphyContract
import MurphyEngine
import MurphyJudge
import MurphyModel
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
  public var scenario: Scenario
  public let contract: Contract
  /// Sessions written in Swift, run beside the scenario's.
  public var sessions: [SwiftSession] = []
  /// What earlier runs saw of the contract, from the scenario's `coverage: baseline:`; nil before the first.
  var coverageBaseline: CoverageBaseline?
  /// Questionable things in the files that are no mistakes.
  public var warnings: [Diagnostic] { contract.warnings + scenario.warnings }
}

extension Gate {
  /// Writes `result.json`, `report.html`, `junit.xml`, `summary.md` and `findings.sarif` into `folder`.
  /// - Returns: the paths written.
  /// - Throws: the first file's error, after all were tried.
  @discardableResult
  public func report(_ result: RunResult, to folder: String) throws -> [String] {
    try Report.write(result, to: folder)
  }
}

extension Gate {
  /// The baseline turned forward by what a run saw; nil when the scenario names none.
  public func advancedBaseline(_ result: RunResult) -> (file: String, text: String)? {
    guard let file = coverageBaselineFile else { return nil }
    let next = coverageBaseline?.advanced(by: result.coverage.items) ?? CoverageBaseline(result.coverage.items)
    return (file, next.text)
  }

  /// The file of the scenario's `coverage: baseline:`, from where murphy runs.
  var coverageBaselineFile: String? {
    scenario.expectations.coverage?.baseline.map { ScenarioFiles.path($0, relativeTo: scenario.file) }
  }
}

extension Gate {
  /// The target that counts: the options', else the scenario's.
  func effectiveTarget(_ options: RunOptions) throws(GateError) -> Target {
    if let target = options.target { return target }
    if let text = scenario.target { return try Target(text) }
    throw .usage(
      "\(scenario.file) names no target, and none was given. Add `target: http://HOST:PORT` to it, or use --target.")
  }

  /// Factor on the limiter's windows of an embedded target; 1 for all others.
  func timeScale(_ options: RunOptions) throws -> Double {
    guard case .embedded(_, let settings) = try effectiveTarget(options) else { return 1 }
    var reference = options.reference
    for setting in settings { try reference.set(setting.name, to: setting.value) }
    return reference.limits.timeScale
  }
}

extension Gate {
  /// Holds the run's traffic against the promises that every run makes, for the sessions that took part.
  func judgeImpliedPromises(_ record: RunRecord, _ outages: [Outage]) -> [TrafficRow] {
    let expected = scenario.expectations.traffic
    let present = Set(record.sessions.map(\.session))
    var seen: Set<String> = []
    let named = scenario.sessions.filter { present.contains($0.name) }.flatMap(\.operations)
      // A request that is written out may be an operation of the contract, and is counted as that.
      .map { name in contract.index(of: name).map { contract.operations[$0].id } ?? name }
      .filter { seen.insert($0).inserted }
    return ImpliedPromiseJudge.judge(
      ImpliedPromiseJudge.Demand(
        completed: expected.completed, called: expected.called.chosen(of: named), calledLimit: expected.called.text,
        sessions: expected.sessions.chosen(of: record.sessions.map(\.session)), sessionsLimit: expected.sessions.text),
      record: record, outages: outages)
  }
}

extension Gate {
  /// A gate without a scenario file: sessions written in Swift, under a load.
  ///
  /// - Parameters:
  ///   - contract: the OpenAPI document's file.
  ///   - target: a URL, or `embedded:SYSTEM`.
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
  /// Takes out of every output what is secret before anything is sent: values of the environment and credentials.
  package func mask(environment: [String: String]) -> SecretMask {
    let credentials = contract.operations.indices.flatMap {
      contract.credentials(operation: $0, environment: environment).secrets
    }
    return SecretMask(secrets: [], headers: contract.secretHeaders).adding(
      scenario.secrets.all + credentials.map { Secret($0) }, isNested: true)
  }
}

extension RunResult {
  /// The result without secrets in any text; an empty one where that is impossible, rather than one that tells them.
  func masked(by mask: SecretMask) -> RunResult {
    do {
      return try mask.masked(self)
    } catch {
      var bare = self
      bare.findings = []
      bare.limits = []
      bare.sessions = []
      bare.traffic = []
      bare.budgets = []
      bare.state = []
      bare.coverage = Coverage()
      bare.generator.doubts = []
      bare.generator.reservations = nil
      bare.run.target = mask.masked(run.target)
      bare.run.scenario = mask.masked(run.scenario)
      bare.run.unreached = run.unreached.map(mask.masked)
      for index in bare.operations.indices { bare.operations[index].conformance = nil }
      bare.reasons = ["the result could not be freed of secrets (\(type(of: error))) and is shown without its findings"]
      bare.verdict = .invalid
      return bare
    }
  }
}

extension Gate {
  /// Findings that no single request shows get the command that makes the same load again; scripts for a target that
  /// was started for the run ask where it is now.
  func withCommands(_ findings: [Finding], _ run: RunInfo, _ options: RunOptions) -> [Finding] {
    let serve = (try? effectiveTarget(options))?.serveCommand(options.reference)
    return findings.map { finding in
      guard finding.evidence?.curl == nil else {
        return serve.map { finding.leaving(run.target, startedBy: $0) } ?? finding
      }
      var finding = finding
      var evidence = finding.evidence ?? Evidence()
      evidence.curl = command(run, options)
      finding.evidence = evidence
      return finding
    }
  }

  /// `murphy run` with the options that made the load what it was.
  private func command(_ run: RunInfo, _ options: RunOptions) -> String {
    var words = ["murphy", "run", ShellWord(run.scenarioFile).quoted, "--seed", String(run.seed)]
    func add(_ name: String, _ value: String) { words += [name, ShellWord(value).quoted] }
    if case .url? = options.target { add("--target", run.target) }
    for fault in options.reference.faults { add("--fault", fault.name) }
    if let users = options.users { add("--users", String(users)) }
    if options.load != 1 { add("--load", String(options.load)) }
    if let duration = options.duration { add("--duration", duration.text) }
    for name in options.only { add("--only", name) }
    return words.joined(separator: " ")
  }
}
