import Foundation
import Murphy
import TestSupport
import Testing

/// A check passes only on samples that could have failed it: of every fault of every reference API, without the responses
/// that could show it, no check of its kind passes.
@Suite struct FaultTrialTests {
  /// What became of the requests of the operations that could show a fault.
  enum Requests: String, CaseIterable {
    case neverSent, rejected, failed, forbidden, redirected, unanswered, unchecked
    /// Every one succeeded: the checks can pass.
    case successful

    static let silent = allCases.filter { $0 != .successful }

    private var status: Int {
      switch self {
      case .neverSent, .unanswered: 0
      case .rejected: 429
      case .failed: 503
      case .forbidden: 403
      case .redirected: 302
      case .unchecked, .successful: 200
      }
    }

    func record(_ operation: OperationSummary, _ budgets: [Budget]) -> OperationRecord {
      let count = 400
      var record = OperationRecord(operation: operation.id, method: operation.method, path: operation.path)
      let bounds = BoundCount.bounds(of: budgets.filter { $0.operation == operation.id })
      record.account = LatencyAccount(bounds: bounds)
      guard self != .neverSent else { return record }
      (record.planned, record.sent) = (count, count)
      if self == .unanswered {
        record.outcomes.transport = count
        for _ in 0..<count { record.account.censor(.timeout, waited: 30_000_000) }
        return record
      }
      record.statuses = [StatusCount(status: status, count: count)]
      record.conformance = Conformance(conformant: count, rejected: self == .rejected ? count : 0)
      switch self {
      case .rejected: record.outcomes.limited = count
      case .failed: record.outcomes.serverError = count
      case .forbidden: record.outcomes.clientError = count
      case .redirected: record.outcomes.ok = count
      default:
        (record.outcomes.ok, record.succeeded) = (count, count)
        if self == .unchecked {
          record.conformance = Conformance(unchecked: [ReasonCount(reason: "csv", count: count)])
        }
      }
      if self == .rejected { record.rejections = LatencyAccount(bounds: bounds) }
      for _ in 0..<count {
        if self == .rejected {
          record.rejections?.countResponse(latency: 10_000_000, service: 10_000_000)
        } else {
          record.account.countResponse(latency: 10_000_000, service: 10_000_000)
        }
      }
      return record
    }
  }

  /// The release gate of a system, with budgets for each operation.
  private static func gate(_ api: ReferenceAPI) throws -> Gate {
    var gate = try Gate.load("\(Repository.root)/scenarios/\(api.name)/release-gate.yaml", environment: [:])
    gate.scenario.expectations.budgets = gate.contract.summaries.flatMap { operation in
      [
        Budget(operation: operation.id, metric: .latency(percentile: 95), limit: .atMost(.milliseconds(300))),
        Budget(operation: operation.id, metric: .maxService, limit: .atMost(.milliseconds(300))),
        Budget(operation: operation.id, metric: .meanLatency, limit: .atMost(.milliseconds(300))),
        Budget(operation: operation.id, metric: .errors, limit: .share(0.01)),
        Budget(operation: operation.id, metric: .throughput, limit: .atLeast(Rate(perSecond: 1))),
      ]
    }
    return gate
  }

  /// A run in which every operation succeeded but for these.
  private static func record(_ gate: Gate, _ requests: Requests, of faulty: Set<String>) -> RunRecord {
    let operations = gate.contract.summaries.map { operation in
      (faulty.contains(operation.id) ? requests : .successful).record(operation, gate.scenario.expectations.budgets)
    }
    var ledger = Ledger()
    ledger.planned = operations.reduce(0) { $0 + $1.planned }
    ledger.sent = operations.reduce(0) { $0 + $1.sent }
    ledger.answered = operations.reduce(0) { $0 + $1.outcomes.answered }
    ledger.conformant = operations.reduce(0) { $0 + $1.conformance.conformant }
    return RunRecord(
      info: RunInfo(
        scenario: gate.scenario.name, scenarioFile: "gate.yaml", contractFile: "openapi.yaml", seed: 1,
        target: "http://127.0.0.1:1", started: "2026-01-01T00:00:00Z", duration: .seconds(60), cutShort: false,
        murphy: "0",
        libcurl: "0", machine: "test", load: []),
      operations: operations,
      sessions: gate.scenario.sessions.map {
        SessionResult(session: $0.name, started: 100, completed: 100, failed: [], unfinished: 0)
      },
      ledger: ledger, findings: [], coverage: Coverage(), timeline: [],
      limitLog: LimitLog(start: Instant(nanoseconds: 0)),
      generator: GeneratorReport(
        loops: 1, lateness: LatencySummary(LatencyHistogram()), loopStalls: 0, longestStall: .zero, cpuPercent: 1,
        offered: 1, achieved: 1, peakUsers: 1, peakMemory: 1, doubts: []))
  }

