import MurphyJudge
import MurphyModel
import Testing

/// What a window says, row by row.
@Suite struct WindowJudgeTests {
  /// Ten seconds, of which the last eight are judged.
  static func step() -> CapacityStep {
    CapacityStep(purpose: .raise, load: 50, start: .zero, duration: .seconds(10), settling: .seconds(2), seed: 1)
  }

  static func record(_ change: (inout RunRecord) -> Void = { _ in }) -> RunRecord {
    var operation = OperationRecord(operation: "listLaws", method: "GET", path: "/laws")
    operation.planned = 500
    operation.sent = 500
    operation.outcomes.ok = 500
    operation.succeeded = 500
    for number in 0..<500 { operation.account.countResponse(latency: Int64(number + 1) * 100_000, service: 100_000) }
    var ledger = Ledger()
    (ledger.planned, ledger.sent, ledger.answered, ledger.conformant) = (500, 500, 500, 500)
    let summary = LatencySummary(LatencyHistogram())
    var record = RunRecord(
      info: RunInfo(
        scenario: "test", scenarioFile: "test.yaml", contractFile: "", seed: 1, target: "", started: "",
        duration: .seconds(10),
        cutShort: false, murphy: "", libcurl: "", machine: "", load: []),
      operations: [operation], sessions: [], ledger: ledger, findings: [], coverage: Coverage(),
      timeline: (0..<10).map { second in
        var point = TimelinePoint(second: second)
        (point.planned, point.sent, point.outcomes.ok) = (50, 50, 50)
        return point
      }, limitLog: LimitLog(start: Instant(nanoseconds: 0)),
      generator: GeneratorReport(
        loops: 1, lateness: summary, loopStalls: 0, longestStall: .zero, cpuPercent: 10, offered: 50, achieved: 50,
        peakUsers: 1, peakMemory: 1, doubts: []))
    change(&record)
    return record
  }

  static func result(_ record: RunRecord, _ change: (inout RunResult) -> Void = { _ in }) -> RunResult {
    var result = RunResult(
      verdict: .pass, reasons: [], run: record.info, operations: [], sessions: [], ledger: record.ledger, findings: [],
      budgets: [], limits: [], state: [], coverage: Coverage(), generator: record.generator, timeline: record.timeline)
    change(&result)
    return result
  }

  static func row(_ metric: Budget.Metric, _ verdict: RowVerdict) -> BudgetRow {
    BudgetRow(
      operation: "listLaws", metric: metric, limit: Measure(50_000, .microseconds),
      observed: MeasuredRange(80_000, .microseconds), samples: 500, samplesNeeded: 59,
      state: CheckState(verdict, trials: 500))
  }

  static func judge(
    _ change: (inout RunRecord) -> Void = { _ in }, rows: (inout RunResult) -> Void = { _ in }
  ) -> CapacityStep {
    let record = record(change)
    return WindowJudge().judge(record, result(record, rows), step())
  }

  @Test func `a window that keeps everything holds`() {
    let step = Self.judge()
    #expect(step.outcome == .held && step.causes.isEmpty)
    #expect(step.offered == 50 && step.throughput == 50 && step.requests == 500)
    #expect(step.p50.map { abs($0.inMicroseconds - 25_000) < 100 } == true, "\(step.p50 ?? .zero)")
    #expect(step.inFlight == [0, 0])
  }

  @Test func `broken rows break it and rows that no load decides do not`() {
    let late = Self.judge(rows: { $0.budgets = [Self.row(.latency(percentile: 95), .fail)] })
    #expect(late.outcome == .broke && late.causes.map(\.kind) == [.latency])
    #expect(late.causes.first?.sentence == "listLaws: p95 is 80 ms, over 50 ms")
    #expect(Self.judge(rows: { $0.budgets = [Self.row(.errors, .fail)] }).causes.map(\.kind) == [.errors])
    // A throughput floor cannot be met by a small load, and a short window sees little of the contract.
    let floor = Self.judge(rows: {
      $0.budgets = [Self.row(.throughput, .fail)]
      $0.coverage.state = .failed(trials: 9)
      $0.findings = [Finding(kind: .coverageBelow, severity: .error, operation: nil, message: "too little")]
    })
    #expect(floor.outcome == .held, "\(floor.causes)")
    let finding = Self.judge(rows: {
      $0.findings = [Finding(kind: .contractNotTested, severity: .error, operation: "listLaws", message: "wrong")]
    })
    #expect(finding.outcome == .broke && finding.causes.map(\.kind) == [.finding])
  }

  @Test func `murphy outweighs what its own timing broke`() {
    // Sessions that murphy dropped for want of room were planned and never end: they look like a backlog.
    let outcomes: [(GeneratorReservation.Cause, CapacityStep.Standing)] = [
      (.core, .generator), (.dropped, .generator), (.exhausted, .broke),
    ]
    for (kind, outcome) in outcomes {
      let step = Self.judge({ $0.generator.reservations = [GeneratorReservation(kind, "busy")] }) {
        $0.budgets = [Self.row(.latency(percentile: 95), .fail)]
      }
      #expect(step.outcome == outcome, "\(kind)")
    }
    let alone = Self.judge({ $0.generator.reservations = [GeneratorReservation(.dropped, "full")] })
    #expect(alone.outcome == .generator && alone.causes.first?.reservation == .dropped)
  }

  @Test func `too few samples are not a verdict`() {
    let step = Self.judge(rows: {
      var row = Self.row(.latency(percentile: 99), .noData)
      row.undecided = BudgetRow.Undecided(.tooFewSamples, "too few")
      row.samplesNeeded = 999
      $0.budgets = [row]
    })
    #expect(step.outcome == .untested)
    #expect(step.causes.first?.count == 500 && step.causes.first?.whole == 999)
  }

  /// Requests that pile up are no load that can last, whatever the budgets of a short window say.
  @Test func `requests that pile up break it`() {
    let slow = Self.judge({ for second in 0..<10 { $0.timeline[second].outcomes.ok = 40 } })
    #expect(slow.outcome == .broke && slow.causes.map(\.kind) == [.backlog], "\(slow.inFlight)")
    // In flight, but no more at the end than in the middle.
    let steady = Self.judge({ $0.timeline[0].outcomes.ok = 0 })
    #expect(steady.outcome == .held && steady.inFlight == [50, 50])
  }

  @Test func `rejections beyond the usual share are the limiter`() {
    var judge = WindowJudge()
    (judge.usual.limited, judge.usual.answered) = (10, 200)
    func outcome(limited: Int) -> CapacityStep {
      let record = Self.record { record in
        record.operations[0].outcomes.limited = limited
        record.operations[0].outcomes.ok = 500 - limited
      }
      return judge.judge(record, Self.result(record), Self.step())
    }
    #expect(outcome(limited: 30).outcome == .held)
    let refused = outcome(limited: 200)
    #expect(refused.outcome == .broke && refused.causes.map(\.kind) == [.limiter])
    #expect(refused.causes[0].sentence == "a documented rate limit rejected 200 of 500 requests")
  }
}
