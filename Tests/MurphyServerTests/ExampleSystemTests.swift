import MurphyExamples
import MurphyServer
import Testing

/// Registers the example systems for the tests of all modules, which run in one process. The library creates all suites
/// with their traits before it computes arguments or runs the first test.
@Suite(.exampleSystems) struct ExampleSystemTests {
  @Test func `each system is known once, however often it is registered`() {
    ReferenceAPI.register(ReferenceAPI.examples)
    #expect(ReferenceAPI.names == ["murphys-laws"] + ReferenceAPI.examples.map(\.name))
  }

  @Test func `an unknown system is answered with the known ones`() {
    let error = #expect(throws: ServerError.self) { try ReferenceAPI(named: "x") }
    let names = ReferenceAPI.names.joined(separator: ", ")
    #expect(error?.description == "unknown system \"x\". Known: \(names).")
  }
}

private struct ExampleSystems: SuiteTrait {
  init() { ReferenceAPI.register(ReferenceAPI.examples) }
}

extension Trait where Self == ExampleSystems {
  fileprivate static var exampleSystems: Self { ExampleSystems() }
}
