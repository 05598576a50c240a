import Foundation
import MurphyContract
import MurphyHTTP
import MurphyModel
import MurphyScenario
import MurphyServer

/// The sources of a scenario's contract: files, and documents that the target provided.
struct FetchedContracts: Sendable {
  /// The requests to the target, with their URLs; empty before any document was fetched.
  var urls: [String: String] = [:]
  /// The fetched bytes by URL.
  var documents: [String: [UInt8]] = [:]
  /// Files and URLs in the scenario's order.
  private(set) var files: [String] = []

  /// True if `name` in the scenario `file` is a path of the target. Such a path is absolute, and not a file of this
  /// machine.
  static func isOfTarget(_ name: String, in file: String) -> Bool {
    name.hasPrefix("/") && !isFile(ScenarioFiles.path(name, relativeTo: file))
  }

  /// Adds one document of the contract of a scenario.
  mutating func add(_ entry: Scenario.Outline.Contract, of scenario: SourceText) throws(GateError) {
    let (name, file) = (entry.name, scenario.file)
    let path = ScenarioFiles.path(name, relativeTo: file)
    if Self.isFile(path) {
      files.append(path)
    } else if let url = urls[name] {
      files.append(url)
    } else if name.hasPrefix("/") {
      throw .usage(
        """
        \(file): the contract "\(name)" is not a file on this machine, and murphy did not download it from the target.
        """)
    } else {
      let reason =
        StoredResults.isFolder(path)
        ? "it is a folder. Name a file" : "no such file. Paths are relative to the folder of the scenario"
      throw .mistakes([
        scenario.diagnostic("cannot read the contract \(path): \(reason)", at: entry.mark, width: name.count)
      ])
    }
  }

  private static func isFile(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: path) && !StoredResults.isFolder(path)
  }
}

extension Gate {
  /// Reads a scenario and its contract, of which parts may come from the target: `contract: /openapi.json`.
  ///
  /// The document is fetched before the run, with the options' authorities; an embedded target is started for it.
  /// - Throws: a `GateError` with every mistake, or the reason why the target did not provide its contract.
  public static func load(
    _ file: String, options: RunOptions, toleratesMissingEnvironment: Bool = false
  ) async throws(GateError) -> Gate {
    let outline = Scenario.outline(text: try text(of: file), file: file)
    let wanted = outline.contracts.map(\.name).filter { FetchedContracts.isOfTarget($0, in: file) }
    var fetched = FetchedContracts()
    if !wanted.isEmpty {
      fetched = try await fetch(wanted, of: file, from: try target(options, outline, file), options)
    }
    var gate = try load(
      file, environment: options.environment, toleratesMissingEnvironment: toleratesMissingEnvironment,
      fetched: fetched)
    gate.scenario.add(clientHeaders: options.headers, SecretMask(headers: gate.contract.secretHeaders))
    return gate
  }

  private static func target(
    _ options: RunOptions, _ outline: Scenario.Outline, _ file: String
  ) throws(GateError) -> Target {
    if let target = options.target { return target }
    if let text = outline.target { return try Target(text) }
    throw .usage("\(file): murphy must download the contract from the target, but no target is set. Use --target.")
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
          base: running.url, path: name, name: url, authorities: options.authorities,
          certificate: options.certificate, headers: options.headers
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
  /// The name of its documents in messages; an embedded target has another port each time.
  fileprivate var name: String {
    switch self {
    case .url(let url): (try? Origin(url))?.text ?? url
    case .embedded(let system, _): "http://\(system).embedded"
    }
  }
}
