import Foundation
import MurphyEngine
import MurphyHTTP
import MurphyModel
import MurphyScenario
import MurphyServer

extension Gate {
  /// - Throws: `GateError.usage` for options that a shard does not support.
  func checkShard(_ options: RunOptions, _ target: Target) throws(GateError) {
    guard let shard = options.shard, shard.of > 1 else { return }
    if case .embedded(let system, _) = target {
      throw .usage(
        "shard \(shard.number) of \(shard.of) needs a target that all shards can reach, but each shard starts its own "
          + "embedded:\(system). Start one server with `murphy serve \(system)`, and pass its address with --target to "
          + "all shards.")
    }
    guard let start = shard.start else { return }
    let passed = Duration.nanoseconds(WallClock.nanoseconds().subtracting(start.nanoseconds))
    guard passed <= max(try load(options).duration, .seconds(60)) else {
      throw .usage(
        "the start time of the shards, \(start.text), was \(passed.text(places: 0)) ago, which is longer than the "
          + "duration of the load. Use another --start-at, or remove the start file of an earlier run.")
    }
  }

  /// The seed that all shards of a run have.
  ///
  /// - Throws: `GateError.usage` if each shard would generate its own.
  func commonSeed(_ options: RunOptions) throws(GateError) -> UInt64 {
    guard let shard = options.shard, shard.of > 1, options.seed == nil, scenario.seed == nil else {
      return seed(options)
    }
    guard let common = shard.common("seed") else {
      throw .usage(
        "all shards of a run need the same seed. Use the same --seed or the same --start-at for all shards. From "
          + "--start-at, each shard derives the same seed.")
    }
    return common
  }

  /// The options of the engine, for a shard or a whole run.
  ///
  /// - Parameter target: its URL.
  func shardOptions(_ options: RunOptions, target: String) throws(GateError) -> EngineOptions {
    var engine = engineOptions(options)
    guard let shard = options.shard else { return engine }
    engine.seed = try commonSeed(options)
    if options.salt == nil, let salt = shard.common("salt") {
      engine.salt = salt
      // A repeated job has the same number: values may have been used before. A start time occurs once.
      engine.isSaltNew = shard.start != nil
    }
    engine.shard = ShardNumber(index: shard.number - 1, count: shard.of)
    var info = try shardInfo(options, shard, seed: engine.seed)
    info.clock.bounds = MachineClock.bounds(folder: shard.start?.folder)
    if let start = shard.start {
      if info.clock.bounds.isEmpty, let bound = targetClock(target, options, before: start) {
        info.clock.bounds.append(bound)
      }
      info.corrected = start.correction(info.clock.bounds)
      engine.startAt = start.nanoseconds.adding(info.corrected?.nanoseconds ?? 0)
    }
    engine.shardInfo = info
    return engine
  }

  /// The offset of this machine's clock from the target's dates, without another source and with enough time for it.
  private func targetClock(_ target: String, _ options: RunOptions, before start: StartTime) -> ClockBound? {
    guard start.nanoseconds.subtracting(WallClock.nanoseconds()) > Self.timeToAsk, let origin = try? Origin(target)
    else { return nil }
    return TargetClock.bound(origin, transport(options))
  }

  /// In nanoseconds.
  private static let timeToAsk: Int64 = 3_000_000_000

  /// The description of a shard in its result, before it is run.
  func shardInfo(_ options: RunOptions, _ shard: ShardChoice, seed: UInt64) throws(GateError) -> RunShard {
    let plan = try plan(options, seed: seed)
    let all = plan.closed?.mostUsers ?? plan.arrivals
    var change = LoadChange()
    change.factor = options.load
    change.duration = options.duration
    change.users = options.users
    change.iterations = options.iterations
    change.only = options.only
    return RunShard(
      number: shard.number, of: shard.of, plan: Finding.fingerprint(of: [PlanText(plan).text]), texts: texts,
      load: change,
      sessions: ShardNumber(index: shard.number - 1, count: shard.of).size(of: all), sessionsOfAll: all,
      wanted: shard.start?.text)
  }

  /// The plan of the whole run, without the values that each run generates.
  func plan(_ options: RunOptions, seed: UInt64, salt: UInt64? = nil) throws(GateError) -> Plan {
    var loaded = scenario
    loaded.load = try load(options)
    if !options.only.isEmpty { loaded.sessions.removeAll { !options.only.contains($0.name) } }
    return Plan(scenario: loaded, seed: seed, unique: UniqueValues(salt: salt))
  }
}

extension Gate {
  /// Writes the data that `murphy merge` needs from a shard into its report folder.
  ///
  /// - Parameter environment: may contain the key for pseudonyms of secrets (``ShardKey``).
  /// - Returns: the path of the file.
  /// - Throws: if it cannot be written.
  @discardableResult
  package func writeShard(
    _ part: RunMeasurement, _ mask: SecretMask, environment: [String: String], to folder: String
  ) throws -> String {
    let path = "\(folder)/\(ShardFile.name)"
    let key = ShardKey(environment: environment, seed: part.logs.first?.info.seed ?? 0)
    try ShardFile.write(
      part, documents: documents, mask: mask, words: key, key: key.fingerprint, to: path)
    return path
  }

  /// Removes the file of an earlier run from the folder. Otherwise it would be merged instead of a shard that does not
  /// finish.
  package static func removeShard(in folder: String) {
    try? FileManager.default.removeItem(atPath: "\(folder)/\(ShardFile.name)")
  }

  /// True if a file can be uploaded there.
  package static func isStore(_ url: String) -> Bool { StoreAddress(url, environment: [:]) != nil }

  /// Uploads the file of a shard to a store.
  ///
  /// - Throws: `GateError.usage` with the store's message, and the path of the file.
  package static func upload(
    _ file: String, of shard: RunShard, to url: String, _ options: RunOptions
  ) async throws(GateError) {
    let name = "shard-\(shard.number)-of-\(shard.of).json.gz"
    guard let address = StoreAddress(url, file: name, environment: options.environment) else {
      throw .usage("\(URLCredentials.masked(url)) is not an http or https URL.")
    }
    do {
      try ObjectStore(authorities: options.authorities).put(file, to: address)
    } catch {
      throw .usage("\(error). The measurements of the shard are in \(file).")
    }
  }
}
