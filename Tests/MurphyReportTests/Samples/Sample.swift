import MurphyModel

/// Results as runs give them, the same on every machine: what the reports are drawn from in the tests.
enum Sample {
  static let pass = settled(SampleRun(seconds: 40).result(.pass))
  static let fail = settled(FailingSample.result)
  static let limits = settled(LimitSample.result)
  static let invalid = settled(makeInvalid())
  static let noData = settled(makeNoData())
  static let empty = settled(makeEmpty())
  static let unchecked = settled(makeUnchecked())
  static let hostile = settled(HostileSample.result)
  static let outage = settled(OutageSample.result)
  static let frozen = settled(FrozenSample.result)
  static let unreached = settled(makeUnreached())

  static let all: [(name: String, result: RunResult)] = [
    ("pass", pass), ("fail", fail), ("limits", limits), ("invalid", invalid), ("no-data", noData), ("empty", empty),
    ("unchecked", unchecked), ("hostile", hostile), ("outage", outage), ("unreached", unreached),
    ("merged", settled(MergedSample.doubtful)), ("tolerated", settled(MergedSample.tolerated)),
    ("frozen", frozen), ("baseline", baseline),
  ]

  /// A run that was compared with the newest results of a folder.
  static let baseline: RunResult = {
    var result = SampleRun(seconds: 5).result(.pass)
    var folder = BaselineFolder(path: "baselines", comparable: 34)
    folder.leaveOut("baselines/gate-1.json", .machine, "its machine class is A, and this run has B")
    folder.leaveOut("baselines/notes.json", .unreadable, "the file is not JSON (1:1: a value is missing)")
    for number in 1...25 {
      folder.leaveOut(
        "baselines/old-\(number).json", .version, "its version of murphy is 0.1.0, and this run has 0.2.0")
    }
    folder.stored = "gate-35.json"
    folder.removed = 1
    var row = RegressionRow(operation: "listLaws", metric: .p50, verdict: .pass, margin: 0.05, requests: 900)
    row.change = 0.01
    result.regression = Regression(
      baselines: (25...34).map { "baselines/gate-\($0).json" }, verdict: .pass, reasons: [], rows: [row], folder: folder
    )
    return settled(result)
  }()

  /// With what became of each request, as far as the outcomes say it: of violating and unchecked responses that they
  /// had been ok otherwise.
  private static func settled(_ result: RunResult) -> RunResult {
    var result = result
    for index in result.operations.indices {
      let operation = result.operations[index]
      var ends = RequestEnds()
      ends.violating = operation.conformance?.violating ?? 0
      ends.unchecked = operation.conformance?.uncheckedTotal ?? 0
      ends.refused = operation.outcomes.limited
      ends.errors = operation.outcomes.clientError + operation.outcomes.serverError
      ends.ok = operation.outcomes.ok - ends.violating - ends.unchecked
      ends.cancelled = operation.outcomes.cancelled
      ends.unanswered = operation.requests - ends.responses - ends.cancelled
      result.operations[index].ends = ends
    }
    return result
  }

  private static func makeInvalid() -> RunResult {
    var result = SampleRun(seconds: 40).result(.invalid)
    result.reasons = [
      "an event loop of murphy used 99.6% of its core and sent 1% of the requests more than 188 ms late. Give murphy "
        + "more cores, or reduce the load"
    ]
    result.generator.add(result.reasons.map { GeneratorReservation(.core, $0) })
    result.generator.loopStalls = 31
    result.generator.longestStall = .milliseconds(412)
    result.generator.cpuPercent = 99.6
    var late = LatencyHistogram()
    for index in 1...1000 { late.record(Int64(index) * 190_000) }
    result.generator.lateness = LatencySummary(late)
    return result
  }

  private static func makeNoData() -> RunResult {
    var result = SampleRun(seconds: 5).result(.noData)
    result.reasons = ["The budget \"submitLaw p95 ≤ 500 ms\" has no sample, but needs at least 20 samples."]
    result.budgets.append(
      BudgetRow(
        operation: "submitLaw", metric: .latency(percentile: 95), limit: Measure(500_000, .microseconds), observed: nil,
        samples: 0, samplesNeeded: 20,
        state: .notTested))
    return result
  }

  /// All responses of one operation are XML that could not be checked, and some of another were cut off.
  private static func makeUnchecked() -> RunResult {
    var result = SampleRun(seconds: 5).result(.pass)
    result.ledger.unchecked = []
    for (index, reason, share) in [
      (1, "murphy does not support oneOf in XML", 1), (0, "the body was cut off at the size limit", 9),
    ] {
      let answers = result.operations[index].outcomes.answered
      let unchecked = ReasonCount(reason: reason, count: answers / share)
      result.operations[index].conformance = Conformance(
        conformant: answers - unchecked.count, unchecked: [unchecked], opaque: share == 1 ? answers : 0)
      result.ledger.unchecked.append(unchecked)
      result.ledger.conformant -= unchecked.count
    }
    return result
  }

  /// A run whose target was not reached before the load began: exit status 3.
  private static func makeUnreached() -> RunResult {
    var result = makeEmpty()
    let reason =
      "the target http://127.0.0.1:8080 cannot be reached: connection refused. "
      + "Is the target running, and is the port 8080 correct?"
    result.reasons = [reason]
    result.run.unreached = reason
    result.run.cutShort = false
    result.budgets = SampleRun(seconds: 1).result(.noData).budgets.map { row in
      BudgetRow(
        operation: row.operation, metric: row.metric, limit: row.limit, observed: nil, samples: 0, samplesNeeded: 20,
        state: .notTested)
    }
    return result
  }

  /// A run whose target was lost before the first response.
  private static func makeEmpty() -> RunResult {
    var result = SampleRun(seconds: 1).result(.invalid)
    result.reasons = ["The run was cut short after 0.4 s."]
    result.operations = []
    result.sessions = []
    result.traffic = []
    result.ledger = Ledger()
    result.budgets = []
    result.state = []
    result.coverage = Coverage()
    result.timeline = []
    result.run.duration = .zero
    result.run.cutShort = true
    result.generator.lateness = LatencySummary(LatencyHistogram())
    return result
  }
}
