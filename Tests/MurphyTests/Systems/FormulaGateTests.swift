import Murphy
import Testing

/// Formulas of a scenario's own, on the journal: a new entry's version is the number of its accepted pushes, and the
/// versions that these were based on add up to v (v - 1) / 2.
@Suite(.serialized) struct FormulaGateTests {
  private static let state = """
      state:
        - holds: >-
            read.count <= count(accepted.begun, operation == pushEntry) + unknown.begun
            and 2 * sum(accepted.before, body.version) + 2 * sum(unknown.before, body.version)
            == read.count * read.count - read.count
          name: pushes of an entry
          key: path.id
          write: pushEntry
          read: { getEntry: $.version }

    """

  @Test func `a formula holds for a faultless API`() async throws {
    let result = try await SystemGate.run("journal", only: ["write"], state: Self.state)
    #expect(result.findings.filter { $0.severity != .note }.map(\.message) == [])
    let row = try #require(result.state.first)
    #expect(row.verdict == .pass && row.test?.sharp ?? 0 > 10, "\(row.sentence)")
  }

  @Test(arguments: ["version-skips", "push-forgotten"]) func `a formula finds a fault`(fault: String) async throws {
    let result = try await SystemGate.run("journal", fault: fault, only: ["write"], state: Self.state)
    let found = try #require(result.findings.first { $0.kind == .stateFormula }, "\(result.findings.map(\.message))")
    #expect(found.evidence?.witness?.contains { $0.tells.hasPrefix("writes ") } == true)
  }
}
