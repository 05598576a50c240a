import MurphyContract
import MurphyEngine
import MurphyModel
import MurphyScenario

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
