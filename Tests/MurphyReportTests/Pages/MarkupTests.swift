import MurphyReport
import Testing

@Suite("Markup")
struct MarkupTests {
  @Test func `text and attribute values cannot become markup`() {
    let hostile = "<script>alert('x')</script>\" onload=\"&amp;"
    let markup = element(.p, .class(hostile), text: hostile)
    #expect(
      markup.html
        == "<p class=\"&lt;script&gt;alert('x')&lt;/script&gt;&quot; onload=&quot;&amp;amp;\">"
        + "&lt;script&gt;alert('x')&lt;/script&gt;\" onload=\"&amp;amp;</p>")
  }

  @Test func `control characters that XML and HTML forbid are replaced, not dropped`() {
    #expect(
      element(.p, text: "a\u{0}b\u{1B}[31mc\u{FFFE}\u{85}").xml == "<p>a\u{FFFD}b\u{FFFD}[31mc\u{FFFD}\u{FFFD}</p>")
    #expect(element(.p, text: "a\tb\nc\rd").xml == "<p>a\tb\nc&#13;d</p>")
  }

  @Test func `a direction override in data does not reach the page`() {
    #expect(element(.p, text: "a\u{202E}b\u{2066}c").html == "<p>a\u{FFFD}b\u{FFFD}c</p>")
  }

  @Test(arguments: [
    (
      "`stale: 1s` allows it, and so does `<final>`.",
      "<p><code>stale: 1s</code> allows it, and so does <code>&lt;final&gt;</code>.</p>"
    ),
    ("no code", "<p>no code</p>"), ("a single ` sign", "<p>a single ` sign</p>"),
  ]) func `parts of a sentence between backticks are code`(sentence: String, html: String) {
    #expect(element(.p) { Markup.prose(sentence) }.html == html)
  }

  @Test func `empty elements close themselves in XML, and in HTML only those that never have content`() {
    #expect(element(.p).xml == "<p/>")
    #expect(element(.p).html == "<p></p>")
    #expect(element(.br).html == "<br>")
  }

  @Test(arguments: [
    (0.0, "0"), (1, "1"), (-1.5, "-1.5"), (0.004, "0"), (12.345, "12.35"), (0.05, "0.05"), (-0.02, "-0.02"),
    (.nan, "0"), (.infinity, "0"), (1e300, "0"),
  ]) func `coordinates have at most two decimals and never an exponent`(value: Double, text: String) {
    #expect(Coordinate.text(value) == text)
  }
}
