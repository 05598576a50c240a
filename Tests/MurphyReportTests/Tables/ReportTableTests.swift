import MurphyReport
import Testing

/// One table, drawn for a terminal, in Markdown and in HTML.
@Suite struct ReportTableTests {
  private static let table = ReportTable(
    "Votes by law",
    [.text("law"), .number("votes", spare: 1), .number("p95", unit: "ms"), .number("max", spare: 0), .note("why")],
    [
      ["Murphy's first law of everything", "1,200", .init("41.2 ms", bare: "41.2"), "98", "–"],
      ["日本の法則", "7", .init("1.5 s", bare: "1,500"), "2", .init("", lines: ["one reason", "another"])],
    ], noun: "law")

  @Test func `a terminal has aligned columns, and sentences below their row`() {
    #expect(
      Self.table.lines(width: 80) == [
        "law                               votes      p95  max",
        "Murphy's first law of everything  1,200  41.2 ms   98",
        "日本の法則                            7    1.5 s    2", "  one reason", "  another",
      ])
  }

  @Test func `a narrow terminal loses columns in their order, then letters of the names`() {
    #expect(Self.table.lines(width: 50)[0] == "law                               votes      p95")
    #expect(Self.table.lines(width: 42)[1] == "Murphy's first law of everything  41.2 ms")
    #expect(Self.table.lines(width: 25)[1...2] == ["Murphy's first …  41.2 ms", "日本の法則          1.5 s"])
    #expect(Self.table.lines(width: 18)[2] == "日本の法…    1.5 s")
  }

  @Test(arguments: 18...90) func `lines fit, wide letters counted as two`(width: Int) {
    for line in Self.table.lines(width: width) { #expect(TerminalText.columns(line) <= width, "\(line)") }
  }

  @Test func `rows beyond the most are counted`() {
    #expect(Self.table.lines(width: 80, most: 1).last == "and 1 more law")
    #expect(Self.table.markdown(most: 1).hasSuffix("\n\n…and 1 more."))
    #expect(ReportTable("", [.text("law")], []).lines(width: 80).isEmpty)
  }

  @Test func `no cell steers a terminal, and a colour is on the head alone`() {
    let hostile = ReportTable("", [.text("name"), .text("note")], [["a\u{1B}[2J\nb", .init("", lines: ["c\u{07}"])]])
    #expect(hostile.lines(width: 80) == ["name     note", "a\u{FFFD}[2J b", "  c\u{FFFD}"])
    #expect(hostile.lines(width: 80, colour: true)[0] == "\u{1B}[2mname     note\u{1B}[0m")
  }

  @Test func `a row of one cell is a heading over all columns`() {
    let table = ReportTable("", [.text("metric"), .number("base")], [["getLaw, which is long"], ["  p50", "1 ms"]])
    #expect(table.lines(width: 80) == ["metric  base", "getLaw, which is long", "  p50   1 ms"])
    #expect(table.lines(width: 12)[1] == "getLaw, whi…")
  }

  @Test func `Markdown escapes pipes and HTML, and says a unit once`() {
    let hostile = ReportTable(
      "", [.text("name"), .number("p95", unit: "ms"), .note("why")],
      [["a|b<img>@me", .init("41.2 ms", bare: "41.2"), .init("cut", lines: ["c|d", "e\nf"])]])
    #expect(
      hostile.markdown() == """
        | name | p95 ms | why |
        |---|---:|---|
        | a\\|b&lt;img&gt;@\u{200D}me | 41.2 | cut: c\\|d; e f |
        """)
  }

  @Test func `HTML keeps roles, caption and labels, and escapes what it shows`() {
    let html = Self.table.markup.html
    #expect(html.contains("<caption class=\"spoken\">Votes by law</caption>"))
    #expect(html.contains("<td role=\"cell\" class=\"n\" data-label=\"p95 ms\">41.2</td>"), "\(html)")
    #expect(html.contains("<div>one reason</div><div>another</div>"))
    let hostile = ReportTable("", [.text("a")], [["<b>"]]).markup.html
    #expect(hostile.contains("&lt;b&gt;") && !hostile.contains("<b>"))
  }
}
