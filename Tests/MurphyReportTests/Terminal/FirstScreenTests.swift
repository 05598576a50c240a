import MurphyModel
import MurphyReport
import Testing

/// The first screen alone says what failed, on what, and what to do next.
@Suite struct FirstScreenTests {
  private func screen(_ result: RunResult) -> String {
    TerminalSummary(result, report: "reports/a/report.html", again: "murphy run gate.yaml --seed 42").text
  }

  /// The screen as one line, for sentences that are wrapped.
  private func line(_ result: RunResult) -> String {
    screen(result).split { $0 == " " || $0 == "\n" }.joined(separator: " ")
  }

  /// A failed run with only these findings.
  private func failed(_ findings: [Finding]) -> RunResult {
    var result = Sample.fail
    result.findings = findings
    return result
  }

  @Test func `an undocumented status may be a mistake of the API or of the contract`() {
    let text = line(
      failed([
        Finding(kind: .contractStatus, operation: "getLaw", message: "status 418 is not documented; documented: 200")
      ]))
    #expect(
      text.contains(
        "Next Find out why the API sends the undocumented status. Fix the API, or document the status under responses: "
          + "in the contract. "), "\(text)")
  }

  @Test func `an outage names its failed checks, and clears murphy only if it kept running`() {
    let text = line(Sample.outage)
    #expect(
      text.contains("(failed checks: at least 99% of sessions end as scripted, every session type completes)"),
      "\(text)")
    #expect(
      text.contains("Reproduce 1 use the Re-run command, because no single request reproduces the finding Re-run"),
      "\(text)")
    #expect(text.contains("Murphy's own longest pause was "), "\(text)")
    var stalled = Sample.outage
    (stalled.generator.loopStalls, stalled.generator.longestStall) = (1, .seconds(9))
    #expect(!line(stalled).contains("longest pause"))
  }

  @Test func `the checks that an outage leaves undecided share a row, and the log is searched at a time of day`() throws
  {
    var result = Sample.outage
    #expect(line(result).contains("crash or a restart from 02:"), "\(line(result))")
    let budget = try #require(result.budgets.first)
    result.budgets += ["getLaw", "listLaws", "voteLaw"].map { operation in
      var open = budget
      open.operation = operation
      open.state = .noData(trials: 10)
      open.undecided = .init(.unanswered, "5 of 10 requests have no response")
      return open
    }
    #expect(
      line(result).contains("checks (undecided): with the outage, the run has too little data: "), "\(line(result))")
    result.run.started = "at noon"
    #expect(line(result).contains("crash or a restart at the time of the outage."), "\(line(result))")
  }

  @Test func `the faults of a reference API are named, for a failure is then expected`() {
    var result = Sample.fail
    #expect(!line(result).contains("reference API"))
    result.run.faults = ["lost-vote", "teapot"]
    #expect(line(result).contains("· the reference API ran with faults: lost-vote, teapot"), "\(line(result))")
  }

  @Test func `a violation is counted among the responses with its status`() throws {
    var result = Sample.fail
    let body = try #require(
      result.findings.first { $0.kind == .contractBody && $0.count > 1 && $0.status == 200 && $0.operation != nil })
    let index = try #require(result.operations.firstIndex { $0.operation == body.operation })
    result.operations[index].statuses = [
      StatusCount(status: 200, count: body.count + 7), StatusCount(status: 404, count: 900),
    ]
    #expect(
      line(result).contains("\(body.count) of \((body.count + 7).text) responses with status 200: "), "\(line(result))")
  }

  @Test func `a late murphy is counted, and never leads to more load`() throws {
    var result = Sample.noData
    result.generator.add([GeneratorReservation(.lateFigures, "murphy sent 1% of the requests more than 13 ms late")])
    let text = line(result)
    #expect(text.contains("2 checks could not be decided."), "\(text)")
    #expect(
      text.contains("Next Add scenario steps whose requests provide data for these checks: submitLaw p95."), "\(text)")
    let index = try #require(result.budgets.lastIndex { $0.state == .notTested })
    result.budgets[index].samples = 10
    result.budgets[index].state = .noData(trials: 10)
    result.budgets[index].undecided = .init(.tooFewSamples, "10 samples are too few")
    #expect(result.decidingDuration != nil)
    result.budgets[index].undecided = .init(.unanswered, "5 of 10 requests have no response")
    let undecided = line(result)
    #expect(undecided.contains("Run longer (--duration). Do not increase the load, because "), "\(undecided)")
    result.generator.doubts = []
    result.generator.reservations = nil
    #expect(line(result).contains("Next Run longer (--duration), or increase the load (--load)."))
  }

  @Test func `the advice follows from the reason of an undecided check`() throws {
    var result = Sample.noData
    let index = try #require(result.operations.firstIndex { $0.operation == "getLaw" })
    let count = result.operations[index].outcomes.answered
    result.operations[index].succeeded = 0
    result.operations[index].statuses = [StatusCount(status: 401, count: count)]
    let shut = line(result)
    #expect(shut.contains("Next Provide credentials that the API accepts for getLaw."), "\(shut)")
    result.operations[index].statuses = [StatusCount(status: 400, count: count)]
    let broken = line(result)
    #expect(broken.contains("Next Find out why no request succeeded: getLaw (400 × "), "\(broken)")
    #expect(!broken.contains("Run longer") && !broken.contains("increase the load"), "\(broken)")
  }

  @Test func `equal findings of several operations have no share of one operation`() {
    var shared = Finding(
      kind: .exploreInvalidAccepted, operation: nil, message: "values are accepted, in 6 operations: listLaws, getLaw",
      count: 21)
    shared.members = []
    let text = line(failed([shared]))
    #expect(text.contains("21 times: values are accepted"), "\(text)")
    #expect(!text.contains("21 of ") && !text.contains("listLaws 21"), "\(text)")
    let lines = VerdictSummary(failed([shared])).lines.map(\.text)
    #expect(lines.allSatisfy { !$0.contains("21 of ") }, "\(lines)")
  }

  @Test func `a wrong count names its write, the exchange to look at, and why one request is not enough`() throws {
    var wrong = try #require(Sample.fail.findings.first { $0.kind == .stateLedgerSurplus })
    let first = line(failed([wrong]))
    #expect(first.contains("(writes: voteLaw)"), "\(first)")
    #expect(first.contains("Next Look first at exchange 2 of finding 1, voteLaw at 31.250 s. "), "\(first)")
    #expect(
      first.contains(
        "Reproduce 1 use the Re-run command, because no single request reproduces the finding; the report lists its 3 "
          + "exchanges"))
    wrong.evidence?.witness?[1].isSuspect = true
    #expect(line(failed([wrong])).contains("voteLaw at 31.250 s, which was perhaps lost. "))
  }

  @Test func `a budget that the median exceeds leads to one request, and not to less load`() throws {
    var result = Sample.frozen
    let slow = Finding(kind: .budgetLatency, operation: "listLaws", message: "p99 is 8.26 s, over the budget of 2 s")
    result.findings = [slow]
    let budget = try #require(result.budgets.firstIndex { $0.verdict == .fail })
    result.budgets[budget].findings = [slow.fingerprint]
    #expect(line(result).contains("Next Re-run at half load (--load 0.5)"))
    let operation = try #require(result.operations.firstIndex { $0.operation == "listLaws" })
    result.operations[operation].latencyBounds?.p50 = LatencyInterval(low: .seconds(3), high: .seconds(3))
    let text = line(result)
    #expect(
      text.contains("Next Measure a request without load, because even the median (3 s) exceeds the budget."),
      "\(text)")
    #expect(text.contains("Reproduce 1 use the Re-run command Re-run"), "\(text)")
  }

  @Test func `findings that differ only in numbers share a row, and none of its words is cut`() {
    let limits = [60, 60, 3, 5, 30].enumerated().map { index, quota in
      Finding(
        kind: .limitOverThrottling, operation: "operation\(index)",
        message: "rejected a request after at most \(quota - 1) counted requests; the limit is "
          + "\(quota) per 6 s, fixed window, key x-device-id (key d5f58830-\(index), at 2.72\(index) s).", count: 2,
        discriminator: "\(index)")
    }
    let text = line(failed(limits))
    #expect(
      text.contains(
        "✗ findings 1 to 5 operation0, operation1, operation2, operation3, operation4: 10 times: rejected a request "
          + "after at most 2–59 counted requests; the limit is 3–60 per 6 s, fixed window, "
          + "key x-device-id"), "\(text)")
    #expect(!text.contains("…"), "\(text)")
    #expect(line(failed(Array(limits.prefix(2)))).contains(" 2 ✗ operation1 2 times, for example: rejected"))
    let many = (0..<12).map { index in
      var finding = limits[0]
      finding.message = "rejected after \(100_000 + index), expected more"
      return finding
    }
    let shortened = line(failed(many))
    #expect(shortened.contains("rejected after 100000–100011, expected more"), "\(shortened)")
  }

  @Test func `where space is short, a row loses its additions before its message`() throws {
    let error = try #require(Sample.fail.findings.first { $0.kind == .contractBody })
    let many = "abcdefghijklmnopqrst".map { letter in
      var finding = error
      (finding.message, finding.fingerprint) = ("/\(letter) is a string, expected an integer", "\(letter)")
      return finding
    }
    let rows = screen(failed(many)).split(separator: "\n").filter { $0.contains(" expected an integer") }
    #expect(rows.count == 20, "\(rows)")
    #expect(!rows.contains { $0.contains("…") || $0.contains("openapi.yaml") }, "\(rows)")
  }
}
