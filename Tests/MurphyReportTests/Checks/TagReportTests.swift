import Foundation
import MurphyModel
import MurphyReport
import Testing

/// The rows of tags in every report that has them.
@Suite struct TagReportTests {
  private static var result: RunResult {
    var result = Sample.pass
    var record = TagRecord(tag: "check <out>")
    (record.outcomes.ok, record.outcomes.serverError, record.outcomes.transport) = (1200, 3, 1)
    for index in 1...1200 { record.latency.record(Int64(index) * 100_000) }
    result.tags = [TagResult(record), TagResult(TagRecord(tag: "silent"))]
    return result
  }

  @Test func `the terminal and the page have a row for each tag`() throws {
    let lines = TerminalDetails(Self.result, width: 100).text.split(separator: "\n").map(String.init)
    let head = try #require(lines.firstIndex { $0.hasPrefix("tag ") })
    #expect(lines[head + 1].hasPrefix("check <out>") && lines[head + 2].hasPrefix("silent"))
    for cell in ["1,204", " 4 ", "60 ms", "120 ms"] { #expect(lines[head + 1].contains(cell), "\(lines[head + 1])") }
    let page = HTMLReport(Self.result).text
    #expect(page.contains("Requests by tag") && page.contains("check &lt;out&gt;") && !page.contains("check <out>"))
  }

  @Test func `the file of the result has them, and one without them is read`() throws {
    let text = try ResultFile.encode(Self.result)
    let read = try ResultFile.decode(text)
    #expect(read.tags?.map(\.tag) == ["check <out>", "silent"] && read.tags?[0].errors == 4)
    #expect(try ResultFile.decode(ResultFile.encode(Sample.pass)).tags == nil)
  }
}
