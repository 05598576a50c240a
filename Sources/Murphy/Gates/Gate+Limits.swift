import MurphyJudge
import MurphyModel
import MurphyProbe
import MurphyReport
import MurphyTarget

extension Gate {
  /// Probes the limiters behind a scenario's promises with as few requests as they take, one after the other.
  ///
  /// - Parameters:
  ///   - options: what is asked for beyond the scenario's own words.
  ///   - stop: ends the probe within a tenth of a second when requested; what is known by then is the result.
  ///   - announce: called with a limit's name and the phases of its probe, before they begin.
  ///   - progress: called several times a second, from the probe's own thread, with the limit's name.
  /// - Throws: a `GateError` when the probe could not begin: a target that may not be tested, an operation that nobody
  ///   knows how to call, nobody at the target.
  public func probeLimits(
    _ options: LimitsOptions = LimitsOptions(), stop: StopSignal = StopSignal(),
    announce: @escaping @Sendable (String, [ProbePhase]) -> Void = { _, _ in },
    progress: @escaping @Sendable (String, ProbeProgress) -> Void = { _, _ in }
  ) async throws(GateError) -> LimitsResult {
    let target = try effectiveTarget(options.target)
    let probe = try LimitProbe(scenario, contract, at: target, options)
    let result = try await probe.run(stop: stop, announce: announce, progress: progress)
    do {
      return try mask(environment: options.environment).masked(result)
    } catch {
      throw .usage("the result could not be freed of secrets: \(error)")
    }
  }

  /// Which limits throttle whom, for the sessions of this scenario; nothing is sent.
  ///
  /// - Throws: `GateError.usage` for names that nobody knows, and when no session calls what is to be tuned.
  public func tune(_ options: TuneOptions = TuneOptions()) throws(GateError) -> TuneResult {
    let timeScale = (try? effectiveTarget(nil).timeScale(ReferenceOptions())) ?? 1
    return try LimitTuning(scenario, contract, timeScale: timeScale).tune(options)
  }
}
