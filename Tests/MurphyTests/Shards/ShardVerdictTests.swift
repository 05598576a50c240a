import Foundation
import Murphy
import MurphyServer
import TestSupport
import Testing

/// One scenario run as 1, 2, 3 and 7 shards says the same.
@Suite(.timed) struct ShardVerdictTests {
  /// What must not depend on the number of shards.
  private struct Summary: Equatable, CustomStringConvertible {
    /// Nil if this machine was too busy for a verdict.
    var verdict: Verdict?
    var planned: Int
    var answered: Int
    var errors: Set<String>
    var limits: [String]
    var plan: String

    init(_ result: RunResult) {
      verdict = result.generator.doubts.isEmpty ? result.verdict : nil
      planned = result.ledger.planned
      answered = result.ledger.answered
      errors = Set(ShardedRun.errors(of: result).map(\.fingerprint))
      limits = result.limits.filter { $0.name == "votes" }.map {
        "\($0.name) \($0.verdict) \($0.admitted) \($0.refused)"
      }
      plan = result.run.shards?.plan ?? ""
    }

    var description: String {
      "\(verdict?.word ?? "busy") planned \(planned) answered \(answered) errors \(errors.sorted()) limits \(limits) plan \(plan)"
    }
  }

  @Test(
    arguments: [
      (nil, [1, 2, 3, 7]), ("limit-plus-one", [1, 2, 3, 7]), ("limit-unlimited", [1, 3]), ("fractional-count", [1, 3]),
      ("undocumented-status", [1, 3]),
    ] as [(String?, [Int])])
  func `the number of shards changes nothing`(fault: String?, counts: [Int]) async throws {
    try await withScenario(ShardedRun.oneDevice) { scenario in
      try await withTemporaryFolder { folder in
        var first: Summary?
        var verdicts: Set<Verdict> = []
        for shards in counts {
          let run = try await ShardedRun.run(scenario, in: folder, shards: shards, fault: fault)
          let result = try await run.merged()
          var summary = Summary(result)
          print("\(fault ?? "none"), \(shards) shards: \(summary)")
          if let verdict = summary.verdict { verdicts.insert(verdict) }
          summary.verdict = nil
          #expect(verdicts.count < 2, "\(verdicts)")
          #expect(result.ledger.contradictions == [])
          #expect(result.run.shards?.shards.map(\.number) == Array(1...shards))
          #expect(summary == first ?? summary, "\(fault ?? "no fault"), \(shards) shards")
          #expect(summary.errors.isEmpty == (fault == nil), "\(result.reasons)")
          if let fault, fault.hasPrefix("limit"), shards > 1 {
            let alone = run.results.flatMap(\.findings).filter { $0.kind.family == .limit }
            #expect(alone.isEmpty, "no shard shows it alone: \(alone.map(\.message))")
          }
          first = first ?? summary
        }
      }
    }
  }

  /// A shard that is the only one is the whole run, and to merge it changes nothing.
  @Test(arguments: [nil, "fractional-count"])
  func `merging one is the identity`(fault: String?) async throws {
    try await withScenario(ShardedRun.oneDevice) { scenario in
      try await withTemporaryFolder { folder in
        let run = try await ShardedRun.run(scenario, in: folder, shards: 1, loops: 2, fault: fault)
        let merged = try await run.merged()
        func text(_ result: RunResult) throws -> [Substring] {
          var result = result
          (result.run.shard, result.run.shards) = (nil, nil)
          return try ResultFile.encode(result).split(separator: "\n")
        }
        let (whole, again) = (try text(run.results[0]), try text(merged))
        #expect(run.results[0].verdict != .shard)
        #expect(whole == again, "\(zip(whole, again).first { $0 != $1 } ?? ("", "")) \(whole.count) \(again.count)")
      }
    }
  }

  /// Two loops of a process are two shards that share a start.
  @Test func `two loops are two shards`() async throws {
    try await withScenario(ShardedRun.oneDevice) { scenario in
      try await withTemporaryFolder { folder in
        let loops = try await ShardedRun.run(scenario, in: folder, shards: 1, loops: 2, fault: "limit-plus-one")
          .merged()
        let shards = try await ShardedRun.run(scenario, in: folder, shards: 2, fault: "limit-plus-one").merged()
        var (one, other) = (Summary(loops), Summary(shards))
        (one.plan, other.plan) = ("", "")
        if one.verdict == nil || other.verdict == nil { (one.verdict, other.verdict) = (nil, nil) }
        #expect(one == other)
        #expect(loops.findings.contains { $0.kind == .limitOverAdmission })
      }
    }
  }
}
