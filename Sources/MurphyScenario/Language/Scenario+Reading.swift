import Foundation
import MurphyContract
import MurphyModel

extension Scenario {
  /// Reads a scenario and checks it against its contract.
  ///
  /// - Parameters:
  ///   - file: the file name in marks, and the base of relative paths.
  ///   - operations: those of the contract; nil checks no name of an operation.
  ///   - toleratesMissingEnvironment: true if `env(NAME)` of an unset variable is an empty string, as a lint requires.
  /// - Throws: all mistakes together.
  package static func parse(
    text: String, file: String, operations: [OperationSummary]?, files: ScenarioFiles = .disk,
    environment: [String: String] = ProcessInfo.processInfo.environment, toleratesMissingEnvironment: Bool = false
  ) throws(ScenarioError) -> Scenario {
    try parse(
      text: text, file: file, operations: operations, files: files, environment: environment,
      toleratesMissingEnvironment: toleratesMissingEnvironment, shapes: StageShape.all)
  }

  /// - Parameter shapes: the allowed shapes of a stage of the load.
  static func parse(
    text: String, file: String, operations: [OperationSummary]?, files: ScenarioFiles = .disk,
    environment: [String: String] = [:], toleratesMissingEnvironment: Bool = false, shapes: [StageShape]
  ) throws(ScenarioError) -> Scenario {
    let document = try document(text, file)
    guard let root = document.root else { throw ScenarioError(diagnostics: document.mistakes) }
    if let key = ["openapi", "swagger"].first(where: { root[$0] != nil }), root["sessions"] == nil {
      throw ScenarioError(
        diagnostics: [
          Diagnostic(
            "this is an OpenAPI document (it has the key \"\(key)\"), not a scenario. To draft a scenario: murphy init \(file)",
            at: SourceMark(file: file, line: 1, column: 1))
        ])
    }
    let reader = ScenarioReader(
      source: document.source, files: files, operations: operations, environment: environment,
      toleratesMissingEnvironment: toleratesMissingEnvironment, shapes: shapes)
    reader.diagnostics = document.mistakes
    let scenario = reader.scenario(root)
    guard let scenario, !reader.diagnostics.contains(where: { $0.severity == .error }) else {
      throw ScenarioError(diagnostics: reader.diagnostics)
    }
    return scenario
  }

  /// The information about a scenario that is available without its contract.
  package struct Outline: Sendable, Hashable {
    /// Nil if the scenario has none.
    package var name: String?
    /// Documents and overlays of the contract, each with its position in the file.
    package var contracts: [Contract]
    /// Nil if the scenario has none.
    package var target: String?
    /// True if the text is a scenario, not another YAML file.
    package var isScenario: Bool
    /// True if it contains steps for scenarios that include it, and is not a scenario itself.
    package var isPart: Bool

    /// The reference to the contract.
    package struct Contract: Sendable, Hashable {
      /// As written.
      package var name: String
      package var mark: SourceMark
    }
  }

  /// A first pass that reports nothing.
  package static func outline(text: String, file: String) -> Outline {
    let root = (try? document(text, file))?.root
    let contracts = (root?["contract"]?.items ?? []).compactMap { node -> Outline.Contract? in
      node.scalarText.map { name in
        Outline.Contract(name: name, mark: SourceMark(file: file, line: node.line, column: node.column))
      }
    }
    return Outline(
      name: root?["name"]?.scalarText, contracts: contracts, target: root?["target"]?.scalarText,
      isScenario: root.map { root in keys.contains { root[$0] != nil } }
        ?? text.split(whereSeparator: \.isNewline).contains(where: isKey),
      isPart: root.map { $0["steps"] != nil && ["name", "contract", "load"].allSatisfy { key in root?[key] == nil } }
        ?? false)
  }

  /// Checks a file that scenarios include, without such a scenario: its own includes, and duplicate names. Its steps
  /// are read where they are used.
  package static func checkPart(text: String, file: String, files: ScenarioFiles = .disk) -> [Diagnostic] {
    let document: MarkedDocument
    do throws(ScenarioError) { document = try self.document(text, file) } catch { return error.diagnostics }
    let reader = ScenarioReader(
      source: document.source, files: files, operations: nil, environment: [:], toleratesMissingEnvironment: true,
      shapes: StageShape.all)
    reader.diagnostics = document.mistakes
    if let root = document.root, let entries = reader.entries(root, .part) { reader.readParts(entries) }
    return ScenarioError(diagnostics: reader.diagnostics).diagnostics
  }

  /// - Throws: for a file that is too long for a scenario.
  private static func document(_ text: String, _ file: String) throws(ScenarioError) -> MarkedDocument {
    let source = SourceText(file: file, text: text)
    guard source.bytes.count <= BoundedFile.scenario.bytes else {
      throw ScenarioError(
        diagnostics: [source.diagnostic("the scenario file is larger than 4 MiB", line: 1, column: 1)])
    }
    return MarkedDocument(source, as: .yaml, keepsSpelling: true)
  }

  /// Keys of a scenario that do not occur in an OpenAPI document.
  private static let keys = ["sessions", "load", "contract"]

