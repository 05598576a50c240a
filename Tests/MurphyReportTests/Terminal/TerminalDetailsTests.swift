import MurphyReport
import Testing

@Suite("Terminal details")
struct TerminalDetailsTests {
  @Test(arguments: [
    "pass", "fail", "limits", "invalid", "no-data", "empty", "unchecked", "outage", "frozen", "unreached", "merged",
    "tolerated", "baseline",
  ]) func `the summaries read as these golden files say`(name: String) throws {
    let result = try #require(Sample.all.first { $0.name == name }).result
    try Golden.expect(TerminalDetails(result, width: 80).text, is: "\(name).txt")
  }

  @Test func `narrow and coloured, a failed run reads as these golden files say`() throws {
    try Golden.expect(TerminalDetails(Sample.fail, width: 48).text, is: "fail-narrow.txt")
    try Golden.expect(
      TerminalDetails(Sample.fail, width: 100, colour: true).text.replacing("\u{1B}", with: "␛"), is: "fail-colour.txt")
  }

  @Test(arguments: [40, 57, 80, 120, 200])
  func `no line is wider than the terminal, and the last is the verdict's word`(width: Int) {
    for (name, result) in Sample.all {
      let lines = TerminalDetails(result, width: width).text.split(separator: "\n", omittingEmptySubsequences: false)
      // A command is one line, to be pasted.
      for line in lines where !line.hasPrefix("reproduce ") {
        #expect(TerminalText.columns(String(line)) <= width, "\(name): \(line)")
      }
      #expect(lines.dropLast().last ?? "" == result.verdict.word, "\(name)")
    }
  }

  @Test func `no text from a server reaches the terminal as a command`() {
    let text = TerminalDetails(Sample.hostile, width: 100).text
    #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || ($0.value >= 0x20 && !(0x7F...0x9F).contains($0.value)) })
  }

  @Test(arguments: [
    ("abc", 3), ("日本", 4), ("e\u{301}", 1), ("", 0), ("\u{20000}", 2), ("\u{231A}", 2), ("\u{1F321}", 1),
    ("\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}", 2), ("\u{1F44D}\u{1F3FD}", 2), ("\u{1F1E9}\u{1F1EA}", 2),
    ("\u{E2A}\u{E31}", 1), ("\u{5D0}\u{5B0}", 1), ("\u{1112}\u{1161}\u{11AB}", 2), ("a\u{1B}b", 2),
  ]) func `words are counted in columns, wide letters as two`(text: String, width: Int) {
    #expect(TerminalText.columns(text) == width)
  }

  @Test func `text is broken between words, and words where they must be`() {
    #expect(TerminalText.wrap("one two three", to: 7) == ["one two", "three"])
    #expect(TerminalText.wrap("abcdefghij kl", to: 4) == ["abcd", "efgh", "ij", "kl"])
    #expect(TerminalText.cut("abcdef", to: 4) == "abc…")
  }

  /// "at most 5…" for 59 is a false statement.
  @Test(arguments: [
    ("most 59 of", 7, "most …"), ("most 59 of", 8, "most 59…"), ("p 1,461", 5, "p …"), ("12345", 3, "…"),
  ])
  func `a text is not cut inside a number`(text: String, width: Int, expected: String) {
    #expect(TerminalText.cut(text, to: width) == expected)
  }
}
