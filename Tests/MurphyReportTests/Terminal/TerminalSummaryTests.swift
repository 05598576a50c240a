import MurphyModel
import MurphyReport
import Testing

@Suite("Terminal summary")
struct TerminalSummaryTests {
  @Test(arguments: [
    "pass", "fail", "limits", "invalid", "no-data", "empty", "unchecked", "outage", "frozen", "unreached", "merged",
    "tolerated", "baseline",
  ]) func `the decision reads as these golden files say`(name: String) throws {
    let result = try #require(Sample.all.first { $0.name == name }).result
    let summary = TerminalSummary(
      result, report: "reports/sample/report.html", again: "murphy run gate.yaml --seed 42")
    try Golden.expect(summary.text, is: "summary-\(name).txt")
  }

  @Test(arguments: [40, 57, 80, 120, 200])
  func `no line is wider than the terminal, and the last is the verdict's word`(width: Int) {
    for (name, result) in Sample.all {
      let lines = TerminalSummary(result, width: width).text.split(separator: "\n", omittingEmptySubsequences: false)
      // A command is one line, to be pasted.
      for line in lines where !line.hasPrefix("Reproduce ") {
        #expect(TerminalText.columns(String(line)) <= width, "\(name): \(line)")
      }
      #expect(lines.dropLast().last ?? "" == result.verdict.word, "\(name)")
    }
  }

  @Test func `a folder without a baseline is named, with the reason why it does not get the result`() {
    func line(_ verdict: Verdict, comparable: Int = 0, stored: Bool = true, failure: String? = nil) -> String {
      var result = SampleRun(seconds: 1).result(verdict)
      var folder = BaselineFolder(path: "kept", comparable: comparable)
      folder.stored = stored ? "a.json" : nil
      folder.failure = failure
      result.regression = Regression(
        baselines: (0..<comparable).map { "kept/\($0).json" }, verdict: .notTested, reasons: [folder.beginning],
        folder: folder)
      let text = TerminalSummary(result, width: 200).text
      #expect(text.contains("not tested: 1 check"), "\(text)")
      return text.split(separator: "\n").first { $0.contains("kept") }.map { String($0.dropFirst(5)) } ?? text
    }
    #expect(line(.pass) == "No baseline yet: this result is the first of kept.")
    #expect(line(.noData, comparable: 1) == "The folder kept has one comparable result, and a comparison needs two.")
    #expect(
      line(.fail, stored: false)
        == "No baseline yet: the folder kept has no comparable result. This result is not stored in the folder, because "
        + "the run failed.")
    #expect(line(.invalid, stored: false).hasSuffix("because the run is INVALID."))
    #expect(
      line(.pass, comparable: 1, stored: false, failure: "no space left on device")
        .hasSuffix("because murphy cannot write into it (no space left on device)."))
  }

  @Test func `the next step of a comparison does not change the load`() {
    var result = Sample.baseline
    result.verdict = .noData
    result.regression?.rows = ["getLaw", "listLaws"].map {
      RegressionRow(operation: $0, metric: .p50, verdict: .noData, margin: 0.05, requests: 60)
    }
    let text = TerminalSummary(result, width: 200).text
    #expect(text.contains("Repeat the same command.") && !text.contains("--load"), "\(text)")
    result.verdict = .fail
    result.findings = [
      Finding(kind: .budgetRegression, operation: "getLaw", message: "p50 is worse", discriminator: "p50")
    ]
    let failed = TerminalSummary(result, width: 200).text
    #expect(failed.contains("Keep the load") && !failed.contains("--load"), "\(failed)")
  }

  @Test func `an operation whose slowest requests never ended is among the slowest`() throws {
    var result = Sample.frozen
    let index = try #require(result.operations.firstIndex { $0.latencyBounds != nil })
    result.operations[index].latencyBounds?.p95 = LatencyInterval(low: .seconds(9), high: nil)
    let lines = TerminalSummary(result).text.split(separator: "\n")
    let first = try #require(lines.firstIndex { $0.hasPrefix("Slowest") })
    #expect(lines[first + 1].hasPrefix(" " + result.operations[index].operation), "\(lines[first + 1])")
  }

  @Test func `a screen holds a PASS in 24 lines, and a FAIL of 20 findings in 40`() throws {
    for (name, result) in Sample.all where result.verdict == .pass {
      #expect(lines(result) <= 24, "\(name)")
    }
    var many = Sample.fail
    let error = try #require(many.findings.first { $0.severity == .error })
    many.findings = "abcdefghijklmnopqrst".map { letter in
      var finding = error
      finding.message = String(repeating: "\(letter) is a long message ", count: 9)
      finding.fingerprint = "\(letter)"
      return finding
    }
    #expect(lines(many) <= 40)
  }

  @Test func `an exploration says what was decided, sent and left behind`() {
    var (result, row) = (Sample.fail, ExploredOperation(operation: "listLaws"))
    row.decided = CountOf(done: 3, of: 151)
    var exploration = Exploration(operations: [row], unrepeated: 0, untried: ["--max-seconds ended it."], cases: [])
    var writes = SentWrites()
    for path in ["/laws", "/laws"] {
      writes.recordWrite(.init(operation: "submitLaw", method: "POST", path: path, status: 201, item: "7"))
    }
    exploration.writes = writes
    exploration.deleted = CountOf(done: 1, of: 4)
    exploration.remaining = ["/laws/8: status 403", "/laws/9: status 403", "/laws/10: status 403", "a", "b"]
    result.explored = exploration
    let text = TerminalSummary(result).text
    let expected = """
         · 3 of 151 test cases decided · 2 write requests sent · 1 of 4 created items
           deleted
         · --max-seconds ended it.
         · not deleted (status 403): /laws/8, /laws/9 and 1 more item
         · not deleted: a, b
      """
    #expect(text.contains(expected), "\(text)")
  }

  private func lines(_ result: RunResult) -> Int {
    TerminalSummary(result, report: "reports/sample/report.html", again: "murphy run gate.yaml").text
      .split(separator: "\n", omittingEmptySubsequences: false).count - 1
  }

  @Test func `no text from a server reaches the terminal as a command`() {
    let text = TerminalSummary(Sample.hostile, width: 100, report: "a\u{1B}[31m", again: "murphy \u{7}").text
    #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || ($0.value >= 0x20 && !(0x7F...0x9F).contains($0.value)) })
  }
}
