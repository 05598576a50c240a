import MurphyModel
import MurphyProbe
import Simulation
import Testing

/// What must hold for murphy to be trusted: each thing is told by itself.
@Suite struct SelfcheckJudgeTests {
  /// A machine on which everything holds, at the edge of what is allowed.
  private struct World {
    var resolution: Int64 = 1
    var wake: Int64 = 1_000_000
    var lateness: Duration = .milliseconds(1)
    var stalled = 1.0
    /// Added to every delay of the constant distribution, nanoseconds.
    var overhead: Int64 = 1_000_000
    /// Added to what the histogram gets, nanoseconds.
    var distortion: Int64 = 0
    var lost = 0
    var freezeFound = true
    var freezeOverhead: Int64 = 0
    var mistakes: [String] = []
    var judgement = JudgementFigures(kept: .consistent, exceeded: .overAdmission, broken: 7, violating: 7, judged: 140)
    var answered = 1_000.0

    var result: SelfcheckResult {
      func row(_ imposed: [Int64], _ overhead: Int64, lost: Int = 0) -> DistributionRow {
        let recorded = imposed.dropLast(lost).map { $0 + overhead }
        var histogram = LatencyHistogram()
        for latency in recorded { histogram.record(latency + distortion) }
        return DistributionRow(
          name: "constant", distribution: "constant 5 ms", reported: histogram, recorded: recorded, imposed: imposed)
      }
      var generator = GeneratorReport(
        loops: 1, lateness: LatencySummary(LatencyHistogram()), loopStalls: 0, longestStall: .zero, cpuPercent: 1,
        offered: 1,
        achieved: 1, peakUsers: 1, peakMemory: 1, doubts: [])
      generator.perLoop = [
        GeneratorLoop(
          loop: 0, cpuPercent: 1, waitingPercent: 1, stalls: 0, longestStall: .zero, stalledPercent: stalled)
      ]
      generator.lateness.p99 = lateness
      var result = SelfcheckResult(
        murphy: "1", machine: "Linux", loops: 1, seed: 1,
        clock: ClockFigures(steps: [0, resolution], late: Array(repeating: wake, count: 100)),
        sending: SendingFigures(generator), rate: RateFigures(answered: answered, users: 32, cpu: 20, resources: nil),
        distributions: [row(Array(repeating: 5_000_000, count: 100), overhead, lost: lost)],
        freeze: FreezeFigures(
          length: .seconds(1), dueMeanwhile: 20,
          row: row((0..<100).map { max(Int64($0) - 80, 0) * 50_000_000 }, freezeOverhead), isFound: freezeFound))
      result.trialMistakes = mistakes
      result.conclude(SelfcheckJudge.rows(result, judgement))
      return result
    }
  }

  @Test func `a machine on which everything holds is trusted`() {
    let result = World().result
    #expect(result.verdict == .pass && result.reasons == [], "\(result.reasons)")
    #expect(result.checks.map(\.check) == SelfcheckRow.Check.allCases)
  }

  @Test func `what does not hold is named, with what to do, and nothing else is`() {
    let breaks: [(SelfcheckRow.Check, (inout World) -> Void)] = [
      (.clock, { $0.resolution = 1_001 }), (.timers, { $0.wake = 1_001_000 }),
      (.recorder, { ($0.overhead, $0.distortion) = (0, 61_000) }), (.recorder, { $0.mistakes = ["seed 3"] }),
      (.latency, { $0.overhead = 1_070_000 }), (.latency, { $0.overhead = -70_000 }), (.latency, { $0.lost = 1 }),
      (.lateness, { $0.lateness = .microseconds(1_001) }), (.stalls, { $0.stalled = 1.1 }),
      (.freeze, { $0.freezeFound = false }),
      (.freeze, { $0.freezeOverhead = 50_000_000 }), (.limiter, { $0.judgement.kept = .inconclusive }),
      (.limiter, { $0.judgement.exceeded = .consistent }), (.schema, { $0.judgement.violating = 6 }),
      (.schema, { $0.judgement.violating = 8 }), (.rate, { $0.answered = 999 }),
    ]
    for (check, change) in breaks {
      var world = World()
      change(&world)
      let result = world.result
      #expect(result.verdict == .invalid, "\(check)")
      #expect(result.checks.filter { $0.verdict == .fail }.map(\.check) == [check])
      #expect(result.reasons.count == 1 && result.reasons[0].hasPrefix(check.title))
    }
  }
}

@Suite struct RecorderTrialTests {
  /// 10,000 cases with `MURPHY_SIMULATIONS=full`; `murphy selfcheck` makes a thousand on each machine.
  @Test func `percentiles of merged shards are the exact order statistics`() {
    let cases = UInt64(SimulationSize.count(10_000, part: 0.004))
    print("percentiles of merged shards: seeds 0..<\(cases)")
    for seed in 0..<cases { #expect(RecorderTrial(seed: seed).mistakes == []) }
  }
}
