import MurphyContract
import MurphyProbe
import MurphySchema
import Testing

/// Other spellings of the path of a request.
@Suite struct PathSpellingTests {
  @Test(arguments: [
    (PathSpelling.encodedValue, "/laws/17", "/laws/%317"), (.encodedSegment, "/laws/17", "/%6Caws/17"),
    (.slash, "/laws/17", "/laws/17/"), (.letterCase, "/laws/17", "/LAWS/17"),
    (.encodedValue, "/laws/%20a?q=1", "/laws/%20%61?q=1"), (.encodedValue, "/laws/--", "/laws/--"),
    (.slash, "/laws/17?q=a/b", "/laws/17/?q=a/b"),
  ]) func `a path is spelled in another way`(_ spelling: PathSpelling, _ target: String, _ expected: String) {
    #expect(spelling.target(target, template: "/laws/{id}") == expected)
  }

  /// A slash and a combining mark after it are one `Character`.
  @Test(arguments: [
    ("a", true), ("a/b", false), ("/\u{200D}a", false), ("\\\u{301}", false), ("..", false), ("", false), ("é", true),
  ]) func `no path parameter has a slash`(_ text: String, _ canCarry: Bool) throws {
    let document = """
      openapi: 3.0.3
      info: { title: T, version: "1" }
      paths:
        /a/{id}:
          parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
          get: { responses: { "200": { description: fine } } }
      """
    let parameter = try #require(Contract.parse(document, file: "api.yaml").operations[0].parameters.first)
    #expect(parameter.canCarry(.string(text)) == canCarry)
  }

  @Test func `a path of other segments stays as it is`() {
    #expect(PathSpelling.encodedValue.target("/v1/laws/17", template: "/laws/{id}") == "/v1/laws/17")
  }
}
