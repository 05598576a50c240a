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
    /// What users show in a TLS handshake; nil for nothing.
    package var certificate: ClientCertificate?
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
  /// What samples that do not fit are answered with.
  private static let refusals = [400, 401, 403, 404, 405, 406, 409, 410, 412, 415, 422, 428]
  /// Fewer answers say little about a p95.
  private static let fewest = 5

  /// - Parameter progress: called about once a second while the API is measured.
  /// - Throws: a `GateError` for a document that cannot be read, and a target that is not reached.
  package static func draft(
    _ document: String, _ options: Options, stop: StopSignal = StopSignal(),
    progress: @escaping @Sendable (Snapshot) -> Void = { _ in }
  ) async throws -> FirstScenario {
    let contract = try Gate.contract(document)
    guard !contract.operations.isEmpty else {
      throw GateError.usage("\(document) has no operation under `paths`, so there is nothing to call.")
    }
    var drafting = ScenarioDraft.Options(contract: DraftPath.path(to: document, from: options.file))
    drafting.writes = options.writes
    drafting.target = options.targetText
    let first = ScenarioDraft(contract, drafting)
    let hint = basePathHint(contract, options.target)
    guard options.target != nil, first.called > 0 else {
      return FirstScenario(draft: first, basePathHint: hint, measured: nil)
    }
    var result = try await measure(contract, document, options, [], stop, progress)
    // What is there already is made with other values, and what could not be reached without it is measured too.
    drafting.conflicting = Set(result.operations.filter { $0.statuses.contains { $0.status == 409 } }.map(\.operation))
    if !drafting.conflicting.isEmpty, !stop.isRequested {
      result = try await measure(contract, document, options, drafting.conflicting, stop, progress)
    }
    guard result.ledger.answered > 0 || stop.isRequested else {
      throw GateError.unreachable(
        "nothing was answered within \(calm.text) (\(result.reasons.first ?? "no reason is known")), so nothing could be measured"
      )
    }
    // The latency of errors says nothing of the operation's.
    drafting.measured = result.operations.filter { $0.outcomes.ok >= max(fewest, $0.requests / 2) }.map {
      ScenarioDraft.MeasuredLatency(operation: $0.operation, answers: $0.outcomes.ok, p95: Double($0.latency.p95) / 1e6)
    }
    let isLetIn = result.operations.contains { $0.outcomes.ok > 0 && isSecured($0.operation, contract) }
    for operation in result.operations {
      let isOpen = !isSecured(operation.operation, contract)
      if let statuses = refused(operation, isLetIn: isLetIn || isOpen) {
        drafting.refused[operation.operation] = statuses
      }
    }
    if result.ledger.answered > 0, !stop.isRequested {
      let reached = Set(result.operations.filter { $0.requests > 0 }.map(\.operation))
      drafting.unreached = Set(contract.operations.map(\.id)).subtracting(reached)
    }
    return FirstScenario(draft: ScenarioDraft(contract, drafting), basePathHint: hint, measured: result)
  }

  private static func basePathHint(_ contract: Contract, _ target: Target?) -> String? {
    guard case .url(let url)? = target, let given = URLComponents(string: url)?.path, ["", "/"].contains(given) else {
      return nil
    }
    let base = ScenarioDraft.basePath(contract)
    return base.isEmpty
      ? nil : "the document's server has the base path \(base); if the API has it too, the target is \(url)\(base)"
  }

  /// The statuses of an operation that the sample values do not fit: it answers, and never succeeds. What a rate limit
  /// refuses is no matter of values, nor what nobody was let in for.
  ///
  /// - Parameter isLetIn: whether the credentials are good for other operations, or this one asks for none.
  private static func refused(_ operation: OperationResult, isLetIn: Bool) -> [Int]? {
    let statuses = operation.statuses.map(\.status)
    guard !statuses.isEmpty, statuses.allSatisfy({ (400..<500).contains($0) && $0 != 429 }),
      isLetIn || !statuses.contains(where: { [401, 403].contains($0) })
    else { return nil }
    return statuses
  }

  private static func isSecured(_ operation: String, _ contract: Contract) -> Bool {
    contract.index(of: operation).map { !contract.operations[$0].security.isEmpty } ?? false
  }

  /// Runs the draft itself, a few users only, from a file of its own.
  private static func measure(
    _ contract: Contract, _ document: String, _ options: Options, _ conflicting: Set<String>, _ stop: StopSignal,
    _ progress: @escaping @Sendable (Snapshot) -> Void
  ) async throws -> RunResult {
    var drafting = ScenarioDraft.Options(contract: DraftPath.absolute(document))
    drafting.writes = options.writes
    drafting.conflicting = conflicting
    // One call that the samples do not fit keeps nobody from what comes behind it.
    for operation in contract.operations { drafting.refused[operation.id] = refusals }
    drafting.asksForTokens = options.environment[Contract.clientID] != nil
    let folder = FileManager.default.temporaryDirectory.appending(path: "murphy-init-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "draft.yaml").path
    try ScenarioDraft(contract, drafting).text.write(toFile: file, atomically: true, encoding: .utf8)
    var running = RunOptions()
    running.target = options.target
    running.duration = calm
    (running.authorities, running.certificate) = (options.authorities, options.certificate)
    running.environment = options.environment
    running.reference = options.reference
    running.walksCollections = false
    let gate = try await Gate.load(file, options: running)
    let record = try await gate.run(running, stop: stop, progress: progress)
    return gate.judge(record, options: running)
  }
}
