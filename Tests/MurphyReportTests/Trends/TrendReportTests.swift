import MurphyJudge
import MurphyModel
import MurphyReport
import Testing

@Suite("Trend report")
struct TrendReportTests {
  /// A fortnight of runs, slower from the tenth on, with hostile names on request.
  static func sample(_ text: String = "Nightly") -> TrendResult {
    let runs = (0..<14).map { index -> StoredComparison.Run in
      var result = SampleRun(seconds: 6).result(index == 12 ? .invalid : .pass)
      result.run.scenario = text
      result.run.started = "2026-11-\(index < 9 ? "0" : "")\(index + 1)T08:00:00Z"
      if index == 5 { result.run.machine = text + " another" }
      for place in result.operations.indices {
        if text != "Nightly" { result.operations[place].operation = text }
        result.operations[place].samples = nil
        if index >= 9 { result.operations[place].latency = Self.slowed(result.operations[place].latency) }
      }
      return StoredComparison.Run(file: "reports/\(index)/result.json", result: result)
    }
    return Trend.of(runs)
  }

  private static func slowed(_ summary: LatencySummary) -> LatencySummary {
    var histogram = LatencyHistogram()
    for bucket in summary.histogram.buckets { histogram.record(bucket.value * 2, count: bucket.count) }
    return LatencySummary(histogram)
  }

  @Test func `the change comes first in words, and is drawn`() {
    let text = TrendReport(Self.sample()).document.html
    #expect(text.contains("in the run of 2026-11-10 08:00"))
    #expect(text.contains("rule limit"))
    #expect(text.contains("rule other"), "another machine")
    #expect(text.contains("dots max ring"), "an INVALID run is a ring")
  }

  @Test func `few runs detect no change, and a run that failed is marked`() {
    let runs = (0..<5).map { index -> StoredComparison.Run in
      var result = SampleRun(seconds: 6).result(index == 3 ? .fail : .pass)
      result.run.started = "2026-11-0\(index + 1)T08:00:00Z"
      if index >= 3 {
        for place in result.operations.indices {
          result.operations[place].latency = Self.slowed(result.operations[place].latency)
        }
      }
      return StoredComparison.Run(file: "reports/\(index)/result.json", result: result)
    }
    let trend = Trend.of(runs)
    let said = TrendReport.sentences(trend)
    #expect(
      said.count == 1 && said[0].hasSuffix("5 complete runs, but a change is detectable only in at least 10 runs."),
      "\(said)")
    #expect(TrendReport(trend).document.html.contains("dots broken"))
  }

  @Test func `no text becomes an element`() {
    let text = TrendReport(Self.sample(HostileSample.texts.joined(separator: " "))).document.html
    #expect(!text.contains("<script>document"))
    #expect(!text.contains("<img"))
  }

  @Test func `without runs there is a page that says so`() {
    let text = TrendReport(Trend.of([])).document.html
    #expect(text.contains("No runs"))
    #expect(!text.contains("<svg"))
  }
}
