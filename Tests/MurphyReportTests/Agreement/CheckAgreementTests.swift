import MurphyModel
import MurphyReport
import MurphySchema
import Testing

/// All outputs of one result show the same checks, requests and order.
@Suite struct CheckAgreementTests {
  private static let explored: RunResult = {
    var result = Sample.fail
    result.explored = Exploration(
      operations: [ExploredOperation(operation: "listLaws")], unrepeated: 0, untried: [], cases: [])
    return result
  }()

  private static let all = Sample.all.map { ($0.name, $0.result) } + [("explored", explored)]

  /// The value of each sample of a metric that has this label.
  private func metrics(_ text: String, _ name: String, _ label: String = "") -> [Int] {
    text.split(separator: "\n").filter { $0.hasPrefix(name + "{") && $0.contains(label) }
      .compactMap { $0.split(separator: " ").last.flatMap { Int($0) } }
  }

  @Test func `the number of checks by state is the same in each output`() throws {
    for (name, result) in Self.all {
      let checks = result.checks
      let sarif = try JSONValue.parse(SARIFReport(result).text)["runs"]?[0]?["properties"]?["checks"]?.array ?? []
      let numbers = OpenMetricsReport(result).text
      for word in Set(checks.map(\.outcome.word)) {
        let count = checks.count { $0.outcome.word == word }
        #expect(sarif.count { $0["state"]?.string == word } == count, "\(name): \(word)")
        let label = "outcome=\"\(word.replacing(" ", with: "_"))\""
        #expect(metrics(numbers, "murphy_promises", label) == [count], "\(name): \(word)")
      }
      let markdown = MarkdownReport(result).text
      #expect(markdown.contains("\n\(checks.passedCount) of "), "\(name)")
      let untested = checks.notTested.count
      #expect(untested == 0 || markdown.contains("Not tested: \(untested)."), "\(name)")
      let terminal = TerminalDetails(result, width: 200).text
      let kept = checks.passedCount
      #expect(kept == 0 || terminal.contains("\(counted(kept, "check"))"), "\(name)")
    }
  }

  @Test func `the rate limits that were not tested are counted in one way`() {
    for (name, result) in Self.all {
      let count = result.checks.count { $0.family == .limit && $0.outcome.word == "not tested" }
      let told = VerdictSummary(result).untested.map(\.text).first { $0.contains("rate limit check") }
      #expect(told == (count == 0 ? nil : counted(count, "rate limit check")), "\(name)")
    }
  }

  @Test func `a check that did not pass says what was seen in each output`() throws {
    for (name, result) in Self.all where name != "hostile" {
      let sarif = try JSONValue.parse(SARIFReport(result).text)["runs"]?[0]?["properties"]?["checks"]?.array ?? []
      #expect(sarif.allSatisfy { $0["seen"]?.string?.isEmpty == false }, "\(name)")
      let page = HTMLReport(result).text
      let markdown = MarkdownReport(result).text
      for check in result.checks where check.outcome != .passed {
        #expect(!check.sentence.isEmpty, "\(name): \(check.name)")
        #expect(markdown.contains(MarkdownText.plain(check.sentence)), "\(name): \(check.name)")
        // The page lists what murphy did to the run once, in the section that the row links to.
        let isLinked = check.family == .generator && check.outcome == .doubtful
        let onPage = isLinked ? "see Generator health" : check.sentence.escapedForHTML
        #expect(page.contains(onPage), "\(name): \(check.name)")
      }
    }
  }

  @Test func `one row speaks only for checks with the same trials`() {
    for (name, result) in Self.all {
      for row in Check.rows(result.checks) { #expect(Set(row.map(\.trials)).count == 1, "\(name)") }
    }
  }

  @Test func `findings have one order, with server errors and broken limits first and notes last`() throws {
    for (name, result) in Self.all {
      let ordered = result.findingList.entries.map(\.finding.fingerprint)
      let sarif = try JSONValue.parse(SARIFReport(result).text)["runs"]?[0]?["results"]?.array ?? []
      #expect(sarif.map { $0["partialFingerprints"]?["murphyFinding/v1"]?.string } == ordered, "\(name)")
      let chapters = result.findingList.entries.map(\.chapter)
      #expect(chapters == chapters.sorted(), "\(name)")
      let firsts = result.checks.filter { !$0.findings.isEmpty }.min { $0.findings[0] < $1.findings[0] }
      let failure = JUnitReport(result).text.firstMatch(of: #/classname="murphy\.([a-z]+)"/#)
      if let firsts { #expect(failure.map { String($0.1) } == firsts.family.rawValue, "\(name)") }
    }
  }

  @Test func `the requests of each operation are the same in Markdown, terminal and metrics`() {
    for (name, result) in Self.all where name != "hostile" {
      let numbers = OpenMetricsReport(result).text
      let markdown = MarkdownReport(result).text
      let terminal = TerminalDetails(result, width: 200).text
      for operation in result.calledOperations {
        let label = "operation=\"\(operation.operation)\""
        let outcomes = operation.outcomes
        #expect(
          metrics(numbers, "murphy_requests_total", label).reduce(0, +)
            == outcomes.answered + outcomes.transport + outcomes.cancelled, "\(name)")
        let count = Figure.count(operation.requests).text
        #expect(markdown.contains("| \(operation.operation) | \(count) |"), "\(name)")
        let row = terminal.split(separator: "\n").first { $0.hasPrefix(operation.operation + " ") }
        #expect(
          result.explored != nil || row?.split(separator: " ").dropFirst().first.map(String.init) == count, "\(name)")
      }
    }
  }

  @Test func `an exploration counts no request as failed that was meant to be rejected`() {
    var result = Self.explored
    result.operations[0].outcomes.clientError += 719
    let page = HTMLReport(result).text
    #expect(!page.contains("<dt>failed</dt>") && !page.contains("<dt>errors</dt>"))
    #expect(page.contains("<dt>server errors</dt>"))
  }

  @Test func `a limit counts each key that is not drawn`() throws {
    var result = Sample.limits
    let index = try #require(result.limits.firstIndex { !$0.strips.isEmpty })
    let before = HTMLReport(result).text.matches(of: #/Not shown: \d+ keys?/#).map { String($0.0) }
    let shown = min(result.limits[index].strips.count, 4)
    result.limits[index].keys = 1_045
    let after = HTMLReport(result).text.matches(of: #/Not shown: ([\d\u{202F}, ]+) keys/#).map { String($0.1) }
    let digits = after.map { $0.filter(\.isNumber) }.compactMap { Int($0) }
    #expect(digits.contains { (1_045 - shown...1_044).contains($0) }, "\(before) \(after)")
  }

  @Test func `a limit without a wrong limiter to try claims nothing of wrong limiters`() {
    var result = Sample.pass
    for index in result.limits.indices { result.limits[index].strength?.mutants = [] }
    #expect(!result.strengthLines.contains { $0.contains("wrong limiter") })
  }
}

extension String {
  fileprivate var escapedForHTML: String { Markup.text(self).html }
}
