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
  package mutating func consumeMeasurement() -> RunMeasurement? {
    var whole = gathered.take()
    whole?.cut(to: bound)
    return whole
  }

  /// An empty merge that keeps at most `bound` events.
  package init(bound: RunMeasurement.Bound = .usual) { self.bound = bound }

  /// - Parameter path: the path of the file, for messages.
  /// - Throws: the reason why the two are not of one run.
  package mutating func add(_ record: ShardPart, from path: String) throws(ShardError) {
    guard !record.part.logs.isEmpty else { throw ShardError("\(path) contains no shard") }
    for log in record.part.logs {
      let info = log.info
      guard let shard = info.shard, 1...ShardChoice.most ~= shard.of, 1...shard.of ~= shard.number,
        log.shard == shard.number
      else { throw ShardError("\(path) is not the file of a shard") }
      try check(info, shard, record, path)
      if let known = sources[shard.number] {
        throw ShardError(
          known == path
            ? "\(path) contains shard \(shard.number) twice"
            : "shard \(shard.number) of \(shard.of) is in \(known) and in \(path), so murphy would count its requests "
              + "twice. Remove one of the two files"
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
        """
        \(path) and \(firstSource) belong to different runs: the \(what) is \(theirs) in the first file, and \(mine) \
        in the second file. \(advice)
        """
      )
    }
    let same = "Start all shards of a run with the same command; only --shard may differ"
    try agree("version of murphy", murphy, record.murphy, "Run and merge all shards with the same version")
    // With two keys, one client would count as two.
    try agree(
      "key of secrets", key, record.key, "Set the same \(ShardKey.variable) for all shards, or set it for no shard")
    try agree("scenario", first.scenario, info.scenario, same)
    try agree("number of shards", other.of, shard.of, same)
    try agree("seed", first.seed, info.seed, same)
    try agree("content of scenario and contract", other.texts, shard.texts, "All shards must read the same files")
    try agree("plan", other.plan, shard.plan, same)
    try agree("target", first.target, info.target, same)
    try agree("start", other.wanted ?? "not set", shard.wanted ?? "not set", same)
  }
}

extension ShardMerge {
  /// The merged data, with the state of each shard.
  package struct Outcome: Sendable {
    package var part: RunMeasurement
    package var shards: MergedShards
  }

  /// A shard that begins more than this after the others is late. A less exact clock cannot decide it.
  private static let latest: Duration = .seconds(1)

  /// The problems of shards, in the order in which they are reported; the numbers ascend.
  private struct Losses {
    var missing: [Int]
    var late: [Int]
    /// By number, the reason why a shard did not complete its part of the load.
    var broken: [(shard: Int, why: String)]

    var impaired: [Int] { Array(Set(late + broken.map(\.shard))).sorted() }
    var count: Int { missing.count + impaired.count }

    init(_ part: RunMeasurement, of all: Int, _ alignment: ClockAlignment) {
      let present = Set(part.logs.map(\.shard))
      missing = (1...all).filter { !present.contains($0) }
      late = part.logs.filter { alignment.lateness(of: $0.shard) > ShardMerge.latest }.map(\.shard)
      // A problem of all shards is a problem of the run and not of a shard.
      let isSilent = part.logs.allSatisfy { $0.info.aborted != nil }
      let isUnprepared = part.logs.allSatisfy { $0.info.setup?.failed != nil }
      broken = part.logs.compactMap { log in
        if log.info.cutShort { return (log.shard, "was interrupted") }
        if let failed = log.info.setup?.failed, !isUnprepared {
          return (log.shard, "sent no load, because its setup failed: \(failed)")
        }
        guard let aborted = log.info.aborted, !isSilent else { return nil }
        return (
          log.shard,
          """
          stopped its load after \(aborted.text(places: 0)), because it received no more responses, although other \
          shards did
          """
        )
      }
    }
  }

