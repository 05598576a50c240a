import MurphyEngine
import MurphyModel
import Testing
import WildServer

@Suite struct UncheckedTests {
  @Test func `each operation has its own account of checked and unchecked responses`() async throws {
    let number = Counter()
    let server = try WildServer { request, connection in
      if request.target == "/laws" { return connection.answer(body: EngineFixture.page) }
      // Every second law is longer than the limit and is cut off.
      let padding = number.add().isMultiple(of: 2) ? 100_000 : 0
      connection.answer(body: EngineFixture.law + String(repeating: " ", count: padding))
    }
    defer { server.stop() }
    let record = try await EngineFixture.run(
      """
      settings: { max-body: 50KB }
      sessions:
        read: { steps: [{ call: listLaws }, { call: getLaw, path: { id: 7 } }] }
      load: [{ hold: 20/s, for: 1s }]
      """, against: server.url, loops: 2)
    let law = record.operation("getLaw").conformance
    #expect(law.responses == 20)
    #expect(law.conformant == 10)
    #expect(law.unchecked.map(\.count) == [10])
    #expect(record.operation("listLaws").conformance == Conformance(conformant: 20))
    #expect(record.operation("voteLaw").conformance == Conformance())
    let counts = record.operations.map(\.conformance)
    #expect(counts.reduce(0) { $0 + $1.uncheckedTotal } == record.ledger.uncheckedTotal)
    #expect(counts.reduce(0) { $0 + $1.conformant } == record.ledger.conformant)
  }
}
