import MurphyContract
import MurphyEngine
import MurphyHTTP
import MurphyModel
import MurphyProbe
import MurphyScenario
import MurphyServer

/// Tests the requests that an OpenAPI document allows and forbids, and judges every response.
package struct ContractExplorer: Sendable {
  private let gate: Gate
  private let setting: ExploreConfiguration
  private let board: ExploreState
  private let options: ExploreOptions
  private let document: Contract
  private let running: RunOptions

  /// Problems of the document that do not prevent a test.
  package var warnings: [Diagnostic] { gate.contract.warnings }

  /// - Parameter document: an OpenAPI document's file.
  /// - Throws: a `GateError` for an unreadable document, an operation that is not in it, a forbidden remote target, or
  ///   a failed login.
  package static func open(_ document: String, _ options: ExploreOptions) async throws(GateError) -> ContractExplorer {
    guard let tokens = options.tokens else { return try ContractExplorer(document, options) }
    var running = RunOptions()
    (running.headers, running.authorities) = (options.headers, options.authorities)
    running.certificate = options.certificate
    let credential = try await tokens.credential(at: try TokenSource.url(of: options.target), running)
    return try ContractExplorer(document, options, credential: credential)
  }

  /// - Parameter credential: the user's token; nil for none.
  package init(
    _ document: String, _ options: ExploreOptions, credential: SharedCredential? = nil
  ) throws(GateError) {
    let contract = try Gate.contract(document)
    self.document = contract
    guard !contract.operations.isEmpty else {
      throw .usage("\(document) defines no operations: `paths` is empty or missing.")
    }
    try contract.checkOperations(options.only, document)
    if !options.mayTestTarget, !Self.isLocal(options.target) {
      throw .usage(
        "the target is not on this machine. An exploration creates and deletes data, and sends invalid requests. If "
          + "you may test this target, add --i-may-test-this-target.")
    }
    let users = options.users ?? ExplorePace.most
    var scenario = Scenario(
      name: "Exploration of \(contract.title)", file: document, sessions: [],
      load: .closed(ClosedLoad(stages: [UserStage(from: users, to: users, duration: options.time)])),
      expectations: Self.expectations)
    scenario.contract = document
    scenario.expectations.relations.all.settles = .seconds(1)
    // A target on this machine has no other clients during an exploration.
    scenario.expectations.relations.all.isExclusive = Self.isLocal(options.target) ? true : nil
    scenario.settings.timeout = options.timeout
    scenario.settings.redirects = 0
    let token = credential?.field
    let headers = options.headers + [token].compactMap(\.self)
    let secretHeaders = contract.secretHeaders + [token].compactMap(\.?.name)
    scenario.add(clientHeaders: headers, SecretMask(headers: secretHeaders))
    scenario.credential = credential ?? SharedCredential()
    for secret in options.tokens?.secrets ?? [] { scenario.secrets.insert(Secret(secret)) }
    let mask = SecretMask(scenario, contract, environment: options.environment)
    let seed = options.replayed?.seed ?? options.seed ?? UInt64.random(in: 1..<(1 << 53))
    var setting = ExploreConfiguration(
      contract, only: options.only, rule: try WriteRule.naming(options.operations, of: contract, document),
      environment: options.environment, headers: headers, mask: mask,
      transport: TransportOptions(
        scenario.settings, authorities: options.authorities, certificate: options.certificate),
      hasManyAddresses: Self.hasManyAddresses(options.target), seed: seed,
      users: options.users, mostRequests: options.mostRequests, time: options.time,
      invents: options.invents, off: options.off, replaying: options.replayed?.replayed)
    if let credential = scenario.credential { setting.credential = credential }
    self.setting = setting
    board = ExploreState(setting)
    var session = SwiftSession("explore") { [setting, board] client in
      try await Explorer(client, setting, board).run()
    }
    session.keepsCookies = contract.keepsCookies(environment: options.environment, headers: headers)
    gate = Gate(scenario: scenario, contract: setting.contract, sessions: [session])
    self.options = options
    var running = RunOptions()
    running.target = options.target
    running.exploration = options
    running.seed = seed
    (running.loops, running.iterations) = (1, 1)
    (running.authorities, running.certificate) = (options.authorities, options.certificate)
    running.environment = options.environment
    running.headers = options.headers
    running.reference = options.reference
    self.running = running
  }

  /// The maximum time for responses after an exploration was stopped.
  private static let grace = Duration.milliseconds(800)
  /// The same at the end of its time limit.
  private static let lastGrace = Duration.seconds(2)
  /// The minimum time for the deletion of the created items.
  private static let shortestRemoval = Duration.seconds(1)

  /// The number of created items that are not deleted. Callable from any thread.
  package var createdItems: Int { board.items.count }

  private static func isLocal(_ target: Target) -> Bool {
    if case .url(let url) = target { Loopback.holds(url) } else { true }
  }

  private static func hasManyAddresses(_ target: Target) -> Bool {
    if case .url(let url) = target { Loopback.hasManyAddresses(url) } else { true }
  }

  /// Latencies are not checked, and rejections are intended.
  private static var expectations: Expectations {
    var expectations = Expectations()
    expectations.traffic.errors = nil
    expectations.traffic.completed = nil
    expectations.traffic.called = .off
    expectations.traffic.sessions = .off
    return expectations
  }

  /// Tests until all cases are tested, the time is over, or `stop` is requested. Then it deletes the created items until
  /// `abandon` is requested.
  ///
  /// - Parameter progress: called about once a second with the tested cases so far.
  /// - Throws: a `GateError` if the target is not reachable.
  package func run(
    stop: StopSignal = StopSignal(), abandon: StopSignal = StopSignal(),
    progress: @escaping @Sendable (String) -> Void = { _ in }
  ) async throws -> RunResult {
    let start = ContinuousClock.now
    let cutting = StopSignal()
    let watch = Task { [board] in
      while !stop.isRequested, !board.isClosed { try await Task.sleep(for: .milliseconds(20)) }
      // An outstanding response may name an item that was created.
      if stop.isRequested { board.end() }
      try await Task.sleep(for: stop.isRequested ? Self.grace : Self.lastGrace)
      cutting.request()
    }
    defer { watch.cancel() }
    var record = try await gate.run(running, stop: cutting) { [board] snapshot in
      progress("\(snapshot.elapsed.components.seconds) s  \(counted(board.requests, "request"))  \(board.line)")
    }
    // The end of the time limit does not cut the run short. Requests in flight are ignored, even if the target would
    // have responded.
    record.info.cutShort = stop.isRequested
    // It ends when all cases are tested.
    record.info.duration = min(record.info.duration, ContinuousClock.now - start)
    record.generator.achieved = Double(record.ledger.sent) / max(record.info.duration.inSeconds, 0.001)
    record.generator.offered = record.generator.achieved
    let removal = await removed(until: start + options.time, abandon) {
      progress("deleting \(counted($0, "created item"))")
    }
    record.mask = record.mask.adding(board.secrets.map { Secret($0) })
    // No figure of the result depends on the send times of requests.
    record.generator.reservations = nil
    record.generator.doubts = []
    if var lost = board.lostCredentials {
      lost.after = record.responses.writes.last(before: lost.at.inSeconds + 0.001).map { write in
        let operation = setting.contract.operations[write.operation]
        return "\(operation.method) \(operation.path)"
      }
      record.info.lostCredentials = lost
    }
    let found = board.found
    let standing = ExploreConclusiveness(
      board, setting.missingCredentials, document, running.environment, target: record.info.target)
    record.findings =
      standing.relevant(of: ExploredFindings(found.map(\.finding)).kept(of: record.findings)) + found.map(\.finding)
    var result = gate.judge(record, options: running)
    // Findings that do not concern the contract remain, such as a stack trace.
    let nowhere = result.verdict == .fail ? standing.nowhere : nil
    result.explored = Exploration(
      operations: board.rows, unrepeated: board.unrepeated,
      untried: standing.cut + [nowhere].compactMap(\.self)
        + (result.verdict == .fail && nowhere == nil ? standing.rejections.map(record.mask.masked(sentence:)) : [])
        + untried,
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
    // Untested cases are not known to be correct.
    if [.pass, .noData].contains(result.verdict), !standing.doubts.isEmpty {
      (result.verdict, result.reasons) = (.noData, standing.doubts.map(record.mask.masked(sentence:)))
    }
    return result
  }

  /// Deletes the created items, also after an exploration that was stopped. Nil for a target that ended with it.
  ///
  /// - Parameters:
  ///   - end: of the time limit.
  ///   - begin: called with the number of items before the first deletion.
  private func removed(
    until end: ContinuousClock.Instant, _ abandon: StopSignal, begin: (Int) -> Void
  ) async -> (CountOf, [String])? {
    guard case .url = options.target else { return nil }
    let end = max(end, .now + Self.shortestRemoval)
    let removal = ItemRemoval(setting, board, until: end)
    guard !board.items.isEmpty else { return removal.outcome(isAbandoned: false) }
    var cleaner = gate
    var session = SwiftSession("delete") { client in await removal.run(client) }
    session.keepsCookies = gate.sessions.allSatisfy(\.keepsCookies)
    cleaner.sessions = [session]
    begin(board.items.count)
    let time = ContinuousClock.now.duration(to: end)
    let users = board.removers
    cleaner.scenario.load = .closed(ClosedLoad(stages: [UserStage(from: users, to: users, duration: time)]))
    cleaner.scenario.settings.grace = Self.grace
    var running = running
    running.walksCollections = false
    // The outcome lists the requests that could not be sent.
    _ = try? await cleaner.run(running, stop: abandon)
    return removal.outcome(isAbandoned: abandon.isRequested)
  }

  /// Operations that might change data that explore has not created, in the contract's order.
  private var skipped: [SkippedOperation] {
    let wanted = Set(options.only)
    let reasons = setting.excluded.merging(board.skipped) { first, _ in first }
    return reasons.sorted { $0.key < $1.key }.map { index, reason in
      SkippedOperation(operation: setting.contract.operations[index].id, reason: reason)
    }.filter { wanted.isEmpty || wanted.contains($0.operation) }
  }

  /// The findings as a scenario with one session each; it fails until the API is fixed: `murphy try` runs it.
  ///
  /// - Parameter file: the future file; the path of the contract is relative to it.
  /// - Returns: the text, nil if steps can reproduce no finding; and the findings that they cannot reproduce.
  package func scenario(of result: RunResult, for file: String) -> (text: String?, left: [String]) {
    let judged = result.findings.filter { $0.severity > .note && $0.kind.family != .explore }
    let steps = ExploredSteps(setting, board, judged: judged)
    guard !steps.sessions.isEmpty else { return (nil, steps.left) }
    var drafting = ScenarioDraft.Options(contract: DraftPath.path(to: gate.scenario.file, from: file))
    if case .url(let url) = options.target { drafting.target = url }
    let text = ScenarioDraft.text(
      document, drafting, origin: "`murphy explore` from \(gate.scenario.file)", sessions: steps.sessions,
      left: steps.left)
    return (text, steps.left)
  }

  /// The untested cases, in sentences.
  private var untried: [String] {
    var sentences: [String] = []
    let restricted = setting.contract.operations.filter(setting.rule.needsOwnItem).map(\.id)
    sentences += ExploredOperations(board, skipped: skipped, restricted: Set(restricted)).sentences
    let mistaken = document.operations.filter { !$0.mistakes.isEmpty }.map { operation in
      "\(operation.id) (\(operation.mistakes.first?.message ?? ""))"
    }
    if !mistaken.isEmpty {
      sentences.append(
        "\(mistaken.count) operation\(mistaken.count == 1 ? " was" : "s were") not tested, because the document has "
          + "errors in these operations: "
          + mistaken.listed(4) + ".")
    }
    if !setting.missingCredentials.isEmpty {
      let names = setting.missingCredentials.joined(separator: ", ")
      sentences.append(
        board.login.map { "Environment variables that are not set: \(names). Murphy used the credentials of \($0)." }
          ?? "Environment variables that are not set: \(names). Set each in the environment, or with -e.")
    }
    sentences += setting.unusedCredentials.map { $0 + "." }
    // A second user does not matter while the first has no credentials.
    if !board.hasOtherUser, setting.missingCredentials.isEmpty || board.login != nil,
      let variable = setting.credentialVariables.first
    {
      sentences.append(
        """
        Murphy did not test access to the data of another user, because no second user is configured. Set \
        \(variable + ExploreCallers.otherSuffix).
        """
      )
    }
    return sentences
  }
}