  /// - Parameters:
  ///   - part: all merged data.
  ///   - lost: shards that may be missing, late or cut short without making the run invalid.
  package static func outcome(_ part: RunMeasurement, of shard: RunShard, tolerating lost: Int) -> Outcome {
    var part = part
    let alignment = ClockAlignment(part.logs.compactMap(\.info.shard))
    let losses = Losses(part, of: shard.of, alignment)
    for log in part.logs {
      let span = alignment.span(of: log.shard)
      part.shift(shard: log.shard, low: span.low, high: span.high)
    }
    if alignment.machines.values.contains(where: { $0 > 1 }) { part.setMachines(alignment.machines) }
    let results = part.logs.compactMap { log in
      result(log, alignment, broken: losses.broken.filter { $0.shard == log.shard }.map(\.why))
    }
    var merged = MergedShards(
      of: shard.of, plan: shard.plan, shards: results, missing: losses.missing, impaired: losses.impaired)
    merged.sessionsOfAll = shard.sessionsOfAll
    merged.sessions = part.logs.reduce(0) { $0 + Self.judged($1, losses) }
    merged.reference = alignment.reference
    merged.uncertainty = alignment.uncertainty.map { Self.rounded($0.inSeconds) }
    let sentences = sentences(losses, alignment, of: shard.of)
    if losses.count > lost {
      merged.doubts = sentences + (lost > 0 ? ["--tolerate-lost allows at most \(lost)."] : [])
    } else {
      merged.tolerated = sentences
      part.tolerate(broken: losses.broken.map(\.shard), isIncomplete: !losses.missing.isEmpty)
    }
    if let doubt = alignment.doubt(Self.latest) { merged.doubts.append(doubt) }
    return Outcome(part: part, shards: merged)
  }

  /// The planned sessions that a shard reached; of users, the part of their time.
  private static func judged(_ log: EventLog, _ losses: Losses) -> Int {
    let own = log.info.shard?.sessions ?? 0
    guard losses.broken.contains(where: { $0.shard == log.shard }) else { return own }
    guard log.info.load.contains(where: { $0.unit == .users }) else { return min(own, log.begun) }
    let planned = log.info.load.map(\.end).max() ?? .zero
    return planned > .zero ? min(own, Int(saturating: Double(own) * (log.info.duration / planned))) : 0
  }

  /// Seconds, to a tenth of a millisecond.
  private static func rounded(_ time: Double) -> Duration { .saturating(seconds: (time * 10_000).rounded() / 10_000) }

  private static func sentences(_ losses: Losses, _ alignment: ClockAlignment, of all: Int) -> [String] {
    var sentences: [String] = []
    let missing = losses.missing
    if !missing.isEmpty {
      sentences.append(
        "\(named(missing)) of \(all) \(missing.count == 1 ? "is" : "are") missing: "
          + "\(missing.count == 1 ? "its" : "their") requests may have been sent, and their results are unknown."
      )
    }
    for number in losses.late {
      sentences.append(
        "Shard \(number) started \(alignment.lateness(of: number).text(places: 1)) late, so the load differed from the "
          + "plan.")
    }
    return sentences + losses.broken.map { "Shard \($0.shard) \($0.why)." }
  }

  /// `Shard 3`, `Shards 3, 4 and 7`
  private static func named(_ numbers: [Int]) -> String {
    let shown = numbers.prefix(20).map(String.init)
    let rest = numbers.count - shown.count
    if numbers.count == 1 { return "Shard \(numbers[0])" }
    if rest > 0 { return "Shards \(shown.joined(separator: ", ")) and \(rest) more" }
    return "Shards \(shown.dropLast().joined(separator: ", ")) and \(shown.last ?? "")"
  }

  private static func result(_ log: EventLog, _ alignment: ClockAlignment, broken: [String]) -> ShardResult? {
    guard let shard = log.info.shard else { return nil }
    var result = ShardResult(shard, log.info, log.generator, requests: log.requests, course: log.course)
    result.late = alignment.lateness(of: log.shard)
    // The early end is reported separately.
    if !log.info.cutShort { result.doubts = broken + result.doubts }
    if let clock = alignment.clock(of: log.shard) {
      (result.clockLow, result.clockHigh) = (Self.rounded(clock.low), Self.rounded(clock.high))
    }
    return result
  }
}
