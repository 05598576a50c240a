import MurphyContract
import MurphyEngine
import MurphyHTTP
import MurphyModel
import MurphyProbe
import MurphyScenario
import MurphyServer

/// Tries what an OpenAPI document allows and forbids, request by request, and judges every answer.
package struct ContractExplorer: Sendable {
  private let gate: Gate
  private let setting: ExploreConfiguration
  private let board: ExploreState
  private let options: ExploreOptions
  private let document: Contract
  private let running: RunOptions

  /// What is wrong with the document that keeps nothing from being tried.
  package var warnings: [Diagnostic] { gate.contract.warnings }

  /// - Parameter document: an OpenAPI document's file.
  /// - Throws: a `GateError` for a document that cannot be read, an operation that it does not have, and a target
  ///   elsewhere that may not be tested.
  package init(_ document: String, _ options: ExploreOptions) throws(GateError) {
    let contract = try Gate.contract(document)
    self.document = contract
    guard !contract.operations.isEmpty else {
      throw .usage("\(document) has no operation under `paths`, so there is nothing to try.")
    }
    try contract.checkOperations(options.only, document)
    if !options.mayTestTarget, !Self.isLocal(options.target) {
      throw .usage(
        "the target is not on this machine, and an exploration writes to it, deletes and sends nonsense on purpose. If "
          + "you may test it, say so with --i-may-test-this-target.")
    }
    var scenario = Scenario(
      name: "Exploration of \(contract.title)", file: document, sessions: [],
      load: .closed(ClosedLoad(stages: [UserStage(from: options.users, to: options.users, duration: options.time)])),
      expectations: Self.expectations)
    scenario.contract = document
    scenario.expectations.relations.all.settles = .seconds(1)
    // What is on this machine is nobody else's while it is explored.
    scenario.expectations.relations.all.isExclusive = Self.isLocal(options.target) ? true : nil
    scenario.settings.timeout = options.timeout
    scenario.settings.redirects = 0
    let mask = SecretMask(scenario, contract, environment: options.environment)
    let seed = options.replayed?.seed ?? options.seed ?? UInt64.random(in: 1..<(1 << 53))
    setting = ExploreConfiguration(
      contract, only: options.only, rule: try WriteRule.naming(options.operations, of: contract, document),
      environment: options.environment, mask: mask,
      transport: TransportOptions(
        scenario.settings, authorities: options.authorities, certificate: options.certificate),
      hasManyAddresses: Self.hasManyAddresses(options.target), seed: seed,
      mostRequests: options.mostRequests, time: options.time, off: options.off, replaying: options.replayed?.replayed)
    board = ExploreState(setting)
    gate = Gate(
      scenario: scenario, contract: setting.contract,
      sessions: [
        SwiftSession("explore") { [setting, board] client in try await Explorer(client, setting, board).run() }
      ])
    self.options = options
    var running = RunOptions()
    running.target = options.target
    running.exploration = options
    running.seed = seed
    (running.loops, running.iterations) = (1, 1)
    (running.authorities, running.certificate) = (options.authorities, options.certificate)
    running.environment = options.environment
    running.reference = options.reference
    self.running = running
  }

  /// How long responses may take when an exploration is stopped.
  private static let grace = Duration.milliseconds(800)
  /// The same when its time is over.
  private static let lastGrace = Duration.seconds(2)

  private static func isLocal(_ target: Target) -> Bool {
    if case .url(let url) = target { Loopback.holds(url) } else { true }
  }

  private static func hasManyAddresses(_ target: Target) -> Bool {
    if case .url(let url) = target { Loopback.hasManyAddresses(url) } else { true }
  }

  /// Nothing is promised of latencies, and what is refused is refused on purpose.
  private static var expectations: Expectations {
    var expectations = Expectations()
    expectations.traffic.errors = nil
    expectations.traffic.completed = nil
    expectations.traffic.called = .off
    expectations.traffic.sessions = .off
    return expectations
  }

  /// Tries until everything is tried, the time is over, or `stop` is requested.
  ///
  /// - Parameter progress: called about once a second with what was tried by then.
  /// - Throws: a `GateError` when the target is not reached.
  package func run(
    stop: StopSignal = StopSignal(), progress: @escaping @Sendable (String) -> Void = { _ in }
  ) async throws -> RunResult {
    let start = ContinuousClock.now
    let cutting = StopSignal()
    let watch = Task { [board, end = start + options.time + Self.lastGrace] in
      while !stop.isRequested, ContinuousClock.now < end { try await Task.sleep(for: .milliseconds(20)) }
      // A response that is still to come may name an item that was created.
      if stop.isRequested {
        board.end()
        try await Task.sleep(for: Self.grace)
      }
      cutting.request()
    }
    defer { watch.cancel() }
    var record = try await gate.run(running, stop: cutting) { [board] snapshot in
      progress("\(Int(snapshot.elapsed))s  \(board.requests) requests  \(board.line)")
    }
    // The end of the time is none of the run: what was under way is left, whether the target would have responded or not.
    record.info.cutShort = stop.isRequested
    // It ends when everything is tried.
    record.info.duration = min(record.info.duration, (ContinuousClock.now - start) / .seconds(1))
    record.generator.achieved = Double(record.ledger.sent) / max(record.info.duration, 0.001)
    record.generator.offered = record.generator.achieved
    let removal = await removed()
    record.mask = record.mask.adding(board.secrets.map { Secret($0) })
    // No figure of the result rests on when requests were sent.
    record.generator.reservations = nil
    record.generator.doubts = []
    if var lost = board.lostCredentials {
      lost.after = record.answers.writes.last(before: lost.at + 0.001).map { write in
        let operation = setting.contract.operations[write.operation]
        return "\(operation.method) \(operation.path)"
      }
      record.info.lostCredentials = lost
    }
    let found = board.found
    let standing = ExploreConclusiveness(board, document, running.environment)
    record.findings =
      standing.relevant(of: ExploredFindings(found.map(\.finding)).kept(of: record.findings)) + found.map(\.finding)
    var result = gate.judge(record, options: running)
    result.explored = Exploration(
      operations: board.rows, unrepeated: board.unrepeated,
      untried: standing.cut + (standing.isNowhere ? [ExploreConclusiveness.nowhere] : []) + untried,
      cases: found.map(\.explored))
    // A DELETE at the end is a request, too.
    let sent = Set(board.writes.totals.map(\.operation))
    result.explored?.skipped = skipped.filter { !sent.contains($0.operation) }
    result.explored?.addresses = board.addresses
    result.explored?.writes = board.writes.masked(by: record.mask)
    if let (deleted, remaining) = removal {
      result.explored?.deleted = deleted
      result.explored?.remaining = remaining.map(record.mask.masked)
    }
    // What was not tried is not known to be right.
    if [.pass, .noData].contains(result.verdict), !standing.doubts.isEmpty {
      (result.verdict, result.reasons) = (.noData, standing.doubts)
    }
    if result.verdict == .fail, standing.isNowhere { result.reasons.insert(ExploreConclusiveness.nowhere, at: 0) }
    return result
  }

  /// Deletes what was created, also after an exploration that was stopped. Nil for a target that ended with it.
  private func removed() async -> (CountOf, [String])? {
    guard case .url = options.target else { return nil }
    let removal = ItemRemoval(setting, board)
    guard !board.items.isEmpty else { return removal.outcome }
    var cleaner = gate
    cleaner.sessions = [SwiftSession("delete") { client in await removal.run(client) }]
    cleaner.scenario.load = .closed(ClosedLoad(stages: [UserStage(from: 1, to: 1, duration: ItemRemoval.time)]))
    var running = running
    running.walksCollections = false
    // What could not be sent is told by the outcome.
    _ = try? await cleaner.run(running)
    return removal.outcome
  }

  /// Operations that might change what explore has not created, in the contract's order.
  private var skipped: [SkippedOperation] {
    let wanted = Set(options.only)
    let reasons = setting.excluded.merging(board.skipped) { first, _ in first }
    return reasons.sorted { $0.key < $1.key }.map { index, reason in
      SkippedOperation(operation: setting.contract.operations[index].id, reason: reason)
    }.filter { wanted.isEmpty || wanted.contains($0.operation) }
  }

  /// What was found as a scenario of which each session fails until the API is mended: `murphy try` shows it.
  ///
  /// - Parameter file: where it will stand, from which the contract is named.
  /// - Returns: the text, nil where nothing was found that steps can show, and the findings that they cannot show.
  package func scenario(of result: RunResult, for file: String) -> (text: String?, left: [String]) {
    let judged = result.findings.filter { $0.severity > .note && $0.kind.family != .explore }
    let steps = ExploredSteps(setting, board, judged: judged)
    guard !steps.sessions.isEmpty else { return (nil, steps.left) }
    var drafting = ScenarioDraft.Options(contract: DraftPath.path(to: gate.scenario.file, from: file))
    if case .url(let url) = options.target { drafting.target = url }
    let text = ScenarioDraft.text(
      document, drafting, origin: "`murphy explore` out of \(gate.scenario.file)", sessions: steps.sessions,
      left: steps.left)
    return (text, steps.left)
  }

  /// What was not tried, in sentences.
  private var untried: [String] {
    var sentences: [String] = []
    let rows = board.rows
    let unreached = rows.filter { !$0.succeeded }
    if !unreached.isEmpty {
      let names = unreached.map { row in
        let others = row.statuses.map(String.init).joined(separator: ", ")
        let isTried = row.cases.values.reduce(0, +) > 0
        let plain = !others.isEmpty ? "\(others) in other requests" : isTried ? "no response" : "no request was sent"
        return "\(row.operation) (\(row.status > 0 ? String(row.status) : plain))"
      }
      sentences.append(
        "The plainest request to \(names.count) operation\(names.count == 1 ? "" : "s") did not succeed, so what they reject was not judged: "
          + names.listed(8) + ".")
    }
    let mistaken = document.operations.filter { !$0.mistakes.isEmpty }.map { operation in
      "\(operation.id) (\(operation.mistakes.first?.message ?? ""))"
    }
    if !mistaken.isEmpty {
      sentences.append(
        "\(mistaken.count) operation\(mistaken.count == 1 ? " was" : "s were") not tried, because the document has mistakes there: "
          + mistaken.listed(4) + ".")
    }
    if !setting.missingCredentials.isEmpty {
      let names = setting.missingCredentials.joined(separator: ", ")
      sentences.append(
        board.login.map { "\(names) not set: \($0) gave the credentials." }
          ?? "Not set: \(names). Set them in the environment, or with -e.")
    }
    sentences += setting.unusedCredentials.map { $0 + "." }
    if !board.hasOtherUser, let variable = setting.credentialVariables.first {
      sentences.append(
        "No second user is known: set \(variable + ExploreCallers.otherSuffix) to try what belongs to another one.")
    }
    return sentences
  }
}
