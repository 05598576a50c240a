import Murphy
import Testing

/// The reference APIs without faults, under the traffic of their real clients.
@Suite(.serialized) struct SystemGateTests {
  @Test(arguments: ReferenceAPI.names, 0..<2)
  func `twenty short runs without a fault are without a finding`(system: String, batch: Int) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 1...10 {
        let seed = UInt64(batch * 10 + number)
        group.addTask {
          let result = try await SystemGate.run(system, seed: seed, rate: 4, for: 2)
          let found = result.findings.filter { $0.severity != .note }.map { "\($0.kind): \($0.message)" }
          #expect(found == [], "\(system), seed \(seed)")
          #expect(result.ledger.violating == 0 && result.ledger.unchecked == [], "\(system), seed \(seed)")
          #expect(result.ledger.answered > 10, "\(system), seed \(seed)")
        }
      }
      try await group.waitForAll()
    }
  }

  @Test func `each system has its contract, a gate, and ten faults of its own`() throws {
    for api in ReferenceAPI.all {
      let gate = try Gate.load("\(Repository.root)/scenarios/\(api.name)/release-gate.yaml", environment: [:])
      let operations = Set(gate.contract.operations.map(\.id))
      #expect(operations == Set(api.operations.map(\.name)), "\(api.name): its contract has other operations")
      #expect(api.ownFaults.count >= 10 && Set(api.faults.map(\.name)).count == api.faults.count, "\(api.name)")
      for fault in api.ownFaults {
        if let operation = fault.operation { #expect(operations.contains(operation.name), "\(fault.name)") }
      }
    }
  }
}
