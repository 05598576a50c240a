import MurphyJudge
import MurphyModel
import MurphyReport
import Testing

/// What `murphy compare` and `murphy capacity` print.
@Suite struct CompareTextTests {
  private static func lines(_ text: String) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  @Test func `a table names operation, metric and word`() throws {
    let lines = Self.lines(CompareReport(CompareSample.stored).document.terminal())
    let row = try #require(lines.first { $0.hasPrefix("  p50") })
    #expect(row.hasSuffix("worse"), "\(row)")
    #expect(row.contains("3.99 ms") && row.contains("5.15 ms"), "\(row)")
    #expect(lines.contains("listLaws"))
    #expect(lines.dropLast().last == "FAIL")
    #expect(lines.allSatisfy { !$0.hasSuffix(" ") })
    #expect(CompareReport(CompareSample.alike).document.terminal().hasSuffix("\n\nPASS\n"))
  }

  @Test func `a narrow terminal has no p and no interval, a wide one has both`() throws {
    let (narrow, wide) = (
      CompareReport(CompareSample.slower).document.terminal(),
      CompareReport(CompareSample.slower).document.terminal(width: 130)
    )
    #expect(!narrow.contains("90% interval") && narrow.contains("detectable"))
    #expect(wide.contains("90% interval") && wide.contains("<0.0001"))
  }

  @Test func `why a row is not tested stands below it`() throws {
    var result = CompareSample.slower
    result.operations[0].rows[0].gap = "12 requests, and 20 are needed"
    result.operations[0].rows[0].decide(.noData)
    let lines = Self.lines(CompareReport(result).document.terminal())
    let row = try #require(lines.firstIndex { $0.hasPrefix("  p50") })
    #expect(lines[row].hasSuffix("not tested") && lines[row + 1] == "    12 requests, and 20 are needed")
    #expect(CompareReport(result).document.markdown.contains("| not tested: 12 requests, and 20 are needed |"))
  }

  /// A line break may split a secret: it is masked before lines are made.
  @Test func `a comparison is masked as a value, and is the same but for its secrets`() throws {
    for (name, comparison) in CompareSample.all {
      var result = comparison
      result.scenario = "a gate with the token hunter2 fish, which is long enough for several lines"
      let masked = try SecretMask(secrets: ["hunter2 fish"]).masked(result)
      for width in 40...60 {
        #expect(!CompareReport(masked).document.terminal(width: width).contains("fish"), "\(name)")
      }
      result.scenario = masked.scenario
      let texts = [masked, result].map {
        CompareReport($0).document.html + CompareReport($0).document.terminal(width: 200)
      }
      #expect(texts[0] == texts[1], "\(name)")
    }
  }

  @Test(arguments: [40, 80, 100]) func `no line is wider than the terminal, and none steers it`(width: Int) {
    let texts = CompareSample.all.map { ($0.0, CompareReport($0.1).document.terminal(width: width)) }
    for (name, text) in texts + [("capacity", CapacityReport(CapacitySample.result).document.terminal(width: width))] {
      // A command is one line, to be pasted.
      for line in Self.lines(text) where !line.hasPrefix("    reproduce: ") {
        #expect(TerminalText.columns(line) <= width, "\(name): \(line)")
      }
      #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || !($0.properties.generalCategory == .control) }, "\(name)")
    }
  }
}
