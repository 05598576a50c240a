import MurphyContract
import MurphyModel
import MurphyScenario

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
