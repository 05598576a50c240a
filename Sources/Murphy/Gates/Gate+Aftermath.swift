import MurphyEngine
import MurphyHTTP
import MurphyJudge
import MurphyModel
import MurphyScenario
import MurphyServer

/// After a load in which operations failed from some time on, one user repeats their sessions alone. This
/// distinguishes a changed state of the target from failures that occur only under load.
extension Gate {
  /// The maximum number of sessions that are repeated, and of calls in each of them.
  private static let (mostSessions, mostCalls) = (3, 12)
  private static let time: Duration = .seconds(5)

  /// - Returns: a sentence for each operation that one user called; empty for a target on another machine.
  func aftermath(
    of record: RunRecord, _ running: RunningTarget, _ options: RunOptions
  ) async -> [String: String] {
    let failing = record.failedToTheEnd
    let isWhole = options.shard.map { $0.of == 1 } ?? true
    guard !failing.isEmpty, options.walksCollections, options.exploration == nil, isWhole, scenario.setup == nil,
      scenario.expectations.relations.all.walks != false, Loopback.holds(running.url)
    else { return [:] }
    let names = scenario.sessions.filter { session in
      session.calls.count <= Self.mostCalls && !session.operations.allSatisfy { !failing.contains($0) }
        && !session.allSteps.contains { if case .burst = $0 { true } else { false } }
    }.prefix(Self.mostSessions).map(\.name)
    var sentences: [String: String] = [:]
    for name in names {
      guard let alone = await repeated(name, at: running.url, options) else { continue }
      for operation in alone.operations where failing.contains(operation.operation) && operation.outcomes.answered > 0 {
        sentences[operation.operation] = Self.sentence(operation, session: name)
      }
    }
    return sentences
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

  private static func sentence(_ operation: OperationRecord, session: String) -> String {
    let statuses = operation.statuses.map { "\($0.status)" }.joined(separator: ", ")
    let begin = "After the load, one user repeated the session \(session) alone: \(operation.operation) returned "
    return operation.outcomes.serverError > 0
      ? begin + "\(statuses). So one user alone reproduces the failure, and the target did not recover."
      : begin + "\(statuses). So one user alone does not reproduce the failure."
  }
}
