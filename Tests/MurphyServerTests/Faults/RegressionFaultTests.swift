import MurphyServer
import Testing

@Suite struct RegressionFaultTests {
  @Test(arguments: ReferenceAPI.murphysLaws.faults.filter { $0.family == .regression }.map(\.name))
  func `a regression fault leaves the answers as they are`(fault: String) async throws {
    let honest = try await withServer(unlimited) { try await $0.get("/laws").body }
    let slower = try await withServer(unlimited + [("fault", fault)]) { try await $0.get("/laws").body }
    #expect(honest == slower)
  }

  @Test func `stretched work takes longer by its share`() async throws {
    for milliseconds in [1, 60] {
      let clock = ContinuousClock()
      var work = Duration.zero
      let whole = try await clock.measure {
        try await WorkStretch.stretch(by: { _ in 0.5 }) {
          work = try await clock.measure { try await Task.sleep(for: .milliseconds(milliseconds)) }
        }
      }
      #expect(whole >= work * 1.5)
    }
  }
}
