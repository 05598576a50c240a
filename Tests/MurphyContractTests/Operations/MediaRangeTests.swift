import MurphyContract
import Testing

@Suite struct MediaRangeTests {
  @Test func `a range knows its parts and whether it is JSON`() throws {
    let range = try #require(MediaRange("Application/Problem+JSON; Charset=\"UTF-8\""))
    #expect(range.type == "application")
    #expect(range.subtype == "problem+json")
    #expect(range.parameters.map(\.name) == ["charset"])
    #expect(range.parameters.map(\.value) == ["utf-8"])
    #expect(range.isJSON)
    #expect(MediaRange("*/*")?.admitsJSON == true)
    #expect(MediaRange("text/html")?.admitsJSON == false)
  }

  @Test(arguments: ["", "json", "a/", "/b", "a b/c", "*/json", "a/b/c", "application /json"])
  func `what is not a media type is none`(_ text: String) { #expect(MediaRange(text) == nil) }

  @Test func `the exact type comes before the range`() {
    let texts = ["*/*", "application/json", "application/*", "application/json; charset=utf-8"]
    let sorted = texts.compactMap { MediaRange($0) }.sorted { $0.specificity > $1.specificity }.map(\.text)
    #expect(sorted == ["application/json; charset=utf-8", "application/json", "application/*", "*/*"])
  }
}
