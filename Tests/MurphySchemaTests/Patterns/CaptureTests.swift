import MurphySchema
import Testing

@Suite struct CaptureTests {
  @Test(
    arguments: [
      (#"csrf" value="([^"]+)""#, #"<input name="csrf" value="a-1"><b>"#, RegexCapture.found("a-1")),
      ("[0-9]+", "law 17 of 20", .found("17")), ("(a)|b", "b", .none), ("x(y)?z", "xz", .none),
      ("x()z", "xz", .found("")),
      ("é(.)", "aéß", .found("ß")), ("(a", "(", .none), ("nothing", "text", .none), ("(?:a)(b)(c)", "abc", .found("b")),
    ] as [(String, String, RegexCapture)])
  func `the first group of the first match is taken`(pattern: String, text: String, expected: RegexCapture) throws {
    guard let compiled = try? ECMAPattern(pattern, syntax: .legacy) else {
      #expect(pattern == "(a")
      return
    }
    #expect(compiled.capture(in: text, RegexScratch()) == expected)
  }

  @Test func `a pattern that needs too many steps is told`() throws {
    let pattern = try ECMAPattern("(a+)+$", syntax: .legacy)
    #expect(pattern.capture(in: String(repeating: "a", count: 40) + "b", RegexScratch()) == .limitExceeded)
  }
}
