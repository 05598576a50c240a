import Murphy
import TestSupport
import Testing

/// The reference API with itself, and with planted changes.
@Suite(.serialized, .timed) struct BehaviourComparisonTests {
  static let scenario = """
    name: Reads and writes
    contract: CONTRACT
    target: embedded:murphys-laws
    client: { headers: { X-Device-ID: "${uuid()}" } }
    sessions:
      read:
        steps:
          - call: listLaws
            save: { ids: "$.data[*].id" }
          - think: 2s
          - call: getLaw
            path: { id: "${pick(ids)}" }
      write:
        steps:
          - call: listCategories
            save: { categories: "$.data[*].id" }
          - call: submitLaw
            body:
              text: "${words(6, 20)}."
              title: "${words(2, 4)}"
              author: Ada
              email: "${email()}"
              category_id: "${pick(categories)}"
          - call: getLaw
            path: { id: "${int(1, 20)}" }
          - call: voteLaw
            path: { id: "${int(1, 20)}" }
            body: { vote_type: up }
    load:
      - { hold: 5/s, for: 10s }
    """

  static func compare(_ fault: String?, seed: UInt64 = 3) async throws -> BehaviourResult {
    try await withScenario(scenario) { file in
      let target = try Target("embedded:murphys-laws")
      var options = CompareOptions(
        base: target, candidate: try Target("embedded:murphys-laws" + (fault.map { "?fault=\($0)" } ?? "")))
      options.sessions = 8
      options.run.seed = seed
      let result = try await Gate.load(file, environment: [:]).compareResponses(options)
      let document = BehaviourReport(result).document
      quote(document.terminal())
      #expect(document.html.contains("pairs compared") && document.markdown.contains(result.verdict.word))
      return result
    }
  }

  @Test(.timeLimit(.minutes(2)), arguments: [1, 2]) func `two copies of one server are equal`(seed: UInt64) async throws
  {
    let result = try await Self.compare(nil, seed: seed)
    #expect(result.verdict == .pass, "\(result.reasons)")
    #expect(result.baseRuns == 3 && result.candidateRuns == 2 && result.restarts)
    #expect(result.operations.allSatisfy { $0.pairs > 0 && $0.successes > 0 }, "\(result.operations)")
  }

  @Test(
    .timeLimit(.minutes(2)),
    arguments: [
      ("missing-field", "getLaw behaviour.presence /created_at"),
      ("extra-field", "listCategories behaviour.presence /data/*/row_version"),
      ("undocumented-status", "voteLaw behaviour.status status"), ("page-too-long", "listLaws behaviour.items /data"),
      ("missing-header", "getLaw behaviour.header header x-request-id"),
    ]) func `a planted change is one finding with both exchanges`(fault: String, finding: String) async throws
  {
    let result = try await Self.compare(fault)
    #expect(result.verdict == .fail)
    let found = result.changes.map { "\($0.finding.operation ?? "") \($0.finding.kind.rawValue) \($0.place)" }
    #expect(found.contains(finding), "\(found)")
    #expect(Set(result.changes.map(\.finding.operation)).count == 1, "\(found)")
    let change = try #require(result.changes.first)
    #expect(change.base.method == change.candidate.method)
    #expect(change.responses > 0 && change.responses <= change.compared)
  }
}
