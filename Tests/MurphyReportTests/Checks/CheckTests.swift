import MurphyModel
import MurphyReport
import Testing

@Suite("Checks")
struct CheckTests {
  @Test func `a run that passes has kept every check, and one that fails has broken one`() {
    #expect(Sample.pass.checks.allSatisfy { $0.outcome == .passed })
    for result in [Sample.fail, Sample.limits] { #expect(result.checks.contains { $0.outcome == .failed }) }
    #expect(Sample.noData.checks.contains { $0.outcome == .notTested })
    #expect(Sample.invalid.checks.contains { $0.outcome == .doubtful })
  }

  @Test func `there is one check for each operation's contract, budget, limit, invariant, coverage and the generator`()
  {
    let result = Sample.limits
    func count(_ group: FindingRule.Family) -> Int { result.checks.count { $0.family == group } }
    #expect(count(.contract) == result.operations.count)
    #expect(count(.budget) == result.budgets.count)
    #expect(count(.limit) == result.limits.count + 1)
    #expect(count(.state) == result.state.count)
    #expect(count(.coverage) == 1)
    #expect(count(.generator) == 1)
  }

  @Test(arguments: FindingKind.allCases) func `whatever error is found, a check is broken by it`(kind: FindingKind) {
    var result = Sample.pass
    for operation in ["listLaws", "elsewhere", nil] {
      result.findings = [Finding(kind: kind, severity: .error, operation: operation, message: "wrong")]
      let broken = result.checks.filter { $0.outcome == .failed }
      #expect(broken.map(\.findings) == [[1]], "\(operation ?? "no operation")")
      result.findings[0].severity = .warning
      #expect(!result.checks.contains { $0.outcome == .failed }, "\(operation ?? "no operation")")
    }
  }

  @Test func `what could not be checked is unchecked with its reason, never kept`() throws {
    let checks = Sample.unchecked.checks
    let operations = Sample.unchecked.operations
    for (index, operation) in operations.enumerated() {
      let check = try #require(checks.first { $0.name == "\(operation.operation) responds as documented" })
      #expect(check.outcome == (index < 2 ? .unchecked : .passed), "\(operation.operation)")
    }
    let whole = try #require(operations[1].conformance)
    #expect(
      whole.uncheckedText
        == "\(whole.responses) of \(whole.responses) responses were not checked (murphy does not support oneOf in XML)"
    )
    let part = Conformance(conformant: 300, violating: 30, unchecked: [ReasonCount(reason: "cut off", count: 41)])
    #expect(part.uncheckedText == "41 of 371 responses were not checked (cut off)")
    let mixed = Conformance(unchecked: [ReasonCount(reason: "a", count: 2), ReasonCount(reason: "b", count: 1)])
    #expect(mixed.uncheckedText == "3 of 3 responses were not checked (2 × a; 1 × b)")
  }

  @Test func `a result that counts unchecked responses for the run only has no operation that is called checked`() {
    var result = Sample.unchecked
    for index in result.operations.indices { result.operations[index].conformance = nil }
    #expect(!result.checks.contains { $0.family == .contract && $0.outcome == .passed })
  }

  @Test func `a count says what it counts`() {
    func text(_ kind: FindingKind, _ count: Int, places: Int? = nil) -> String {
      Finding(
        kind: kind, severity: .error, operation: nil, message: "", count: count, places: places, firstSeen: .seconds(1),
        lastSeen: .seconds(2)
      ).occurrence
    }
    #expect(text(.contractBody, 3, places: 75) == "seen in 3 responses from 1 s to 2 s, at 75 places")
    #expect(text(.contractBody, 1, places: 25) == "seen once at 1 s, at 25 places")
    #expect(text(.contractStatus, 3) == "seen in 3 responses from 1 s to 2 s")
    #expect(text(.transportClosed, 3) == "seen 3 times from 1 s to 2 s")
  }

  @Test
  func
    `murphy is not said to have kept up where its own delay is a good part of the latency, nor where it sent nothing`()
    throws
  {
    var late = Sample.pass
    let sentence = "murphy sent 1% of the requests more than 174 ms late; the measured latency is 123 ms (p95)"
    late.generator.add([GeneratorReservation(.lateFigures, sentence)])
    for (result, outcome, mark) in [
      (late, Check.State.doubtful, "skipped"), (Sample.unreached, .notTested, "error"),
    ] {
      let check = try #require(result.checks.first { $0.name == "load generator kept the schedule" })
      #expect(check.outcome == outcome)
      #expect(!HTMLReport(result).text.contains("Murphy sent the requests on time"))
      #expect(TerminalDetails(result).text.contains("\(outcome.sign) \(outcome.word)"))
      #expect(MarkdownReport(result).text.contains("| \(outcome.word) | load generator kept the schedule |"))
      #expect(JUnitReport(result).text.contains("<\(mark) type=\"\(outcome.word)\""))
    }
    #expect(HTMLReport(Sample.pass).text.contains("Murphy sent the requests on time"))
  }

  @Test func `a load threshold is claimed only where the quieter stages would have shown it`() {
    func threshold(_ load: [(Int, Int, Double)]) -> String? {
      Finding(
        kind: .contractBody, severity: .error, operation: nil, message: "",
        load: load.map { LoadOccurrence(stage: 0, requests: $0.0, occurrences: $0.1, rate: $0.2) }
      ).loadThreshold
    }
    #expect(threshold([(800, 0, 96), (6_000, 200, 412), (2_000, 0, 180)]) == "only above 180 requests/s")
    #expect(threshold([(6_000, 200, 412), (20, 0, 180)]) == nil, "20 requests would hide it")
    // A load that only grows: a server that died in the meantime looks the same.
    #expect(threshold([(800, 0, 96), (2_000, 0, 180), (6_000, 200, 412)]) == nil)
    #expect(threshold([(2_000, 0, 23.5), (900, 900, 30), (900, 900, 40)]) == nil)
    #expect(threshold([(800, 1, 96), (2_000, 0, 180), (6_000, 200, 412)]) == nil)
    #expect(threshold([(20, 0, 96), (6_000, 200, 412)]) == nil)
    #expect(threshold([(6_000, 200, 412)]) == nil)
    #expect(threshold([]) == nil)
  }
}
