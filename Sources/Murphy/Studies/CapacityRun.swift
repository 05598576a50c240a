import Foundation
import MurphyEngine
import MurphyHTTP
import MurphyJudge
import MurphyModel
import MurphyScenario
import MurphyServer

/// Loads a target in windows of constant load and searches for the highest one at which all checks pass.
///
///     window     a settling part of some seconds, which is not judged, and the judged part
///     settling   a second, or the duration of a session in the calibration, so that sessions of all ages are active
///     recovery   after a failed window: the small load for a second, repeated until the target is as fast as in the
///                calibration
struct CapacityRun {
  let gate: Gate
  let options: CapacityOptions
  let stop: StopSignal
  let progress: @Sendable (CapacityStep, CapacityResult) -> Void

  private var scenario: Scenario
  private var search: CapacitySearch
  private var judge = WindowJudge()
  private(set) var result: CapacityResult
  private var running: RunningTarget?
  private let began: Instant
  /// Requested by the user, or at the end of the time limit.
  private let time: StopSignal
  private var settling: Duration = .seconds(1)
  /// The load × seconds of the judged part that the checks need. Twice the load provides their samples in half the
  /// time.
  private var volume = 0.0
  /// The calibration that passed.
  private var calm: CapacityStep?

  /// A window grows up to this, or has the length that the user requested.
  private static let longestWindow: Duration = .seconds(60)
  private static let longestSettling: Duration = .seconds(60)
  private static let recoveryPatience: Duration = .seconds(90)

  init(
    _ gate: Gate, _ options: CapacityOptions, stop: StopSignal,
    progress: @escaping @Sendable (CapacityStep, CapacityResult) -> Void
  ) throws(GateError) {
    self.gate = gate
    self.options = options
    self.stop = stop
    self.progress = progress
    began = .now
    time = StopSignal(within: stop, until: began + options.limit.nanoseconds)
    try gate.checkSessions(options.run)
    try gate.checkCertificates(options.run)
    scenario = gate.scenario
    // Each window is judged as a whole, and the target recovers after a load that was too high.
    scenario.settings.abortWhenLost = nil
    // The sensitivity of a window is not relevant here.
    scenario.expectations.strength = StrengthExpectation()
    scenario.settings.grace = max(scenario.settings.grace, Self.longestWindow * 2)
    let isClosed = if case .closed = scenario.load { true } else { false }
    let countsUsers = options.countsUsers ?? isClosed
    let highest = scenario.load.stages.map { max($0.from, $0.to) }.max() ?? 1
    if options.first == nil, countsUsers != isClosed {
      throw .usage(
        "the load of the scenario counts \(isClosed ? "users" : "arrivals"). For a search that counts "
          + "\(countsUsers ? "users" : "arrivals"), set the first load with --from.")
    }
    search = CapacitySearch(
      first: options.first ?? max(highest, 0.1), most: options.most, precision: options.precision, isWhole: countsUsers)
    let target = try gate.effectiveTarget(options.run.target)
    var name = target.serveCommand(options.run.reference) ?? ""
    if case .url(let url) = target { name = (try? Origin(url))?.text ?? url }
    result = CapacityResult(
      scenario: scenario.name, scenarioFile: scenario.file, target: name, started: Date().formatted(.iso8601),
      seed: gate.seed(options.run), machine: Machine.text, murphy: ProductVersion.text,
      unit: countsUsers ? .users : .sessionsPerSecond, precision: options.precision, window: options.window)
    result.most = options.most
    result.required = options.required
  }

  mutating func run() async throws -> CapacityResult {
    let target = try gate.effectiveTarget(options.run.target)
    let running = try await RunningTarget.start(target, reference: options.run.reference)
    self.running = running
    do {
      try target.checkReachability(gate.transport(options.run))
      scenario = try await gate.authorised(scenario, at: running.url, options.run)
      try await measure()
    } catch {
      await running.stop()
      throw error
    }
    await running.stop()
    result.duration = elapsed
    result.conclude(search, limit: options.limit.text)
    return try gate.masked(result, by: gate.mask(environment: options.run.environment))
  }

  private var elapsed: Duration { .nanoseconds(.now - began) }

  private mutating func measure() async throws {
    while let demand = search.next() {
      let length = window(demand.load) * (demand.purpose == .confirm ? 2 : 1)
      if elapsed + settling + length > options.limit { return search.end(.outOfTime) }
      let step = try await step(demand.purpose, demand.load, judged: length)
      enter(step)
      if step.outcome == .interrupted, isOutOfTime { return search.end(.outOfTime) }
      if step.outcome == .untested, lengthen(step) { continue }
      search.record(step.outcome)
      if step.outcome == .held {
        judge.usual.limited += step.limited
        judge.usual.answered += step.requests
      }
      if calm == nil, step.outcome == .held { try await settle(after: step) }
      if step.outcome == .broke, search.ending == nil, try await !recover() {
        return search.end(stop.isRequested ? .interrupted : isOutOfTime ? .outOfTime : .notRecovered)
      }
    }
  }

  private var isOutOfTime: Bool { time.isRequested && !stop.isRequested }

  private mutating func enter(_ step: CapacityStep) {
    result.steps.append(step)
    progress(step, result)
  }

  /// The judged part under a load.
  private func window(_ load: Double) -> Duration {
    max(min(.saturating(seconds: (volume / load).rounded(.up)), Self.longestWindow), options.window)
  }

