import MurphyContract
import MurphyJudge
import MurphyModel
import MurphyScenario
import Testing

extension FindingGroupsTests {
  /// Nineteen notes are added within a second; the last five fail, and no undocumented status shows it.
  private func failingInOneSecond(failures: Int = 5) -> RunRecord {
    var record = RunRecord.sample
    record.operations = ["listNotes", "addNote"].map { name in
      var operation = OperationRecord(operation: name, method: name == "addNote" ? "POST" : "GET", path: "/notes")
      let fails = name == "addNote" ? failures : 0
      (operation.outcomes.ok, operation.outcomes.serverError, operation.succeeded) = (14, fails, 14)
      operation.statuses = [StatusCount(status: 500, count: fails)]
      for index in 0..<(14 + fails) {
        operation.course.countResponse(
          latency: index < 14 ? 1_000_000 : nil, isError: index >= 14, isFault: index >= 14, second: 0)
      }
      return operation
    }
    record.sessions = [
      SessionResult(
        session: "all", started: 14 + failures, completed: 14,
        failed: [ReasonCount(reason: "addNote: status 500", count: failures)], unfinished: 0)
    ]
    func sent(_ body: String, _ status: Int?, at time: Double) -> SuspectRequest {
      SuspectRequest(
        operation: 1, text: "POST /notes \(body)", curl: ShellScript("curl \(body)"), method: "POST", target: "/notes",
        status: status, sent: time, ended: time + 0.05)
    }
    var change = FailureChange(operation: 1, lastSuccess: 0.2)
    (change.failed, change.failures) = (sent("b", 500, at: 0.35), failures)
    change.suspects = [sent("a", 201, at: 0.1), sent("7", 201, at: 0.2)]
    record.changes = [change]
    record.findings = []
    return record
  }

  @Test func `the first of the failed checks names the request before failures within one second`() throws {
    let findings = try judged(failingInOneSecond()).findings.filter { $0.severity == .error }
    let cause = "addNote failed from 0.4 s on, directly after POST /notes 7 (201)"
    #expect(findings.first?.message.hasPrefix(cause + ": ") == true)
    #expect(findings.count > 1)
    #expect(findings.dropFirst().allSatisfy { $0.details.first == "Caused by: \(cause)." })
  }

  @Test func `a later success on another loop ends the failures`() {
    func change(lastSuccess: Double?, failedAt time: Double?) -> FailureChange {
      var change = FailureChange(operation: 0, lastSuccess: lastSuccess)
      func sent(_ time: Double) -> SuspectRequest {
        SuspectRequest(
          operation: 0, text: "POST /notes", curl: nil, method: "POST", target: "/notes", status: 500, sent: time,
          ended: time + 0.1)
      }
      change.failed = time.map(sent)
      change.failures = time == nil ? 0 : 4
      change.suspects = (0..<6).map { sent((time ?? 0) - 1 - Double($0)) }.reversed()
      return change
    }
    var whole = change(lastSuccess: 1, failedAt: 2)
    whole.merge(change(lastSuccess: 1.5, failedAt: 3))
    #expect(whole.isLasting)
    #expect((whole.failures, whole.failed?.sent, whole.suspects.count) == (8, 2, FailureChange.mostSuspects))
    #expect(whole.suspects.map(\.ended) == whole.suspects.map(\.ended).sorted())
    whole.merge(change(lastSuccess: 2.5, failedAt: nil))
    #expect(!whole.isLasting)
  }

  @Test(arguments: ["addNote: expected $.id: present", "addNote: status 404", "addNote: status 500", "addNote: no id"])
  func `sessions that failed earlier, or for another reason, have another cause`(reason: String) throws {
    var record = failingInOneSecond()
    record.sessions[0].failed.append(ReasonCount(reason: reason, count: 40))
    record.sessions[0].started += 40
    let findings = try judged(record).findings
    // The failed requests themselves are still explained.
    #expect(findings.contains { $0.kind == .budgetErrors && $0.message.contains("addNote failed from ") })
    let completed = try #require(findings.first { $0.kind == .trafficCompleted })
    #expect(!"\(completed)".contains("addNote failed from "), "\(completed)")
  }

  @Test func `few failures at the end explain no finding about many`() throws {
    var record = failingInOneSecond()
    for index in 0..<440 {
      let isError = index % 11 == 0
      record.operations[1].course.countResponse(
        latency: isError ? nil : 1_000_000, isError: isError, isFault: isError, second: 0)
    }
    record.operations[1].outcomes.ok += 400
    record.operations[1].succeeded += 400
    record.operations[1].outcomes.serverError += 40
    record.operations[1].statuses = [StatusCount(status: 500, count: 45)]
    record.findings = [status(500, "addNote", count: 45, at: .milliseconds(100))]
    let findings = try judged(record).findings
    #expect(findings.contains { $0.kind == .contractStatus })
    #expect(!findings.contains { "\($0)".contains("addNote failed from ") }, "\(findings.map(\.headline))")
  }

  @Test func `two failures at the end of the load name no request`() throws {
    let findings = try judged(failingInOneSecond(failures: 2)).findings.filter { $0.severity == .error }
    #expect(!findings.isEmpty)
    #expect(findings.allSatisfy { $0.cause == nil })
  }

  @Test func `a reproduced request is the cause instead of the last one`() throws {
    var record = failingInOneSecond()
    record.aftermath["addNote"] = Aftermath(
      ["One user succeeds."], cause: "after POST /notes a (201), reproduced with this request alone",
      curl: ShellScript("curl a; curl b"))
    let lead = try #require(try judged(record).findings.first)
    #expect(lead.cause == "addNote failed from 0.4 s on, after POST /notes a (201), reproduced with this request alone")
    #expect(lead.evidence?.curl?.text == "curl a; curl b")
    #expect(lead.details.contains("One user succeeds."))
  }
}
