import MurphyJudge
import MurphyModel
import Testing

@Suite struct VerdictTests {
  @Test func `nothing broken passes`() { #expect(judge().verdict == .pass) }

  @Test func `a run cut short is invalid whatever it found`() {
    #expect(judge(cutShort: true, findings: [finding(.contractBody)]).verdict == .invalid)
  }

  @Test func `a contract finding fails even when the generator was late`() {
    #expect(judge(findings: [finding(.contractBody)], doubts: [.lateLoad]).verdict == .fail)
  }

  @Test func `a failed budget of a late generator is invalid`() {
    let judged = judge(budgets: [budget(.fail)], doubts: [.lateLoad])
    #expect(judged.verdict == .invalid)
    #expect(judged.reasons == ["late-load"])
  }

  @Test func `a failed budget fails and says by how much`() {
    let judged = judge(budgets: [budget(.fail)])
    #expect(judged.verdict == .fail)
    #expect(judged.reasons == ["listLaws: p95 is 400 ms, over the budget of 300 ms."])
  }

  @Test func `a budget that only lateness leaves open is invalid`() {
    let judged = judge(budgets: [owed])
    #expect(judged.verdict == .invalid)
    #expect(judged.reasons == ["listLaws p95: murphy was late."])
  }

  @Test func `another broken budget fails though lateness leaves one open`() {
    var other = budget(.fail)
    other.operation = "getLaw"
    #expect(judge(budgets: [owed, other]).verdict == .fail)
  }

  /// What less load broke than was planned, the whole would have broken as well.
  @Test func `a broken budget fails though murphy had no room for all users`() {
    #expect(judge(budgets: [budget(.fail)], doubts: [.dropped]).verdict == .fail)
    #expect(judge(budgets: [budget(.pass)], doubts: [.dropped]).verdict == .invalid)
  }

  @Test func `lateness that is only shown decides nothing`() {
    #expect(judge(budgets: [budget(.pass)], doubts: [.lateFigures]).verdict == .pass)
    #expect(judge(budgets: [budget(.fail)], doubts: [.lateFigures]).verdict == .fail)
  }

  /// A port that this machine lacked says nothing of the API.
  @Test func `requests that this machine had no room for are no failure`() {
    #expect(judge(findings: [finding(.transportExhausted)], doubts: [.exhausted]).verdict == .invalid)
  }

  private var owed: BudgetRow {
    var row = budget(.noData)
    row.undecided = BudgetRow.Undecided(.generator, "murphy was late")
    return row
  }

  @Test func `a budget without samples is no data not a pass`() {
    #expect(judge(budgets: [budget(.noData)]).verdict == .noData)
  }

  @Test func `a warning does not fail`() {
    var warning = finding(.contractVacuous)
    warning.severity = .warning
    #expect(judge(findings: [warning]).verdict == .pass)
  }

  @Test func `a ledger that does not add up is invalid`() {
    var ledger = Ledger()
    ledger.planned = 3
    ledger.sent = 2
    #expect(judge(ledger: ledger).verdict == .invalid)
  }

  @Test func `unchecked responses fail only when asked for`() {
    var ledger = full
    ledger.conformant = 9
    ledger.unchecked = [ReasonCount(reason: "text/csv", count: 1)]
    #expect(judge(ledger: ledger).verdict == .pass)
    #expect(judge(ledger: ledger, failOnUnchecked: true).verdict == .fail)
  }

  private var full: Ledger {
    var ledger = Ledger()
    (ledger.planned, ledger.sent, ledger.answered, ledger.conformant) = (10, 10, 10, 10)
    return ledger
  }

  private func finding(_ kind: FindingKind) -> Finding {
    Finding(kind: kind, severity: .error, operation: "listLaws", message: "wrong")
  }

  private func budget(_ verdict: RowVerdict) -> BudgetRow {
    BudgetRow(
      operation: "listLaws", metric: .latency(percentile: 95), limit: Measure(300_000, .microseconds),
      observed: verdict == .noData ? nil : MeasuredRange(400_000, .microseconds),
      samples: verdict == .noData ? 0 : 100, samplesNeeded: 20,
      state: CheckState(verdict, trials: verdict == .noData ? 0 : 100))
  }

  private func judge(
    cutShort: Bool = false, findings: [Finding] = [], budgets: [BudgetRow] = [],
    doubts: [GeneratorReservation.Cause] = [],
    ledger: Ledger? = nil, failOnUnchecked: Bool = false
  ) -> (verdict: Verdict, reasons: [String]) {
    var generator = GeneratorReport.idle
    generator.add(doubts.map { GeneratorReservation($0, $0.rawValue) })
    var run = FinishedRun.sample(ledger ?? full, generator, cutShort: cutShort)
    run.failsOnUnchecked = failOnUnchecked
    return run.verdict(of: JudgeResult(checks: budgets, findings: findings))
  }
}
