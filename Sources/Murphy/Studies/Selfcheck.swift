import Foundation
import MurphyEngine
import MurphyHTTP
import MurphyModel
import MurphyProbe

/// Measures murphy's own errors on this machine, with a server in this process that records the true values.
///
///     clock     readings of the clock, and sleeps of an idle loop
///     delays    five distributions at once, arrivals at a constant rate, connections kept
///     freeze    the server freezes for a second while requests are due
///     judging   a limit that is enforced, one that is exceeded by one, and a schema that is violated
///     rate      the maximum request rate of 32 users
///     trials    random samples, recorded by shards and merged at random
///
/// All except the first and the last are runs of the engine over real sockets, judged like every run.
package struct Selfcheck: Sendable {
  /// Threads that generate load; nil for one per core.
  package var loops: Int?
  /// The seed of delays and sessions; the result contains it.
  package var seed: UInt64
  /// The duration of the delay measurement; the freeze and the rate take half and a quarter of it.
  package var length: Duration = .seconds(12)
  /// Arrivals per second while the delays are measured.
  package var arrivals = 1_000

  /// Random cases of recording and merging.
  package var trials = 1_000

  package init(seed: UInt64) { self.seed = seed }

  /// The current part of the check, for a line of progress.
  package enum Part: String, Sendable, CaseIterable {
    case clock = "reading the clock"
    case delays = "measuring known delays"
    case freeze = "measuring a server freeze"
    case judging = "judging known limits and schemas"
    case rate = "measuring the maximum request rate"
    case trials = "recording and merging random samples"
  }

  static let delays: [(name: String, distribution: DelayDistribution)] = [
    ("no-delay", .constant(.zero)),
    ("constant", .constant(.milliseconds(5))),
    ("bimodal", .bimodal(fast: .milliseconds(2), slow: .milliseconds(40), share: 0.15)),
    ("log-normal", .logNormal(median: .milliseconds(5), deviation: 0.7)),
    ("heavy-tail", .heavyTail(shortest: .milliseconds(1), shape: 1.5, longest: .milliseconds(500))),
  ]

  /// - Parameters:
  ///   - stop: ends the current part, and the check.
  ///   - progress: called when a part begins.
  /// - Throws: a `GateError` if the system provides no thread or socket, or the check was stopped.
  package func run(
    stop: StopSignal = StopSignal(), progress: (Part) -> Void = { _ in }
  ) async throws -> SelfcheckResult {
    let begin = Instant.now
    progress(.clock)
    let clock = try await clockFigures()
    progress(.delays)
    let delays = try await measureDelays(stop)
    progress(.freeze)
    let freeze = try await measureFreeze(stop)
    progress(.judging)
    let judgement = try await measureJudgement(stop)
    progress(.rate)
    let rate = try await measureRate(stop)
    var result = SelfcheckResult(
      murphy: ProductVersion.text, machine: Machine.text, loops: delays.loops, seed: seed, clock: clock,
      sending: delays.sending, rate: rate, distributions: delays.rows, freeze: freeze)
    progress(.trials)
    (result.trials, result.trialMistakes) = (trials, [])
    for trial in 0..<trials where !stop.isRequested {
      result.trialMistakes += RecorderTrial(seed: UInt64(trial)).mistakes.prefix(1)
    }
    if stop.isRequested { throw GateError.usage("the selfcheck was interrupted") }
    result.duration = .nanoseconds(.now - begin)
    result.conclude(SelfcheckJudge.rows(result, judgement))
    return result
  }

  private struct Delays {
    var loops: Int
    var sending: SendingFigures
    var rows: [DistributionRow]
  }

  private func measureDelays(_ stop: StopSignal) async throws -> Delays {
    let paths = Dictionary(
      uniqueKeysWithValues: Self.delays.map {
        (SelfcheckScenario.path($0.name), CalibrationBehaviour.delay($0.distribution))
      }
    )
    let run = try await SelfcheckRun(paths, self, stop).record(
      SelfcheckScenario(calls: Self.delays.map(\.name), load: "[{ hold: \(arrivals)/s, for: \(length.notation) }]"))
    let rows = Self.delays.enumerated().map { index, delay in
      DistributionRow(
        name: delay.name, distribution: delay.distribution.text, reported: run.record.operations[index].latency,
        recorded: run.latencies(of: index), imposed: run.log.imposed[SelfcheckScenario.path(delay.name)] ?? [])
    }
    return Delays(
      loops: run.record.generator.loops, sending: SendingFigures(run.record.generator), rows: rows)
  }

  /// A request that was due during the freeze waits until its end; all others get an immediate response.
  private func measureFreeze(_ stop: StopSignal) async throws -> FreezeFigures {
    let path = SelfcheckScenario.path("none")
    let run = try SelfcheckRun([path: .delay(.constant(.zero))], self, stop)
    let freezer = Task {
      try await Task.sleep(for: length / 6)
      run.server.freeze(for: .seconds(1))
    }
    let done = try await run.record(
      SelfcheckScenario(calls: ["none"], load: "[{ hold: 200/s, for: \((length / 2).notation) }]"))
    freezer.cancel()
    let samples = done.record.samples ?? []
    let truth = samples.map { done.log.frozen(at: $0.due.nanoseconds) }
    return FreezeFigures(
      length: done.log.freezes.reduce(.zero) { $0 + .nanoseconds($1.upperBound - $1.lowerBound) },
      dueMeanwhile: truth.count { $0 > 0 },
      row: DistributionRow(
        name: "freeze", distribution: "no delay, freeze of 1 s", reported: done.record.operations[0].latency,
        recorded: done.latencies(of: 0), imposed: truth),
      isFound: done.result.findings.contains { $0.kind == .transportStalled })
  }

  private func measureJudgement(_ stop: StopSignal) async throws -> JudgementFigures {
    let (allowed, window) = (5, Duration.seconds(2))
    let run = try await SelfcheckRun(
      [
        SelfcheckScenario.path("kept"): .limit(admitted: allowed, window: window),
        SelfcheckScenario.path("exceeded"): .limit(admitted: allowed + 1, window: window),
        SelfcheckScenario.path("schema"): .breakSchema(oneIn: 20),
      ], self, stop
    ).record(SelfcheckScenario.judging(allowed: allowed, window: window))
    let limits = run.result.limits
    let schema = run.record.operations.first { $0.operation == "schema" }
    return JudgementFigures(
      kept: limits.first { $0.name == "kept" }?.verdict, exceeded: limits.first { $0.name == "exceeded" }?.verdict,
      broken: run.log.broken, violating: schema?.conformance.violating ?? 0,
      judged: (schema?.conformance.violating ?? 0) + (schema?.conformance.conformant ?? 0))
  }

  private func measureRate(_ stop: StopSignal) async throws -> RateFigures {
    let users = 32
    let path = SelfcheckScenario.path("schema")
    let run = try await SelfcheckRun([path: .breakSchema(oneIn: .max)], self, stop).record(
      SelfcheckScenario(
        calls: ["schema"], times: 1_000_000, load: "[{ users: \(users), for: \((length / 4).notation) }]"))
    let generator = run.record.generator
    let seconds = max(run.record.info.duration.inSeconds, 0.001)
    let answered = Double(run.record.ledger.answered)
    let cpu = (generator.perLoop ?? []).reduce(0) { $0 + $1.cpuPercent } / 100 * seconds * 1e6
    return RateFigures(
      answered: answered / seconds, users: users, cpu: (cpu / max(answered, 1) * 10).rounded() / 10,
      resources: generator.resources)
  }

  /// Consecutive readings of the clock, and the lateness of an idle loop.
  private func clockFigures() async throws -> ClockFigures {
    var steps: [Int64] = []
    steps.reserveCapacity(100_000)
    var last = Instant.now
    for _ in 0..<100_000 {
      let now = Instant.now
      steps.append(now - last)
      last = now
    }
    let loop: EventLoop
    do { loop = try EventLoop(number: 0) } catch { throw GateError.usage("\(error)") }
    let late = await loop.submit {
      var late: [Int64] = []
      for _ in 0..<300 {
        let due = Instant.now + 1_000_000
        _ = await loop.sleep(until: due)
        late.append(Instant.now - due)
      }
      return late
    }.value
    loop.shutdown()
    return ClockFigures(steps: steps, late: late)
  }
}
