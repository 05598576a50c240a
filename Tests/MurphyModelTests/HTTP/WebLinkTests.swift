import MurphyModel
import Testing

@Suite struct WebLinkTests {
  /// Each link's target and relations.
  private static func read(_ fields: [String]) -> [String] {
    WebLink.links(in: fields).map { ([$0.target] + $0.relations).joined(separator: " ") }
  }

  @Test func `links are read with all their relations`() {
    let fields = [
      #"</laws?page=2>; rel="next last"; title="a, b; c", <http://a/b,c>;rel=PREV"#, #"<#x> ; rel = "first""#,
    ]
    #expect(
      Self.read(fields) == ["/laws?page=2 next last", "http://a/b,c prev", "#x first"])
  }

  @Test func `the first rel counts and links of other contexts are skipped`() {
    let field = #"<a>; rel=one; rel=two, <b>; anchor="/else"; rel=next, <c>; rel="ne\xt""#
    #expect(
      Self.read([field]) == ["a one", "c next"])
  }

  @Test(arguments: ["", ",", "<", "<a", "a; rel=next", "<a>; rel=\"next", "<a>;;;=;,<", "<a> rel=next", "\"<a>\""])
  func `what is not a link ends the reading`(field: String) {
    #expect(WebLink.links(in: [field]).count <= 1)
  }
}
