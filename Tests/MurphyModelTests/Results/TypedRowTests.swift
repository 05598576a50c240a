import Foundation
import MurphyModel
import Testing

/// What `result.json` holds as numbers with units, and the words that are made of them.
@Suite struct TypedRowTests {
  @Test(arguments: [
    (Budget.Metric.latency(percentile: 95), "p95"), (.latency(percentile: 99.9), "p99.9"),
    (.service(percentile: 50), "service p50"), (.meanLatency, "mean"), (.maxLatency, "max"),
    (.meanService, "service mean"), (.maxService, "service max"), (.errors, "errors"), (.throughput, "throughput"),
  ])
  func `a metric is read from its name`(_ metric: Budget.Metric, _ name: String) throws {
    #expect(metric.name == name)
    let data = try JSONEncoder().encode([metric])
    #expect(String(decoding: data, as: UTF8.self) == "[\"\(name)\"]")
    #expect(try JSONDecoder().decode([Budget.Metric].self, from: data) == [metric])
  }

  @Test(arguments: ["", "p", "p0", "p101", "pxx", "p95.0", "service errors", "service  p95", "P95", "p-1", "p1e1"])
  func `another name is none`(_ name: String) {
    #expect(Budget.Metric(name: name) == nil)
  }

  @Test func `a measure is said in the unit of people`() {
    #expect(Measure(300_000, .microseconds).text == "300 ms")
    #expect(Measure(0.001, .share).text == "0.1%")
    #expect(Measure(20, .perSecond).text == "20/s")
    #expect(MeasuredRange(low: 5_000_000, high: nil, unit: .microseconds).text == "at least 5 s")
    #expect(MeasuredRange(low: 0.12, high: 0.3, unit: .share).text == "12% .. 30%")
  }

  @Test func `errors are said with their counts`() {
    var row = BudgetRow(
      operation: "*", metric: .errors, limit: Measure(0.001, .share),
      observed: MeasuredRange(low: 0.12, high: 0.3, unit: .share), samples: 100, samplesNeeded: 1,
      state: .failed(trials: 100))
    (row.over, row.maybe) = (12, 18)
    #expect(row.observedText == "12% .. 30% (12 to 30 of 100)")
    (row.over, row.maybe, row.observed) = (12, 0, MeasuredRange(0.12, .share))
    #expect(row.observedText == "12% (12 of 100)")
  }

  @Test(arguments: [(603_980, "604 ms"), (300_400, "300.4 ms"), (1_347_812, "1.35 s")])
  func `a broken budget has the figure of the tables`(_ low: Double, _ shown: String) {
    let row = BudgetRow(
      operation: "*", metric: .latency(percentile: 95), limit: Measure(300_000, .microseconds),
      observed: MeasuredRange(low: low, high: nil, unit: .microseconds), samples: 100, samplesNeeded: 59,
      state: .failed(trials: 100))
    #expect(row.reason == "all operations: p95 is at least \(shown), over the budget of 300 ms.")
  }

  @Test func `a stage of the load is said as a scenario says it`() {
    let ramp = LoadStage(.sessionsPerSecond, from: 0, to: 20, start: .zero, end: .seconds(10))
    let users = LoadStage(.users, from: 50, to: 50, start: .seconds(10), end: .seconds(100))
    #expect([ramp, users].map(\.text) == ["ramp 0/s..20/s for 10 s", "50 users for 90 s"])
    let ends = [ramp, users].map(\.end.nanoseconds)
    #expect(
      [9_990_000_000, 10_000_000_000, 1_000_000_000_000].map { LoadStage.index(at: $0, ends: ends) } == [0, 1, 1])
  }
}
