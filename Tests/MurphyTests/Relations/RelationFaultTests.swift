import Foundation
import Murphy
import Testing

/// Faults of the reference API that only show when responses are held against requests and against each other.
@Suite(.serialized) struct RelationFaultTests {
  /// The kinds of which one must tell a fault, and the operation that shows it.
  static let shownBy: [(fault: String, kinds: [FindingKind], operation: String)] = [
    ("order-ignored", [.relationOrder], "listLaws"), ("direction-ignored", [.relationOrder], "listLaws"),
    ("filter-dropped", [.relationFilter], "listLaws"),
    ("total-ignores-filter", [.relationSkips, .relationShortPage], "listLaws"),
    ("page-repeats-rows", [.relationRepeats], "listLaws"), ("page-skips-rows", [.relationSkips], "listLaws"),
    ("page-ends-early", [.relationShortPage, .relationSkips], "listLaws"),
    ("one-too-many", [.relationPageSize], "listLaws"), ("offset-not-echoed", [.relationEcho], "listLaws"),
    ("wrong-law-under-id", [.relationIdentity, .relationExchanged], "getLaw"),
    ("total-wavers", [.relationTotal], "listLaws"), ("list-shows-old", [.relationListItem], "listLaws"),
    ("answers-exchanged", [.relationExchanged, .relationIdentity], "getLaw"),
    ("filter-ignored", [.relationFilter], "listLaws"), ("duplicates-across-pages", [.relationRepeats], "listLaws"),
    ("shifting-total", [.relationTotal], "listLaws"), ("unsorted-list", [.relationOrder], "listLaws"),
    ("page-too-long", [.relationPageSize], "listLaws"),
  ]

  @Test func `the list holds every relation fault`() {
    let names = ReferenceAPI.murphysLaws.faults.filter { $0.family == .relation }.map(\.name)
    #expect(Set(names).subtracting(Self.shownBy.map(\.fault)) == [])
  }

  /// Six at a time: no relation depends on when a response came.
  static let groups = stride(from: 0, to: shownBy.count, by: 6).map {
    shownBy[$0..<min($0 + 6, shownBy.count)].map(\.fault)
  }

  @Test(arguments: groups) func `a fault fails the run`(faults: [String]) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for fault in faults { group.addTask { try await Self.expect(fault) } }
      try await group.waitForAll()
    }
  }

  private static func expect(_ fault: String) async throws {
    let row = try #require(Self.shownBy.first { $0.fault == fault })
    let result = try await Self.result(fault: fault)
    let found = result.findings.filter { $0.severity == .error && $0.operation == row.operation }
    let told = found.first { row.kinds.contains($0.kind) }
    print("fault \(fault) -> \(result.verdict) \(told.map { "\($0.kind): \($0.message)" } ?? "nothing")")
    let finding = try #require(told, "\(fault): \(result.findings.filter { $0.severity != .note }.map(\.message))")
    #expect(result.verdict == .fail)
    #expect(finding.evidence?.curl?.text.contains("curl") == true)
    let broken = (result.relations ?? []).filter { $0.outcome == .broken }
    #expect(broken.contains { $0.findings.contains(finding.fingerprint) && $0.operation == row.operation })
  }

  @Test func `without a fault nothing is found`() async throws {
    let result = try await Self.result(fault: nil)
    #expect(result.findings.filter { $0.severity != .note }.map(\.message) == [])
    let rows = result.relations ?? []
    #expect(rows.filter { $0.outcome == .broken } == [])
    let kept = Set(rows.filter { $0.outcome == .kept && $0.operation == "listLaws" }.map(\.relation))
    #expect(
      kept.isSuperset(of: [
        "page-size", "echo", "total", "short-page", "repeats", "skips", "order", "filter", "list-vs-item", "head",
        "allow",
      ]), "\(kept.sorted())")
    #expect(rows.contains { $0.operation == "getLaw" && $0.relation == "identity" && $0.outcome == .kept })
    // What the API has not, nothing tests.
    #expect(rows.contains { $0.relation == "etag" && $0.outcome == .off && $0.reason == "the responses have no ETag" })
  }

  /// Murphy's own requests lie outside of every account, and can be switched off.
  @Test func `the walk is counted apart`() async throws {
    let walked = try await Self.result(fault: nil)
    let own = try #require(walked.relationRequests)
    #expect(own > 50 && own <= 120)
    #expect(walked.ledger.sent == walked.operations.reduce(0) { $0 + $1.requests })
    let off = try await Self.result(fault: nil, relations: "{ \"*\": { walk: off } }")
    #expect(off.relationRequests == nil)
    #expect(off.relations?.contains { $0.relation == "skips" && $0.outcome == .untested } == true)
    let none = try await Self.result(fault: "one-too-many", relations: "off")
    #expect(none.findings.filter { $0.kind.family == .relation } == [])
    #expect((none.relations ?? []).allSatisfy { $0.outcome == .off })
  }

  static func result(fault: String?, relations: String = "{}") async throws -> RunResult {
    try await withScenario(scenario(relations)) { file in
      let gate = try Gate.load(file, environment: [:])
      var options = RunOptions()
      options.seed = 42
      options.loops = 1
      if let fault { options.reference.faults = [try ReferenceAPI.murphysLaws.fault(fault)] }
      return gate.judge(try await gate.run(options), options: options)
    }
  }

  /// Nothing in it depends on when a response comes.
  private static func scenario(_ relations: String) -> String {
    """
    name: Collections
    contract: CONTRACT
    target: embedded:murphys-laws
    client:
      headers: { X-Device-ID: "${uuid()}" }
    settings: { timeout: 60s, grace: 60s }
    sessions:
      browse:
        steps:
          - call: listLaws
            query: { limit: 10, sort: upvotes, order: asc }
            save: { ids: "$.data[*].id" }
          - call: listLaws
            query: { limit: 10, offset: 10, sort: upvotes, order: asc }
          - call: listLaws
            query: { category_id: "${int(1, 40)}", sort: id, order: desc }
          - burst: 6
            over: 10ms
            call: getLaw
            path: { id: "${pick(ids)}" }
          - call: voteLaw
            path: { id: "${ids[0]}" }
            body: { vote_type: up }
    load:
      - { hold: 10/s, for: 1s }
    expect: { errors: off, completed: off, called: off, sessions: off, relations: \(relations) }
    """
  }
}
