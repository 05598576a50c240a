import MurphyContract
import MurphySchema
import Testing

/// Texts made for patterns match them.
@Suite struct PatternSampleTests {
  @Test(arguments: [
    #"^t-[0-9]{3}$"#, "^[A-Z]{3}$", #"^[A-Z]{2}-\d{4}$"#, #"^(foo|bar)-\w+$"#, #"^[^\s@]+@[^\s@]+$"#,
    #"^\p{Lu}\p{L}*$"#,
    #"^(?:\d{4}-){2}\d+$"#, "[a-f0-9]{8}", "^a?b*c+d{0,2}$", #"^\+?[1-9]\d{1,14}$"#, "^[_a-z][_a-z0-9]*$", "^$", "",
    #"^#?([a-f0-9]{6}|[a-f0-9]{3})$"#, #"^\d+(\.\d{1,2})?$"#, #"^[\w.-]+\.(png|jpg)$"#, "^(?<year>[0-9]{4})$",
    "^[-a-z]+$",
  ])
  func `the text matches`(pattern: String) throws {
    for lengths in [0...Int.max, 0...64] {
      let text = try #require(PatternSample.text(pattern, lengths: lengths), "\(pattern)")
      #expect(try ECMAPattern(pattern).matches(text) != .no, "\(pattern): \(text)")
      #expect(lengths.contains(text.count))
    }
  }

  @Test func `lengths are kept`() throws {
    let text = try #require(PatternSample.text("^[a-z]+$", lengths: 12...40))
    #expect((12...40).contains(text.count))
    #expect(PatternSample.text("^[a-z]{3}$", lengths: 5...9) == nil)
  }

  @Test(arguments: ["^(?=a)b$", "(", "[", "a{", #"\"#, "(?!x)", #"\k<a>"#, "[z-a]", "a**", "(((((("])
  func whatIsNotUnderstoodGivesNothing(pattern: String) { #expect(PatternSample.text(pattern, lengths: 0...99) == nil) }

  @Test(arguments: 1...200 as ClosedRange<UInt64>) func `no pattern breaks it`(seed: UInt64) throws {
    var random = SeededRandom(state: seed)
    let parts = [
      "a", "[a-z]", "[^b]", "\\d", "\\w", "(", ")", "(?:", "|", "*", "+", "?", "{2,3}", "^", "$", ".", "\\", "[", "]",
      "-",
    ]
    let pattern = (0..<12).map { _ in parts.randomElement(using: &random) ?? "" }.joined()
    if let text = PatternSample.text(pattern, lengths: 0...200) {
      #expect(try ECMAPattern(pattern).matches(text) != .no, "seed \(seed): \(pattern)")
    }
  }
}

/// A small generator, so that a seed repeats its pattern (Knuth's MMIX constants).
private struct SeededRandom: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return (state >> 33) | (state << 31)
  }
}
