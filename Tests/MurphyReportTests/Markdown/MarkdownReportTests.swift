import MurphyModel
import MurphyReport
import Testing

@Suite("Markdown summary")
struct MarkdownReportTests {
  @Test(arguments: [
    "pass", "fail", "limits", "invalid", "no-data", "empty", "unchecked", "outage", "frozen", "unreached", "merged",
    "tolerated", "baseline",
  ]) func `the summaries read as these golden files say`(name: String) throws {
    let result = try #require(Sample.all.first { $0.name == name }).result
    try Golden.expect(MarkdownReport(result).text, is: "\(name).md")
  }

  @Test func `hostile texts cannot end a cell, a code span or a block, nor begin an element`() {
    let text = MarkdownReport(Sample.hostile).text
    // A reader of Markdown sees scalars: a grave accent with a combining mark after it is a grave accent.
    let outsideCode = text.replacingScalars("\\`", with: "")
      .replacing(#/(?<fence>`+)[\s\S]*?\k<fence>/#.matchingSemantics(.unicodeScalar), with: "")
    let elements = Set(
      outsideCode.matches(of: #/<[^>]*>/#.matchingSemantics(.unicodeScalar)).map { String($0.output) })
    #expect(elements == ["<details>", "</details>", "<summary>", "</summary>"])
    for line in text.split(separator: "\n") where line.hasPrefix("| failed") {
      #expect(line.replacing("\\|", with: "").count { $0 == "|" } == 6)
    }
  }

  @Test(arguments: [
    ("a", "`a`"), ("a`b", "``a`b``"), ("`", "`` ` ``"), ("", "`  `"), ("a|b", "`a\\|b`"), ("a\nb", "`a b`"),
  ]) func `code spans hold any backticks`(text: String, span: String) {
    #expect(MarkdownText.code(text) == span)
  }

  @Test func `a block is fenced by more backticks than it holds`() {
    #expect(MarkdownText.block("a\n````\nb", language: "sh") == "`````sh\na\n````\nb\n`````")
  }

  @Test func `the summary stays far below the megabyte that GitHub takes`() {
    var result = Sample.fail
    result.findings = Array(repeating: Sample.fail.findings[0], count: 2_000)
    result.budgets = Array(repeating: Sample.fail.budgets[1], count: 2_000)
    #expect(MarkdownReport(result).text.utf8.count < 200_000)
  }
}
