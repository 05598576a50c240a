import MurphySchema
import Testing

@Suite struct JSONPathTests {
  @Test(
    arguments: [
      ("", 0, "a query must begin with $"), (" $", 0, "a query must begin with $"),
      ("$ ", 1, "not end with white space"),
      ("$.", 2, "expected a name or *"), ("$.2", 2, "expected a name or *"), ("$.. a", 3, "expected a name or *"),
      ("$...a", 3, "expected a name or *"), ("$a", 1, "expected . or ["), ("$[", 2, "expected a quoted name"),
      ("$[a]", 2, "expected a quoted name"), ("$['a", 2, "the closing quote is missing"),
      ("$['\\q']", 3, "not a valid escape"),
      ("$['\\\"']", 3, "not a valid escape"), ("$[\"\\ud800\"]", 3, "a high surrogate"),
      ("$[\"\\udc00\"]", 3, "a low surrogate"),
      ("$[\"\\ud800\\u0041\"]", 3, "followed by a low surrogate"), ("$['\u{1}']", 3, "control character"),
      ("$[01]", 2, "leading zero"),
      ("$[-0]", 2, "not be -0"), ("$[9007199254740992]", 2, "2^53 - 1"), ("$[-9007199254740992]", 2, "2^53 - 1"),
      ("$[1", 3, "expected , or ]"), ("$[?@.a=1]", 6, "expected , or ]"), ("$[?true]", 3, "a literal alone"),
      ("$[?@.* == 1]", 3, "several nodes"), ("$[?@..a == 1]", 3, "several nodes"), ("$[?!@.a == 1]", 4, "parentheses"),
      ("$[?length(@.a)]", 3, "must be compared"), ("$[?count(1) > 2]", 9, "must be a query"),
      ("$[?length(@.*) > 2]", 10, "several nodes"),
      ("$[?match(@.a, 'x') == true]", 3, "returns true or false"), ("$[?foo(@)]", 3, "function foo does not exist"),
      ("$[?length(@, @) > 1]", 3, "takes 1 argument"), ("$[?count (@.*) > 1]", 3, "not a literal"),
      ("$[?@.a == 1.]", 12, "after the point"),
      ("$[?@.a == .5]", 10, "expected a query"), ("$[?@.a == 1e]", 12, "exponent"),
      ("$[?@.a == -]", 11, "expected a digit"),
      ("$[?(@.a]", 7, "expected ), && or ||"), ("$[?True == @.a]", 3, "lower case"),
      ("$[?@.a ==]", 9, "expected a query"),
      ("$[?match(@.a, match(@.b, 'x'))]", 14, "must be a value"),
    ] as [(String, Int, String)])
  func `a mistake is shown where it stands`(query: String, offset: Int, message: String) {
    let error = #expect(throws: JSONPathError.self) { try JSONPath(query) }
    #expect(error?.offset == offset, "\(query): \(error?.description ?? "")")
    #expect(error?.message.contains(message) == true, "\(query): \(error?.message ?? "")")
  }

