import Foundation
import MurphyModel

/// A faultless run of the reference API's release gate: a ramp, then a hold, lognormal service times.
struct SampleRun {
  var seconds: Int

  private static let operations: [(id: String, method: String, path: String, share: Int, median: Double)] = [
    ("listLaws", "GET", "/api/v1/laws", 58, 3.4), ("getLaw", "GET", "/api/v1/laws/{id}", 17, 0.9),
    ("getLawOfTheDay", "GET", "/api/v1/law-of-day", 9, 1.4), ("voteLaw", "POST", "/api/v1/laws/{id}/vote", 14, 6.2),
    ("listCategories", "GET", "/api/v1/categories", 2, 2.1),
  ]

  func result(_ verdict: Verdict) -> RunResult {
    var random = RandomSource(seed: 2026)
    var records = Self.operations.map { OperationRecord(operation: $0.id, method: $0.method, path: $0.path) }
    var timeline: [TimelinePoint] = []
    var all = LatencyHistogram()
    for second in 0..<seconds {
      let rate = 412 * min(Double(second + 1) / 10, 1)
      timeline.append(point(second, Int(rate + random.unit() * 8), &records, &random, &all))
    }
    let sent = records.reduce(0) { $0 + $1.sent }
    var ledger = Ledger()
    ledger.planned = sent
    ledger.sent = sent
    ledger.answered = sent - 31
    ledger.cancelled = 31
    ledger.conformant = sent - 31
    return RunResult(
      verdict: verdict, reasons: [], run: info, operations: records.map(operation), sessions: sessions, ledger: ledger,
      findings: [], budgets: budgets(records), limits: [], state: state, coverage: coverage(records),
      generator: generator(sent), timeline: timeline, traffic: traffic)
  }

  /// One second: `rate` requests over the operations, by their shares.
  private func point(
    _ second: Int, _ rate: Int, _ records: inout [OperationRecord], _ random: inout RandomSource,
    _ all: inout LatencyHistogram
  ) -> TimelinePoint {
    var point = TimelinePoint(second: second)
    var latencies = LatencyHistogram()
    for _ in 0..<rate {
      let draw = Int(random.unit() * 100)
      var sum = 0
      let index =
        Self.operations.firstIndex {
          sum += $0.share; return draw < sum
        } ?? 0
      let service = Self.operations[index].median * 1e6 * exp(0.55 * normal(&random))
      let late = random.unit() < 0.02 ? service * 4 : 20_000 + random.unit() * 60_000
      records[index].sent += 1
      records[index].planned += 1
      if index == 0, records[0].outcomes.cancelled < 31, random.unit() < 0.01 {
        records[index].outcomes.cancelled += 1
        continue
      }
      records[index].outcomes.ok += 1
      records[index].bytesReceived += index == 0 ? 8_059 : 315
      records[index].service.record(Int64(service))
      records[index].latency.record(Int64(service + late))
      latencies.record(Int64(service + late))
    }
    all.merge(latencies)
    fill(&point, latencies, rate)
    return point
  }

  private func fill(_ point: inout TimelinePoint, _ latencies: LatencyHistogram, _ rate: Int) {
    func time(_ percent: Double) -> Duration { .nanoseconds(latencies.percentile(percent)) }
    point.planned = rate
    point.sent = rate
    point.outcomes.ok = Int(latencies.count)
    point.users = rate * 3 / 2
    (point.p50, point.p95, point.p99, point.max) = (time(50), time(95), time(99), time(100))
    var lower: Int64 = 0
    for power in 0..<28 {
      let upper = Int64(Self.bound(power) * 1e3)
      let count = latencies.count(within: lower...upper)
      if count > 0 { point.buckets += [Self.bound(power), Double(count)] }
      lower = upper + 1
    }
  }

  /// The upper bound of a bucket of the heat map, microseconds.
  static func bound(_ power: Int) -> Double { (100 * pow(1.5, Double(power))).rounded() }

  /// Standard normal, by Box and Muller.
  private func normal(_ random: inout RandomSource) -> Double {
    (-2 * log(1 - random.unit())).squareRoot() * cos(2 * .pi * random.unit())
  }

  private func operation(_ record: OperationRecord) -> OperationResult {
    var result = OperationResult(
      operation: record.operation, method: record.method, path: record.path, requests: record.sent,
      throughput: Double(record.outcomes.answered) / Double(seconds), outcomes: record.outcomes,
      statuses: [StatusCount(status: 200, count: record.outcomes.ok)], latency: LatencySummary(record.latency),
      service: LatencySummary(record.service), bytesReceived: record.bytesReceived,
      conformance: Conformance(conformant: record.outcomes.answered))
    result.succeeded = record.outcomes.ok
    var strength = ContractStrength(
      responses: .init(seen: record.outcomes.answered, missed: 3 / Double(record.outcomes.answered)),
      seconds: .init(seen: seconds, missed: 3 / Double(seconds)))
    if record.path.contains("{") { strength.entities = .init(seen: 214, missed: 0.0139) }
    strength.untestedStatuses = ["400", "429"]
    strength.unseen = record.operation == "listLaws" ? ["200 /data/0/category_context"] : []
    strength.unseenCount = strength.unseen.count
    result.strength = strength
    return result
  }

