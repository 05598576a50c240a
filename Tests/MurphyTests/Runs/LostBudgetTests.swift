import Foundation
import Murphy
import TestSupport
import Testing

/// `abort-after: { lost: … }` on real runs.
@Suite(.serialized, .timed) struct LostBudgetTests {
  static let scenario = """
    name: Slow votes
    contract: CONTRACT
    target: embedded:murphys-laws
    settings: { abort-after: { lost: 1s } }
    client: { connections: reuse }
    sessions:
      look: { steps: [ { call: listLaws } ] }
      rare: { share: 0.01, steps: [ { call: listCategories } ] }
    load:
      - { hold: 40/s, for: 30s }
    expect:
      budgets: { listLaws: { p95: 300ms, throughput: 30/s } }
    """

  static func run(_ text: String, faults: [String]) async throws -> RunResult {
    try await withScenario(text) { file in
      var options = RunOptions()
      options.seed = 2
      options.reference.limits.isOff = true
      for fault in faults { try options.reference.set("fault", to: fault) }
      let gate = try Gate.load(file, environment: [:])
      return gate.judge(try await gate.run(options), options: options)
    }
  }

  @Test(.timeLimit(.minutes(1))) func `a budget that is lost ends the run and the report is whole`() async throws {
    let result = try await Self.run(Self.scenario, faults: ["slow-list"])
    #expect(result.verdict == .fail, "\(result.reasons)")
    let lost = try #require(result.run.lost)
    #expect(lost.operation == "listLaws" && lost.metric == .latency(percentile: 95) && lost.over > lost.allowed)
    #expect(lost.at < .seconds(10) && result.run.duration < .seconds(12), "\(lost.at)")
    #expect(result.reasons.first?.hasPrefix("The load was ended early: the budget listLaws p95") == true)
    #expect(result.budgets.contains { $0.operation == "listLaws" && $0.verdict == .fail })
    // What the rest of the load would have shown is not held against the API.
    #expect(!result.run.cutShort && result.ledger.contradictions.isEmpty)
    #expect(result.traffic.allSatisfy { $0.kind == .completed || $0.verdict != .fail }, "\(result.traffic)")
    #expect(result.budgets.filter { $0.metric == .throughput }.allSatisfy { $0.verdict != .fail })
    #expect(HTMLReport(result).text.contains("ended early because a budget could no longer pass"))
    #expect(try ResultFile.decode(ResultFile.encode(result)).run.lost == lost)
  }

  /// 600 ms late for the whole run, and a budget that allows it: nothing ends it.
  @Test(.timeLimit(.minutes(1))) func `a budget that is kept ends nothing`() async throws {
    let text = Self.scenario.replacing("300ms", with: "5s").replacing("for: 30s", with: "for: 4s")
    let result = try await Self.run(text, faults: ["slow-list"])
    #expect(result.run.lost == nil && result.verdict != .invalid, "\(result.reasons)")
    #expect(result.run.duration >= .milliseconds(3900))
  }
}
