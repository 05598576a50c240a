import Foundation
import Murphy
import Testing
import WildServer

/// One run that fails in many ways, with findings that are grouped: all outputs show the same numbers.
@Suite struct FailedRunAgreementTests {
  private static let contract: String = {
    let groups = (1...4).map { number in
      """
        /down\(number): { get: { operationId: down\(number), responses: &all { "200": { description: all } } } }
        /body\(number): { get: { operationId: body\(number), responses: *all } }
        /note\(number):
          get:
            operationId: note\(number)
            responses:
              "200":
                description: one
                content: { application/json: { schema: { $ref: "#/components/schemas/Note" } } }

      """.replacing("&all", with: number == 1 ? "&all" : "")
    }
    return """
      openapi: 3.0.3
      info: { title: Notes, version: "1" }
      components:
        schemas: { Note: { type: object, required: [id], properties: { id: { type: integer } } } }
      paths:
      \(groups.joined().split(separator: "\n").map { "\($0)\n" }.joined())
        /slow: { get: { operationId: slow, responses: *all } }
        /limit: { get: { operationId: limited, responses: { "200": { description: all }, "429": { description: many } } } }
        /move: { get: { operationId: moved, responses: { "302": { description: elsewhere } } } }
        /never: { get: { operationId: never, responses: *all } }
      """
  }()

  private static let names = (1...4).flatMap { ["down\($0)", "body\($0)", "note\($0)"] }

  private static func respond(_ request: WildRequest, _ connection: WildConnection) {
    switch request.target.dropFirst().prefix(4) {
    case "down": connection.answer(503, body: "")
    case "body": connection.answer(200, body: "{\"at\":\"\(request.target)\"}")
    case "note": connection.answer(200, body: "{\"id\":\"five\"}")
    case "limi": connection.answer(429, body: "")
    case "move": connection.answer(302, body: "")
    default: break
    }
  }

  private static func agreement() async throws -> (RunAgreement, annotations: String) {
    let server = try WildServer(respond)
    defer { server.stop() }
    return try await withTemporaryFolder { folder in
      try contract.write(toFile: folder + "/notes.yaml", atomically: true, encoding: .utf8)
      let steps =
        names.map { "{ call: \($0), on: { error: continue, 5XX: continue } }" }
        + ["{ call: moved }", "{ call: limited, on: { 429: continue } }"]
      let text = """
        name: Notes
        contract: notes.yaml
        target: \(server.url)
        settings: { timeout: 1s }
        sessions:
          all: { share: 4, steps: [\(steps.joined(separator: ", "))] }
          slow: { steps: [{ call: slow }] }
        load: [{ hold: 10/s, for: 2s }]
        expect: { budgets: { body1: { p99: 500ms, errors: 1% }, down1: { errors: 1% } } }
        """
      try text.write(toFile: folder + "/test.yaml", atomically: true, encoding: .utf8)
      let agreement = try await RunAgreement.of(folder + "/test.yaml")
      return (agreement, GitHubAnnotations(agreement.result).text)
    }
  }

  @Test func `a failed run has the same numbers in every output`() async throws {
    let (run, annotations) = try await Self.agreement()
    run.expect(.fail)
    let result = run.result
    // One finding for each rule that is broken, with its operations.
    let groups = result.findings.filter { $0.members != nil }
    for (kind, prefix) in [
      (FindingKind.contractStatus, "down"), (.contractContentType, "body"), (.contractBody, "note"),
    ] {
      let group = try #require(groups.first { $0.kind == kind }, "\(result.findings.map(\.headline))")
      #expect(group.operations.compactMap(\.self).sorted() == (1...4).map { "\(prefix)\($0)" })
      #expect(result.findings.count { $0.kind == kind } == 1)
      let sum = result.operations.filter { group.operations.contains($0.operation) }.reduce(0) {
        $0 + $1.outcomes.answered
      }
      #expect(group.count == sum)
      for text in [run.outcome.output.replacing("\n", with: " "), run.page, run.summary, run.junit, annotations] {
        #expect(text.contains("4 operations: "), "\(kind)")
      }
    }
    // The contract documents no 2xx of it.
    let moved = try #require(result.operations.first { $0.operation == "moved" })
    #expect(moved.succeeded == moved.requests && moved.requests > 0)
    #expect(result.checks.contains { $0.name == "moved responds as documented" && $0.outcome == .passed })
    try expectFindings(run, annotations)
    try expectChecks(run)
    try expectRequests(run)
  }

