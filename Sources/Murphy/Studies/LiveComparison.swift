import Foundation
import MurphyEngine
import MurphyHTTP
import MurphyJudge
import MurphyModel
import MurphyScenario

/// Loads two targets alternately and judges the difference.
///
///     group    both targets are restarted in random order, and warmed up by a slice each
///     block    a slice of each: base, candidate or candidate, base by coin; the next block in reverse order
///     slice    the scenario's sessions for some seconds, with the same seed in both slices of a block
///
/// All effects of the machine meanwhile apply to both arms equally, and the test relies only on the coins.
struct LiveComparison {
  let gate: Gate
  let options: CompareOptions
  let stop: StopSignal
  let progress: @Sendable (CompareProgress) -> Void

  private var arms: [CompareArm: ComparedArm]
  private var scenario: Scenario
  private var design: CompareDesign
  private let began: Instant
  /// Requested by the user, or at the end of the time limit.
  private let time: StopSignal

  /// The share of a slice without counted latency.
  private static let settling = 0.1
  /// The maximum share of slices with load generator problems.
  private static let troubled = 0.25

  init(
    _ gate: Gate, _ options: CompareOptions, stop: StopSignal, progress: @escaping @Sendable (CompareProgress) -> Void
  ) throws(GateError) {
    self.gate = gate
    self.options = options
    self.stop = stop
    self.progress = progress
    began = .now
    time = StopSignal(within: stop, until: began + options.limit.nanoseconds)
    try gate.checkSessions(options.run)
    try gate.checkCertificates(options.run)
    arms = try options.arms()
    var run = options.run
    run.duration = options.slice
    scenario = gate.scenario
    scenario.load = try gate.load(run)
    // An outage ends one slice, not the comparison; a slice is short anyway.
    (scenario.settings.abortAfter, scenario.settings.abortWhenLost) = (nil, nil)
    design = CompareDesign(
      coins: options.coins ?? UInt64.random(in: 1..<(1 << 53)), seed: gate.seed(options.run),
      restarts: arms.values.allSatisfy(\.isRestartable), slice: options.slice,
      settling: options.slice * Self.settling)
  }

  private var promise: ComparePromise { ComparePromise(metrics: options.metrics, restarts: design.restarts) }
  private var elapsed: Duration { .nanoseconds(.now - began) }

  mutating func run() async throws -> CompareResult {
    let transport = gate.transport(options.run)
    try options.checkReachability(transport)
    do {
      let ending = try await measure()
      // The spans of the last requests arrive after some seconds.
      await options.run.spans?.settle(requests: arms.values.reduce(0) { $0 + $1.side.requests }, stop: stop)
      await stopTargets()
      return result(ending)
    } catch {
      await stopTargets()
      throw error
    }
  }

  /// The reason why the measurement ended.
  private enum Ending {
    case decided(Look)
    case outOfTime(Look?)
    case cutShort
    /// The duration of a group.
    case tooSlow(Duration)
    /// A target that was available before could not be started or reached any more; with the reason.
    case lost(String)
  }

  private mutating func measure() async throws -> Ending {
    var longest = Duration.zero
    for number in 0..<Look.most {
      let start = elapsed
      if number > 0, start + longest > options.limit { return .outOfTime(Look.last(at: number)) }
      do {
        try await measureGroup(number)
      } catch {
        // Before any measurement, the usage is wrong or the target is not reachable.
        guard number > 0 else { throw error }
        return .lost("\(error)")
      }
      if stop.isRequested { return .cutShort }
      if time.isRequested {
        dropGroup()
        return .outOfTime(Look.last(at: number))
      }
      longest = max(longest, elapsed - start)
      if number == 0, longest * Look.fewest > options.limit { return .tooSlow(longest) }
      guard let look = Look.due(at: number + 1) else { continue }
      let decision = LiveJudge(promise, operations: operations).decide(groups, at: look)
      design.looks.append(LookRecord(look, decision))
      if decision.verdict != .noData || number + 1 == Look.most { return .decided(look) }
    }
    return .outOfTime(Look.last(at: Look.most))
  }

  private mutating func measureGroup(_ number: Int) async throws {
    let coins = GroupCoins(seed: design.coins, group: number, blocks: options.blocks)
    design.groups.append(coins)
    let isFresh = design.restarts || number == 0
    let slices = (isFresh ? 2 : 0) + 2 * options.blocks
    var done = 0
    func report(_ elapsed: Duration) {
      let next = Look.usual.first { $0.groups > number }?.groups ?? Look.most
      progress(CompareProgress(group: number + 1, slice: done, slices: slices, lookAt: next, elapsed: elapsed))
    }
    if isFresh {
      await stopTargets()
      let (gate, scenario, run) = (gate, scenario, options.run)
      for arm in [coins.startedFirst, coins.startedFirst.other] {
        try await arms[arm]?.start { url throws(GateError) in try await gate.authorised(scenario, at: url, run) }
      }
    }
    for arm in CompareArm.allCases { arms[arm]?.beginGroup() }
    if isFresh {
      for arm in [coins.startedFirst, coins.startedFirst.other] {
        _ = try await slice(arm, number, seed: seed(number, block: -1), isWarmUp: true)
        done += 1
        report(elapsed)
      }
    }
    for (block, first) in coins.blocks.enumerated() {
      for arm in [first, first.other] {
        guard !time.isRequested else { return }
        let record = try await slice(arm, number, seed: seed(number, block: block))
        guard stop.isRequested || !time.isRequested else { return }
        arms[arm]?.add(record, over: options.slice)
        done += 1
        report(elapsed)
      }
    }
  }

