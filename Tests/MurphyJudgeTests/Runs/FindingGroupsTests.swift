import MurphyContract
import MurphyJudge
import MurphyModel
import MurphyScenario
import Testing

/// Findings with one cause, and the request after which failures began.
@Suite struct FindingGroupsTests {
  private static let contract = """
    openapi: 3.0.3
    info: { title: Notes, version: "1" }
    paths:
      /notes:
        get: { operationId: listNotes, responses: { "200": { description: all } } }
        post: { operationId: addNote, responses: { "201": { description: made } } }
        put: { operationId: editNotes, responses: { "200": { description: done } } }
        delete: { operationId: clearNotes, responses: { "204": { description: gone } } }
      /automations/: { post: { operationId: automate, responses: { "201": { description: made } } } }
    """

  func status(
    _ status: Int, _ operation: String, count: Int = 5, at time: Duration = .milliseconds(12_300),
    curl: ShellScript? = nil
  ) -> Finding {
    var finding = Finding(
      kind: .contractStatus, operation: operation, message: "status \(status) is not documented; documented: 200",
      count: count, firstSeen: time, lastSeen: .seconds(20), discriminator: "status \(status)",
      evidence: Evidence(exchange: Self.exchange(status), curl: curl))
    finding.cause = "status \(status) is not documented"
    return finding
  }

  private static func exchange(_ status: Int) -> Exchange {
    Exchange(
      method: "GET", url: "http://127.0.0.1:1/notes", requestHeaders: [], requestBody: nil, status: status,
      responseHeaders: [], responseBody: nil, responseSize: 0, sent: .zero, took: .microseconds(1))
  }

  private func breach(_ place: String, _ constraint: String, severity: Finding.Severity = .error) -> Finding {
    var finding = Finding(
      kind: .exploreInvalidAccepted, severity: severity, operation: "addNote",
      message: "status 201 for \(place), which the contract forbids", discriminator: "\(place) \(constraint)")
    finding.cause = constraint
    return finding
  }

