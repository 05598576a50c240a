import Foundation
import Murphy
import MurphyEngine
import MurphyModel
import MurphyServer
import TestSupport
import Testing

/// Merging the files of real shards: in any order and grouping, one by one or all at once.
@Suite(.timed) struct ShardMergeTests {
  /// What is written of a merged run, without what names the folders.
  private func text(_ files: [String], _ change: (inout MergeOptions) -> Void = { _ in }) async throws -> String {
    var options = MergeOptions()
    change(&options)
    return try ResultFile.encode(try await Gate.merge(files, options).result)
  }

  private func withShards(
    _ count: Int, scenario: String = ShardedRun.oneDevice, fault: String? = nil,
    _ body: (ShardedRun, _ folder: String) async throws -> Void
  ) async throws {
    try await withScenario(scenario) { file in
      try await withTemporaryFolder { folder in
        try await body(try await ShardedRun.run(file, in: folder, shards: count, fault: fault), folder)
      }
    }
  }

  @Test func `order and grouping change nothing`() async throws {
    try await withShards(6, fault: "undocumented-status") { run, folder in
      let whole = try await text(run.files)
      var kept = MergeOptions()
      kept.keepsShards = true
      var random = RandomSource(seed: 14)
      for trial in 0..<12 {
        var rest = run.files.map { [$0] }
        // Any two groups become one, until there is one.
        while rest.count > 1 {
          let one = rest.remove(at: Int(saturating: random.unit() * Double(rest.count)))
          let other = rest.remove(at: Int(saturating: random.unit() * Double(rest.count)))
          let merged = try await Gate.merge(one + other, kept)
          let file = "\(folder)/\(trial)-\(rest.count).gz"
          try merged.write(to: file)
          rest.append([file])
        }
        #expect(try await text(rest[0]) == whole)
      }
      let one = try await Gate.merge([run.files[0]], kept)
      try one.write(to: folder + "/one.gz")
      #expect(try await text([folder + "/one.gz"]) == text([run.files[0]]), "one shard alone stays what it is")
    }
  }