  private func seed(_ group: Int, block: Int) -> UInt64 {
    var random = RandomSource(seed: design.seed, stream: UInt64(group * 1000 + block + 1))
    // Below 2^53 like all seeds.
    return random.next() >> 11
  }

  private func slice(
    _ arm: CompareArm, _ group: Int, seed: UInt64, isWarmUp: Bool = false
  ) async throws -> RunRecord {
    var run = options.run
    run.seed = seed
    var engine = gate.engineOptions(run)
    engine.settling = design.settling
    engine.tracedPart = TracedPart(group: group, isCandidate: arm == .candidate, isWarmUp: isWarmUp)
    return try await gate.measure(
      arms[arm]?.scenario ?? scenario, at: arms[arm]?.running?.url ?? "", engine, stop: time)
  }

  private mutating func dropGroup() {
    design.groups.removeLast()
    for arm in CompareArm.allCases { arms[arm]?.dropGroup() }
  }

  private mutating func stopTargets() async {
    for arm in CompareArm.allCases { await arms[arm]?.stop() }
  }

  /// The groups that both arms finished.
  private var groups: [GroupSample] {
    zip(arms[.base]?.samples ?? [], arms[.candidate]?.samples ?? []).map { GroupSample(base: $0, candidate: $1) }
  }

  private var operations: [String] {
    let base = arms[.base]?.operations ?? []
    return base + (arms[.candidate]?.operations ?? []).filter { !base.contains($0) }
  }

  private func result(_ ending: Ending) -> CompareResult {
    let (base, candidate) = (arms[.base], arms[.candidate])
    var result = CompareResult(
      mode: .live, scenario: scenario.name, base: base?.side ?? CompareSide(sources: []),
      candidate: candidate?.side ?? CompareSide(sources: []))
    var design = design
    design.duration = elapsed
    let judge = LiveJudge(promise, operations: operations)
    let look: Look? =
      switch ending {
      case .decided(let look): look
      case .outOfTime(let look): look
      case .cutShort, .tooSlow, .lost: nil
      }
    if case .outOfTime(let look?) = ending {
      design.looks.append(LookRecord(look, judge.decide(groups, at: look)))
    }
    result.design = design
    result.operations = judge.operationRows(groups, at: look)
    result.findings = FindingChanges(
      base: base?.findings ?? [], candidate: candidate?.findings ?? [], isPaired: true)
    result.coverageLost = CoverageItem.lost(base: base?.coverage ?? [], candidate: candidate?.coverage ?? [])
    result.conclude()
    if let spans = options.run.spans { result.add(spans: spans.collector.groups(groups.count)) }
    explain(ending, &result)
    return result
  }

  /// Adds the reasons against the verdict from the numbers alone.
  private func explain(_ ending: Ending, _ result: inout CompareResult) {
    guard let base = arms[.base], let candidate = arms[.candidate] else { return }
    switch ending {
    case .decided, .outOfTime(.some): break
    case .cutShort:
      result.overrule(.invalid, "the comparison was interrupted after \(groups.count) groups")
      return
    case .lost(let reason):
      result.overrule(.invalid, "the comparison ended in group \(design.groups.count): \(reason)")
      return
    case .outOfTime(nil):
      result.overrule(
        .noData,
        "only \(groups.count) groups fit into \(options.limit.text), but a verdict needs \(Look.fewest) groups")
    case .tooSlow(let time):
      let needed = Int(saturating: (time * Look.fewest).inSeconds.rounded(.up))
      result.overrule(
        .noData,
        "a group takes \(Figure.time(.saturating(seconds: time.inSeconds.rounded(.up))).text), and a verdict needs at "
          + "least \(Look.fewest) groups: use --max-seconds \(needed) or more, fewer --blocks or a shorter --slice")
    }
    if 2 * base.errors >= max(base.due, 1) {
      result.overrule(.noData, "\(base.errors) of \(base.due) requests to the base failed")
    }
    let doubts = base.doubts + candidate.doubts
    if Double(doubts.count) > Self.troubled * Double(base.slices + candidate.slices), let first = doubts.first {
      result.overrule(
        .invalid,
        "murphy was the bottleneck in \(doubts.count) of \(base.slices + candidate.slices) time slices: \(first)")
    }
    if !design.restarts {
      result.reasons.append(
        "the targets were not restarted for each group, so two processes of the same release may also differ. "
          + "Therefore only a slowdown above the margin fails")
    }
  }
}

extension Gate {
  /// Loads two targets alternately, in random order, and determines if the candidate is slower.
  ///
  /// - Parameters:
  ///   - stop: ends the comparison after the current slice; the result is then INVALID.
  ///   - progress: called after each slice.
  /// - Throws: a `GateError` if it could not begin.
  package func compare(
    _ options: CompareOptions, stop: StopSignal = StopSignal(),
    progress: @escaping @Sendable (CompareProgress) -> Void = { _ in }
  ) async throws -> CompareResult {
    var comparison = try LiveComparison(self, options, stop: stop, progress: progress)
    return try masked(try await comparison.run(), by: mask(environment: options.run.environment))
  }
}
