import Foundation
import MurphyContract
import MurphyJudge
import MurphyModel
import MurphyScenario
import Simulation
import Testing

/// A limit of the scenario and one of the contract on the same operation: neither hides the faults of the other.
@Suite struct ReplacedLimitTests {
  private static let documented = "limit: 60, window: 60"

  private static func contract(_ limit: String?) throws -> Contract {
    let text = """
      openapi: 3.1.0
      info: { title: t, version: "1" }
      paths:
        /laws/vote:
          post:
            operationId: voteLaw
            \(limit.map { "x-ratelimit: { \($0) }" } ?? "x-nothing: 1")
            responses: { "200": { description: fine }, "429": { description: limited } }

      """
    return try Contract.load(["http://laws/openapi.yaml"], fetched: ["http://laws/openapi.yaml": Array(text.utf8)])
  }

  private static func scenario(_ more: String = "") throws -> [LimitExpectation] {
    let text = """
      name: t
      contract: openapi.yaml
      sessions: { only: { steps: [{ call: voteLaw }] } }
      load: [{ hold: 1/s, for: 1s }]
      expect: { limits: { voteLaw: { allow: 60, per: 6s, algorithm: fixed, key: X-Device-ID\(more) } } }

      """
    return try Scenario.parse(text: text, file: "scenario.yaml", operations: nil, environment: [:]).expectations.limits
  }

  /// Planted faults of a limiter of 60 per 6 s for each device.
  enum Fault: String, CaseIterable {
    case onePlus, oneMinus, windowShort, windowLong, keyAddress, twoProcesses, countsRejected, neverResets, unlimited
  }

  /// Four devices of one address in bursts, with rejected requests until after the window.
  private static func log(_ fault: Fault?) -> LimitLog {
    var builder = LogBuilder()
    builder.drawsDevices = true
    var counters: [String: LimiterModel] = [:]
    let window = fault == .windowShort ? 4.0 : fault == .windowLong ? 9.0 : fault == .neverResets ? 1e6 : 6.0
    let allowance = fault == .onePlus ? 61 : fault == .oneMinus ? 59 : fault == .unlimited ? 1_000_000 : 60
    let model = LimiterModel(
      fault == .countsRejected ? .slidingLog : .fixed, allowance: allowance, window: window, phase: 0,
      countsRefused: fault == .countsRejected)
    var sends: [(at: Double, device: Int)] = []
    for device in 0..<4 {
      for round in 0..<3 {
        let start = 0.5 + Double(device) * 0.11 + Double(round) * 6.3
        for index in 0..<70 { sends.append((start + Double(index) * 0.02, device)) }
        for index in 0..<8 { sends.append((start + 2 + Double(index) * 0.5, device)) }
      }
    }
    for (number, send) in sends.sorted(by: { $0.at < $1.at }).enumerated() {
      let device = fault == .keyAddress ? "address" : "device-\(send.device)"
      let counter = fault == .twoProcesses ? "\(device) \(number % 3 == 0)" : device
      let isAdmitted = counters[counter, default: model].admits(at: send.at + 0.002)
      builder.add(send.at, send.at + 0.004, isAdmitted ? 200 : 429, device: "device-\(send.device)")
    }
    return builder.log
  }

  private static func errors(
    _ fault: Fault?, _ expected: [LimitExpectation], _ contract: Contract
  ) -> Set<FindingKind> {
    let policies = LimitExpectations.policies(expected, contract, timeScale: 1)
    let judged = LimitJudge.judge(
      log: log(fault), policies: policies, options: LimitJudgeOptions(startsQuiet: true, tick: .milliseconds(1)))
    return Set(judged.findings.filter { $0.severity == .error }.map(\.kind))
  }

  @Test(arguments: Fault.allCases)
  func `a line in the contract hides no fault of the scenario's limit`(_ fault: Fault) throws {
    let expected = try Self.scenario()
    let alone = Self.errors(fault, expected, try Self.contract(nil))
    #expect(!alone.isEmpty, "the traffic does not show \(fault)")
    #expect(Self.errors(fault, expected, try Self.contract(Self.documented)) == alone)
  }

  @Test func `a right limiter is not accused, whatever the contract says`() throws {
    for contract in [try Self.contract(nil), try Self.contract(Self.documented)] {
      #expect(Self.errors(nil, try Self.scenario(), contract).isEmpty)
    }
  }

  @Test(arguments: Fault.allCases)
  func `two limits that both hold never pass with a fault`(_ fault: Fault) throws {
    let policies = LimitExpectations.policies(
      try Self.scenario(", also: true"), try Self.contract(Self.documented), timeScale: 1)
    #expect(policies.count == 2)
    let rows = LimitJudge.judge(
      log: Self.log(fault), policies: policies, options: LimitJudgeOptions(startsQuiet: true, tick: .milliseconds(1))
    ).rows
    #expect(rows[0].verdict != .consistent, "\(fault): \(rows[0].sentence)")
  }

  @Test func `limits that differ are a warning, and those that agree are not`() throws {
    let found = LimitExpectations.contradictions(try Self.scenario(), try Self.contract(Self.documented))
    #expect(found.map(\.severity) == [.warning])
    #expect(found.first?.message.contains("murphy checks only the scenario's limit") == true)
    #expect(found.first?.details.last?.contains("also: true") == true)
    #expect(
      LimitExpectations.contradictions(try Self.scenario(", also: true"), try Self.contract(Self.documented)).isEmpty)
    #expect(LimitExpectations.contradictions(try Self.scenario(), try Self.contract("limit: 60, window: 6")).isEmpty)
  }

  /// What a run of exploration sends beside the contract is counted by the limiter of the operation.
  @Test func `requests that depart from an operation count as it`() throws {
    let contract = try Self.contract("allow: 3, per: 60s, key: X-Device-ID").adding([
      .init(
        id: "voteLaw, off the contract", method: "POST", path: "/laws/vote",
        limits: try Self.contract("allow: 3, per: 60s, key: X-Device-ID").operations[0].documentedLimits,
        countsAs: "voteLaw")
    ])
    let policies = LimitExpectations.policies([], contract, timeScale: 1)
    #expect(policies.map(\.operations) == [["voteLaw"]])
    var builder = LogBuilder(operations: ["voteLaw", "voteLaw, off the contract"])
    for index in 0..<3 { builder.add(1 + Double(index), 1.01 + Double(index), 400, operation: 1) }
    builder.add(5, 5.01, 429)
    let judged = LimitJudge.judge(
      log: builder.log.counting(contract), policies: policies, options: LimitJudgeOptions(startsQuiet: true))
    #expect(judged.findings.filter { $0.severity == .error }.isEmpty, "\(judged.findings.map(\.message))")
    #expect(judged.rows[0].sentence.contains("requests that may or may not count"), "\(judged.rows[0].sentence)")
  }
}
