import MurphySchema
import Testing

@Suite struct JSONPointerTests {
  // The examples of RFC 6901 §5.
  @Test(
    arguments: [
      ("", nil), ("/foo", #"["bar","baz"]"#), ("/foo/0", #""bar""#), ("/", "0"), ("/a~1b", "1"), ("/c%d", "2"),
      ("/e^f", "3"),
      ("/g|h", "4"), ("/i\\j", "5"), ("/k\"l", "6"), ("/ ", "7"), ("/m~0n", "8"),
    ] as [(String, String?)])
  func `the examples of the RFC resolve`(_ text: String, _ expected: String?) throws {
    let document = try JSONValue.parse(
      #"{"foo":["bar","baz"],"":0,"a/b":1,"c%d":2,"e^f":3,"g|h":4,"i\\j":5,"k\"l":6," ":7,"m~n":8}"#)
    let pointer = try #require(JSONPointer(text))
    #expect(pointer.description == text)
    #expect(pointer.resolve(in: document)?.text == expected ?? document.text)
  }

  @Test(arguments: ["foo", "/~", "/~2", "#"])
  func `texts that are no pointer are rejected`(_ text: String) { #expect(JSONPointer(text) == nil) }

  @Test(arguments: ["/foo/01", "/foo/2", "/foo/-", "/foo/+1", "/bar", "/foo/0/x"])
  func `pointers to nothing resolve to nil`(_ text: String) throws {
    let document = try JSONValue.parse(#"{"foo":["bar","baz"]}"#)
    #expect(try #require(JSONPointer(text)).resolve(in: document) == nil)
  }
}
