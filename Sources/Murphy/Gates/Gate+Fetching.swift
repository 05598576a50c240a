import MurphyModel
import MurphyScenario
import MurphyTarget
import MurphyTransport

extension Gate {
  /// Reads a scenario and its contract, of which parts may come from the target: `contract: /openapi.json`.
  ///
  /// The target is asked before the run, with the options' authorities; an embedded one is started for it.
  /// - Throws: a `GateError` with every mistake, or why the target did not give its contract.
  public static func load(
    _ file: String, options: RunOptions, toleratesMissingEnvironment: Bool = false
  ) async throws(GateError) -> Gate {
    let outline = Scenario.outline(text: try text(of: file), file: file)
    let wanted = outline.contracts.map(\.name).filter { FetchedContracts.isOfTarget($0, in: file) }
    var fetched = FetchedContracts()
    if !wanted.isEmpty {
      fetched = try await fetch(wanted, of: file, from: try target(options, outline, file), options)
    }
    return try load(
      file, environment: options.environment, toleratesMissingEnvironment: toleratesMissingEnvironment,
      fetched: fetched)
  }

  private static func target(
    _ options: RunOptions, _ outline: Scenario.Outline, _ file: String
  ) throws(GateError) -> Target {
    if let target = options.target { return target }
    if let text = outline.target { return try Target(text) }
    throw .usage("\(file): its contract is fetched from the target, and no target is named. Use --target.")
  }

  private static func fetch(
    _ names: [String], of file: String, from target: Target, _ options: RunOptions
  ) async throws(GateError) -> FetchedContracts {
    let running = try await RunningTarget.start(target, reference: options.reference)
    var fetched = FetchedContracts()
    do throws(GateError) {
      for name in names {
        let url = target.name + name
        fetched.urls[name] = url
        fetched.documents[url] = try await ContractFetch(
          base: running.url, path: name, name: url, authorities: options.authorities
        ).bytes()
      }
    } catch {
      await running.stop()
      throw error
    }
    await running.stop()
    return fetched
  }
}

extension Target {
  /// How messages call its documents; an embedded one has another port each time.
  fileprivate var name: String {
    switch self {
    case .url(let url): (try? Origin(url))?.text ?? url
    case .embedded(let system, _): "http://\(system).embedded"
    }
  }
}
