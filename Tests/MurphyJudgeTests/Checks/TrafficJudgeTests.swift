import MurphyJudge
import MurphyModel
import Testing

@Suite struct TrafficJudgeTests {
  @Test func `one of twenty sessions failing is a broken promise`() throws {
    let row = try #require(self.row(.completed, [session(completed: 19, failed: 1)]))
    #expect(row.verdict == .fail)
    #expect((row.met, row.samples) == (19, 20))
    #expect(row.sentence.contains("19 of 20 sessions ended as scripted (95%)"))
    #expect(row.exceptions == [ReasonCount(reason: "getLaw: status 503", count: 1)])
  }

  @Test func `one in a hundred is allowed`() throws {
    #expect(try #require(self.row(.completed, [session(completed: 99, failed: 1)])).verdict == .pass)
    #expect(try #require(self.row(.completed, [session(completed: 98, failed: 2)])).verdict == .fail)
  }

  @Test func `what still ran at the end counts as neither`() throws {
    #expect(try #require(self.row(.completed, [session(completed: 3, unfinished: 40)])).verdict == .pass)
    let none = try #require(self.row(.completed, [session(unfinished: 40)]))
    #expect(none.verdict == .notTested)
    #expect(none.sentence.contains("40 were still running"))
  }

  @Test func `what an outage kept from ending is no data and no tick`() throws {
    var record = RunRecord.sample
    record.sessions = [session(completed: 58, unfinished: 224)]
    let outage = Outage(from: 3, until: 13, isOver: false, losses: [])
    let rows = TrafficJudge.judge(demand(), record: record, outages: [outage])
    #expect(rows.first { $0.kind == .completed }?.verdict == .noData)
  }

  @Test func `who leaves as scripted ends as scripted`() throws {
    var leaver = session(completed: 0)
    leaver.started = 30
    leaver.left = [ReasonCount(reason: "voteLaw: status 429", count: 30)]
    #expect(try #require(self.row(.completed, [leaver])).verdict == .pass)
    // Yet nobody saw the end of the script.
    #expect(try #require(self.row(.sessions, [leaver])).verdict == .noData)
  }

  @Test func `an operation that was never called is no data and named`() throws {
    var record = RunRecord.sample
    record.sessions = [session(completed: 1)]
    record.operations = ["login", "listLaws", "getLaw"].map { OperationRecord(operation: $0, method: "GET", path: "/") }
    (record.operations[0].sent, record.operations[0].succeeded) = (40, 40)
    let rows = TrafficJudge.judge(demand(called: ["login", "listLaws", "getLaw"]), record: record)
    let row = try #require(rows.first { $0.kind == .called })
    #expect(row.verdict == .noData)
    #expect((row.met, row.samples) == (1, 3))
    #expect(row.sentence.hasPrefix("2 of 3 operations were never called: listLaws, getLaw"))
  }

  @Test func `an operation that never succeeded is no data and named`() throws {
    var record = RunRecord.sample
    record.sessions = [session(completed: 1)]
    record.operations = ["login", "listLaws"].map { OperationRecord(operation: $0, method: "GET", path: "/") }
    (record.operations[0].sent, record.operations[0].succeeded) = (40, 40)
    record.operations[1].sent = 400
    record.operations[1].statuses = [StatusCount(status: 302, count: 1), StatusCount(status: 429, count: 396)]
    (record.operations[1].outcomes.limited, record.operations[1].outcomes.ok) = (396, 1)
    let rows = TrafficJudge.judge(demand(called: ["login", "listLaws"]), record: record)
    let row = try #require(rows.first { $0.kind == .called })
    #expect(row.state == .noData(trials: 1))
    #expect(
      row.sentence.hasPrefix(
        "1 of 2 operations never succeeded: listLaws: no request succeeded (429 × 396, 302 × 1, no response × 3)"),
      "\(row.sentence)")
  }

  @Test func `a kind of session that only fails is broken and one that never began is no data`() throws {
    let failing = try #require(self.row(.sessions, [session(completed: 9), session("login", failed: 4)]))
    #expect(failing.verdict == .fail)
    #expect(failing.sentence.contains("login (4 began, 4 ended early)"))
    let absent = try #require(self.row(.sessions, [session(completed: 9), session("login")]))
    #expect(absent.verdict == .noData)
    #expect(absent.sentence.contains("login (none began)"))
  }

  @Test func `what is switched off has no row`() {
    var record = RunRecord.sample
    record.sessions = [session(failed: 4)]
    #expect(TrafficJudge.judge(demand(completed: nil, sessions: []), record: record) == [])
  }

  @Test func `a broken promise on the traffic fails the run`() {
    let rows = [TrafficRow.Rule.completed, .sessions].compactMap { row($0, [session(failed: 4)]) }
    var ledger = Ledger()
    (ledger.planned, ledger.sent, ledger.answered, ledger.conformant) = (4, 4, 4, 4)
    let judged = FinishedRun.sample(ledger).verdict(
      of: JudgeResult(checks: rows, findings: TrafficJudge.findings(rows)))
    #expect(judged.verdict == .fail)
    #expect(judged.reasons.count == rows.count, "\(judged.reasons)")
  }

  @Test func `an outage fails the run whatever the generator says`() {
    var generator = GeneratorReport.idle
    generator.doubts = ["20 of 400 planned requests were dropped because too many users were active at the same time"]
    let outage = Finding(kind: .transportOutage, severity: .error, operation: nil, message: "no responses")
    let judged = FinishedRun.sample(Ledger(), generator).verdict(of: JudgeResult(findings: [outage]))
    #expect(judged.verdict == .fail)
    #expect(judged.reasons.first == "no responses")
  }

  private func session(
    _ name: String = "read", completed: Int = 0, failed: Int = 0, unfinished: Int = 0
  ) -> SessionResult {
    SessionResult(
      session: name, started: completed + failed + unfinished, completed: completed,
      failed: failed == 0 ? [] : [ReasonCount(reason: "getLaw: status 503", count: failed)], unfinished: unfinished)
  }

  private func demand(
    completed: Double? = 0.99, called: [String] = [], sessions: [String] = ["read", "login"]
  ) -> TrafficJudge.Demand {
    TrafficJudge.Demand(completed: completed, called: called, sessions: sessions)
  }

  private func row(_ kind: TrafficRow.Rule, _ sessions: [SessionResult]) -> TrafficRow? {
    var record = RunRecord.sample
    record.sessions = sessions
    return TrafficJudge.judge(demand(), record: record).first { $0.kind == kind }
  }
}
