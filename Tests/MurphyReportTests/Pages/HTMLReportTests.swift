import MurphyModel
import MurphyReport
import Testing

@Suite("HTML report")
struct HTMLReportTests {
  @Test func `the first words are the verdict, and links to what decided it`() {
    for (name, result) in Sample.all {
      let text = RenderedPage(result)
      #expect(text.has("<span class=\"word\">\(result.verdict.word)</span>"))
      let decision = VerdictSummary(result)
      #expect(decision.lines.isEmpty == (result.verdict == .pass), "\(name)")
      #expect((decision.advice == nil) == (result.verdict == .pass), "\(name)")
      for link in decision.lines.flatMap(\.shown) + decision.untested {
        #expect(text.has(element(.a, .anchor(link.anchor), text: link.text).html), "\(name): \(link)")
      }
    }
  }

  @Test func `findings come in the order in which a person needs them, and a reason that no promise tells is not lost`()
  {
    var result = Sample.fail
    let kinds: [FindingKind] = [
      .contractVacuous, .budgetErrors, .transportClosed, .contractBody, .limitOverAdmission,
    ]
    result.findings =
      kinds.map { kind in
        Finding(
          kind: kind, severity: kind == .contractVacuous ? .warning : .error, operation: nil, message: kind.name,
          count: 9)
      } + [Finding(kind: .transportOutage, severity: .error, operation: nil, message: "down")]
    #expect(result.findingList.entries.map(\.finding.kind) == [.transportOutage] + kinds.reversed())
    #expect(result.findingList.entries.map(\.number) == Array(1...6))
    var odd = Sample.pass
    odd.verdict = .fail
    odd.reasons = ["Something that no promise tells."]
    #expect(VerdictSummary(odd).lines.map(\.text) == odd.reasons)
    #expect(RenderedPage(odd).has("Something that no promise tells."))
  }

  @Test func `the page loads nothing: no address but those of the namespaces and its own evidence`() {
    // The hostile sample holds such words as texts; the browser's suite opens it.
    for (name, result) in Sample.all where name != "hostile" {
      let text = RenderedPage(result)
      #expect(!text.has("src="), "\(name)")
      #expect(!text.has("@import"), "\(name)")
      #expect(!text.has("url("), "\(name)")
      #expect(text.has("default-src 'none'"), "\(name)")
    }
  }

  @Test func `a finding above a load says from which load on`() {
    #expect(RenderedPage(Sample.fail).has("<strong>only above 180 requests/s</strong>"))
  }

  @Test func `the exchanges that prove a finding of state are drawn, told in words once, and each has its command`()
    throws
  {
    let text = HTMLReport(Sample.fail).text
    let line = "31.310 s .. 31.314 s  session 17  getLaw  200  shows up = 19, down = 4"
    #expect(text.contains("<li><code>3  \(line)</code><details><summary>Reproduce</summary>"))
    #expect(!text.contains("<li>3  \(line)</li>") && text.contains("<li>One explanation: repeated votes were"))
  }

  @Test func `a drift has its curve, and the operation that is slow beside the others comes first`() throws {
    let page = RenderedPage(Sample.fail)
    #expect(page.has("latency (geometric mean) over the load</title>"))
    #expect(page.has("Hollow dots: up to 288 requests/s. Filled dots: above that load."))
    #expect(page.has("between 7 s and 40 s"))
    let order = OutlierRanking(Sample.fail.operations)
    #expect(order.ranked.first?.operation == "listLaws")
    let ratio = try #require(order.ratios["listLaws"])
    // 216 ms beside the 95th percentile of the four others, which take 0.9 to 6.2 ms at their median.
    #expect((15...40).contains(ratio) && page.has("p95 is \(Figure.digits(ratio)) × that of the others"))
    #expect(OutlierRanking([Sample.fail.operations[0]]).ratios.isEmpty)
  }

  @Test func `the ledger is written as sums, and one that does not add up says so`() {
    #expect(RenderedPage(Sample.fail).has("✓ The totals are consistent."))
    var result = Sample.pass
    result.ledger.answered -= 1
    let text = RenderedPage(result)
    #expect(!text.has("✓ The totals are consistent."))
    #expect(text.has("but its parts sum to"))
  }

  @Test func `a peak is shown only above the mean rate`() {
    var result = Sample.pass
    #expect(HTMLReport(result).text.firstMatch(of: />peak \d/) != nil)
    result.generator.achieved = Double((result.timeline.map(\.sent).max() ?? 0) + 1)
    #expect(HTMLReport(result).text.firstMatch(of: />peak \d/) == nil)
  }

  @Test func `doubts about the generator stand in red words`() {
    #expect(RenderedPage(Sample.invalid).has("<ul class=\"doubts\"><li>an event loop of murphy used 99.6%"))
  }

  @Test func `the proof of a limit is drawn with its times`() {
    let text = RenderedPage(Sample.limits)
    #expect(text.has("proof: 31 admitted within 8."))
    #expect(text.has("class=\"refused\""))
  }

  @Test func `a result of many operations, findings, seconds and things to cover stays small`() {
    var result = Sample.fail
    result.operations = (0..<400).map { index in
      var operation = Sample.pass.operations[1]
      operation.operation = "operation\(index)"
      return operation
    }
    result.findings = (0..<5_000).map { index in
      var finding = Sample.fail.findings[0]
      finding.message = "finding \(index)"
      return finding
    }
    result.timeline = (0..<20_000).map { second in
      var point = Sample.pass.timeline[second % 40]
      point.second = second
      return point
    }
    result.coverage.items = (0..<10_000).map {
      CoverageItem(kind: "property", operation: "operation\($0 % 400)", name: "/a/\($0)", count: $0 % 2)
    }
    let text = RenderedPage(result)
    #expect(text.size < 5_000_000)
    #expect(text.has("findings. All findings are in result.json."))
    #expect(text.has("operations with fewer requests."))
  }
}

/// A page that a failed expectation does not print whole.
private struct RenderedPage: CustomStringConvertible {
  private let text: String

  init(_ result: RunResult) { text = HTMLReport(result).text }

  var size: Int { text.utf8.count }
  var description: String { "a page of \(size) bytes" }

  func has(_ part: String) -> Bool { text.contains(part) }
}
