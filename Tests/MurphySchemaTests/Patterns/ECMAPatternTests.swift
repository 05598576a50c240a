import MurphySchema
import Testing

@Suite struct ECMAPatternTests {
  @Test(arguments: [
    (#"^a*$"#, "aaa", true), (#"a+"#, "xxaayy", true), (#"^.$"#, "\u{2028}", false), (#"^.$"#, "𝄞", true),
    (#"^\d$"#, "߀", false), (#"^\w$"#, "é", false), (#"^\W$"#, "é", true), (#"^\s$"#, "\u{FEFF}", true),
    (#"^\s$"#, "\u{0B}", true), (#"^\S$"#, "\u{2003}", false), (#"^\S+$"#, "aé", true), (#"^[^\s]$"#, "\u{A0}", false),
    (#"a$"#, "a\n", false), (#"^\cA$"#, "\u{1}", true), (#"^\p{Letter}+$"#, "éλ", true), (#"^\p{Lu}$"#, "é", false),
    (#"^\p{Script=Greek}$"#, "λ", true), (#"^\P{L}$"#, "1", true), (#"^[\p{L}\d]+$"#, "é1", true),
    (#"^\u{1F600}$"#, "😀", true), (#"^\ud83d\ude00$"#, "😀", true), (#"^[😀-😂]$"#, "😁", true),
    (#"^(?<year>\d{4})\k<year>$"#, "20242024", true),
    (#"^(a)?\1b$"#, "b", true), (#"^[]$"#, "a", false), (#"^[^]$"#, "\n", true), (#"(?<=\$)\d+"#, "$42", true),
    (#"^(?!.*foo).*$"#, "a foo", false), (#"^\/\.$"#, "/.", true), (#"^[\]\\-]+$"#, "]\\-", true),
    (#"^x{2,3}?$"#, "xxx", true),
    (#"^\p{digit}+$"#, "42", true), ("", "", true), ("^é$", "é", true), (#"^\0$"#, "\0", true),
    (#"\bfoo\b"#, "a foo b", true),
  ])
  func `patterns mean what ECMA 262 says`(_ source: String, _ subject: String, _ expected: Bool) throws {
    #expect(try ECMAPattern(source).matches(subject) == (expected ? .yes : .no))
  }

  @Test(arguments: [
    (#"\a"#, "not a valid escape"), (#"^\S(|(.|\n)*\S)\Z"#, "not a valid escape"),
    ("(", "without ')'"), (")", "without '('"),
    ("[a", "without ']'"), ("a**", "nothing to repeat"),
    ("*", "nothing to repeat"), ("]", "no matching bracket"), ("{", "does not start a repetition"),
    ("a{2,1}", "in the wrong order"),
    ("[b-a]", "in the wrong order"),
    (#"\1"#, "does not exist"), (#"\k<a>"#, "group 'a' does not exist"), ("(?<a>)(?<a>)", "twice"),
    ("(?a)", "does not start a valid group"),
    (#"\p{Foo}"#, "Unicode property"),
    (#"\"#, "ends with a backslash"), (#"[\w-a]"#, "bound of a range"), (#"a++"#, "nothing to repeat"),
    (#"(?>a)"#, "does not start a valid group"),
    (#"\x1"#, "not a valid escape"), (#"\-"#, "not a valid escape"),
  ])
  func `patterns outside the grammar are rejected`(_ source: String, _ reason: String) {
    let error = #expect(throws: RegexError.self) { try ECMAPattern(source) }
    #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
  }

  @Test(arguments: [
    (#"^[\w-.]+$"#, "a-.", true), (#"^\-\_$"#, "-_", true), ("^]$", "]", true), ("^{$", "{", true),
    (#"^\101$"#, "A", true), (#"^a{,2}$"#, "a{,2}", true),
  ])
  func `the legacy grammar takes what the web takes`(_ source: String, _ subject: String, _ expected: Bool) throws {
    #expect(throws: RegexError.self) { try ECMAPattern(source) }
    #expect(try ECMAPattern(source, syntax: .legacy).matches(subject) == (expected ? .yes : .no))
  }

  @Test func `interoperable dots stop at line feed and carriage return only`() throws {
    let pattern = try ECMAPattern("a.b", syntax: .interoperable, whole: true)
    #expect(pattern.matches("a\u{2028}b") == .yes)
    #expect(pattern.matches("a\nb") == .no)
    #expect(pattern.matches("xa.b") == .no)
    #expect(throws: RegexError.self) { try ECMAPattern("(?=a)", syntax: .interoperable) }
  }

  @Test(arguments: [
    "a*?", "(?:a)", #"\d"#, #"\$"#, #"\u0061"#, "[]", "[^]", "[a-c-e]", "[--a]", "[a[]", #"\p{LC}"#, "}",
  ])
  func `the interoperable grammar is narrow`(_ source: String) {
    #expect(throws: RegexError.self) { try ECMAPattern(source, syntax: .interoperable) }
  }

  @Test(arguments: [
    ("[a-]", "-"), ("[-a]", "-"), ("[--]", "-"), (#"[+-\-]"#, ","), (#"\-"#, "-"), ("/", "/"), (#"\p{Lu}"#, "A"),
    ("(a)|", ""),
  ])
  func `the interoperable grammar takes`(_ source: String, _ subject: String) throws {
    #expect(try ECMAPattern(source, syntax: .interoperable, whole: true).matches(subject) == .yes)
  }

  // The subject is the letter, so many times, and an end.
  @Test(arguments: [
    ("^(a+)+$", "a", 40, "!"), ("(a|aa)+$", "a", 5000, "!"), ("^(([a-z])+.)+[A-Z]([a-z])+$", "a", 100_000, ""),
    ("a*[bc]", "a", 2_000_000, ""), ("(x+x+)+y", "x", 1_000_000, ""), ("(.*)*1", "a", 100_000, ""),
  ])
  func `hostile patterns end`(_ source: String, _ letter: String, _ count: Int, _ end: String) throws {
    let clock = ContinuousClock()
    let start = clock.now
    #expect(try ECMAPattern(source).matches(String(repeating: letter, count: count) + end) != .yes)
    // Without bounds each of these takes longer than anybody waits.
    #expect(clock.now - start < .seconds(60))
  }

  @Test func `long subjects of tame patterns are decided`() throws {
    let list = String(repeating: "ab,", count: 100_000)
    #expect(try ECMAPattern("^(?:[a-z]+,)*$").matches(list) == .yes)
    #expect(try ECMAPattern("^(?:[a-z]+,)*$").matches(list + "1") == .no)
    #expect(try ECMAPattern("[0-9]").matches(list) == .no)
    #expect(try ECMAPattern("b,$").matches(list) == .yes)
  }

  @Test func `deep nesting is rejected not fatal`() {
    let deep = String(repeating: "(", count: 100_000) + String(repeating: ")", count: 100_000)
    let error = #expect(throws: RegexError.self) { try ECMAPattern(deep) }
    #expect(error?.kind == .unsupported)
  }
}
