import MurphySchema
import Testing

@Suite struct JSONValueTests {
  @Test(arguments: [
    "1", "-0.5e-3", "[]", "{}", #"{"a":[1,null,true,"x\ny"]}"#, #""\u0001é€𝄞""#, "123456789012345678901234567890",
  ])
  func `text survives a parse`(_ text: String) throws {
    #expect(try JSONValue.parse(text).text == text)
  }

  @Test(arguments: [
    ("", "ends, but a value"), ("[1,]", "']'"), ("{\"a\" 1}", "':'"), ("01", "leading zero"), ("1.", "incomplete"),
    ("\"\u{1}\"", "control character"), ("[1 2]", "','"), ("nul", "'n'"),
    ("\"a", "no closing quote"),
    ("\u{FEFF}1", "byte order mark"), ("1 1", "end of the text"),
  ])
  func `malformed text is rejected with its reason`(_ text: String, _ reason: String) {
    let error = #expect(throws: JSONError.self) { try JSONValue.parse(text) }
    #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
  }

  @Test func `an error knows line and column`() {
    let error = #expect(throws: JSONError.self) { try JSONValue.parse("{\n  \"a\": x\n}") }
    #expect(error?.line == 2)
    #expect(error?.column == 8)
  }

  @Test func `equality is that of JSON schema`() throws {
    #expect(try JSONValue.parse("[1, 1.0, 10e-1, 0.1e1]").array.map(Set.init) == [1])
    #expect(try JSONValue.parse(#"{"a":1,"b":2}"#) == JSONValue.parse(#"{"b":2.0,"a":1}"#))
    #expect(JSONValue.string("é") != JSONValue.string("e\u{301}"))
    #expect(try JSONValue.parse("9007199254740993") != JSONValue.parse("9007199254740992"))
    #expect(try JSONValue.parse("-0") == 0)
    #expect(JSONValue.bool(false) != 0)
  }

  @Test func `a repeated name keeps its last value`() throws {
    #expect(try JSONValue.parse(#"{"a":1,"b":2,"a":3}"#).text == #"{"a":3,"b":2}"#)
  }

  @Test(arguments: [#""\ud800""#, #""\udc00""#, #""\ud800\u0041""#, #""\ud800\n""#])
  func `half a surrogate pair is replaced`(
    _ text: String
  ) throws {
    #expect(try JSONValue.parse(text).string?.unicodeScalars.first == "\u{FFFD}")
  }

  @Test func `nesting is bounded`() {
    let error = #expect(throws: JSONError.self) { try JSONValue.parse(String(repeating: "[", count: 1_000_000)) }
    #expect(error?.kind == .tooDeep)
    let deepest =
      String(repeating: "[", count: JSONValue.maximumDepth) + String(repeating: "]", count: JSONValue.maximumDepth)
    #expect(throws: Never.self) { try JSONValue.parse(deepest) }
  }

  @Test func `names beyond a linear search are found`() {
    var object = JSONObject()
    for number in 0..<1000 { object["key\(number)"] = JSONValue(number) }
    object["key7"] = nil
    #expect(object.count == 999)
    #expect(object["key999"] == 999)
    #expect(object["key7"] == nil)
  }
}
