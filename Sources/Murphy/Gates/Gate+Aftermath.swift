import MurphyEngine
import MurphyHTTP
import MurphyJudge
import MurphyModel
import MurphyScenario
import MurphyServer

/// After a load in which operations failed from some time on, one user repeats their sessions alone. This shows whether
/// the target has recovered. If it has, the requests before the first failure are repeated, until the operation fails
/// again. A later success does not show the reason of the failure: time may have passed, or the load.
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
    var succeeding: Set<String> = []
    for name in names {
      guard let alone = await repeated(name, at: running.url, options) else { continue }
      for operation in alone.operations where failing.contains(operation.operation) && operation.sent > 0 {
        let statuses = operation.statuses.map { "\($0.status)" }.joined(separator: ", ")
        found[operation.operation] = Aftermath([
          "After the load, murphy repeated the session \(name) with a single user: \(operation.operation) returned "
            + "\(statuses.isEmpty ? "no response" : statuses)."
        ])
        if operation.outcomes.serverError + operation.outcomes.transport == 0 { succeeding.insert(operation.operation) }
      }
    }
    await search(&found, succeeding, record, running.url, options)
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
}

extension Gate {
  private enum Search {
    case reproduced(SuspectRequest)
    /// The operation fails although no suspect was repeated.
    case fails
    case succeeds
  }

  /// Adds what the suspects show. Only the operation that failed first is searched, because others may fail by the same
  /// request.
  private func search(
    _ found: inout [String: Aftermath], _ succeeding: Set<String>, _ record: RunRecord, _ url: String,
    _ options: RunOptions
  ) async {
    let changes = record.changes.sorted { $0.failed?.ended ?? 0 < $1.failed?.ended ?? 0 }
    var isSearched = false
    for change in changes where record.operations.indices.contains(change.operation) {
      let name = record.operations[change.operation].operation
      guard let failed = change.failed, var aftermath = found[name] else { continue }
      var search: Search? = .fails
      if succeeding.contains(name) {
        search = isSearched ? nil : await self.search(change, failed, at: url, options)
        isSearched = true
      }
      switch search {
      case .reproduced(let suspect):
        aftermath.sentences.append("Reproduced: \(name) fails after this single request: \(suspect.sentence).")
        aftermath.cause = "after \(suspect.sentence), reproduced with this request alone"
        aftermath.curl = Self.script(suspect, failed)
      case .fails:
        aftermath.sentences.append("The target did not recover after the load.")
        // Without a write before the failure, nothing shows that a request changed the target.
        guard let suspect = change.suspects.last else { break }
        let curl = Self.script(suspect, failed)
        aftermath.sentences.append(
          "To test whether a suspected request is the cause, restart the target and run: \(curl)")
      case .succeeds:
        let count = change.suspects.count
        let writes = count == 0 ? "" : ", even after murphy repeated the \(counted(count, "write")) before it"
        aftermath.sentences.append("The first failed request now succeeds\(writes): the target has recovered.")
        aftermath.cause = "and the target recovered after the load"
      case nil: continue
      }
      found[name] = aftermath
    }
  }

  private static func script(_ suspect: SuspectRequest, _ failed: SuspectRequest) -> ShellScript {
    let commands = [suspect.curl, suspect == failed ? nil : failed.curl].compactMap { $0?.text }
    return ShellScript(commands.joined(separator: "; "))
  }

  /// Sends each suspect and then the request that failed, until it fails in two attempts: at most 20 requests.
  private func search(
    _ change: FailureChange, _ failed: SuspectRequest, at url: String, _ options: RunOptions
  ) async -> Search? {
    let options = transport(options)
    guard let origin = try? Origin(url), let resolved = try? ResolvedHost(origin, options),
      let loop = try? EventLoop(number: 0)
    else { return nil }
    defer { loop.shutdown() }
    return await loop.submit {
      let transport = Transport(loop: loop, origin: origin, options: options, resolved: resolved)
      defer { transport.close() }
      let first = await Self.send(failed, transport)
      // A request without a response may have ended a worker itself.
      if first == .failed { return failed.status == nil ? .reproduced(failed) : .fails }
      if await Self.send(failed, transport) == .failed { return .reproduced(failed) }
      var isComplete = first == .succeeded
      for suspect in change.suspects.reversed() {
        isComplete = await Self.send(suspect, transport) == .succeeded && isComplete
        guard await Self.send(failed, transport) == .failed else { continue }
        _ = await Self.send(suspect, transport)
        if await Self.send(failed, transport) == .failed { return .reproduced(suspect) }
        isComplete = false
      }
      // A rejected request, for example without the cookies of its session, proves nothing.
      return isComplete ? .succeeds : nil
    }.value
  }

  private enum Reply { case succeeded, rejected, failed }

  nonisolated(nonsending) private static func send(_ request: SuspectRequest, _ transport: Transport) async -> Reply {
    guard let connection = try? transport.connect(keepsCookies: false) else { return .failed }
    defer { connection.close() }
    let http = HTTPRequest(
      method: request.method, target: request.target, headers: request.headers, body: request.body,
      timeout: .seconds(2))
    let transfer = connection.start(http)
    defer { transfer.release() }
    await transfer.finished()
    switch transfer.ending {
    case .answered: return transfer.status >= 500 ? .failed : transfer.status >= 400 ? .rejected : .succeeded
    // A slow request has not failed, unless it got no response under load.
    case .failed(.timeout): return request.status == nil ? .failed : .rejected
    default: return .failed
    }
  }
}
