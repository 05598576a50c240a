import MurphyContract
import MurphyEngine
import MurphyModel
import MurphyReport
import MurphyScenario

/// A scenario with its contract, ready to be run and judged.
///
/// ```swift
/// let gate = try Gate.load("scenarios/murphys-laws/release-gate.yaml")
/// let record = try await gate.run()
/// let result = gate.judge(record)
/// try gate.report(result, to: "reports/mine")
/// ```
public struct Gate: Sendable {
  /// What is replayed and promised.
  public var scenario: Scenario
  /// The OpenAPI document that every answer is held against.
  public let contract: Contract
  /// Sessions written in Swift, run beside the scenario's.
  public var sessions: [SwiftSession] = []
  /// What earlier runs saw of the contract, from the scenario's `coverage: baseline:`; nil before the first.
  var coverageBaseline: CoverageBaseline?
  /// Questionable things in the files that are not mistakes.
  public var warnings: [Diagnostic] { contract.warnings + scenario.warnings }

  init(scenario: Scenario, contract: Contract, sessions: [SwiftSession] = []) {
    self.scenario = scenario
    self.contract = contract
    self.sessions = sessions
  }

  /// A gate without a scenario file: sessions written in Swift, under a load.
  ///
  /// - Parameters:
  ///   - name: what the report calls the run.
  ///   - contract: the OpenAPI document's file.
  ///   - target: a URL, or `embedded:SYSTEM`.
  ///   - sessions: the load is spread over them by their weights.
  ///   - load: how many sessions begin, and when.
  ///   - budgets: promises on latency, errors and throughput.
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
  /// Writes `result.json`, `report.html`, `junit.xml`, `summary.md` and `findings.sarif` into `folder`.
  /// - Returns: the paths written.
  /// - Throws: the first file's error, after all were tried.
  @discardableResult
  public func report(_ result: RunResult, to folder: String) throws -> [String] {
    try Report.write(result, to: folder)
  }

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

  /// Takes out of every output what is secret before anything is sent: values of the environment and credentials.
  package func mask(environment: [String: String]) -> SecretMask {
    SecretMask(scenario, contract, environment: environment)
  }
}
