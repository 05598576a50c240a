import Foundation
import Murphy
import TestSupport
import Testing

/// Real servers in turns. The delays are long beside what a busy machine adds.
@Suite(.serialized, .timed) struct LiveComparisonTests {
  static let scenario = """
    name: Law of the day
    contract: CONTRACT
    target: embedded:murphys-laws
    client: { headers: { X-Device-ID: "${uuid()}" } }
    sessions:
      look: { steps: [ { call: getLawOfTheDay } ] }
    load:
      - { hold: 250/s, for: 10s }
    """

  /// A server each of whose responses takes so much longer.
  static func delayed(_ milliseconds: Int) -> ReferenceOptions {
    var options = ReferenceOptions()
    options.faults = [
      Fault("delay", .latency, "responses wait \(milliseconds) ms", .delay(.milliseconds(milliseconds)))
    ]
    return options
  }

  static func compare(
    _ base: Int, _ candidate: Int, slice: Duration = .milliseconds(500)
  ) async throws -> CompareResult {
    try await withScenario(scenario) { file in
      let target = try Target("embedded:murphys-laws")
      var options = CompareOptions(base: target, candidate: target)
      options.baseReference = delayed(base)
      options.candidateReference = delayed(candidate)
      options.slice = slice
      options.blocks = 2
      options.run.seed = 3
      options.coins = 4
      let result = try await Gate.load(file, environment: [:]).compare(options)
      quote(CompareReport(result).document.terminal())
      return result
    }
  }

  @Test(.timeLimit(.minutes(5))) func `a slowdown of known size is found with its size`() async throws {
    let result = try await Self.compare(40, 52)
    #expect(result.verdict == .fail, "\(result.reasons)")
    let row = try #require(result.operations.first { $0.operation == "getLawOfTheDay" }?[.p50])
    #expect(row.verdict == .fail)
    // 12 ms of 40 ms and what the server takes besides.
    let (low, high) = (try #require(row.low), try #require(row.high))
    #expect(low < 0.31 && high > 0.20, "\(low) .. \(high)")
    let design = try #require(result.design)
    #expect(design.restarts)
    #expect(design.groups == design.groups.indices.map { GroupCoins(seed: 4, group: $0, blocks: 2) })
    // Anyone can compute p from what the file holds.
    #expect(row.pValue == PermutationTest.pValue(row.differences))
    #expect(row.differences.count == design.groups.count)
  }

  @Test(.timeLimit(.minutes(5))) func `two copies of one server do not fail`() async throws {
    let result = try await Self.compare(40, 40, slice: .milliseconds(200))
    #expect(result.verdict != .fail, "\(result.reasons)")
    let row = try #require(result.operations.first { $0.operation == "getLawOfTheDay" }?[.p50])
    #expect(row.verdict != .fail, "\(row)")
    #expect(row.requests > 400 && row.base != row.candidate, "both were measured: \(row)")
  }
}