  private func numbers(_ text: String, _ pattern: Regex<(Substring, Substring)>) -> [Int] {
    text.matches(of: pattern).compactMap { Int($0.1) }
  }

  private func expectFindings(_ run: RunAgreement, _ annotations: String) throws {
    let findings = run.result.findings
    let lines = run.outcome.output.split(separator: "\n")
    let told = lines.count { $0.firstMatch(of: #/^\d+\. (error|warning|note) /#) != nil }
    let rest = numbers(run.outcome.output, #/and (\d+) more findings?/#).first ?? 0
    #expect(told + rest == findings.count)
    #expect(Set(numbers(run.page, #/id="finding-(\d+)"/#)).count == findings.count)
    let cut = numbers(run.summary, #/and (\d+) more in `result.json`/#).first ?? 0
    #expect(run.summary.matches(of: #/(?m)^\*\*\d+\. (error|warning|note)\*\*/#).count + cut == findings.count)
    let sarif = run.sarif["runs"]?[0]?["results"]?.array ?? []
    for severity in [Finding.Severity.error, .warning, .note] {
      #expect(sarif.count { $0["level"]?.string == severity.rawValue } == findings.count { $0.severity == severity })
    }
    let noted = annotations.split(separator: "\n")
    let more = numbers(annotations, #/(\d+) more findings?/#).first ?? 0
    #expect(
      noted.count { $0.hasPrefix("::error") || $0.hasPrefix("::warning") } + more
        == findings.count { $0.severity > .note })
  }

  private func expectChecks(_ run: RunAgreement) throws {
    let checks = run.result.checks
    let (all, broken) = (checks.count { $0.outcome != .notRequired }, checks.count { $0.outcome == .failed })
    #expect(run.junit.matches(of: #/<testcase /#).count == checks.count)
    #expect(run.junit.matches(of: #/<failure /#).count == broken)
    for text in [run.outcome.output.replacing("\n", with: " "), run.page, run.summary] {
      #expect(numbers(text, #/Do not release: (\d+) of/#) == [broken])
      #expect(numbers(text, #/Do not release: \d+ of (\d+) checks/#) == [all])
    }
    let told = run.sarif["runs"]?[0]?["properties"]?["checks"]?.array ?? []
    for word in Set(checks.map(\.outcome.word)) {
      #expect(told.count { $0["state"]?.string == word } == checks.count { $0.outcome.word == word }, "\(word)")
    }
    let untested = checks.notTestedCount
    #expect(untested > 0)
    #expect(run.summary.contains("Not tested: \(untested)."))
    #expect(run.result.operations.first { $0.operation == "slow" }?.outcomes.transport ?? 0 > 0)
  }

  private func expectRequests(_ run: RunAgreement) throws {
    let rows = run.outcome.output.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    for operation in run.result.operations where operation.requests > 0 {
      let row = try #require(rows.first { $0.first == operation.operation && $0.count > 3 })
      #expect(row[1] == "\(operation.requests)")
      #expect(run.summary.contains("| \(operation.operation) | \(operation.requests) |"), "\(operation.operation)")
    }
    let sum = run.result.operations.reduce(0) { $0 + $1.requests }
    #expect(sum == run.result.ledger.sent)
    let errors = run.result.operations.reduce(0) {
      $0 + $1.outcomes.clientError + $1.outcomes.serverError + $1.outcomes.transport
    }
    let ends = run.result.operations.compactMap(\.ends)
    for (name, count) in [
      ("violating", ends.reduce(0) { $0 + $1.violating }), ("errors", ends.reduce(0) { $0 + $1.errors }),
      ("unanswered", ends.reduce(0) { $0 + $1.unanswered }),
    ] {
      let shown = try numbers(run.page, Regex("<dt>\(name)</dt><dd[^>]*>(\\d+)", as: (Substring, Substring).self))
      #expect(shown == [count], "\(name)")
    }
    let budget = try #require(run.result.budgets.first { $0.operation == "*" && $0.metric == .errors })
    #expect(budget.over == errors)
  }
}

extension [Check] {
  fileprivate var notTestedCount: Int { count { $0.outcome.word == "not tested" } }
}
