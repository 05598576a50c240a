import Foundation
import Murphy
import Testing

@Suite(.serialized) struct GateTests {
  @Test func `the same seed gives the same plan byte for byte`() throws {
    let gate = try Gate.load(Repository.scenarios + "/release-gate.yaml", environment: [:])
    var options = RunOptions()
    options.seed = 7
    let first = try gate.plan(options)
    #expect(first == (try gate.plan(options)))
    options.seed = 8
    #expect(first != (try gate.plan(options)))
  }

  @Test func `a stop keeps what was measured`() async throws {
    try await withScenario(EveryOperation.scenario(for: "30s")) { file in
      let gate = try Gate.load(file, environment: [:])
      let stop = StopSignal()
      let record = try await gate.run(RunOptions(), stop: stop) { if $0.outcomes.answered > 0 { stop.request() } }
      let result = gate.judge(record)
      #expect(result.run.duration < .seconds(30), "thirty seconds of load ended early")
      #expect(result.verdict == .invalid)
      #expect(result.ledger.answered > 0)
      #expect(result.ledger.contradictions == [])
    }
  }

  @Test func `a target that is down is a sentence`() async throws {
    let gate = try Gate.load(Repository.scenarios + "/smoke.yaml", environment: [:])
    var options = RunOptions()
    options.target = try Target("http://127.0.0.1:1")
    let error = await #expect(throws: GateError.self) { _ = try await gate.run(options) }
    #expect(error?.exitStatus == .unreachable)
    #expect(error?.description.contains("connection refused") == true)
  }

  @Test func `every shipped scenario and contract checks without mistakes`() throws {
    let folder = Repository.root + "/scenarios"
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder).filter { $0.hasSuffix(".yaml") }
    #expect(files.count >= 6)
    for file in files {
      let report = try FileCheck.check("\(folder)/\(file)")
      #expect(report.diagnostics.map(\.text) == [], "\(file)")
    }
  }

  @Test func `a document of 5 MB has the relations of a short one`() async throws {
    let contract = Repository.scenarios + "/openapi.yaml"
    let relations = try #require(try FileCheck.check(contract).relations)
    try await withTemporaryFolder { folder in
      let text = try String(contentsOfFile: contract, encoding: .utf8)
      let long = text + "\nx-notes: \"\(String(repeating: "a", count: 5_000_000))\"\n"
      try long.write(toFile: folder + "/long.yaml", atomically: true, encoding: .utf8)
      #expect(try FileCheck.check(folder + "/long.yaml").relations == relations)
    }
  }

  @Test func `where every response is to be checked the findings name operations and reasons`() async throws {
    try await withScenario(EveryOperation.scenario(for: "1s", expect: EveryOperation.timeless)) { file in
      let gate = try Gate.load(file, environment: [:])
      var record = try await gate.run()
      let index = try #require(record.operations.firstIndex { $0.conformance.conformant > 1 })
      record.operations[index].conformance.conformant -= 1
      record.operations[index].conformance.unchecked = [ReasonCount(reason: "the body was cut off", count: 1)]
      record.ledger.conformant -= 1
      record.ledger.unchecked = [ReasonCount(reason: "the body was cut off", count: 1)]
      #expect(gate.judge(record).verdict != .fail)
      var options = RunOptions()
      options.failOnUnchecked = true
      let result = gate.judge(record, options: options)
      #expect(result.verdict == .fail)
      let finding = try #require(result.findings.first { $0.kind == .contractUnchecked })
      #expect(finding.operation == record.operations[index].operation)
      #expect(finding.message.contains("the body was cut off"))
      #expect(result.reasons.count { $0.contains("not checked") } == 1)
    }
  }

  /// No response has such a field.
  @Test func `an invariant that nothing tests is no data and no pass`() async throws {
    let expect = EveryOperation.timeless.replacing(
      "{ errors", with: "{ state: [ { session: { key: path.id, order: $.revision, read: getLaw } } ], errors")
    try await withScenario(EveryOperation.scenario(for: "1s", expect: expect)) { file in
      let gate = try Gate.load(file, environment: [:])
      let result = gate.judge(try await gate.run())
      #expect(result.state.map(\.verdict) == [.notTested])
      #expect(result.verdict == .noData)
    }
  }

  @Test func `the reports are written`() async throws {
    try await withTemporaryFolder { folder in
      let gate = try Gate.load(Repository.scenarios + "/smoke.yaml", environment: [:])
      var options = RunOptions()
      options.duration = .seconds(1)
      let result = gate.judge(try await gate.run(options), options: options)
      try gate.report(result, to: folder)
      let names = try FileManager.default.contentsOfDirectory(atPath: folder)
      #expect(Set(names).isSuperset(of: ["result.json", "report.html", "junit.xml", "summary.md"]))
      let read = try ResultFile.read(folder + "/result.json")
      #expect(read.ledger == result.ledger)
      #expect(read.verdict == result.verdict)
    }
  }
}