  @Test func `the caret stands under the mistake`() {
    let error = #expect(throws: JSONPathError.self) { try JSONPath("$.data[?@.id = 1]") }
    #expect(
      error?.description == """
        not a JSONPath query: expected , or ]; found "="
          $.data[?@.id = 1]
                       ^
        """)
  }

  @Test(
    arguments: [
      ("$[?@.a == -0]", [["a": 0]]), ("$[?@.a == 1E0]", [["a": 1]]), ("$[?@.a == 0.1e1]", [["a": 1]]),
      ("$ [ ?\n@ .a\t==\r1 ]", [["a": 1]]), ("$[?@['a']==1]", [["a": 1]]), ("$[?(((@.a))) && !(@.a==0)]", [["a": 1]]),
      ("$[?@.none == $.none]", [["a": 0], ["a": 1]]), ("$[?value(@.*) > 0]", [["a": 1]]), ("$[?@.a <= @.none]", []),
      ("$[-9007199254740991:9007199254740991:9007199254740991]", [["a": 0]]), ("$[::-1]", [["a": 1], ["a": 0]]),
      ("$[::0]", []), ("$[5:-5:-1]", [["a": 1], ["a": 0]]), ("$[?'z' == \"\\u007a\"]", [["a": 0], ["a": 1]]),
      ("$[0, -2, 0]", [["a": 0], ["a": 0], ["a": 0]]), ("$[?@.a==9007199254740993]", []),
    ] as [(String, JSONValue)])
  func aQueryFindsWhatTheRFCSays(query: String, expected: JSONValue) throws {
    #expect(try .array(JSONPath(query).values(in: [["a": 0], ["a": 1]])) == expected)
  }

  @Test func `normalized paths escape what they must`() throws {
    let document: JSONValue = ["it's\\\n\u{1}\u{7F}ö": [1]]
    #expect(try JSONPath("$.*[0]").nodes(in: document).map(\.path) == ["$['it\\'s\\\\\\n\\u0001\u{7F}ö'][0]"])
  }

  @Test func `singular queries are told from others`() throws {
    #expect(try JSONPath("$.a['b'][0]").isSingular)
    for query in ["$.*", "$..a", "$[0:1]", "$['a','b']", "$[?@.a]"] { #expect(try !JSONPath(query).isSingular) }
  }

  @Test func `deep nesting is a mistake and not a crash`() {
    for query in [
      "$[?" + String(repeating: "(", count: 100_000), "$" + String(repeating: "[?@", count: 100_000),
      "$[?" + String(repeating: "count(", count: 100_000), "$[?" + String(repeating: "!(", count: 100_000),
    ] {
      #expect(throws: JSONPathError.self) { try JSONPath(query) }
    }
  }

  @Test func `long queries and deep documents are followed without recursion`() throws {
    let long = try JSONPath("$" + String(repeating: "['a']", count: 50_000))
    #expect(long.values(in: ["a": ["a": 1]]) == [])
    let deep = (0..<1000).reduce(JSONValue(1)) { inner, _ in ["a": inner] }
    #expect(try JSONPath("$..a").values(in: deep).count == 1000)
  }

  @Test(arguments: ["a.c", "[a-c]{3}", "abc|x", "\\p{Ll}+", "(a)(b)(c)", "a[^\\n]c", "^abc$", "a\\-?bc"])
  func `interoperable patterns match`(pattern: String) throws {
    let escaped = pattern.replacing("\\", with: "\\\\")
    #expect(try JSONPath("$[?match(@, '\(escaped)')]").values(in: ["abc"]) == ["abc"], "\(pattern)")
  }

  @Test(arguments: ["(?=a)bc", "a{", "a**", "[abc", "\\d+", "\\w", "(abc", "abc)", "a{2,1}", "[]", "(?:abc)", "\\1"])
  func `other patterns match nothing`(pattern: String) throws {
    let escaped = pattern.replacing("\\", with: "\\\\")
    #expect(try JSONPath("$[?search(@, '\(escaped)')]").values(in: ["abc", "1", "a{"]) == [], "\(pattern)")
  }

  @Test(arguments: 1...200 as ClosedRange<UInt64>) func `no text crashes the parser`(seed: UInt64) throws {
    var state = seed &* 0x9E37_79B9_7F4A_7C15
    let alphabet = Array("$@.[]()?*!&|=<>'\"\\,:- \n019aeunltrc\u{0}é😀_")
    for _ in 0..<100 {
      var query = "$"
      for _ in 0..<24 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        query.append(alphabet[Int(state >> 33) % alphabet.count])
      }
      if let path = try? JSONPath(query) {
        let document: JSONValue = ["a": [1, ["e": "x"]], "n": .null]
        #expect(try path.values(in: document) == path.nodes(in: document).map(\.value), "seed \(seed): \(query)")
      }
    }
  }

  /// Each `..` visits a node once for each of its ancestors: three of them took minutes for a document of 150 KB.
  @Test func `a query that visits too many nodes finds nothing`() throws {
    var document: JSONValue = 1
    for _ in 0..<9 { document = ["a": .array([document, document, document])] }
    let path = try JSONPath("$..*..*..*")
    #expect(throws: PathExcess.self) { try path.nodes(in: document) }
    #expect(path.values(in: document).isEmpty)
    #expect(try JSONPath("$..a").nodes(in: document).count == 9841)
  }
}