  /// Longer windows for checks with too few samples; false if this window already had the maximum length.
  private mutating func lengthen(_ step: CapacityStep) -> Bool {
    let judged = step.duration - step.settling
    guard judged < max(Self.longestWindow, options.window) else { return false }
    // A fifth more than calculated, because the random values differ.
    let factors = step.causes.map { Double($0.whole ?? 1) / Double(max($0.count ?? 1, 1)) * 1.2 }
    volume = max(judged.inSeconds * step.load * max(factors.max() ?? 2, 1.2), volume)
    return true
  }

  /// Sessions that lasted longer than the settling send all of their requests only later.
  private mutating func settle(after step: CapacityStep) async throws {
    calm = step
    guard drain > settling else { return }
    settling = min(.saturating(seconds: drain.inSeconds.rounded(.up)), Self.longestSettling)
  }

  /// From the end of a window's load to its last response.
  private var drain = Duration.zero

  /// The minimum number of requests of a window that shows if the target has recovered. The median of fewer would be
  /// that of the first, which includes murphy's own start-up.
  private static let fewestRecovering = 5.0

  /// Waits until the response times at the small load are as before, or for 90 s.
  private mutating func recover() async throws -> Bool {
    // Before any window passed, a reference is missing.
    guard let calm else { return true }
    let end = min(elapsed + Self.recoveryPatience, options.limit)
    repeat {
      if time.isRequested { return false }
      let judged = Duration.saturating(seconds: max(1, Self.fewestRecovering / calm.load))
      let step = try await step(.recover, calm.load, judged: judged)
      enter(step)
      let share = Double(step.limited) / Double(max(step.requests, 1))
      let usual = Double(judge.usual.limited) / Double(max(judge.usual.answered, 1))
      // Twice the median, plus the delay of a busy machine.
      let isQuick = step.p50.map { $0 <= (calm.p50 ?? .zero) * 2 + .milliseconds(5) } ?? false
      if isQuick, step.errors == 0, share <= usual + 0.05 { return true }
    } while elapsed < end
    return false
  }

  private mutating func step(
    _ purpose: CapacityStep.Purpose, _ load: Double, judged: Duration
  ) async throws -> CapacityStep {
    var random = RandomSource(seed: result.seed, stream: UInt64(result.steps.count + 1))
    // Below 2^53 like all seeds.
    let seed = random.next() >> 11
    let settling = purpose == .recover ? .zero : settling
    let step = CapacityStep(
      purpose: purpose, load: load, start: .milliseconds(elapsed.nanoseconds / 1_000_000), duration: settling + judged,
      settling: settling, seed: seed)
    scenario.load = profile(load, for: step.duration)
    if let excess = scenario.load.excess { throw GateError.usage("\(scenario.file): \(excess).") }
    var run = options.run
    run.seed = seed
    var engine = gate.engineOptions(run)
    engine.settling = settling
    let record = try await gate.measure(scenario, at: running?.url ?? "", engine, stop: time)
    drain = max(record.info.duration - step.duration, .zero)
    var judging = gate
    judging.scenario = scenario
    return judge.judge(record, judging.judge(record, options: run), step)
  }

  private func profile(_ load: Double, for duration: Duration) -> LoadProfile {
    guard result.unit == .users else {
      var pattern = ArrivalPattern.even
      if case .open(_, let arrivals) = gate.scenario.load { pattern = arrivals }
      return .open([.hold(Rate(perSecond: load), for: duration)], arrivals: pattern)
    }
    let users = Int(saturating: load)
    let stages = [UserStage(from: users, to: users, duration: duration)]
    guard case .closed(var closed) = gate.scenario.load else { return .closed(ClosedLoad(stages: stages)) }
    (closed.stages, closed.iterations) = (stages, nil)
    return .closed(closed)
  }
}

extension Gate {
  /// Searches for the highest load at which all checks of the scenario pass.
  ///
  /// - Parameters:
  ///   - stop: ends the search within a second; the result then has the data so far and is INVALID.
  ///   - progress: called after each window.
  /// - Throws: a `GateError` if it could not begin.
  package func capacity(
    _ options: CapacityOptions, stop: StopSignal = StopSignal(),
    progress: @escaping @Sendable (CapacityStep, CapacityResult) -> Void = { _, _ in }
  ) async throws -> CapacityResult {
    var run = try CapacityRun(self, options, stop: stop, progress: progress)
    return try await run.run()
  }
}

/// The options of a search for the capacity.
package struct CapacityOptions: Sendable {
  /// Target, seed, sessions, threads and credentials. Its load, users and duration are not used.
  package var run = RunOptions()
  /// The first load after the calibration: sessions per second, or users; nil for the scenario's highest.
  package var first: Double?
  /// The maximum load to test; nil for no maximum.
  package var most: Double?
  /// Searches for users of a closed model instead of arrivals; nil for the scenario's own model.
  package var countsUsers: Bool?
  /// The relative distance of the final bounds: 0.05 for 5 %.
  package var precision = 0.05
  /// The judged part of a window.
  package var window: Duration = .seconds(10)
  /// The time limit. No window begins that could not end within it.
  package var limit: Duration = .seconds(1800)
  /// The load that must pass for a PASS; nil for any.
  package var required: Double?

  package init() {}
}
