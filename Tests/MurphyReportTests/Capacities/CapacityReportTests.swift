import Foundation
import MurphyJudge
import MurphyModel
import MurphyReport
import MurphySchema
import Testing

@Suite("Capacity report")
struct CapacityReportTests {
  @Test func `the response comes first, then the curve, the bounds, the windows and the search`() throws {
    let result = CapacitySample.result
    let text = CapacityReport(result).document.html
    let ids = text.matches(of: #/<section id="([a-z]+)"/#).map { String($0.1) }
    #expect(ids == ["curve", "bounds", "windows", "search"])
    let word = try #require(text.firstRange(of: "<span class=\"word\">PASS"))
    let drawing = try #require(text.firstRange(of: "<svg"))
    #expect(word.lowerBound < drawing.lowerBound)
    #expect(!text.contains("<b>") && text.contains("Murphy's Laws &lt;b&gt;"))
    #expect(text.contains("listLaws: p95 is"))
    #expect(text.contains("20 requests were in flight in the middle of the window, and 60 at its end"))
    // Seconds of recovery are no part of the curve and of the table.
    let rows = text.matches(of: #/<tr role="row">/#).count - 1
    #expect(rows == result.steps.count { $0.purpose != .recover })
  }

  @Test func `the knee lies where the workers are busy and nobody waits yet`() throws {
    let knee = try #require(CapacitySample.result.knee)
    #expect(80...98 ~= knee.load, "\(knee)")
    #expect(CapacityReport(CapacitySample.result).document.html.contains("ring"))
  }

  @Test func `a search that was ended before its first window is a page without drawings`() {
    var result = CapacityResult(
      scenario: "Votes", scenarioFile: "", target: "", started: "", seed: 1, machine: "", murphy: "", unit: .users,
      precision: 0.05, window: .seconds(10))
    var search = CapacitySearch(first: 10, most: nil, precision: 0.05, isWhole: true)
    search.end(.interrupted)
    result.conclude(search, limit: "30m")
    let text = CapacityReport(result).document.html
    #expect(result.verdict == .invalid && result.reasons.first?.hasPrefix("the capacity is unknown") == true)
    #expect(!text.contains("<svg") && text.contains("</html>"))
  }

  @Test func `a result is valid against the published schema, which is closed, and the summary is a table`() throws {
    let encoder = JSONEncoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    let value = try JSONValue.parse(String(decoding: try encoder.encode(CapacitySample.result), as: UTF8.self))
    let schema = try Schema(json: ReportSchema.capacity)
    #expect(schema.validate(value).map(\.description) == [])
    #expect(!schema.validate(value.addingEverywhere("surprise")).isEmpty)
    for key in ["verdict", "steps", "unit"] { #expect(!schema.validate(value.removing(key)).isEmpty, "\(key)") }
    let lines = CapacityReport(CapacitySample.result).document.markdown.split(separator: "\n")
    #expect(lines.first == "# ✅ PASS · Murphy's Laws &lt;b&gt;, capacity", "\(lines.first ?? "")")
    #expect(lines.count { $0.hasPrefix("|") } == CapacitySample.result.steps.count { $0.purpose != .recover } + 2)
  }

  @Test func `the load that was asked for decides, where it is known on which side of it the capacity lies`() {
    func verdict(_ required: Double) -> Verdict {
      var result = CapacitySample.result
      result.required = required
      var search = CapacitySearch(first: 40, most: nil, precision: 0.05, isWhole: false)
      while let demand = search.next() { search.record(demand.load <= 98 ? .held : .broke) }
      result.conclude(search, limit: "30m")
      return result.verdict
    }
    let result = CapacitySample.result
    let (held, broke) = (result.held ?? 0, result.broke ?? 0)
    #expect(held > 90 && broke > held)
    #expect(verdict(held) == .pass && verdict(20) == .pass)
    #expect(verdict(broke) == .fail && verdict(200) == .fail)
    #expect(verdict((held + broke) / 2) == .noData)
  }
}
