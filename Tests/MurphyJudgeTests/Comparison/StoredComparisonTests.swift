import Foundation
import MurphyJudge
import MurphyModel
import Testing

@Suite struct StoredComparisonTests {
  static let comparison = StoredComparison(StoredJudge(ComparePromise(metrics: [.p50, .errors])))

  static func run(
    _ name: String, milliseconds: Double = 20, findings: [Finding] = [], coverage: [String] = ["200"],
    change: (inout RunResult) -> Void = { _ in }
  ) -> StoredComparison.Run {
    var histogram = LatencyHistogram()
    histogram.record(Int64(milliseconds * 1e6), count: 1000)
    var operation = OperationResult(
      operation: "list", method: "GET", path: "/list", requests: 1000, throughput: 100, outcomes: Outcomes(),
      statuses: [], latency: LatencySummary(histogram), service: LatencySummary(histogram), bytesReceived: 1_000_000)
    operation.outcomes.ok = 1000
    let info = RunInfo(
      scenario: "Shop", scenarioFile: "shop.yaml", contractFile: "openapi.yaml", seed: 7, target: "http://shop",
      started: name, duration: .seconds(10), cutShort: false, murphy: "1", libcurl: "8", machine: "Linux, 2 cores",
      load: [LoadStage(.sessionsPerSecond, from: 100, to: 100, start: .zero, end: .seconds(10))])
    var ledger = Ledger()
    ledger.sent = 1000
    var result = RunResult(
      verdict: .pass, reasons: [], run: info, operations: [operation],
      sessions: [SessionResult(session: "visit", started: 500, completed: 500, failed: [], unfinished: 0)],
      ledger: ledger, findings: findings, budgets: [], limits: [], state: [],
      coverage: Coverage(
        items: coverage.map { CoverageItem(kind: "status", operation: "list", name: $0, count: 3) }),
      generator: GeneratorReport(
        loops: 1, lateness: LatencySummary(histogram), loopStalls: 0, longestStall: .zero, cpuPercent: 10, offered: 100,
        achieved: 100, peakUsers: 1, peakMemory: 1, doubts: []), timeline: [])
    change(&result)
    return StoredComparison.Run(file: name + ".json", result: result)
  }

  static let noise = [1.0, 1.004, 0.997, 1.002, 0.999, 1.001, 0.998, 1.003]

  static func runs(
    _ name: String, slower: Double = 1, count: Int = 8, findings: [Finding] = [], coverage: [String] = ["200"]
  ) -> [StoredComparison.Run] {
    (0..<count).map {
      run("\(name)\($0)", milliseconds: 20 * noise[$0 % noise.count] * slower, findings: findings, coverage: coverage)
    }
  }

  @Test func `equal runs pass`() {
    let result = Self.comparison.result(base: Self.runs("b"), candidate: Self.runs("c", count: 4))
    #expect(result.verdict == .pass, "\(result.reasons)")
    #expect(result.operations[0][.requestsPerSession]?.base.map { abs($0 - 2) < 1e-9 } == true)
    #expect(result.operations[0][.bytes]?.candidate.map { abs($0 - 1000) < 1e-6 } == true)
  }

  @Test func `slower runs fail with operation metric and size`() {
    let result = Self.comparison.result(base: Self.runs("b"), candidate: Self.runs("c", slower: 1.08, count: 4))
    #expect(result.verdict == .fail)
    #expect(result.reasons.first?.hasPrefix("list: the median latency is worse by +8.") == true, "\(result.reasons)")
  }

  @Test(arguments: ["scenario", "load", "seed", "machine class", "version of murphy"])
  func `what does not measure the same is no data`(what: String) {
    var candidate = Self.runs("c", slower: 2)
    let other = Self.run("odd") { result in
      switch what {
      case "scenario": result.run.scenario = "Other"
      case "load": result.run.load[0].to = 50
      case "seed": result.run.seed = 8
      case "machine class": result.run.machine = "Linux, 64 cores"
      default: result.run.murphy = "2"
      }
    }
    candidate[2] = other
    let result = Self.comparison.result(base: Self.runs("b"), candidate: candidate)
    #expect(result.verdict == .noData)
    #expect(result.reasons.count == 1 && result.reasons[0].hasPrefix("the \(what) differs: "), "\(result.reasons)")
    #expect(result.reasons[0].contains("odd.json"))
  }

  @Test func `one run is no data`() {
    let result = Self.comparison.result(base: Self.runs("b"), candidate: Self.runs("c", slower: 2, count: 1))
    #expect(result.verdict == .noData)
    #expect(result.reasons[0].hasPrefix("the candidate has one run"))
  }

