import MurphyModel

/// Rejects invalid content of a file of shards, so that its values can be added and looked up safely.
extension ShardFile {
  /// The maximum of entries of one kind of log in a file.
  private static let mostEntries = 2_600_000
  /// The maximum of a count. Counts are added over all shards.
  private static let mostCounted = 1_000_000_000_000_000 / 100_000
  /// The maximum of times and clocks, seconds.
  private static let longest = 1e9
  /// The maximum of nanoseconds since 1970, or since the start of a machine.
  private static let latest: Int64 = 4_000_000_000_000_000_000

  static func checkRoom(for more: Int, beside counts: [Int]) throws(ColumnError) {
    guard counts.reduce(more, +) > mostEntries else { return }
    throw ColumnError("it has more than \(mostEntries) entries of one log, more than murphy writes")
  }

  /// - Throws: the invalid content.
  static func check(_ log: EventLog, _ path: String) throws(ShardError) {
    func refuse(_ what: String) -> ShardError { ShardError("\(path) has an invalid value: \(what)") }
    let info = log.info
    guard let shard = info.shard else { return }
    for (what, count) in counts(log, shard) where count < 0 || count > mostCounted {
      throw refuse("\(what) is \(count)")
    }
    guard shard.sessions <= shard.sessionsOfAll else {
      throw refuse("it has \(shard.sessions) of \(shard.sessionsOfAll) sessions")
    }
    let clock = shard.clock
    guard 0...latest ~= clock.monotonic, 0...latest ~= clock.wall else {
      throw refuse("its clocks show \(clock.monotonic) and \(clock.wall)")
    }
    var times = [info.duration, info.aborted ?? 0, info.lost?.at ?? 0, shard.late, shard.corrected ?? 0]
    times.append(log.generator.achieved)
    for bound in clock.bounds { times += [bound.low, bound.high] }
    for stage in info.load { times += [stage.from, stage.to, stage.start, stage.end] }
    // Gaps are excluded: one that lasted to the end has no end.
    for loss in log.answers.losses { times += [loss.sent, loss.ended] }
    for wait in log.answers.waits { times += [wait.sent, wait.ended] }
    if let time = times.first(where: { !($0.magnitude <= longest) }) { throw refuse("a time or a rate is \(time)") }
    guard clock.bounds.allSatisfy({ $0.low <= $0.high }) else {
      throw refuse("a clock's lower bound is above its upper bound")
    }
    guard log.limits.issues.allSatisfy({ -1..<log.limits.requests.count ~= Int($0.login) }),
      log.state.freshActors.allSatisfy({ 0..<log.state.names.texts.count ~= Int($0) })
    else { throw refuse("it names rows that its tables do not have") }
  }

  /// All values that are added, with their names.
  private static func counts(_ log: EventLog, _ shard: RunShard) -> [(String, Int)] {
    let generator = log.generator
    let relations = log.relations
    var counts: [(String, Int)] = [
      ("sessions", shard.sessions), ("sessionsOfAll", shard.sessionsOfAll), ("requests", log.requests),
      ("begun", log.begun), ("step", log.course.step), ("loops", generator.loops), ("stalls", generator.loopStalls),
      ("peakUsers", generator.peakUsers), ("leftOut", log.limits.leftOut), ("uncounted", log.answers.uncounted),
      ("walked", relations.walked), ("setup", log.info.setup?.requests ?? 0),
      ("teardown", log.info.teardown?.requests ?? 0), ("tokens", log.info.tokens?.requests ?? 0),
      ("failed tokens", log.info.tokens?.failed ?? 0), ("iterations", shard.load.iterations ?? 0),
      ("users", shard.load.users ?? 0),
    ]
    for sent in log.course.sent { counts.append(("sent", sent)) }
    for trials in relations.trials.values { counts.append(("trials", trials)) }
    for rows in relations.rows.values { counts.append(("rows", rows)) }
    for inverted in relations.inverted.values { counts.append(("inverted", inverted)) }
    for unlogged in relations.unlogged.values { counts.append(("unlogged", unlogged)) }
    for gaps in log.state.gaps {
      for count in [gaps.moreKeysLeftOut, gaps.unreadWrites, gaps.unreadAnswers, gaps.failedReads] {
        counts.append(("gaps", count))
      }
    }
    return counts
  }
}
