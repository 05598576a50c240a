import Foundation
import Murphy
import MurphyModel
import Testing

/// Each fault of counting is found by the ledger of the shipped scenario, with the few exchanges that prove it.
@Suite(.serialized) struct VoteFaultTests {
  static let faults: [(fault: String, kinds: [FindingKind])] = [
    ("lost-vote", [.stateLedgerMissing]), ("double-vote", [.stateLedgerSurplus]),
    ("repeat-vote", [.stateLedgerSurplus]), ("repeat-takes-back", [.stateLedgerMissing]),
    ("wrong-law-vote", [.stateLedgerMissing, .stateLedgerSurplus]),
    ("vote-flips-back", [.stateLedgerMissing]), ("vote-race", [.stateLedgerMissing, .stateLedgerSurplus]),
    ("removed-vote-stays", [.stateLedgerSurplus]), ("changed-vote-adds", [.stateLedgerSurplus]),
    ("refused-vote-counted", [.stateLedgerSurplus]), ("votes-written-late", [.stateLedgerMissing]),
    ("stale-reads", [.stateLedgerMissing, .stateLedgerSurplus]),
    ("counts-go-back", [.stateLedgerMissing, .stateLedgerSurplus]),
    ("stale-lists", [.stateLedgerMissing, .stateLedgerSurplus]),
  ]

  /// Four at a time: no finding of the ledger depends on when a response came.
  static let groups = stride(from: 0, to: faults.count, by: 4).map {
    faults[$0..<min($0 + 4, faults.count)].map(\.fault)
  }

  @Test(arguments: groups) func `a fault of counting fails the run`(faults: [String]) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for fault in faults { group.addTask { try await Self.expect(fault) } }
      try await group.waitForAll()
    }
  }

  private static func expect(_ fault: String) async throws {
    let kinds = try #require(faults.first { $0.fault == fault }).kinds
    let result = try await result(fault)
    let found = result.findings.filter { $0.kind.family == .state }
    print(
      "fault \(fault) -> \(result.verdict.word) -> \(found.first.map { "\($0.kind): \($0.headline)" } ?? "nothing")")
    #expect(result.verdict == .fail, "\(fault): \(result.reasons)")
    #expect(found.contains { kinds.contains($0.kind) }, "\(fault): \(result.findings.map(\.message))")
    let row = try #require(result.state.first)
    #expect(row.verdict == .fail && !row.findings.isEmpty)
    for finding in found {
      let witness = try #require(finding.evidence?.witness)
      #expect(witness.count > 0 && witness.map(\.sent) == witness.map(\.sent).sorted())
      #expect(witness.contains { $0.curl?.text.contains("curl ") == true }, "\(witness)")
    }
  }

  @Test func `without a fault the ledger holds`() async throws {
    for loops in [1, 2] {
      let result = try await Self.result(nil, loops: loops)
      #expect(result.findings.filter { $0.kind.family == .state }.map(\.headline) == [])
      let row = try #require(result.state.first)
      #expect(row.verdict == .pass, "\(row.sentence)")
      let test = try #require(row.test)
      #expect(test.tested > 8 && test.sharp > 100 && test.inconclusive.isEmpty, "\(test)")
      #expect(test.ownRequests > 8, "every law is read once more when the load is over")
    }
  }

  /// The scenario may say that a vote given again takes the first one back.
  @Test func `a ledger of toggles holds where votes toggle and nowhere else`() async throws {
    let right = try await Self.result("repeat-takes-back", rule: "toggle")
    #expect(right.findings.filter { $0.kind.family == .state }.map(\.headline) == [])
    #expect(right.state.first?.verdict == .pass, "\(right.state.map(\.sentence))")
    let wrong = try await Self.result(nil, rule: "toggle")
    let found = try #require(wrong.findings.first { $0.kind.family == .state })
    #expect(found.kind == .stateLedgerSurplus, "\(found.message)")
  }

  /// Read before the load, the counts are known before the first vote: every response can contradict.
  @Test func `a start pins what was there`() async throws {
    let without = try #require(try await Self.result(nil).state.first?.test)
    let start = "start: { listLaws: { query: { limit: 25, sort: id, order: asc } } }"
    let row = try #require(try await Self.result(nil, extra: start).state.first)
    let test = try #require(row.test)
    #expect(row.verdict == .pass && !row.sentence.contains("no usable response"), "\(row.sentence)")
    #expect(test.ownRequests == without.ownRequests + 1)
    #expect(test.keys == 25, "all laws of the page have a first response")
    let lost = try await Self.result("lost-vote", extra: start)
    #expect(lost.findings.contains { $0.kind == .stateLedgerMissing })
  }

  static func result(_ fault: String?, loops: Int = 2, rule: String = "last", extra: String = "") async throws
    -> RunResult
  {
    let text = try String(contentsOfFile: Repository.scenarios + "/votes.yaml", encoding: .utf8)
      .replacing("contract: openapi.yaml", with: "contract: \(Repository.scenarios)/openapi.yaml")
      .replacing("      key: path.id\n", with: "      key: path.id\n      rule: \(rule)\n      \(extra)\n")
    let gate = try await withTemporaryFolder { folder in
      try text.write(toFile: folder + "/votes.yaml", atomically: true, encoding: .utf8)
      return try Gate.load(folder + "/votes.yaml", environment: [:])
    }
    var options = RunOptions()
    options.seed = 42
    options.loops = loops
    options.duration = .seconds(2)
    if let fault { options.reference.faults = [try ReferenceAPI.murphysLaws.fault(fault)] }
    return gate.judge(try await gate.run(options), options: options)
  }
}
