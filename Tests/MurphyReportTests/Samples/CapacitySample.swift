import MurphyJudge
import MurphyModel

/// A search that found 98 sessions a second: latency is flat until the workers are busy and grows beyond.
enum CapacitySample {
  static var result: CapacityResult {
    var search = CapacitySearch(first: 40, most: nil, precision: 0.05, isWhole: false)
    var result = CapacityResult(
      scenario: "Murphy's Laws <b>", scenarioFile: "scenarios/laws.yaml", target: "http://127.0.0.1:8080",
      started: "2026-01-05T10:00:00Z", seed: 7, machine: "Linux, 2 cores", murphy: "1.0", unit: .sessionsPerSecond,
      precision: 0.05, window: .seconds(10))
    result.duration = .seconds(190)
    var start = Duration.zero
    while let demand = search.next() {
      var step = step(demand, start: start)
      if step.outcome == .broke {
        var recovery = CapacityStep(
          purpose: .recover, load: 4, start: start + .seconds(12), duration: .seconds(1), settling: .zero, seed: 1)
        recovery.conclude(.held, trials: 8)
        result.steps.append(recovery)
      }
      step.requests = Int(step.load * step.duration.inSeconds)
      result.steps.append(step)
      search.record(step.outcome)
      start += step.duration
    }
    result.conclude(search, limit: "30m")
    return result
  }

  private static func step(_ demand: CapacitySearch.Demand, start: Duration) -> CapacityStep {
    var step = CapacityStep(
      purpose: demand.purpose, load: demand.load, start: start, duration: .seconds(11), settling: .seconds(1), seed: 1)
    let isOver = demand.load > 98
    step.conclude(isOver ? .broke : .held, trials: Int(demand.load * 11))
    step.offered = demand.load * 2
    step.throughput = min(demand.load, 98) * 2
    let median = isOver ? (demand.load / 98 - 1) * 5e6 : 20_000 + demand.load * 40
    (step.p50, step.p95, step.p99) = (
      .microseconds(saturating: median), .microseconds(saturating: median * 1.6),
      .microseconds(saturating: median * 2.1)
    )
    step.inFlight = isOver ? [20, 60] : [4, 4]
    if isOver {
      var backlog = CapacityCause(.backlog)
      (backlog.count, backlog.whole) = (60, 20)
      var latency = CapacityCause(.latency)
      (latency.operation, latency.metric) = ("listLaws", .latency(percentile: 95))
      (latency.limit, latency.observed) = (
        Measure(300_000, .microseconds), MeasuredRange(median * 1.6, .microseconds)
      )
      step.causes = [latency, backlog]
    }
    return step
  }
}