  /// True if a line of a text that is not YAML begins with one of them.
  private static func isKey(_ line: Substring) -> Bool { keys.contains { line.hasPrefix($0 + ":") } }
}

/// An invalid scenario, with all mistakes found in it.
package struct ScenarioError: Error, Sendable, CustomStringConvertible {
  /// Mistakes and warnings in the file's order.
  package let diagnostics: [Diagnostic]

  package init(diagnostics: [Diagnostic]) {
    self.diagnostics = diagnostics.sorted {
      ($0.mark.file, $0.mark.line, $0.mark.column) < ($1.mark.file, $1.mark.line, $1.mark.column)
    }
  }

  package var description: String { diagnostics.map(\.text).joined(separator: "\n\n") }
}

/// The access to a scenario's files: from the disk, or from a test's memory.
package struct ScenarioFiles: Sendable {
  /// The bytes of a file; throws an error with a readable message.
  package var read: @Sendable (String) throws -> [UInt8]

  package init(read: @escaping @Sendable (String) throws -> [UInt8]) { self.read = read }

  /// Reads from the disk, within a size limit.
  package static let disk = ScenarioFiles { path in try BoundedFile.readNamed(path, limit: BoundedFile.data) }

  /// `path`, relative to the folder of `file`.
  package static func path(_ path: String, relativeTo file: String) -> String {
    guard !path.hasPrefix("/"), let slash = file.lastIndex(of: "/") else { return path }
    return String(file[...slash]) + path
  }
}

extension ScenarioReader {
  /// The whole file; nil if too many parts are missing to continue. Mistakes are in `diagnostics`.
  func scenario(_ root: MarkedValue) -> Scenario? {
    guard let entries = entries(root, .scenario) else { return nil }
    let settings = settings(entries["settings"])
    timeout = settings.timeout
    readParts(entries)
    readFeeds(entries["feeds"])
    let scripts = scripts(entries)
    let sessions = scripts.sessions
    let load = load(entries["load"])
    let expectations = expectations(entries["expect"], sessions: sessions.map(\.name))
    if expectations.recovery != nil, let load, load.disturbances.isEmpty, let node = entries["expect"] {
      report(
        "recovery needs a disturbance of the load, such as `outage: { at: 20s, for: 5s }` under `load:`", at: node)
    }
    let name = text(entries["name"], "a name")
    let target = text(entries["target"], "a target")
    if let target, let node = entries["target"] { check(target: target, at: node) }
    warnOfUnused(entries)
    guard let name, let load, !sessions.isEmpty else { return nil }
    var scenario = Scenario(
      name: name, file: source.file, sessions: sessions, load: load, expectations: expectations)
    scenario.about = text(entries["about"], "about")
    scenario.contracts = contracts(entries["contract"])
    scenario.target = target
    scenario.seed = whole(entries["seed"], "a seed", 0...Int.max).map(UInt64.init)
    scenario.settings = settings
    scenario.setup = scripts.setup
    scenario.teardown = scripts.teardown
    scenario.feeds = feeds
    scenario.variables = variables
    scenario.tags = tagNames.all
    scenario.secrets = secrets
    scenario.warnings = diagnostics.filter { $0.severity == .warning }
    return scenario
  }

  /// One document, or a list of documents and overlays.
  private func contracts(_ node: MarkedValue?) -> [String] {
    guard let node else { return [] }
    if node.items.isEmpty { report("\"contract\" is empty; write the path of an OpenAPI document", at: node) }
    return node.items.compactMap { node in
      guard let name = text(node, "a contract") else { return nil }
      if name.contains("://") {
        report(
          "a contract must be a file, or a path of the target such as /openapi.json; murphy downloads it only from the target",
          at: node)
      }
      return name
    }
  }

  private func check(target: String, at node: MarkedValue) {
    guard !target.hasPrefix("embedded:"), !target.hasPrefix("http://"), !target.hasPrefix("https://") else { return }
    let shown = URLCredentials.masked(target)
    let message = "target must be a URL such as http://127.0.0.1:8080, or embedded:SYSTEM; found \"\(shown)\""
    // The line itself would show the credentials.
    if shown == target { report(message, at: node) } else { report(Diagnostic(message, at: sourceMark(node))) }
  }

  /// Only if everything could be read: a mistake may hide the use of a name.
  private func warnOfUnused(_ entries: Entries) {
    guard !diagnostics.contains(where: { $0.severity == .error }) else { return }
    var warned: Set<String> = []
    for (variable, node) in saved where !readVariables.contains(variable.slot) && warned.insert(variable.name).inserted
    {
      warn("no step uses the saved value \"\(variable.name)\"", at: node)
    }
    warnOfUnusedGroups(entries)
    guard let node = entries["feeds"] else { return }
    for (name, keyNode, _) in pairs(node) {
      guard let feed = feeds.first(where: { $0.name == name }) else { continue }
      if !readVariables.contains(feed.variable.slot) { warn("no session uses the feed \"\(name)\"", at: keyNode) }
    }
  }
}