  @Test func `a shard that is missing is named`() async throws {
    try await withShards(4) { run, _ in
      let files = [run.files[0], run.files[1], run.files[3]]
      let result = try await Gate.merge(files, MergeOptions()).result
      #expect(result.verdict == .invalid && result.run.shards?.missing == [3])
      #expect(result.reasons.first?.contains("Shard 3 of 4 is missing") == true, "\(result.reasons)")
      var options = MergeOptions()
      options.tolerated = 1
      let tolerated = try await Gate.merge(files, options).result
      #expect(tolerated.verdict != .invalid, "\(tolerated.reasons)")
      #expect(
        tolerated.reasons.last?.contains("evaluated on 45 of 60 planned sessions") == true, "\(tolerated.reasons)")
      #expect(!tolerated.findings.contains { $0.kind == .limitOverThrottling }, "refusals may be due to the lost shard")
    }
  }

  /// A limiter that is right, judged without a quarter of what it counted.
  @Test func `what a lost shard sent accuses nobody`() async throws {
    try await withShards(4, fault: nil) { run, _ in
      var options = MergeOptions()
      options.tolerated = 3
      for kept in [[0], [1, 2], [0, 2, 3]] {
        let result = try await Gate.merge(kept.map { run.files[$0] }, options).result
        #expect(ShardedRun.errors(of: result).isEmpty, "\(result.findings.map(\.headline))")
      }
    }
  }

  /// All requests of a user are one shard's: of keys that users draw, those that were merged say everything.
  @Test(arguments: [nil, "limit-minus-one"])
  func `what users draw is judged without a lost shard`(fault: String?) async throws {
    try await withShards(3, scenario: ShardedRun.manyDevices, fault: fault) { run, _ in
      var options = MergeOptions()
      options.tolerated = 1
      let result = try await Gate.merge(Array(run.files.dropLast()), options).result
      let votes = try #require(result.limits.first { $0.name == "votes" })
      let proofs = result.findings.filter { $0.kind == .limitOverThrottling }
      #expect(proofs.isEmpty == (fault == nil), "\(votes)")
      #expect(votes.verdict == (fault == nil ? .consistent : .overThrottling), "\(votes.sentence)")
      #expect(
        result.checks.first { $0.family == .limit && $0.outcome == .passed }.map {
          $0.sentence.contains("evaluated on")
        }
          ?? true)
    }
    try await withShards(3, fault: fault) { run, _ in
      var options = MergeOptions()
      options.tolerated = 1
      let result = try await Gate.merge(Array(run.files.dropLast()), options).result
      let votes = try #require(result.limits.first { $0.name == "votes" })
      #expect(votes.verdict == .inconclusive, "the lost shard may have used the one device: \(votes.sentence)")
    }
  }

  @Test func `shards of another run are rejected`() async throws {
    try await withShards(2) { run, folder in
      try await withScenario(ShardedRun.oneDevice.replacing("seed: 7", with: "seed: 8")) { scenario in
        let other = try await ShardedRun.run(scenario, in: folder + "/other", shards: 2)
        let error = await #expect(throws: GateError.self) {
          try await Gate.merge([run.files[0], other.files[1]], MergeOptions())
        }
        #expect(error?.description.contains(" belong to different runs: ") == true, "\(String(describing: error))")
        #expect(
          error?.description.contains("the seed is 8 in the first file, and 7 in the second file") == true,
          "\(String(describing: error))")
      }
      let twice = await #expect(throws: GateError.self) {
        try await Gate.merge([run.files[0], run.files[0]], MergeOptions())
      }
      #expect(twice?.description.contains("twice") == true)
    }
  }

  @Test func `a scenario that was changed since is rejected`() async throws {
    try await withTemporaryFolder { folder in
      let scenario = folder + "/scenario.yaml"
      let text = ShardedRun.oneDevice.replacing("CONTRACT", with: Repository.scenarios + "/openapi.yaml")
      try text.write(toFile: scenario, atomically: true, encoding: .utf8)
      let run = try await ShardedRun.run(scenario, in: folder, shards: 2)
      try (text + "\n# later\n").write(toFile: scenario, atomically: true, encoding: .utf8)
      let changed = await #expect(throws: GateError.self) { try await Gate.merge(run.files, MergeOptions()) }
      #expect(changed?.description.contains("has changed since the shards ran") == true)
      try FileManager.default.removeItem(atPath: scenario)
      let gone = await #expect(throws: GateError.self) { try await Gate.merge(run.files, MergeOptions()) }
      #expect(gone?.description.contains("--scenario") == true)
      try text.write(toFile: folder + "/elsewhere.yaml", atomically: true, encoding: .utf8)
      var options = MergeOptions()
      options.scenario = folder + "/elsewhere.yaml"
      #expect(try await Gate.merge(run.files, options).result.ledger.planned == 60)
    }
  }

  /// A file that was cut off, or of which a byte was changed, is an error that names it, never a result or a crash.
  @Test func `a damaged file is an error that names it`() async throws {
    try await withShards(2) { run, folder in
      let bytes = Array(try Data(contentsOf: URL(filePath: run.files[1])))
      let whole = try await text(run.files)
      var random = RandomSource(seed: 15)
      for trial in 0..<150 {
        var damaged = bytes
        if trial < 50 {
          damaged.removeLast(1 + Int(saturating: random.unit() * Double(bytes.count - 1)))
        } else {
          damaged[Int(saturating: random.unit() * Double(bytes.count))] ^=
            UInt8(1) << UInt8(saturating: random.unit() * 8)
        }
        let file = folder + "/damaged.json.gz"
        try Data(damaged).write(to: URL(filePath: file))
        do {
          let said = try await text([run.files[0], file])
          // A bit of gzip's head that says nothing of the content.
          #expect(said == whole)
        } catch let error as GateError {
          #expect(error.description.contains("damaged.json.gz"), "\(error)")
        }
      }
    }
  }
}
