import MurphyJudge
import MurphyModel
import MurphyScenario

extension RunRecord {
  /// A run of one second in which nothing happened.
  static var sample: RunRecord {
    RunRecord(
      info: RunInfo(
        scenario: "sample", scenarioFile: "sample.yaml", contractFile: "openapi.yaml", seed: 1,
        target: "http://127.0.0.1:1", started: "2026-01-01T00:00:00Z", duration: .seconds(1), cutShort: false,
        murphy: "0",
        libcurl: "0", machine: "test", load: []),
      operations: [], sessions: [], ledger: Ledger(), findings: [], coverage: Coverage(), timeline: [],
      limitLog: LimitLog(start: Instant(nanoseconds: 0)), generator: .idle)
  }
}

extension GeneratorReport {
  static var idle: GeneratorReport {
    GeneratorReport(
      loops: 1, lateness: LatencySummary(LatencyHistogram()), loopStalls: 0, longestStall: .zero, cpuPercent: 1,
      offered: 1, achieved: 1, peakUsers: 1, peakMemory: 1, doubts: [])
  }
}

extension FinishedRun {
  /// A run with one operation that succeeded.
  static func sample(_ ledger: Ledger, _ generator: GeneratorReport = .idle, cutShort: Bool = false) -> FinishedRun {
    var record = RunRecord.sample
    var operation = OperationRecord(operation: "listLaws", method: "GET", path: "/laws")
    operation.succeeded = 1
    record.operations = [operation]
    (record.ledger, record.generator, record.info.cutShort) = (ledger, generator, cutShort)
    let scenario = Scenario(
      name: "sample", file: "sample.yaml", sessions: [], load: .open([]), expectations: Expectations())
    return FinishedRun(record, scenario, CollectionWorld.contract)
  }
}
