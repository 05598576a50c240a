import MurphyEngine
import MurphyModel
import MurphyProbe
import Synchronization

extension Gate {
  /// The limits for the time of one session before a probe, and of all as a part of `--max-seconds`.
  private static let (longestPreparation, preparationShare) = (Duration.seconds(20), 4)

  /// Runs sessions once with one user, as `murphy try` does: requests of a probe may need the identifiers that a list
  /// returns, or the token of a login.
  func savedValues(
    of sessions: [String], at url: String, _ limits: LimitsOptions, _ stop: StopSignal
  ) async -> SavedValues {
    let saved = Mutex(SavedValues())
    var options = runOptions(limits, at: url)
    (options.users, options.iterations) = (1, 1)
    options.duration = min(
      Self.longestPreparation, limits.time / (Self.preparationShare * max(sessions.count, 1)))
    options.skipsThinking = true
    var gate = self
    gate.scenario.settings.grace = .milliseconds(50)
    for session in sessions where !stop.isRequested {
      options.only = [session]
      options.trace = SessionTrace(keep: { kept in saved.withLock { $0.add(kept) } }) { _ in }
      // A session that ends early may have saved the values, too.
      _ = try? await gate.run(options, stop: stop)
    }
    return saved.withLock { $0 }
  }

  /// Runs the load of a scenario for the probe of a limit.
  func load(
    _ scenario: Scenario, at url: String, _ limits: LimitsOptions, _ stop: StopSignal
  ) async throws(GateError) -> RunRecord {
    let options = runOptions(limits, at: url)
    return try await measure(
      try await authorised(scenario, at: url, options), at: url, engineOptions(options), stop: stop)
  }

  private func runOptions(_ limits: LimitsOptions, at url: String) -> RunOptions {
    var options = RunOptions()
    options.target = .url(url)
    options.loops = 1
    options.walksCollections = false
    (options.authorities, options.certificate) = (limits.authorities, limits.certificate)
    options.environment = limits.environment
    return options
  }
}