  /// What is said of such a run: by itself, beside others like it, and as a window of a search for capacity.
  private struct Said: Sendable {
    let result: RunResult
    let compared: CompareResult
    let window: CapacityStep

    init(_ gate: Gate, _ record: RunRecord) {
      let result = gate.judge(record)
      let runs = (1...8).map { number in
        var run = result
        run.verdict = .pass
        run.run.started = "2026-01-01T00:00:0\(number)Z"
        return StoredComparison.Run(file: "\(number)", result: run)
      }
      self.result = result
      compared = StoredComparison(StoredJudge(ComparePromise())).result(
        base: Array(runs[..<4]), candidate: Array(runs[4...]))
      window = WindowJudge().judge(
        record, result,
        CapacityStep(purpose: .raise, load: 1, start: .zero, duration: .seconds(60), settling: .zero, seed: 1))
    }

    /// The metrics of an operation that are no worse.
    func kept(_ operation: String) -> [CompareMetric] {
      (compared.operations.first { $0.operation == operation }?.rows ?? []).filter { $0.verdict == .pass }.map(\.metric)
    }
  }

  /// Judging takes seconds, in which other tests need the threads that all tests share.
  private static func said(_ gate: Gate, _ requests: Requests, of faulty: Set<String>) async throws -> Said {
    try await onThread { Said(gate, record(gate, requests, of: faulty)) }
  }

  /// The checks of a kind that passed of an operation.
  private static func passed(_ family: FaultFamily, _ operation: String, _ result: RunResult) -> [String] {
    let contract = result.checks
      .filter { $0.family == .contract && $0.subject == operation && $0.outcome == .passed }.map(\.name)
    switch family {
    case .contract, .transport: return contract
    case .latency, .regression:
      return result.budgets.filter { $0.operation == operation && $0.verdict == .pass }.map { "\($0.metric)" }
    case .state: return result.state.filter { $0.verdict == .pass }.map(\.name)
    case .relation:
      return (result.relations ?? []).filter { $0.operation == operation && $0.outcome == .kept }.map(\.relation)
    case .limits: return contract + result.limits.filter { $0.verdict == .consistent }.map(\.name)
    }
  }

  @Test(arguments: ReferenceAPI.names) func `without the samples that show a fault no check of its kind passes`(
    _ system: String
  ) async throws {
    let api = try ReferenceAPI(named: system)
    let gate = try Self.gate(api)
    let all = Set(gate.contract.summaries.map(\.id))
    let scripted = Set(gate.scenario.sessions.flatMap(\.calls).map(\.operation.id))
    var results: [String: Said] = [:]
    var pairs = 0
    for fault in api.faults {
      let faulty = fault.operation.map { [$0.name] }.map(Set.init) ?? all
      #expect(faulty.isSubset(of: all), "\(fault.name)")
      for requests in Requests.silent {
        let key = "\(requests) \(faulty.sorted())"
        let said: Said
        if let known = results[key] { said = known } else { said = try await Self.said(gate, requests, of: faulty) }
        results[key] = said
        let result = said.result
        // What was not checked says all the same how long it took.
        if requests == .unchecked, [.latency, .regression].contains(fault.family) { continue }
        for operation in faulty {
          #expect(
            Self.passed(fault.family, operation, result) == [], "\(fault.name), \(operation): \(requests.rawValue)")
          // Responses that nothing checks took as long as others.
          if requests != .unchecked {
            #expect(said.kept(operation) == [], "\(fault.name), \(operation): \(requests.rawValue)")
          }
        }
        if faulty == all, requests != .unchecked {
          #expect(said.window.outcome != .held, "\(fault.name): \(requests.rawValue)")
        }
        if !faulty.isDisjoint(with: scripted) {
          #expect(result.verdict != .pass, "\(fault.name): \(requests.rawValue)")
        }
        // Nor is said what such a run would have shown.
        let worth = result.operations.filter { faulty.contains($0.operation) && $0.strength != nil }.map(\.operation)
        #expect(worth == [], "\(fault.name): \(requests.rawValue)")
        pairs += 1
      }
    }
    print("\(system): \(pairs) faults without samples, \(results.count) runs")
    #expect(pairs > 100)
  }

  @Test(arguments: ReferenceAPI.names) func `with such samples the checks of single responses pass`(
    _ system: String
  ) async throws {
    let gate = try Self.gate(try ReferenceAPI(named: system))
    let said = try await Self.said(gate, .successful, of: [])
    let result = said.result
    #expect(said.window.outcome == .held, "\(said.window.causes)")
    for operation in gate.contract.summaries.map(\.id) {
      #expect(Self.passed(.contract, operation, result).count == 1, "\(operation)")
      #expect(Self.passed(.latency, operation, result).count == 5, "\(operation)")
      #expect(said.kept(operation).contains(.p50) && said.kept(operation).contains(.errors), "\(operation)")
    }
  }
}
