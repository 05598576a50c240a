import MurphyEngine
import MurphyHTTP
import MurphyJudge
import MurphyModel
import MurphyScenario
import Synchronization

/// Runs the same sessions on base and candidate, one after the other, and compares the responses.
///
///     base   candidate   base   candidate   base
///
/// Runs of the base surround each run of the candidate: a value that follows the time changes between them too.
struct BehaviourComparison {
  let gate: Gate
  let options: CompareOptions
  let stop: StopSignal
  let progress: @Sendable (_ arm: CompareArm, _ run: Int, _ runs: Int) -> Void

  private var arms: [CompareArm: ComparedArm]
  private var scenario: Scenario
  private let began: Instant
  private let time: StopSignal
  private let seed: UInt64
  private var runs: [CompareArm: [RecordedRun]] = [.base: [], .candidate: []]

  private static let order: [CompareArm] = [.base, .candidate, .base, .candidate, .base]
  /// With these runs there is a verdict.
  private static let fewest = 3
  /// Longer bodies are not compared.
  private static let longestBody = ByteCount(1 << 20)

  init(
    _ gate: Gate, _ options: CompareOptions, stop: StopSignal,
    progress: @escaping @Sendable (_ arm: CompareArm, _ run: Int, _ runs: Int) -> Void
  ) throws(GateError) {
    (self.gate, self.options, self.stop, self.progress) = (gate, options, stop, progress)
    began = .now
    time = StopSignal(within: stop, until: began + options.limit.nanoseconds)
    try gate.checkSessions(options.run)
    try gate.checkCertificates(options.run)
    arms = try options.arms()
    seed = gate.seed(options.run)
    var run = options.run
    (run.users, run.iterations, run.duration, run.load) = (1, options.sessions, options.limit, 1)
    scenario = gate.scenario
    scenario.load = try gate.load(run)
    (scenario.settings.abortAfter, scenario.settings.abortWhenLost) = (nil, nil)
    // A rare session has as many responses to compare as a frequent one.
    for index in scenario.sessions.indices { scenario.sessions[index].share = 1 }
  }

  private var elapsed: Duration { .nanoseconds(.now - began) }

  mutating func run() async throws -> BehaviourResult {
    try options.checkReachability(gate.transport(options.run))
    let isReset = arms.values.allSatisfy(\.isRestartable)
    var longest = Duration.zero
    var reasons: [String] = []
    for (number, arm) in Self.order.enumerated() {
      let start = elapsed
      if number >= Self.fewest, start + longest > options.limit { break }
      progress(arm, number + 1, Self.order.count)
      let recorded: RecordedRun
      do {
        recorded = try await record(arm, number, isReset: isReset)
      } catch {
        for arm in CompareArm.allCases { await arms[arm]?.stop() }
        throw error
      }
      guard !time.isRequested else {
        if number < Self.fewest || stop.isRequested {
          reasons = [
            stop.isRequested
              ? "the comparison was interrupted"
              : "only \(number) of \(Self.fewest) runs ended within \(options.limit.text): use fewer --sessions, or a "
                + "longer --max-seconds"
          ]
        }
        break
      }
      runs[arm]?.append(recorded)
      longest = max(longest, elapsed - start)
    }
    for arm in CompareArm.allCases { await arms[arm]?.stop() }
    return result(isReset: isReset, reasons)
  }

  private mutating func record(_ arm: CompareArm, _ number: Int, isReset: Bool) async throws -> RecordedRun {
    if isReset || arms[arm]?.running == nil {
      await arms[arm]?.stop()
      let (gate, scenario, run) = (gate, scenario, options.run)
      try await arms[arm]?.start { url throws(GateError) in try await gate.authorised(scenario, at: url, run) }
    }
    var run = options.run
    run.seed = seed
    let recorder = ExchangeRecorder()
    run.trace = SessionTrace { recorder.record($0) }
    run.skipsThinking = true
    var engine = gate.engineOptions(run)
    (engine.loops, engine.waitsAtLimits, engine.evidenceLimit) = (1, true, Self.longestBody)
    let record = try await gate.measure(
      arms[arm]?.scenario ?? scenario, at: arms[arm]?.running?.url ?? "", engine, stop: time)
    arms[arm]?.side.requests += record.ledger.sent
    arms[arm]?.side.sessions += record.sessions.reduce(0) { $0 + $1.started }
    if arms[arm]?.side.sources.isEmpty == true { arms[arm]?.side.sources = [record.info.target] }
    return recorder.run
  }

  private func result(isReset: Bool, _ reasons: [String]) -> BehaviourResult {
    var result = BehaviourResult(
      scenario: scenario.name, base: arms[.base]?.side ?? CompareSide(sources: []),
      candidate: arms[.candidate]?.side ?? CompareSide(sources: []), seed: seed, sessions: options.sessions,
      restarts: isReset)
    let (base, candidate) = (runs[.base] ?? [], runs[.candidate] ?? [])
    (result.baseRuns, result.candidateRuns) = (base.count, candidate.count)
    if reasons.isEmpty {
      var judge = BehaviourJudge(base: base, candidate: candidate, ignored: options.ignored)
      judge.judge(&result)
    } else {
      result.reasons = reasons
      if stop.isRequested { result.verdict = .invalid }
    }
    result.duration = elapsed
    return result
  }
}

/// Keeps the exchanges of a run, whose sessions run one after the other.
private final class ExchangeRecorder: Sendable {
  private let sessions = Mutex<[SessionExchanges]>([])

  var run: RecordedRun { RecordedRun(sessions.withLock { $0 }) }

  func record(_ event: SessionTrace.Event) {
    switch event {
    case .began(let name, _): sessions.withLock { $0.append(SessionExchanges(name)) }
    case .exchanged(let traced):
      let call = RecordedCall(
        operation: traced.operation, step: traced.step, exchange: traced.exchange,
        received: .nanoseconds(WallClock.nanoseconds()),
        ending: traced.isAbandoned ? .abandoned : traced.failure == nil ? .answered : .failed)
      sessions.withLock { sessions in
        if sessions.isEmpty { sessions.append(SessionExchanges("")) }
        sessions[sessions.count - 1].calls.append(call)
      }
    case .saved, .missed, .performed, .ended: break
    }
  }
}

extension Gate {
  /// Compares the responses of two targets to the same sessions.
  ///
  /// - Parameters:
  ///   - stop: ends the comparison; the result is then INVALID.
  ///   - progress: called before each run.
  /// - Throws: a `GateError` if it could not begin.
  package func compareResponses(
    _ options: CompareOptions, stop: StopSignal = StopSignal(),
    progress: @escaping @Sendable (_ arm: CompareArm, _ run: Int, _ runs: Int) -> Void = { _, _, _ in }
  ) async throws -> BehaviourResult {
    var comparison = try BehaviourComparison(self, options, stop: stop, progress: progress)
    return try masked(try await comparison.run(), by: mask(environment: options.run.environment))
  }
}
