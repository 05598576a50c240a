import Murphy
import MurphyModel
import MurphyServer
import Testing

/// The reference API shares no code with murphy, so it reads limits by itself.
@Suite struct EmbeddedLimitTests {
  @Test(arguments: ["60s", "500ms", "1.5s", "2h", "1m", "0.25h"])
  func `a window is as long for the reference API as for murphy`(_ text: String) throws {
    let allowance = try Quantity.allowance("30/\(text)").get()
    let limit = try LimitOverride(parsing: "voteLaw=30/\(text)")
    #expect(limit.allowance == allowance.count)
    #expect(limit.window == allowance.window.nanoseconds)
  }
}
