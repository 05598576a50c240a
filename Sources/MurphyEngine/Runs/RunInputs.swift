import Foundation
import MurphyContract
import MurphyModel
import MurphyScenario
import MurphyTransport

/// What a run is made of, before the zero of its load is known.
struct RunInputs: Sendable {
  var scenario: Scenario
  let contract: Contract
  let origin: Origin
  let resolved: ResolvedHost
  var options: EngineOptions
  let loops: Int

  init(
    _ scenario: Scenario, _ contract: Contract, _ target: String, _ options: EngineOptions
  ) throws(EngineError) {
    _ = LibcurlVersion.prepare
    ProcessFigures.raiseFileLimit()
    self.scenario = scenario
    self.contract = contract.adding(
      scenario.undocumentedRequests.map {
        Contract.UndocumentedOperation(id: $0.id, method: $0.method.rawValue, path: $0.path)
      })
    self.options = options
    loops = max(options.loops ?? ProcessInfo.processInfo.activeProcessorCount, 1)
    do throws(OriginError) { origin = try Origin(target) } catch { throw .target(error.description) }
    let transport = TransportOptions(scenario.settings, authorities: options.authorities)
    if let mistake = LibcurlVersion.mistake(transport.version, to: origin) { throw .target(mistake) }
    do throws(TransportError) {
      resolved = try ResolvedHost(origin, transport)
    } catch {
      throw .unreachable(error.sentence)
    }
    if let unknown = options.only.first(where: { name in !scenario.sessions.contains { $0.name == name } }) {
      let names = scenario.sessions.map(\.name)
      let near = nearestName(to: unknown, among: names).map { ". Did you mean \"\($0)\"?" } ?? ""
      throw .sessions("no session is named \"\(unknown)\"\(near) There are: \(names.joined(separator: ", "))")
    }
    guard !scenario.sessions.isEmpty || !options.sessions.isEmpty else {
      throw .sessions("there is no session to run")
    }
  }

  /// The run whose load begins at `start`.
  func context(start: Instant, setup: SetupState? = nil) -> RunContext {
    RunContext(
      scenario: scenario, contract: contract, origin: origin, resolved: resolved, options: options, loops: loops,
      start: start, setup: setup)
  }

  /// A run of one user who does nothing but the setup or the teardown, from now on.
  func context(fixture script: SessionScript) -> RunContext {
    var inputs = self
    inputs.scenario.sessions = [script]
    inputs.scenario.load = .closed(ClosedLoad(stages: [UserStage(from: 1, to: 1, duration: .seconds(1))]))
    (inputs.options.only, inputs.options.sessions, inputs.options.settling) = ([], [], .zero)
    return inputs.context(start: .now)
  }
}
