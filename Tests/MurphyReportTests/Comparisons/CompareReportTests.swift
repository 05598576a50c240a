import Foundation
import MurphyJudge
import MurphyModel
import MurphyReport
import MurphySchema
import Testing

@Suite("Comparison report")
struct CompareReportTests {
  @Test func `the samples are what their names say`() {
    #expect(CompareSample.slower.verdict == .fail)
    #expect(CompareSample.alike.verdict == .pass)
    #expect(CompareSample.cutShort.verdict == .invalid)
    #expect(CompareSample.stored.verdict == .fail)
  }

  @Test func `the word and the reasons come first, and every part follows`() throws {
    let text = CompareReport(CompareSample.slower).document.html
    let ids = text.matches(of: #/<section id="([a-z]+)"/#).map { String($0.1) }
    #expect(ids == ["change", "numbers", "groups", "distribution", "findings", "coverage", "design", "words"])
    let reason = try #require(text.firstRange(of: "listLaws: the median latency is worse by +1"))
    let drawing = try #require(text.firstRange(of: "<svg"))
    #expect(reason.lowerBound < drawing.lowerBound)
  }

  @Test func `a comparison that measured nothing is a page without drawings`() {
    let text = CompareReport(CompareSample.cutShort).document.html
    #expect(!text.contains("<svg"))
    #expect(text.contains("cut short after 0 groups"))
  }

  @Test func `no text of a comparison becomes an element, in the page or in the summary`() {
    let page = CompareReport(CompareSample.hostile).document.html
    #expect(!page.contains("<script>document"))
    #expect(!page.contains("<img"))
    #expect(!page.contains("</style><h1>"))
    let summary = CompareReport(CompareSample.hostile).document.markdown
      // A fenced block holds its text as it is.
      .replacing(MarkdownText.block(HostileSample.texts.joined(separator: " "), language: "sh"), with: "")
    #expect(!summary.contains("<script>"))
    #expect(!summary.contains("\n# heading"))
  }

  @Test func `a new finding shows the command that reproduces it, in each output`() throws {
    var result = CompareSample.slower
    try #require(!result.findings.new.isEmpty)
    result.findings.new[0].reproduction = "curl -sS http://127.0.0.1:8080/laws"
    for text in [
      CompareReport(result).document.terminal(), CompareReport(result).document.markdown,
      CompareReport(result).document.html,
    ] {
      #expect(text.contains("curl -sS http://127.0.0.1:8080/laws"))
    }
  }

  @Test func `each output names both sides`() {
    let document = CompareReport(CompareSample.slower).document
    #expect(document.html.contains("<dt>Base</dt>") && document.html.contains("<dt>Candidate</dt>"))
    #expect(document.markdown.contains("\n**Base:** ") && document.markdown.contains("\n**Candidate:** "))
    #expect(document.terminal().contains("\nBase       ") && document.terminal().contains("\nCandidate  "))
  }

  @Test func `the drawing of changes spans every interval and its margin`() throws {
    let rows = CompareSample.slower.operations.compactMap { operation in
      operation[.p50].map { ChangeChart.Row(operation: operation.operation, row: $0) }
    }
    let chart = ChangeChart(metric: .p50, rows: rows).chart
    for row in rows.map(\.row) {
      #expect(chart.x.domain.contains(try #require(row.low)))
      #expect(chart.x.domain.contains(try #require(row.high)))
    }
    #expect(chart.x.domain.contains(0.05))
  }

  @Test(arguments: CompareSample.all.map(\.0))
  func `every comparison is valid against the published schema, which is closed`(name: String) throws {
    let result = try #require(CompareSample.all.first { $0.0 == name }?.1)
    let encoder = JSONEncoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    let value = try JSONValue.parse(String(decoding: try encoder.encode(result), as: UTF8.self))
    let schema = try Schema(json: ReportSchema.comparison)
    #expect(schema.validate(value).map(\.description) == [])
    #expect(!schema.validate(value.addingEverywhere("surprise")).isEmpty)
    for key in ["verdict", "base", "findings"] { #expect(!schema.validate(value.removing(key)).isEmpty, "\(key)") }
  }

  @Test func `histograms come back from the file as they were`() throws {
    let latencies = try #require(CompareSample.slower.operations[0].latencies)
    let histogram = CompareLatencies.histogram(latencies.base)
    #expect(histogram.count == 20 * 600)
    #expect(histogram.buckets.flatMap { [$0.value, Int64($0.count)] } == latencies.base)
    #expect(CompareLatencies.histogram([5, -1, -3, 2, 7]).isEmpty, "a broken file is no crash")
  }
}
