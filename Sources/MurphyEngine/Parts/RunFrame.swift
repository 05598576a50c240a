import MurphyContract
import MurphyModel
import MurphyScenario

/// What a run was to be, as far as its record is read by it.
package struct RunFrame: Sendable {
  /// With the sessions that take part.
  package var scenario: Scenario
  /// With the requests that the scenario makes outside of it.
  package var contract: Contract
  /// Different findings that a loop keeps apart.
  package var findingLimit: Int

  var stages: [LoadStage] { scenario.load.stages }

  init(_ context: RunContext) {
    scenario = context.scenario
    contract = context.contract
    findingLimit = context.options.findingLimit
  }

  /// - Parameters:
  ///   - scenario: with the load as options changed it.
  ///   - only: sessions of these names; empty for all.
  package init(_ scenario: Scenario, _ contract: Contract, only: [String]) {
    self.scenario = scenario
    if !only.isEmpty { self.scenario.sessions.removeAll { !only.contains($0.name) } }
    self.contract = contract.adding(undocumentedOf: scenario)
    findingLimit = EngineOptions(seed: 0).findingLimit
  }
}

extension Contract {
  /// With the requests that a scenario makes outside of it.
  func adding(undocumentedOf scenario: Scenario) -> Contract {
    adding(
      scenario.undocumentedRequests.map {
        UndocumentedOperation(id: $0.id, method: $0.method.rawValue, path: $0.path)
      })
  }
}
