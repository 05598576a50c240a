import MurphyReport
import Testing

@Suite("Bodies in evidence")
struct BodyListingTests {
  @Test func `the value that the pointer names is marked, and nothing else`() {
    let listing = BodyListing(#"{"a":[1,{"b/c":"x"}],"d":null}"#, pointer: "/a/1/b~1c")
    #expect(listing.lines.filter(\.marked).map(\.text) == [#"      "b/c": "x""#])
    #expect(listing.lines.count == 9)
  }

  @Test func `a marked array is marked whole`() {
    let listing = BodyListing(#"{"a":[1,2],"b":3}"#, pointer: "/a")
    #expect(listing.lines.filter(\.marked).count == 4)
  }

  @Test func `of a long body only the lines around the mark are shown, and how many are not`() throws {
    let body = "[" + (0..<1000).map(String.init).joined(separator: ",") + "]"
    let lines = BodyListing(body, pointer: "/500").lines
    #expect(lines.first?.text == "⋯ 493 lines")
    #expect(lines.last?.text == "⋯ 493 lines")
    #expect(lines.contains { $0.marked && $0.text == "  500," })
    #expect(lines.count < 50)
  }

  @Test func `what is not JSON, or was cut, stays as it is, bounded`() {
    #expect(BodyListing("<html>\n<p>", pointer: "/a").lines.map(\.text) == ["<html>", "<p>"])
    #expect(BodyListing(#"{"a":"#, pointer: nil).lines.map(\.text) == [#"{"a":"#])
    #expect(BodyListing(String(repeating: "x", count: 1_000_000), pointer: nil).lines.map(\.text.count) == [4_001])
  }

  @Test func `a body nested a thousand deep is listed without a crash`() {
    let body = String(repeating: "[", count: 1_000) + String(repeating: "]", count: 1_000)
    #expect(!BodyListing(body, pointer: "/0/0/0").lines.isEmpty)
  }
}
