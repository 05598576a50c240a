import Murphy
import Testing

/// Each fault of a reference API is found by a scenario of the system, as soon as there is a judge that can see it.
@Suite(.serialized, .timed) struct SystemFaultTests {
  static let tables: [(system: String, faults: [SystemFault])] = [
    ("journal", SystemFault.journal + SystemFault.journalLimits),
    ("milo", SystemFault.milo + SystemFault.miloLimits),
    ("monica", SystemFault.monica + SystemFault.monicaLimits),
  ]

  @Test(arguments: tables.map(\.system)) func `the table holds every fault of the system, and four of concurrency`(
    system: String
  ) throws {
    let table = try #require(Self.tables.first { $0.system == system }).faults
    let api = try ReferenceAPI(named: system)
    let own = api.ownFaults.map(\.name)
    #expect(Set(own).subtracting(table.map(\.name)) == [])
    #expect(Set(table.map(\.name)).subtracting(api.faults.map(\.name)) == [])
    #expect(table.count { $0.isConcurrent } >= 4)
  }

  /// Eight at a time: a run is mostly users who think.
  static let groups = tables.flatMap { system, faults in
    let asserted = faults.filter { SystemFault.Finder.today.contains($0.finder) }
    return stride(from: 0, to: asserted.count, by: 8).map {
      (system: system, faults: Array(asserted[$0..<min($0 + 8, asserted.count)]))
    }
  }

  @Test(arguments: groups) func `a fault fails the gate, and the finding names what is wrong`(
    system: String, faults: [SystemFault]
  ) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for fault in faults where fault.finder != .budget {
        group.addTask { try await Self.expect(fault, of: system) }
      }
      try await group.waitForAll()
    }
    // Beside seven other runs murphy itself may be late, and then it gives no verdict on a latency.
    for fault in faults where fault.finder == .budget { try await Self.expect(fault, of: system) }
  }

  private static func expect(_ fault: SystemFault, of system: String) async throws {
    let result = try await SystemGate.run(
      system, fault.scenario, fault: fault.name, rate: fault.rate, only: fault.only,
      arrivals: fault.isConcurrent ? "poisson" : "even",
      slowest: fault.finder == .budget ? "400ms" : nil)
    let found = result.errors.first { finding in
      finding.kind.rawValue.hasPrefix(fault.finder.rawValue)
        && (fault.operation == nil || finding.operation == fault.operation
          || finding.members?.contains { $0.operation == fault.operation } == true)
    }
    print("\(system) \(fault.name) -> \(result.verdict) \(found.map { "\($0.kind): \($0.message)" } ?? "nothing")")
    #expect(found != nil, "\(system) \(fault): \(result.errors.map { "\($0.kind) \($0.message)" })")
    #expect(result.verdict == .fail, "\(system) \(fault)")
    #expect(result.ledger.contradictions == [], "\(system) \(fault)")
  }

  /// What no judge of today can see; each is told by name, so that none is forgotten.
  @Test func `the faults that wait for a judge are counted`() {
    for (system, faults) in Self.tables {
      let waiting = faults.filter { !SystemFault.Finder.today.contains($0.finder) }
      let words = waiting.map { "\($0.name) (\($0.finder.rawValue)\($0.invariant ?? "?"))" }
      print("\(system): \(waiting.count) of \(faults.count) faults wait for a judge: \(words.joined(separator: ", "))")
      #expect(waiting.allSatisfy { $0.invariant != nil && $0.operation != nil })
    }
  }
}
