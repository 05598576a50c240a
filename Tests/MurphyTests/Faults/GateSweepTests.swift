import Murphy
import Testing

/// Every fault of Murphy's Laws against the shipped release gate, under a short load.
@Suite(.serialized, .timed) struct GateSweepTests {
  @Test func `the tables hold every fault of the system once`() {
    let names = GateFault.found.map(\.name) + GateFault.notFound.map(\.fault)
    #expect(names.sorted() == ReferenceAPI.murphysLaws.faults.map(\.name).sorted())
    #expect(GateFault.notFound.allSatisfy { !$0.reason.isEmpty })
    for (fault, reason) in GateFault.notFound { print("fault \(fault) -> not found: \(reason)") }
  }

  /// So many at a time: a run is mostly users who wait for their next step.
  private static let width = 12

  @Test func `the gate finds each fault that the table says it finds`() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (number, fault) in GateFault.found.enumerated() {
        if number >= Self.width { try await group.next() }
        group.addTask { try await Self.expect(fault) }
      }
      try await group.waitForAll()
    }
  }

  private static func expect(_ fault: GateFault) async throws {
    let result = try await result(fault)
    let errors = result.findings.filter { $0.severity == .error }
    let found = errors.first { finding in
      fault.kinds.contains(finding.kind) && (fault.operation == nil || finding.operation == fault.operation)
    }
    print("fault \(fault.name) -> \(found.map { "\($0.kind): \($0.headline)" } ?? "nothing")")
    #expect(found != nil, "\(fault.name): \(errors.map { "\($0.kind) \($0.headline)" })")
    #expect(result.ledger.contradictions == [], "\(fault.name)")
  }

  private static func result(_ fault: GateFault) async throws -> RunResult {
    var gate = try Gate.load(Repository.scenarios + "/release-gate.yaml", environment: [:])
    gate.scenario.settings.timeout = fault.timeout ?? .seconds(60)
    gate.scenario.settings.grace = .seconds(60)
    var options = RunOptions()
    options.seed = 42
    options.loops = 1
    options.duration = .seconds(2)
    options.load = fault.load
    options.only = [fault.session]
    options.skipsThinking = true
    // Only relations are tested by the requests that murphy sends after the load.
    options.walksCollections = fault.kinds.contains { $0.family == .relation }
    options.reference.faults = [try ReferenceAPI.murphysLaws.fault(fault.name)]
    return gate.judge(try await gate.run(options), options: options)
  }
}
