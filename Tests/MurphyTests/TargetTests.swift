import Murphy
import Testing

@Suite struct TargetTests {
  @Test func `an embedded target carries its settings`() throws {
    guard case .embedded(let system, let settings) = try Target("embedded:murphys-laws?fault=stall&time-scale=0.1")
    else {
      Issue.record("not embedded")
      return
    }
    #expect(system == "murphys-laws")
    #expect(settings.map(\.name) == ["fault", "time-scale"])
    #expect(settings.map(\.value) == ["stall", "0.1"])
  }

  @Test(arguments: ["http://127.0.0.1:99999", "http://", "https://host:port", "http://a b/"])
  func `a URL that is not one is said before anything is sent`(_ url: String) {
    let error = #expect(throws: GateError.self) { try Target(url) }
    #expect(error?.description.contains("cannot use \"\(url)\" as the target") == true)
  }

  @Test func `a host without scheme is told what was meant`() {
    let error = #expect(throws: GateError.self) { try Target("localhost:8080") }
    #expect(error?.description.contains("Did you mean http://localhost:8080?") == true)
  }
}
