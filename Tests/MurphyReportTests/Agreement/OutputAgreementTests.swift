import MurphyModel
import MurphyReport
import MurphySchema
import Testing

/// All outputs of one result show the same numbers.
@Suite struct OutputAgreementTests {
  /// A result in which one finding groups three.
  private static var grouped: RunResult {
    var result = Sample.fail
    var whole = Finding(
      kind: .contractStatus, operation: nil, message: "status 503 is not documented, in 3 operations: a, b, c", count: 9
    )
    whole.members = result.operations.prefix(3).map {
      FindingMember(Finding(kind: .contractStatus, operation: $0.operation, message: "status 503", count: 3))
    }
    result.findings.append(whole)
    return result
  }

  private static let all = Sample.all.map { ($0.name, $0.result) } + [("grouped", grouped)]

  private func metric(_ text: String, _ name: String) -> Int? {
    text.split(separator: "\n").first { $0.hasPrefix(name + " ") }.flatMap { Int($0.dropFirst(name.count + 1)) }
  }

  @Test func `the number of findings by severity is the same everywhere`() throws {
    for (name, result) in Self.all {
      let sarif = try JSONValue.parse(SARIFReport(result).text)["runs"]?[0]?["results"]
      let metrics = OpenMetricsReport(result).text
      let stored = try ResultFile.decode(ResultFile.encode(result))
      for severity in [Finding.Severity.error, .warning, .note] {
        let count = result.findings.count { $0.severity == severity }
        #expect(sarif?.array?.count { $0["level"]?.string == severity.rawValue } == count, "\(name)")
        #expect(metric(metrics, "murphy_findings{severity=\"\(severity.rawValue)\"}") == count, "\(name)")
        #expect(stored.findings.count { $0.severity == severity } == count, "\(name)")
        #expect(result.findingList.entries.count { $0.finding.severity == severity } == count, "\(name)")
      }
      let terminal = TerminalDetails(result, width: 200).text.split(separator: "\n")
      let shown = terminal.count { $0.firstMatch(of: #/^\d+\. (error|warning|note) /#) != nil }
      let more =
        terminal.compactMap { $0.firstMatch(of: #/^and (\d+) more findings?/#) }.first.flatMap { Int($0.1) } ?? 0
      #expect(shown + more == result.findings.count, "\(name)")
      let page = HTMLReport(result).text
      let articles = page.matches(of: #/id="finding-\d+"/#).count
      #expect(articles == result.findings.count, "\(name)")
      let summary = MarkdownReport(result).text
      let headed = summary.matches(of: #/(?m)^\*\*\d+\. (error|warning|note)\*\*/#).count
      let cut = summary.firstMatch(of: #/and (\d+) more in `result.json`/#).flatMap { Int($0.1) } ?? 0
      #expect(headed + cut == result.findings.count, "\(name)")
    }
  }

  @Test func `the number of checks by state is the same in JUnit, metrics and Markdown`() throws {
    for (name, result) in Self.all {
      let checks = result.checks
      let junit = JUnitReport(result).text
      #expect(junit.matches(of: #/<testcase /#).count == checks.count, "\(name)")
      #expect(
        junit.matches(of: #/<failure /#).count
          == checks.count { $0.outcome == .failed })
      let metrics = OpenMetricsReport(result).text
      let sum = metrics.split(separator: "\n").filter { $0.hasPrefix("murphy_promises{") }
        .compactMap { $0.split(separator: " ").last.flatMap { Int($0) } }.reduce(0, +)
      #expect(sum == checks.count, "\(name)")
    }
  }

  @Test func `a group breaks the contract of each of its operations, and rows that name a member find it`() throws {
    let result = Self.grouped
    let list = result.findingList
    let number = try #require(list.entries.first { $0.finding.members != nil }?.number)
    for member in list[number].members ?? [] {
      let check = result.checks.first { $0.name == "\(member.operation ?? "") responds as documented" }
      #expect(check?.findings.contains(number) == true, "\(member)")
      #expect(list.numbers([member.fingerprint]) == [number])
    }
  }

  @Test func `the first screen has the numbers of the other outputs`() throws {
    var compared = 0
    for (name, result) in Self.all {
      let screen = TerminalSummary(result, width: 200).text
      let checks = result.checks
      if let failed = screen.firstMatch(of: #/(?m)^(\d+) of (\d+) checks? failed/#) {
        #expect(Int(failed.1) == checks.count { $0.outcome == .failed }, "\(name)")
        #expect(Int(failed.2) == checks.count { $0.outcome != .notRequired }, "\(name)")
        compared += 1
      }
      let rest = screen.split(separator: "\n").first { $0.hasPrefix("   ✓ ") || $0.hasPrefix("   · ") } ?? ""
      let counts = [
        (#/(\d+) passed/#, checks.count { $0.outcome == .passed }),
        (#/(\d+) warnings?/#, result.findings.count { $0.severity == .warning }),
        (#/(\d+) notes?/#, result.findings.count { $0.severity == .note }),
      ]
      for (pattern, count) in counts {
        guard let shown = rest.firstMatch(of: pattern) else { continue }
        #expect(Int(shown.1) == count, "\(name): \(rest)")
        compared += 1
      }
      let idle = rest.firstMatch(of: #/not tested: ([^(]*)/#)?.1 ?? ""
      let untested = idle.matches(of: #/(\d+) (?:rate limit |other )?checks?/#).compactMap { Int($0.1) }
      #expect(untested.reduce(0, +) == checks.count { $0.outcome == .notRequired }, "\(name): \(rest)")
      compared += untested.count
      if let exercised = rest.firstMatch(of: #/(\d+) of (\d+) contract elements/#) {
        #expect(Int(exercised.1) == result.coverage.seen && Int(exercised.2) == result.coverage.items.count, "\(name)")
        compared += 1
      }
    }
    #expect(compared > 30)
  }

  @Test func `no text names a report where none was written`() {
    for (name, result) in Self.all {
      for text in [TerminalDetails(result).text, TerminalSummary(result).text] {
        let text = text.replacing("\n", with: " ")
        #expect(!text.contains("in the report") && !text.contains("in this report"), "\(name)")
      }
    }
  }

  @Test func `the errors of the page are those of the table of operations`() {
    for (name, result) in Self.all {
      guard let ends = result.allEnds, result.ledger.sent > 0 else { continue }
      let page = HTMLReport(result).text
      #expect(page.contains("<dt>errors</dt>"), "\(name)")
      #expect(!page.contains("<dt>failed</dt>"), "\(name): \(ends.errors)")
    }
  }
}
