import Foundation
import Murphy
import Testing

/// The plans of all shards together are the plan of the whole, byte for byte.
@Suite struct ShardPlanTests {
  private func plan(_ gate: Gate, _ shard: ShardChoice?, seed: UInt64 = 11) throws -> String {
    var options = RunOptions()
    options.seed = seed
    options.target = try Target("http://127.0.0.1:1")
    options.duration = .seconds(20)
    options.shard = shard
    return try gate.plan(options)
  }

  /// Head, sessions by their first line, and tail of a plan.
  private func parts(_ text: String) -> (head: String, sessions: [String], tail: String) {
    var blocks = text.components(separatedBy: "\n#")
    let head = blocks.removeFirst()
    guard var last = blocks.popLast() else { return (head, [], "") }
    var tail = ""
    for mark in ["\n… and", "\nteardown"] {
      if let found = last.range(of: mark) {
        tail = String(last[found.lowerBound...])
        last = String(last[..<found.lowerBound])
        break
      }
    }
    return (head, blocks + [last], tail)
  }

  @Test(
    arguments: ["release-gate.yaml", "submit-from-csv.yaml", "closed-users.yaml", "voting-bursts.yaml"], [2, 3, 7])
  func `the shards plans are the plan of the whole`(file: String, count: Int) throws {
    let gate = try Gate.load("\(Repository.scenarios)/\(file)", environment: [:])
    let whole = try plan(gate, nil)
    let shards = try (1...count).map { parts(try plan(gate, ShardChoice(number: $0, of: count, origin: "test"))) }
    var sessions: [(number: Int, text: String)] = []
    for shard in shards {
      #expect(shard.head == shards[0].head)
      for text in shard.sessions {
        let number = try #require(Int(text.prefix { $0.isNumber }))
        sessions.append((number, text.trimmingCharacters(in: .newlines)))
      }
    }
    #expect(Set(sessions.map(\.number)).count == sessions.count, "no session twice")
    let expected = parts(whole)
    #expect(
      sessions.sorted { $0.number < $1.number }.map(\.text)
        == expected.sessions.map { $0.trimmingCharacters(in: .newlines) })
    #expect(shards[0].head == expected.head)
  }

  @Test func `shards without a common seed are rejected`() throws {
    let gate = try Gate.load(Repository.scenarios + "/smoke.yaml", environment: [:])
    var options = RunOptions()
    options.shard = ShardChoice(number: 1, of: 2, origin: "test")
    let error = #expect(throws: GateError.self) { try gate.plan(options) }
    #expect(error?.description.contains("need the same seed") == true)
    options.shard?.job = "a job"
    let first = try gate.plan(options)
    #expect(try gate.plan(options) == first, "the job's number is a seed for all of its shards")
  }
}
