import MurphyModel

/// Merges the shards of one run. Files are read one after the other. The number of kept events is that of a run of one
/// process, so that a thousand files need no more memory than a few.
package struct ShardMerge: Sendable {
  private var gathered: RunMeasurement?
  /// The contract's documents from the target, by their URL.
  package private(set) var documents: [String: [UInt8]] = [:]
  /// The values that must be equal in every shard, from the first one.
  package private(set) var first: RunInfo?
  /// By number, the source of a shard.
  private var sources: [Int: String] = [:]
  private var firstSource = ""
  private var murphy = ""
  /// The fingerprint of the key of the words that replace secrets.
  package private(set) var key = ""
  private let bound: RunMeasurement.Bound

  /// All data that was added, within the bound; nil before the first shard. It is moved out: afterwards nothing can be
  /// added.
  package mutating func takeMeasurement() -> RunMeasurement? {
    var whole = gathered.take()
    whole?.cut(to: bound)
    return whole
  }

  package init(bound: RunMeasurement.Bound = .usual) { self.bound = bound }

  /// - Parameter path: the path of the file, for messages.
  /// - Throws: the reason why the two are not of one run.
  package mutating func add(_ record: ShardPart, from path: String) throws(ShardError) {
    guard !record.part.logs.isEmpty else { throw ShardError("\(path) contains no shard") }
    for log in record.part.logs {
      let info = log.info
      guard let shard = info.shard, 1...ShardChoice.most ~= shard.of, 1...shard.of ~= shard.number,
        log.shard == shard.number
      else { throw ShardError("\(path) is not of a shard of a run") }
      try check(info, shard, record, path)
      if let known = sources[shard.number] {
        throw ShardError(
          known == path
            ? "\(path) contains shard \(shard.number) twice"
            : "shard \(shard.number) of \(shard.of) is in \(known) and in \(path): merging both would count it twice. Leave one of them out"
        )
      }
      sources[shard.number] = path
    }
    documents.merge(record.documents) { first, _ in first }
    var more = record.part
    more.keepRequests(ShardFile.requestsKept(of: more.logs.first?.info.shard?.of ?? 1))
    if let part = gathered { more.cut(asShortAs: part) }
    if gathered == nil { gathered = more } else { gathered?.merge(more) }
    gathered?.poolHeaders()
    gathered?.cut(to: bound, slack: 1.25)
  }

  /// - Throws: the reason why a shard is of another run than those before it, with both values.
  private mutating func check(_ info: RunInfo, _ shard: RunShard, _ record: ShardPart, _ path: String)
    throws(ShardError)
  {
    guard let first, let other = first.shard else {
      (self.first, firstSource, murphy, key) = (info, path, record.murphy, record.key)
      return
    }
    func agree(
      _ what: String, _ mine: some Equatable, _ theirs: some Equatable & CustomStringConvertible, _ advice: String
    )
      throws(ShardError)
    {
      guard "\(mine)" != "\(theirs)" else { return }
      throw ShardError(
        "\(path) is of another run than \(firstSource): its \(what) is \(theirs), and that of the other is \(mine). \(advice)"
      )
    }
    let same = "Start all shards of a run with the same command except --shard"
    try agree("version of murphy", murphy, record.murphy, "Run and merge all shards with one version")
    // With two keys, one client would count as two.
    try agree("key of secrets", key, record.key, "Give all shards the same \(ShardKey.variable), or none")
    try agree("scenario", first.scenario, info.scenario, same)
    try agree("number of shards", other.of, shard.of, same)
    try agree("seed", first.seed, info.seed, same)
    try agree("content of scenario and contract", other.texts, shard.texts, "All shards must read the same files")
    try agree("plan", other.plan, shard.plan, same)
    try agree("target", first.target, info.target, same)
    try agree("start", other.wanted ?? "not set", shard.wanted ?? "not set", same)
  }
}