  @Test func `equal statuses over operations are one finding with its evidence, count and operations`() throws {
    let single = [
      status(503, "addNote", at: .milliseconds(12_400)), status(503, "editNotes", count: 7, curl: "curl 1"),
      status(503, "clearNotes", at: .seconds(14), curl: "curl 2"),
    ]
    let other = [status(404, "addNote"), status(404, "editNotes")]
    let grouped = FindingGroups.grouped(single + other)
    #expect(grouped.count == 3, "two of a kind stay as they are")
    let whole = try #require(grouped.first)
    #expect(whole.operation == nil && whole.count == 17 && whole.firstSeen == .milliseconds(12_300))
    #expect(
      whole.message == "status 503 is not documented, in 3 operations: editNotes, addNote, clearNotes")
    #expect(whole.evidence?.curl == "curl 1")
    #expect(Set(whole.members?.map(\.fingerprint) ?? []) == Set(single.map(\.fingerprint)))
    #expect(whole.fingerprint == FindingGroups.grouped([single[1], single[2], single[0]])[0].fingerprint)
    #expect(Set(whole.ungrouped.map(\.headline)) == Set(single.map(\.headline)))
    #expect(FindingGroups.grouped(grouped) == grouped)
  }

  @Test func `the cause of a case about HTTP is its own sentence`() throws {
    let cause = "a body that is not gzip, with Content-Encoding: gzip, is accepted"
    let findings = ["addNote", "editNotes", "automate"].map { operation in
      var finding = breach("/a", cause, severity: .note)
      finding.operation = operation
      return finding
    }
    let whole = try #require(FindingGroups.grouped(findings).first)
    #expect(whole.message.hasPrefix("\(cause), in 3 operations: "), "\(whole.message)")
  }

  @Test func `one missing validation over many places is one finding, and other constraints and severities are not`() {
    let findings =
      ["/a", "/b", "/c", "/d"].map { breach($0, "maximum") } + [breach("/a", "enum"), breach("/b", "enum")]
      + [breach("/e", "maximum", severity: .warning)]
    let grouped = FindingGroups.grouped(findings)
    #expect(grouped.map { $0.members?.count ?? 1 } == [4, 1, 1, 1])
    #expect(grouped[0].operation == "addNote")
    #expect(grouped[0].details.contains { $0.contains("/d") })
    #expect(grouped[0].message.contains("4 places"))
  }

  private func finding(
    _ kind: FindingKind, _ operation: String?, _ message: String, cause: String? = nil,
    expectation: StepExpectation? = nil
  ) -> Finding {
    var finding = Finding(kind: kind, operation: operation, message: message, expectation: expectation)
    finding.cause = cause
    return finding
  }

  @Test func `any finding is grouped by its rule, and without one by its message`() {
    let operations = ["listNotes", "addNote", "editNotes"]
    let place = "#/components/schemas/Note/properties/id: expected a string"
    let kinds: [(FindingKind, String, (String) -> String, String?)] = [
      (
        .contractContentType, "bodies", { "a body of text/html with \($0.count) bytes; for 200 none is documented" },
        "a body where none is documented for 200"
      ),
      (.contractBody, "one line of the contract", { "/\($0)/id: expected a string, found 5" }, place),
      (.transportTimeout, "equal messages", { _ in "no response within 3 s" }, nil),
      (.exploreInvalidAccepted, "no keyword", { _ in "status 200 for the body as text/plain" }, nil),
      (.limitNoRetryHint, "equal messages", { _ in "429 without Retry-After" }, nil),
    ]
    for (kind, what, message, cause) in kinds {
      let single = operations.map { finding(kind, $0, message($0), cause: cause) }
      let grouped = FindingGroups.grouped(single)
      #expect(grouped.count == 1, "\(what)")
      #expect(grouped[0].message.hasPrefix((cause ?? message("")) + ", in 3 operations: "), "\(what)")
      #expect(grouped[0].operations.compactMap(\.self).sorted() == operations.sorted(), "\(what)")
    }
  }

  @Test func `findings that differ in their rule, their step or their row stay single`() {
    let operations = ["listNotes", "addNote", "editNotes"]
    let step = StepExpectation(
      session: "all", step: "1", source: SourceMark(file: "a.yaml", line: 1, column: 1), expected: "status 200")
    let single =
      operations.map { finding(.contractBody, $0, "\($0): expected a string", cause: "\($0): expected a string") }
      + operations.map { finding(.contractExpectation, $0, "status 500, expected 200", expectation: step) }
      + operations.map { finding(.budgetLatency, $0, "p95 is 400ms, over the budget of 300ms") }
      + [finding(.stateSetMissing, nil, "a"), finding(.stateSetMissing, nil, "a"), finding(.stateSetMissing, nil, "a")]
    #expect(FindingGroups.grouped(single) == single)
  }

  /// Ten seconds of requests of the writes, which succeed before the second and fail from it on.
  private func record(failingFrom second: Int, healsAt heal: Int? = nil) -> RunRecord {
    var record = RunRecord.sample
    record.operations = ["listNotes", "addNote", "editNotes", "clearNotes", "automate"].map { name in
      var operation = OperationRecord(
        operation: name, method: name == "listNotes" ? "GET" : "POST",
        path: name == "automate" ? "/automations/" : "/notes")
      for now in 0..<10 {
        let fails = name != "listNotes" && now >= second && now < heal ?? 10
        operation.course.countResponse(latency: fails ? nil : 1_000_000, isError: fails, isFault: fails, second: now)
      }
      return operation
    }
    record.responses.writes.add(CompletedWrite(operation: 1, status: 201, sent: 0.1, ended: 0.2))
    record.responses.writes.add(CompletedWrite(operation: 1, status: 201, sent: 4.4, ended: 4.5))
    record.responses.writes.add(CompletedWrite(operation: 4, status: 201, sent: 4.8, ended: 4.9))
    record.responses.writes.add(CompletedWrite(operation: 2, status: 200, sent: 0.1, ended: 0.2))
    record.findings = ["addNote", "editNotes", "clearNotes"].map {
      status(503, $0, at: .seconds(second) + .milliseconds(100))
    }
    return record
  }

  func judged(_ record: RunRecord, provokesFailures: Bool = false) throws -> RunResult {
    let contract = try Contract.parse(Self.contract, file: "/openapi.yaml")
    let scenario = try Scenario.parse(
      text: """
        name: test
        contract: openapi.yaml
        target: http://127.0.0.1:1
        sessions: { all: { steps: [{ call: addNote }] } }
        load: [{ hold: 1/s, for: 10s }]
        """, file: "/test.yaml", operations: contract.summaries)
    var run = FinishedRun(record, scenario, contract)
    run.provokesFailures = provokesFailures
    return run.result()
  }

  @Test func `the finding names the request after which failures began`() throws {
    let finding = try #require(try judged(record(failingFrom: 5)).findings.first)
    #expect(finding.members?.count == 3)
    #expect(
      finding.cause == "addNote, editNotes, clearNotes failed from 5.1 s on, after POST /automations/ (201)")
    #expect(
      finding.details.first
        == "After that time, no request of addNote, editNotes, clearNotes succeeded: 15 requests failed.")
  }

  @Test func `checks that fail by one status follow its finding`() throws {
    var record = RunRecord.sample
    record.operations = ["listNotes", "addNote"].map { name in
      var operation = OperationRecord(operation: name, method: name == "addNote" ? "POST" : "GET", path: "/notes")
      (operation.outcomes.ok, operation.outcomes.clientError) = (10, name == "addNote" ? 10 : 0)
      operation.statuses = [StatusCount(status: 418, count: operation.outcomes.clientError)]
      return operation
    }
    record.sessions = [
      SessionResult(
        session: "all", started: 10, completed: 0, failed: [ReasonCount(reason: "addNote: status 418", count: 10)],
        unfinished: 0)
    ]
    record.findings = [status(418, "addNote")]
    let findings = try judged(record).findings
    let kinds: [FindingKind] = [.budgetErrors, .trafficCompleted, .trafficSessions]
    #expect(findings.first?.kind == .contractStatus)
    #expect(Set(findings.dropFirst().prefix(3).map(\.kind)) == Set(kinds))
    for finding in findings.dropFirst().prefix(3) {
      #expect(finding.details.first == "Caused by: addNote: status 418 is not documented; documented: 200.")
    }
    // Errors of another operation fail the same checks.
    record.operations[0].outcomes.serverError = 10
    record.sessions[0].failed.append(ReasonCount(reason: "listNotes: status 500", count: 10))
    #expect(!(try judged(record).findings.flatMap(\.details).contains { $0.hasPrefix("Caused by") }))
  }

  @Test func `what succeeds again names no request`() throws {
    let finding = try #require(try judged(record(failingFrom: 5, healsAt: 8)).findings.first)
    #expect(finding.members?.count == 3)
    #expect(!finding.details.contains { $0.contains("After that time, no request of") })
  }

  @Test func `requests that were made to fail with 4xx are no later failures`() throws {
    var record = record(failingFrom: 5)
    for index in record.operations.indices {
      var course = OperationCourse()
      for now in 0..<10 {
        course.countResponse(latency: now < 5 ? 1_000_000 : nil, isError: now >= 5, isFault: now == 5, second: now)
      }
      record.operations[index].course = course
    }
    let finding = try #require(try judged(record).findings.first)
    #expect(!finding.details.contains { $0.contains("After that time, no request of") })
  }

  @Test func `one operation whose failures an exploration repeats is no onset`() throws {
    var record = record(failingFrom: 5)
    record.findings = [status(503, "addNote", at: .milliseconds(5100))]
    #expect(
      try #require(try judged(record).findings.first).details.contains {
        $0.contains("After that time, no request of")
      })
    let explored = try #require(try judged(record, provokesFailures: true).findings.first)
    #expect(!explored.details.contains { $0.contains("After that time, no request of") })
  }

  @Test func `server errors and broken limits come first, notes last`() {
    let kinds: [(FindingKind, Finding.Severity, Int)] = [
      (.contractNotTested, .note, 200), (.contractMixedFormat, .warning, 200), (.contractBody, .error, 500),
      (.limitOverAdmission, .error, 200), (.contractStatus, .error, 500),
    ]
    let findings = kinds.map {
      Finding(
        kind: $0.0, severity: $0.1, operation: "a", message: "m", count: 1,
        evidence: Evidence(exchange: Self.exchange($0.2)))
    }
    #expect(findings.sorted(by: Finding.isWorse).map(\.kind) == kinds.map(\.0).reversed())
  }

  @Test func `an undocumented status is a server error by its response, whatever its message says`() {
    for (status, isServerError) in [(499, false), (500, true), (503, true), (599, true), (600, false)] {
      var finding = self.status(status, "addNote")
      #expect(finding.isServerError == isServerError, "\(status)")
      finding.message = "the response has an undocumented status"
      #expect(finding.isServerError == isServerError, "\(status)")
      let group = FindingGroups.grouped(["addNote", "editNotes", "clearNotes"].map { self.status(status, $0) })
      #expect(group.map(\.isServerError) == [isServerError], "the group of \(status)")
      #expect(group[0].ungrouped.allSatisfy { $0.isServerError == isServerError }, "\(status)")
    }
  }
}
