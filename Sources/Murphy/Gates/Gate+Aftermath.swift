import MurphyEngine
import MurphyHTTP
import MurphyJudge
import MurphyModel
import MurphyScenario
import MurphyServer

/// After a load in which operations failed from some time on, one user repeats their sessions alone. That tells a
/// changed state of the target from failures that need the load.
extension Gate {
  /// The maximum number of sessions that are repeated, and of calls in each of them.
  private static let (mostSessions, mostCalls) = (3, 12)
  private static let time: Duration = .seconds(5)

  /// - Returns: by operation that one user called; empty for a target on another machine.
  func aftermath(
    of record: RunRecord, _ running: RunningTarget, _ options: RunOptions
  ) async -> [String: Aftermath] {
    let failing = record.failedToTheEnd
    let isWhole = options.shard.map { $0.of == 1 } ?? true
    guard !failing.isEmpty, options.walksCollections, options.exploration == nil, isWhole, scenario.setup == nil,
      scenario.expectations.relations.all.walks != false, Loopback.holds(running.url)
    else { return [:] }
    let names = scenario.sessions.filter { session in
      session.calls.count <= Self.mostCalls && !session.operations.allSatisfy { !failing.contains($0) }
        && !session.allSteps.contains { if case .burst = $0 { true } else { false } }
    }.prefix(Self.mostSessions).map(\.name)
    var found: [String: Aftermath] = [:]
    for name in names {
      guard let alone = await repeated(name, at: running.url, options) else { continue }
      for operation in alone.operations where failing.contains(operation.operation) && operation.sent > 0 {
        let change = record.changes.first { contract.operations[$0.operation].id == operation.operation }
        found[operation.operation] = await explained(
          operation, change, after: record, session: name, at: running.url, options,
          // One search is enough: the operations may fail by the same request.
          searches: found.isEmpty)
      }
    }
    return found
  }

  private func repeated(_ name: String, at url: String, _ options: RunOptions) async -> RunRecord? {
    var run = options
    (run.only, run.loops, run.salt, run.trace, run.isWatched) = ([name], 1, nil, nil, false)
    run.skipsThinking = true
    var scenario = scenario
    scenario.teardown = nil
    scenario.settings.abortWhenLost = nil
    scenario.settings.grace = .seconds(1)
    scenario.load = .closed(ClosedLoad(stages: [UserStage(from: 1, to: 1, duration: Self.time)], iterations: 1))
    return try? await Engine.measure(scenario, contract: contract, target: url, options: engineOptions(run)).record
  }

  private func explained(
    _ operation: OperationRecord, _ change: FailureChange?, after record: RunRecord, session: String, at url: String,
    _ options: RunOptions, searches: Bool
  ) async -> Aftermath {
    let fails = operation.outcomes.serverError + operation.outcomes.transport > 0
    let statuses = operation.statuses.map { "\($0.status)" }.joined(separator: ", ")
    var aftermath = Aftermath([
      "After the load, one user repeated the session \(session) alone: \(operation.operation) returned "
        + "\(statuses.isEmpty ? "no response" : statuses)."
    ])
    guard let change, let failed = change.failed else { return aftermath }
    guard !fails else {
      aftermath.sentences.append("The target did not recover: its state is still changed.")
      let suspect = failed.status == nil ? failed : change.suspects.last ?? failed
      aftermath.curl = Self.script(suspect, failed)
      if let curl = aftermath.curl { aftermath.sentences.append("After a restart of the target, try: \(curl.text)") }
      return aftermath
    }
    guard searches else { return aftermath }
    if let suspect = await cause(of: change, at: url, options) {
      aftermath.suspect = suspect
      aftermath.curl = Self.script(suspect, failed)
      aftermath.sentences.append("\(suspect.sentence) alone makes \(operation.operation) fail: reproduced.")
    } else {
      let count = counted(change.suspects.count + 1, "request")
      aftermath.sentences.append("None of \(count) reproduced the failure. It needs the load\(Self.load(record, failed.ended)).")
    }
    return aftermath
  }

  /// `: it began at 40 requests/s and 12 users`
  private static func load(_ record: RunRecord, _ time: Double) -> String {
    guard let point = record.timeline.first(where: { $0.second == Int(saturating: time) }) else { return "" }
    return ": it began at \(point.sent) requests/s and \(counted(point.users, "user"))"
  }

  /// Sends a suspect and then the request that failed, until it fails again: at most 17 requests.
  private func cause(of change: FailureChange, at url: String, _ options: RunOptions) async -> SuspectRequest? {
    let options = transport(options)
    guard let failed = change.failed, let origin = try? Origin(url), let loop = try? EventLoop(number: 0) else {
      return nil
    }
    defer { loop.shutdown() }
    guard let resolved = try? ResolvedHost(origin, options) else { return nil }
    return await loop.submit {
      let transport = Transport(loop: loop, origin: origin, options: options, resolved: resolved)
      defer { transport.close() }
      if await Self.fails(failed, transport) { return failed }
      for suspect in change.suspects.reversed() {
        _ = await Self.fails(suspect, transport)
        if await Self.fails(failed, transport) { return suspect }
      }
      return nil
    }.value
  }

  private static func script(_ suspect: SuspectRequest, _ failed: SuspectRequest) -> ShellScript {
    let commands = [suspect.curl, suspect == failed ? nil : failed.curl].compactMap { $0?.text }
    return ShellScript(commands.joined(separator: "; "))
  }

  /// True if a request gets no response, or one with a status of 5xx.
  nonisolated(nonsending) private static func fails(_ request: SuspectRequest, _ transport: Transport) async -> Bool {
    guard let connection = try? transport.connect(sourceAddress: nil, keepsCookies: false) else { return true }
    defer { connection.close() }
    let transfer = connection.start(
      HTTPRequest(
        method: request.method, target: request.target, headers: request.headers, body: request.body,
        timeout: .seconds(2)))
    defer { transfer.release() }
    await transfer.finished()
    guard case .answered = transfer.ending else { return true }
    return transfer.status >= 500
  }
}
