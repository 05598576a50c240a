import Foundation
import MurphyContract
import MurphyEngine
import MurphyHTTP
import MurphyJudge
import MurphyModel
import MurphyReport
import MurphyScenario
import MurphyServer

/// The options of `murphy merge`.
package struct MergeOptions: Sendable {
  /// The scenario, if it is not in the same place as for the shards.
  package var scenario: String?
  /// The number of shards that may be missing, late or cut short.
  package var tolerated = 0
  package var environment: [String: String] = [:]
  package var failOnUnchecked = false
  /// True if the shards are kept to be written as one file.
  package var keepsShards = false
  /// PEM file of trusted authorities, for shards that are read from a store.
  package var authorities: String?

  package init() {}
}

/// The merged shards.
package struct MergedRun: Sendable {
  package let result: RunResult
  /// The same as a file that merges with others.
  fileprivate let part: RunMeasurement?
  fileprivate let documents: [String: [UInt8]]
  fileprivate let mask: SecretMask
  /// The fingerprint of the key for pseudonyms of secrets in the part.
  fileprivate let key: String

  /// Writes a file with all of the shards, which can be merged with others; only if they were kept.
  package func write(to path: String) throws {
    guard var part else { return }
    part.unpoolHeaders()
    try ShardFile.write(part, documents: documents, mask: mask, words: nil, key: key, to: path)
  }
}

extension Gate {
  /// Merges the shards of one run and judges the whole.
  ///
  /// - Parameter paths: report folders of shards, or their `shard.json.gz`, or URLs of those.
  /// - Throws: `GateError.usage` for files that do not belong to one run.
  package static func merge(_ paths: [String], _ options: MergeOptions) async throws(GateError) -> MergedRun {
    var merge = ShardMerge()
    for path in paths {
      do {
        if let address = StoreAddress(path, environment: options.environment) {
          let copy = FileManager.default.temporaryDirectory.appendingPathComponent("murphy-\(UUID().uuidString).gz")
            .path
          defer { try? FileManager.default.removeItem(atPath: copy) }
          try ObjectStore(authorities: options.authorities).get(address, to: copy)
          try merge.add(try ShardFile.read(copy, name: address.shown), from: address.shown)
        } else {
          let file = shardFile(path)
          try merge.add(try ShardFile.read(file), from: file)
        }
      } catch {
        throw .usage("\(error).")
      }
    }
    guard let info = merge.first, let shard = info.shard else {
      throw .usage("murphy merge needs at least one shard. Name the report folders of the shards.")
    }
    let gate = try load(info, shard, merge.documents, options)
    do {
      return try gate.merged(merge, info, shard, options)
    } catch let error as GateError {
      throw error
    } catch {
      throw .usage("\(error).")
    }
  }

  /// The file in a report folder; any other path is the file itself.
  private static func shardFile(_ path: String) -> String {
    if StoredResults.isFolder(path) { return (path as NSString).appendingPathComponent(ShardFile.name) }
    // Users often name the result in the same folder.
    guard FileManager.default.fileExists(atPath: path), (path as NSString).lastPathComponent == ResultFile.name else {
      return path
    }
    return ((path as NSString).deletingLastPathComponent as NSString).appendingPathComponent(ShardFile.name)
  }

  /// The scenario and contract of the shards, from the files that they read.
  private static func load(
    _ info: RunInfo, _ shard: RunShard, _ documents: [String: [UInt8]], _ options: MergeOptions
  ) throws(GateError) -> Gate {
    let file = options.scenario ?? info.scenarioFile
    guard file != "-" else {
      throw .usage("the shards read their scenario from standard input. Name the scenario file with --scenario FILE.")
    }
    guard FileManager.default.fileExists(atPath: file) else {
      throw .usage(
        """
        the shards ran \(file), which does not exist here. Run `murphy merge` in the folder in which the shards ran, \
        or add --scenario FILE.
        """
      )
    }
    var fetched = FetchedContracts()
    fetched.documents = documents
    for name in Scenario.outline(text: try text(of: file), file: file).contracts.map(\.name) {
      if let url = documents.keys.first(where: { $0.hasSuffix(name) }), FetchedContracts.isOfTarget(name, in: file) {
        fetched.urls[name] = url
      }
    }
    let gate = try load(
      file, environment: options.environment, toleratesMissingEnvironment: true, fetched: fetched)
    guard gate.texts == shard.texts else {
      throw .usage(
        "the scenario \(file), its contract or another file that it names has changed since the shards ran. Restore "
          + "the files and merge again, or run the shards again.")
    }
    return gate
  }

  private func merged(
    _ merge: ShardMerge, _ info: RunInfo, _ shard: RunShard, _ options: MergeOptions
  ) throws -> MergedRun {
    var run = RunOptions()
    run.target = .url(info.target)
    run.seed = info.seed
    run.salt = info.salt
    run.load = shard.load.factor
    run.duration = shard.load.duration
    run.users = shard.load.users
    run.iterations = shard.load.iterations
    run.only = shard.load.only
    run.environment = options.environment
    run.failOnUnchecked = options.failOnUnchecked
    var loaded = scenario
    loaded.load = try load(run)
    let frame = RunFrame(loaded, contract, only: shard.load.only)
    var merge = merge
    guard let raw = merge.consumeMeasurement(), raw.fits(frame) else {
      throw GateError.usage(
        """
        the results of the shards do not match \(scenario.file) and its contract. Restore the files with which the \
        shards ran.
        """)
    }
    let mask = mask(environment: options.environment)
    let kept = options.keepsShards ? raw : nil
    let record = record(of: raw, shard, frame, mask, options)
    var result = judge(record, options: run)
    if let shards = record.info.shards {
      if !shards.doubts.isEmpty {
        result.verdict = .invalid
        result.reasons = shards.doubts + result.reasons
      } else {
        result.reasons += shards.tolerated
        if let scope = record.info.judgedScope { result.reasons.append("The run is evaluated \(scope).") }
      }
    }
    return MergedRun(
      result: result.masked(by: mask), part: kept, documents: merge.documents, mask: mask, key: merge.key)
  }

  /// The record of all shards. The parts are released while it is built: their events need most of a merge's memory.
  private func record(
    of part: consuming RunMeasurement, _ shard: RunShard, _ frame: RunFrame, _ mask: SecretMask, _ options: MergeOptions
  ) -> RunRecord {
    var outcome = ShardMerge.outcome(part, of: shard, tolerating: options.tolerated)
    var record = outcome.part.makeRecord(frame, mask: mask)
    record.info.shard = nil
    record.info.shards = outcome.shards
    record.races = RaceTest.untested(
      LimitExpectations.policies(scenario.expectations.limits, contract, timeScale: 1), RaceTest.ofShards)
    return record
  }
}