  private var info: RunInfo {
    RunInfo(
      scenario: "Murphy's Laws release gate", scenarioFile: "scenarios/murphys-laws/release-gate.yaml",
      contractFile: "scenarios/murphys-laws/openapi.yaml", seed: 1_949, target: "http://127.0.0.1:40123",
      started: "2026-11-21T02:14:07Z", duration: .seconds(seconds) + .milliseconds(210), cutShort: false,
      murphy: "0.2.0",
      libcurl: "7.88.1", machine: "2 × AMD EPYC 7B13, Linux 6.1, Debian 12",
      load: [
        LoadStage(.sessionsPerSecond, from: 0, to: 20, start: .zero, end: .seconds(10)),
        LoadStage(.sessionsPerSecond, from: 20, to: 20, start: .seconds(10), end: .seconds(40)),
      ])
  }

  private var traffic: [TrafficRow] {
    [
      TrafficRow(
        kind: .completed, limit: "99%", met: 671, samples: 672,
        exceptions: [ReasonCount(reason: "save ids: $.data[*].id matched nothing", count: 1)],
        sentence: "671 of 672 sessions ended as scripted (99.85%)", state: CheckState(trials: 672)),
      TrafficRow(
        kind: .called, limit: "all", met: 5, samples: 5, exceptions: [],
        sentence: "all 5 operations were called and succeeded",
        state: CheckState(trials: 5)),
      TrafficRow(
        kind: .sessions, limit: "all", met: 3, samples: 3, exceptions: [],
        sentence: "each of 3 session types completed at least once",
        state: CheckState(trials: 3)),
    ]
  }

  private var sessions: [SessionResult] {
    [
      SessionResult(session: "browse", started: 421, completed: 398, failed: [], unfinished: 23),
      SessionResult(session: "search", started: 208, completed: 204, failed: [], unfinished: 4),
      SessionResult(
        session: "vote", started: 71, completed: 69,
        failed: [ReasonCount(reason: "save ids: $.data[*].id matched nothing", count: 1)], unfinished: 1),
    ]
  }

  private func budgets(_ records: [OperationRecord]) -> [BudgetRow] {
    func row(_ index: Int, _ percentile: Double, _ limit: Double, _ observed: Double) -> BudgetRow {
      var row = BudgetRow(
        operation: records[index].operation, metric: .latency(percentile: percentile),
        limit: Measure(limit * 1000, .microseconds), observed: MeasuredRange(observed * 1000, .microseconds),
        samples: records[index].outcomes.answered, samplesNeeded: 20,
        state: CheckState(trials: records[index].outcomes.answered))
      var strength = BudgetStrength(seconds: seconds)
      strength.overAtMost = 0.0021
      strength.inThisRun = .init(share: limit / observed - 1, added: .saturating(seconds: (limit - observed) / 1000))
      strength.likely = .init(
        share: 1.2 * limit / observed - 1, added: .saturating(seconds: (limit - observed / 1.2) / 1000))
      strength.stall = percentile == 99 ? .milliseconds(1420) : nil
      row.strength = strength
      return row
    }
    return [
      row(0, 95, 300, 8.74), row(0, 99, 800, 16.9), row(3, 95, 200, 16.1),
      BudgetRow(
        operation: "*", metric: .errors, limit: Measure(0.001, .share), observed: MeasuredRange(0, .share),
        samples: records.reduce(0) { $0 + $1.outcomes.answered }, samplesNeeded: 1_000,
        state: CheckState(trials: records.reduce(0) { $0 + $1.outcomes.answered })),
    ]
  }

  private var state: [StateRow] {
    [
      StateRow(
        name: "every accepted vote counts once", sentence: "1,204 votes were accepted, and 1,204 were counted",
        samples: 1_204,
        state: CheckState(trials: 1_204)),
      StateRow(
        name: "upvotes never decrease", sentence: "8,211 responses for 612 laws: no upvote count decreased",
        samples: 8_211, state: CheckState(trials: 612)),
    ]
  }

  private func coverage(_ records: [OperationRecord]) -> Coverage {
    var items: [CoverageItem] = []
    for record in records {
      let answered = record.outcomes.ok
      func add(_ kind: String, _ name: String, _ count: Int) {
        items.append(CoverageItem(kind: kind, operation: record.operation, name: name, count: count))
      }
      add("operation", record.operation, answered)
      for (status, seen) in [("200", true), ("400", false), ("429", false)] {
        add("status", status, seen ? answered : 0)
      }
      add("media-type", "200 application/json", answered)
      add("header", "429 Retry-After", 0)
      add("property", "/data/0/title", answered * 9 / 10)
      add("property", "/data/0/category_context", record.operation == "listLaws" ? 0 : answered)
      add("enum", "/data/0/status = published", answered)
    }
    return Coverage(items: items, required: 50, state: CheckState(trials: items.count))
  }

  private func generator(_ sent: Int) -> GeneratorReport {
    var lateness = LatencyHistogram()
    for index in 1...1000 { lateness.record(Int64(index * index) / 4 + 8_000) }
    let rate = Double(sent) / Double(seconds)
    return GeneratorReport(
      loops: 2, lateness: LatencySummary(lateness), loopStalls: 0, longestStall: .microseconds(3_120), cpuPercent: 38.4,
      offered: rate,
      achieved: rate, peakUsers: 618, peakMemory: 61_300_000, doubts: [])
  }
}