  @Test func `the same run on both sides is no data`() {
    let runs = Self.runs("b", count: 2)
    let copy = StoredComparison.Run(file: "copy.json", result: runs[1].result)
    let result = Self.comparison.result(base: runs, candidate: [copy, Self.run("c")])
    #expect(result.verdict == .noData)
    #expect(result.reasons[0].contains("are the same run"), "\(result.reasons)")
  }

  @Test func `an invalid run is invalid`() {
    var candidate = Self.runs("c")
    candidate[0].result.verdict = .invalid
    candidate[0].result.reasons = ["a loop stood still"]
    let result = Self.comparison.result(base: Self.runs("b"), candidate: candidate)
    #expect(result.verdict == .invalid)
    #expect(result.reasons == ["c0.json: the run is INVALID: a loop stood still"])
    let alone = Self.comparison.result(base: [Self.run("b")], candidate: candidate)
    #expect(alone.verdict == .invalid && alone.reasons.count == 2, "\(alone.reasons)")
    #expect(alone.reasons.last?.hasPrefix("the base has one run") == true)
  }

  @Test func `findings are new gone or still there`() {
    func finding(_ message: String) -> Finding {
      Finding(kind: .contractBody, operation: "list", message: message, count: 30)
    }
    let (old, kept, new) = (finding("old"), finding("kept"), finding("new"))
    let result = Self.comparison.result(
      base: Self.runs("b", findings: [old, kept], coverage: ["200", "404"]),
      candidate: Self.runs("c", count: 4, findings: [kept, new]))
    #expect(result.findings.new.map(\.message) == ["new"])
    #expect(result.findings.gone.map(\.message) == ["old"])
    #expect(result.findings.still.map(\.message) == ["kept"])
    #expect(result.verdict == .fail, "every run of the candidate shows it, and none of the base")
    #expect(result.coverageLost.map(\.name) == ["404"])
    #expect(result.coverageLost[0].count == 24)
  }

  /// One of two runs shows it once: chance may be why.
  @Test func `a rare finding neither fails nor passes`() {
    let rare = Finding(kind: .contractBody, operation: "list", message: "rare", count: 1)
    var candidate = Self.runs("c", count: 2)
    candidate[0].result.findings = [rare]
    let result = Self.comparison.result(base: Self.runs("b"), candidate: candidate)
    #expect(result.verdict == .noData)
    #expect(result.reasons[0].contains("possibly by chance"))
  }

  @Test func `the file holds what the p values follow from`() throws {
    let result = Self.comparison.result(base: Self.runs("b"), candidate: Self.runs("c", count: 4))
    let encoder = JSONEncoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    let text = String(decoding: try encoder.encode(result), as: UTF8.self)
    #expect(text.contains("\"format\":\"murphy-compare\\/1\""))
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let read = try decoder.decode(CompareResult.self, from: Data(text.utf8))
    #expect(read.operations[0][.p50]?.baseRuns.count == 8)
    #expect(read.operations[0][.p50]?.pValue == result.operations[0][.p50]?.pValue)
  }
}

@Suite struct CompareTextTests {
  @Test(arguments: [
    (CompareMetric.p50, 0.05, "+5.1%"), (.p50, -0.05, "−4.9%"), (.p99, 0.0003, "+0.03%"), (.p50, 1, "+172%"),
    (.p50, 5, "×148.4"), (.errors, 0.012, "+1.2 points"), (.errors, 1, "+100 points"),
    (.throughput, 0.0961, "−9.2%"), (.throughput, -0.0961, "+10.1%"),
  ])
  func `changes are read as people say them`(metric: CompareMetric, difference: Double, text: String) {
    #expect(metric.text(difference) == text)
  }

  @Test(arguments: CompareMetric.allCases)
  func `the sign of a change fits the two values shown`(metric: CompareMetric) {
    for (base, candidate) in [(0.12, 0.109), (0.109, 0.12), (0.01, 0.011), (0.5, 0.05)] {
      let levels = metric.isRatio ? (log(base), log(candidate)) : (base, candidate)
      let text = metric.text(metric.worsening(base: levels.0, candidate: levels.1))
      #expect(text.hasPrefix(candidate > base ? "+" : "−"), "\(metric): \(base) → \(candidate) is \(text)")
      if metric.isRatio {
        let percent = (candidate / base - 1) * 100
        #expect(text.contains(String(format: "%.1f", percent.magnitude)) || percent < -89, "\(metric): \(text)")
      }
    }
  }

  @Test func `an interval begins with its lower end`() throws {
    var row = CompareRow(metric: .throughput, decides: true)
    (row.low, row.high) = (0.02, 0.10)
    #expect(row.intervalText == "−9.1% .. −2.0%")
    row.metric = .p50
    #expect(row.intervalText == "+2.0% .. +10.0%")
  }
}
