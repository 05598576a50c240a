import Foundation
import Murphy
import MurphyModel
import MurphyServer

/// A run in shards, each an engine with loops of its own, against one reference API.
struct ShardedRun {
  /// One device sends all votes, so that its limit is reached by all shards together and by none of several alone.
  static let oneDevice = """
    name: One device
    contract: CONTRACT
    seed: 7
    client: { headers: { X-Device-ID: 6f9619ff-8b86-4d01-b42d-00cf4fc964ff } }
    sessions:
      vote:
        share: 3
        steps:
          - call: voteLaw
            path: { id: "${1 + seq() % 50}" }
            body: { vote_type: up }
      read:
        share: 1
        steps:
          - call: getLaw
            path: { id: "${1 + seq() % 50}" }
    load:
      - { hold: 12/s, for: 5s }
    settings: { grace: 5s }
    expect:
      relations: off
      limits:
        votes: { allow: 30, per: 60s, algorithm: sliding-log, key: X-Device-ID, operations: [voteLaw, removeVote], count: { failed: no } }
    """

  /// Each session is a device of its own, which votes more often than it may.
  static let manyDevices = """
    name: Many devices
    contract: CONTRACT
    seed: 7
    client: { headers: { X-Device-ID: "${uuid()}" } }
    sessions:
      vote:
        steps:
          - burst: 34
            over: 400ms
            call: voteLaw
            path: { id: "${1 + seq() % 50}" }
            body: { vote_type: up }
    load:
      - { hold: 3/s, for: 3s }
    settings: { grace: 5s }
    expect:
      relations: off
      limits:
        votes: { allow: 30, per: 60s, algorithm: sliding-log, key: X-Device-ID, operations: [voteLaw, removeVote], count: { failed: no }, tested: [allowance] }
    """

  /// The shards' files, in the order of their numbers.
  var files: [String]
  var results: [RunResult]

  /// - Parameter load: loops of each shard.
  static func run(
    _ scenario: String, in folder: String, shards: Int, loops: Int = 1, fault: String? = nil, target: Target? = nil,
    environment: [String: String] = [:], change: (inout RunOptions) -> Void = { _ in }
  ) async throws -> ShardedRun {
    var reference = ReferenceOptions()
    try reference.set("limiter", to: "sliding-log")
    if let fault { try reference.set("fault", to: fault) }
    let running = try await RunningTarget.start(
      target ?? .embedded(system: "murphys-laws", settings: []),
      reference: target == nil ? reference : ReferenceOptions())
    var options = RunOptions()
    options.target = try Target(running.url)
    options.loops = loops
    options.environment = environment
    change(&options)
    let start = StartTime(nanoseconds: Int64(saturating: Date().timeIntervalSince1970 * 1e9) + 1_000_000_000)
    let gate = try Gate.load(scenario, environment: environment)
    var files: [String] = []
    var results: [RunResult] = []
    try await withThrowingTaskGroup(of: (Int, String, RunResult).self) { group in
      for number in 1...shards {
        var options = options
        var shard = ShardChoice(number: number, of: shards, origin: "the test")
        shard.start = start
        options.shard = shard
        group.addTask { [options] in
          let measured = try await gate.measure(options)
          let record = measured.record
          let home = "\(folder)/\(shards)-\(number)"
          try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
          return (
            number, try gate.writeShard(measured.part, record.mask, environment: environment, to: home),
            gate.judge(record, options: options)
          )
        }
      }
      var all: [(Int, String, RunResult)] = []
      for try await one in group { all.append(one) }
      all.sort { $0.0 < $1.0 }
      files = all.map(\.1)
      results = all.map(\.2)
    }
    await running.stop()
    return ShardedRun(files: files, results: results)
  }

  /// Without what the scenario says against its contract: that the limiter keeps a log, so that a run without a quiet
  /// window before it can prove too many admissions.
  static func errors(of result: RunResult) -> [Finding] {
    result.findings.filter { $0.severity == .error && $0.kind != .limitContradiction }
  }

  func merged(_ change: (inout MergeOptions) -> Void = { _ in }) async throws -> RunResult {
    var options = MergeOptions()
    change(&options)
    return try await Gate.merge(files, options).result
  }
}
