import Foundation
import MurphyContract
import MurphyDraft
import MurphyEngine
import MurphyModel
import MurphyTarget

/// A first scenario for an API: drafted out of its OpenAPI document, and measured where a target is given.
package struct FirstScenario: Sendable {
  package struct Options: Sendable {
    /// The scenario's file, from which its contract is named; nil for one that stands beside it.
    package var file: String?
    /// Where latencies are measured; nil measures nothing.
    package var target: Target?
    /// As the scenario writes it.
    package var targetText: String?
    package var writes = false
    package var authorities: String?
    package var environment: [String: String] = [:]
    package var reference = RunOptions().reference

    package init() {}
  }

  package let draft: ScenarioDraft
  /// What is to be said of a target that lacks the base path of the document's server; nil where nothing is.
  package var basePathHint: String?
  /// What the calm run saw; nil where none was made.
  package let measured: RunResult?

  /// How long the calm run lasts.
  private static let calm: Duration = .seconds(12)
  /// Fewer answers say little about a p95.
  private static let fewest = 5

  /// - Parameter progress: called about once a second while the API is measured.
  /// - Throws: a `GateError` for a document that cannot be read, and a target that is not reached.
  package static func draft(
    _ document: String, _ options: Options, stop: StopSignal = StopSignal(),
    progress: @escaping @Sendable (Snapshot) -> Void = { _ in }
  ) async throws -> FirstScenario {
    let contract: Contract
    do {
      contract = try Contract.load(document)
    } catch {
      throw GateError.mistakes(error.diagnostics)
    }
    guard !contract.operations.isEmpty else {
      throw GateError.usage("\(document) has no operation under `paths`, so there is nothing to call.")
    }
    var drafting = ScenarioDraft.Options(contract: path(to: document, from: options.file))
    drafting.writes = options.writes
    drafting.target = options.targetText
    let first = ScenarioDraft(contract, drafting)
    let hint = basePathHint(contract, options.target)
    guard options.target != nil, first.called > 0 else {
      return FirstScenario(draft: first, basePathHint: hint, measured: nil)
    }
    let result = try await measure(contract, document, options, stop, progress)
    guard result.ledger.answered > 0 else {
      throw GateError.unreachable(
        "nothing was answered within \(calm.text) (\(result.reasons.first ?? "no reason is known")), so nothing could be measured"
      )
    }
    // The latency of errors says nothing of the operation's.
    drafting.measured = result.operations.filter { $0.outcomes.ok >= max(fewest, $0.requests / 2) }.map {
      ScenarioDraft.MeasuredLatency(operation: $0.operation, answers: $0.outcomes.ok, p95: Double($0.latency.p95) / 1e6)
    }
    for operation in result.operations {
      if let statuses = refused(operation) { drafting.refused[operation.operation] = statuses }
    }
    return FirstScenario(draft: ScenarioDraft(contract, drafting), basePathHint: hint, measured: result)
  }

  /// A scenario out of another tool's file.
  ///
  /// - Parameters:
  ///   - file: its name, for messages.
  ///   - output: the scenario's file, from which its contract is named.
  /// - Throws: `ImportedScenario.Mistake` for a file that holds nothing to import, a `GateError` for the contract.
  package static func imported(
    _ text: String, of file: String, contract document: String, target: String?, into output: String
  ) throws -> ImportedScenario {
    let contract: Contract
    do {
      contract = try Contract.load(document)
    } catch {
      throw GateError.mistakes(error.diagnostics)
    }
    var options = ImportedScenario.Options(contract: path(to: document, from: output))
    options.target = target
    return try ImportedScenario(text, file: file, contract, options)
  }

  private static func basePathHint(_ contract: Contract, _ target: Target?) -> String? {
    guard case .url(let url)? = target, let given = URLComponents(string: url)?.path, ["", "/"].contains(given) else {
      return nil
    }
    let base = ScenarioDraft.basePath(contract)
    return base.isEmpty
      ? nil : "the document's server has the base path \(base); if the API has it too, the target is \(url)\(base)"
  }

  /// The statuses of an operation that the sample values do not fit: it answers, and never succeeds. What credentials or a
  /// rate limit refuse is no matter of values.
  private static func refused(_ operation: OperationResult) -> [Int]? {
    let statuses = operation.statuses.map(\.status)
    guard !statuses.isEmpty, statuses.allSatisfy({ (400..<500).contains($0) && ![401, 403, 429].contains($0) }) else {
      return nil
    }
    return statuses
  }

  /// Runs the draft itself, a few users only, from a file of its own.
  private static func measure(
    _ contract: Contract, _ document: String, _ options: Options, _ stop: StopSignal,
    _ progress: @escaping @Sendable (Snapshot) -> Void
  ) async throws -> RunResult {
    var drafting = ScenarioDraft.Options(contract: absolute(document))
    drafting.writes = options.writes
    let folder = FileManager.default.temporaryDirectory.appending(path: "murphy-init-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "draft.yaml").path
    try ScenarioDraft(contract, drafting).text.write(toFile: file, atomically: true, encoding: .utf8)
    var running = RunOptions()
    running.target = options.target
    running.duration = calm
    running.authorities = options.authorities
    running.environment = options.environment
    running.reference = options.reference
    running.walksCollections = false
    let gate = try await Gate.load(file, options: running)
    let record = try await gate.run(running, stop: stop, progress: progress)
    return gate.judge(record, options: running)
  }

  /// How a file at `scenario` names the document.
  private static func path(to document: String, from scenario: String?) -> String {
    guard let scenario, scenario != "-" else { return document }
    let from = URL(filePath: absolute(scenario)).deletingLastPathComponent().pathComponents
    let to = URL(filePath: absolute(document)).pathComponents
    let common = zip(from, to).prefix { $0 == $1 }.count
    // From elsewhere on the machine the whole path says more than a row of dots.
    guard from.count - common <= 3 else { return absolute(document) }
    return (Array(repeating: "..", count: from.count - common) + to[common...]).joined(separator: "/")
  }

  private static func absolute(_ path: String) -> String {
    URL(filePath: path, relativeTo: URL(filePath: FileManager.default.currentDirectoryPath + "/")).standardizedFileURL
      .path
  }
}
