import Foundation
import MurphyContract
import MurphyEngine
import MurphyModel
import MurphyScenario
import MurphyServer

/// A first scenario for an API: drafted from its OpenAPI document, and measured if a target is given.
package struct ScenarioGenerator: Sendable {
  package struct Options: Sendable {
    /// The scenario's file; the path of its contract is relative to it. Nil if both are in the same folder.
    package var file: String?
    /// The target and the credentials for measuring latencies; without a target nothing is measured.
    package var run = RunOptions()
    /// The target as the scenario writes it.
    package var targetText: String?
    package var writes = false
    /// Operations that may be called even if they change data, by operationId.
    package var operations: [String] = []

    package init() {}
  }

  package let draft: ScenarioDraft
  /// A sentence on a target without the base path of the document's server; nil if it has that path.
  package var basePathHint: String?
  /// A sentence for each scheme with credentials that are set but not sent.
  package var unusedCredentials: [String] = []
  /// Environment variables of credentials that are not set, and that an operation needs.
  package var missingCredentials: [String] = []
  /// What the responses with status 401 or 403 say, for operations without another response.
  package var rejections: [String] = []
  /// Contract violations that the calm run saw, and errors of the document, each in one line.
  package var violations: [String] = []
  /// A sentence for each operation with a limit whose quota the calm run used.
  package var usedQuotas: [String] = []
  /// Operations that return a token for a user in their body, by operationId.
  package var logins: Set<String> = []
  /// The result of the trial run; nil if there was none.
  package let measured: RunResult?
  /// Its requests that may have changed data.
  package var writes = SentWrites()

  /// - Parameter progress: called about once a second while the API is measured.
  /// - Throws: a `GateError` for an unreadable document, and a target that is not reachable.
  package static func draft(
    _ document: String, _ options: Options, stop: StopSignal = StopSignal(),
    progress: @escaping @Sendable (Snapshot) -> Void = { _ in }
  ) async throws -> ScenarioGenerator {
    let contract = try Gate.contract(document)
    guard !contract.operations.isEmpty else {
      throw GateError.usage("\(document) defines no operations: `paths` is empty or missing.")
    }
    var drafting = ScenarioDraft.Options(contract: DraftPath.path(to: document, from: options.file))
    drafting.writes = options.writes
    let rule = try WriteRule.naming(options.operations, of: contract, document)
    drafting.rule = rule
    drafting.target = options.targetText
    drafting.keepsCookies =
      options.run.tokens == nil
      && contract.keepsCookies(environment: options.run.environment, headers: options.run.headers)
    if let login = DraftLogin(contract, rule), options.writes {
      let isGiven = options.run.tokens != nil || options.run.environment[login.variable].map { !$0.isEmpty } == true
      drafting.login = isGiven ? nil : login
    }
    let first = ScenarioDraft(contract, drafting)
    let hint = basePathHint(contract, options.run.target)
    let unused = contract.unusedCredentials(options.run.environment)
    guard options.run.target != nil, first.called > 0 else {
      return ScenarioGenerator(
        draft: first, basePathHint: hint, unusedCredentials: unused,
        missingCredentials: missing(first.variables, contract, options.run), violations: errors(in: document),
        measured: nil)
    }
    var calm = CalmRun(contract, document, options, stop, progress)
    var result = try await calm.result(drafting)
    drafting.answeredShare = answeredShare(result)
    if drafting.answeredShare < ScenarioDraft.Options.keepingUp, result.ledger.answered > 0, !stop.isRequested {
      // The latency in a queue of murphy's own requests is not the latency of a calm server.
      calm.pace = thinkTime + (result.timeline.compactMap(\.p50).min() ?? .zero)
      await calm.rest(after: result)
      result = try await calm.result(drafting)
    }
    let earlier = result
    // Items that already exist are created with other values, and operations that depend on them are measured too.
    drafting.conflicting = Set(result.operations.filter(\.collided).map(\.operation))
    drafting.secondNames = rejectedNames(result, contract)
    let isLetIn = result.operations.contains { $0.operation == drafting.login?.operation && $0.successes > 0 }
    let isRejected = drafting.login != nil && !isLetIn
    if isRejected { drafting.login = nil }
    let succeeded = Set(result.operations.filter { $0.successes > 0 }.map(\.operation))
    if options.writes { drafting.ownReads = idleReads(result, contract) }
    let isChanged = ![drafting.conflicting, drafting.ownReads].allSatisfy(\.isEmpty) || !drafting.secondNames.isEmpty
    if isRejected || isChanged, !stop.isRequested {
      result = try await calm.result(drafting)
      drafting.secondNames.subtract(rejectedNames(result, contract))
    }
    try await calm.complete(&result, drafting)
    guard result.ledger.answered > 0 || stop.isRequested else {
      throw GateError.unreachable(
        """
        no response was received within \(CalmRun.shortest.text) (\(result.reasons.first ?? "unknown reason")), so \
        murphy could not derive latency budgets
        """
      )
    }
    if let unknown = unknownPaths(result, contract, options.run.target) { throw GateError.usage(unknown) }
    drafting.isMeasured = true
    drafting.repeating = calm.log.writes.repeating
    drafting.excerpts = calm.log.excerpts
    // The latency of errors is not the latency of the operation.
    drafting.measured = result.operations.filter { $0.successes >= max(CalmRun.fewest, $0.requests / 2) }.map {
      ScenarioDraft.MeasuredLatency(operation: $0.operation, answers: $0.successes, p95: $0.latency.p95)
    }
    for operation in result.operations {
      let isRefused = refused(operation) != nil
      if !succeeded.contains(operation.operation), let statuses = refused(operation) {
        drafting.refused[operation.operation] = statuses
      } else if operation.successes > 0 || isRefused {
        let errors = operation.statuses.filter {
          CalmRun.refusals.contains($0.status) && ![401, 403].contains($0.status)
        }
        drafting.errors[operation.operation] = errors.isEmpty ? nil : errors
      }
    }
    if result.ledger.answered > 0, !stop.isRequested {
      let reached = Set(result.operations.filter { $0.requests > 0 }.map(\.operation))
      drafting.unreached = Set(contract.operations.map(\.id)).subtracting(reached)
      for session in result.sessions { drafting.endings[session.session] = ending(session) }
    }
    drafting.sharesToken = drafting.login == nil && contract.tokenScheme == nil
    let draft = ScenarioDraft(contract, drafting)
    return ScenarioGenerator(
      draft: draft, basePathHint: hint, unusedCredentials: unused,
      missingCredentials: missing(draft.variables, contract, options.run), rejections: calm.rejections.advice,
      violations: errors(in: document) + violations(earlier.findings + result.findings),
      usedQuotas: usedQuotas(result, contract),
      logins: Set(contract.logins.map { contract.operations[$0.operation].id }),
      measured: result, writes: calm.log.writes)
  }

  /// The errors of the document, such as a reference without a target. Their operations are only partly checked.
  private static func errors(in document: String) -> [String] {
    Contract.examine(document).diagnostics.filter { $0.severity == .error }.map { "\($0.mark.text): \($0.message)" }
  }

  /// Violations that do not depend on the draft, each once.
  private static func violations(_ findings: [Finding]) -> [String] {
    let kinds: Set<FindingKind> = [.contractStatus, .contractContentType, .contractHeader, .contractBody]
    var seen: Set<String> = []
    return findings.filter { kinds.contains($0.kind) && seen.insert($0.fingerprint).inserted }
      .sorted(by: Finding.isWorse).map { "\($0.headline) (\(counted($0.count, "response")))" }
  }

  private static func usedQuotas(_ result: RunResult, _ contract: Contract) -> [String] {
    result.operations.compactMap { row in
      guard row.requests > 0, let index = contract.index(of: row.operation),
        let limit = StatedLimit(contract.operations[index])
      else { return nil }
      return "\(row.operation): the document allows \(limit.text), and murphy sent \(row.requests) requests to measure "
        + "the latency. Wait \(limit.per) before the next run."
    }
  }

  /// The variables that an operation needs and that are not set.
  private static func missing(_ variables: [String], _ contract: Contract, _ options: RunOptions) -> [String] {
    guard options.tokens == nil else { return [] }
    let needed = Set(
      contract.operations.indices.flatMap {
        contract.missingCredentials(operation: $0, environment: options.environment, headers: options.headers)
      })
    let schemes = Set(contract.credentialVariables)
    return variables.filter { variable in
      options.environment[variable, default: ""].isEmpty && (needed.contains(variable) || !schemes.contains(variable))
    }
  }

  /// The evidence that the target has none of the document's paths. 404 was the only status, even for paths without
  /// values that may not exist.
  private static func unknownPaths(_ result: RunResult, _ contract: Contract, _ target: Target?) -> String? {
    let called = result.operations.filter { !$0.statuses.isEmpty }
    let missing = called.map { BasePath.Called(path: $0.path, statuses: $0.statuses.map(\.status)) }
    guard BasePath.isWrong(missing), case .url(let url)? = target else { return nil }
    return "\(BasePath.sentence(missing, contract, target: url)) Murphy wrote no scenario."
  }

  private static func basePathHint(_ contract: Contract, _ target: Target?) -> String? {
    guard case .url(let url)? = target, let given = URLComponents(string: url)?.path, ["", "/"].contains(given) else {
      return nil
    }
    let base = ScenarioDraft.basePath(contract)
    return base.isEmpty
      ? nil
      : "The server URL in the document has the base path \(base). If the API also has this base path, the target is "
        + "\(URLCredentials.masked(url))\(base)"
  }

  /// The statuses of an operation with unsuitable sample values: none of its requests succeeded. Rejections by a rate
  /// limit do not depend on values.
  private static func refused(_ operation: OperationResult) -> [Int]? {
    let statuses = operation.statuses.map(\.status)
    guard !statuses.isEmpty, statuses.allSatisfy({ (400..<500).contains($0) && $0 != 429 }) else { return nil }
    return statuses
  }

  /// The share of requests, or of sessions, that had ended when the load of the trial run ended; 1 if there were few, or
  /// if the responses did not become slower under the load.
  private static func answeredShare(_ result: RunResult) -> Double {
    let open = result.ledger.inFlightAtEnd
    let ended = open < 4 ? 1 : 1 - Double(open) / Double(result.ledger.sent)
    let end = Int(saturating: result.run.load.map(\.end.inSeconds).max() ?? 0)
    let seconds = result.timeline.filter { $0.second < end }
    let medians = seconds.compactMap(\.p50)
    let third = medians.count / 3
    let users = seconds.last?.users ?? 0
    guard third > 0, users >= 4 else { return ended }
    func middle(_ times: some Sequence<Duration>) -> Duration { times.sorted()[third / 2] }
    // A queue grows for as long as the load is higher than the server's capacity.
    let (first, last) = (middle(medians.prefix(third)), middle(medians.suffix(third)))
    guard last > max(first * queueGrowth, shortestQueue) else { return ended }
    let started = result.sessions.reduce(0) { $0 + $1.started }
    return min(ended, 1 - Double(users) / Double(max(started, users)))
  }

  /// The minimum growth of the median latency from the first to the last third of a load that causes a queue.
  private static let queueGrowth = 3
  private static let shortestQueue: Duration = .milliseconds(100)
  /// The usual pause between two calls of a draft.
  private static let thinkTime: Duration = .milliseconds(500)

  /// Places for which no request found an item by the name in the request.
  private static func rejectedNames(_ result: RunResult, _ contract: Contract) -> Set<[String]> {
    func places(_ operations: [OperationResult]) -> Set<[String]> {
      let places = operations.compactMap { operation -> [String]? in
        guard let last = PathShape(operation.path).parameters.last else { return nil }
        // A number is not informative for the strings of other paths.
        let takesInteger = contract.index(of: operation.operation).map { contract.takesInteger(last.name, in: $0) }
        return takesInteger == true ? nil : last.prefix
      }
      return Set(places)
    }
    let rejected = result.operations.filter { refused($0).map { Set($0).isSubset(of: [400, 404, 422]) } == true }
    return places(rejected).subtracting(places(result.operations.filter { $0.successes > 0 }))
  }

  /// Reads with path parameters that found no item: their list was empty, or its items were gone.
  private static func idleReads(_ result: RunResult, _ contract: Contract) -> Set<String> {
    let statuses = Dictionary(result.operations.map { ($0.operation, $0.statuses.map(\.status)) }) { first, _ in first }
    let reads = contract.operations.filter { WriteRule.isSafe($0.method) && $0.path.contains("{") }
    return Set(reads.map(\.id).filter { Set(statuses[$0] ?? []).isSubset(of: [404, 410]) })
  }

  /// The reason why sessions of one kind did not reach their last step; nil if one did.
  private static func ending(_ session: SessionResult) -> String? {
    if session.completed > 0 { return nil }
    if let reason = session.failed.first?.reason { return "an earlier step ended all its sessions (\(reason))" }
    return session.started == 0 ? "none of its sessions started" : "none of its sessions completed in time"
  }
}

extension OperationResult {
  /// Responses with a 2xx status, or a redirect, even if a step of the draft expects another status.
  var successes: Int {
    statuses.filter { (200..<400).contains($0.status) && $0.status != 304 }.reduce(0) { $0 + $1.count }
  }

  /// True if values that were accepted once may have been rejected later, or existed before.
  fileprivate var collided: Bool {
    statuses.contains { $0.status == 409 || (method == "POST" && successes > 0 && [400, 422].contains($0.status)) }
  }
}
