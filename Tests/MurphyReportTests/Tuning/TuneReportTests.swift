import MurphyJudge
import MurphyModel
import MurphyReport
import Testing

@Suite("Tuning report")
struct TuneReportTests {
  @Test func `the recommendation and the responses come first, and every drawing follows`() throws {
    let text = TuneReport(TuneSample.result, title: "Votes").document.html
    let ids = text.matches(of: #/<section id="([a-z]+)"/#).map { String($0.1) }
    #expect(ids == ["pareto", "demand", "heat", "timeline", "replays", "policies", "faults"])
    let first = try #require(text.firstRange(of: "60 per 60 s for each user throttles"))
    let drawing = try #require(text.firstRange(of: "<svg"))
    #expect(first.lowerBound < drawing.lowerBound)
  }

  @Test func `a result without policies is a page without drawings`() {
    let demand = TuneResult.Demand(requests: 0, sessions: 0, users: 0, addresses: 0, largestSharing: 0, duration: 0)
    let text = TuneReport(TuneResult(demand: demand), title: "Votes").document.html
    #expect(!text.contains("<svg"))
    #expect(text.contains("</html>"))
  }

  @Test func `fifty thousand policies stay a page of a few megabytes, and the page says that some are not shown`() {
    var result = TuneSample.result
    result.points = (0..<50_000).map { result.points[$0 % result.points.count] }
    for index in result.points.indices { result.points[index].isOnFront = index.isMultiple(of: 1_000) }
    let size = TuneReport(result, title: "Votes").document.html.utf8.count
    #expect(size < 3_000_000)
    let saysSo = TuneReport(result, title: "Votes").document.html.contains("policies are not shown.")
    #expect(saysSo)
  }

  @Test func `the page of a log charts the policies and lists the rejected clients`() throws {
    var tuner = LogTuner(
      file: "access.log", keyName: "remote_addr", key: .sourceAddress, asked: [try WhatIf("30/60s").policy],
      options: TunerOptions(windows: [60], allowances: [10, 100]))
    for second in 0..<50 {
      for _ in 0..<4 { tuner.add(AccessLog.Entry(time: Double(second), key: "192.0.2.<1>")) }
      if second < 5 { tuner.add(AccessLog.Entry(time: Double(second), key: "192.0.2.2")) }
    }
    let document = LogTuneReport(tuner.result(abuse: 100)).document
    let ids = document.html.matches(of: #/<section id="([a-z]+)"/#).map { String($0.1) }
    #expect(ids == ["policies", "rejected", "best"])
    #expect(document.html.contains("<svg") && document.html.contains("192.0.2.&lt;1&gt;"))
    #expect(document.terminal(width: 120).contains("1970-01-01T00:00:07Z"))
  }
}
