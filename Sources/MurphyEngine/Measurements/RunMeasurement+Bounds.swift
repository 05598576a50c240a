import MurphyModel

/// The bounds on the events of many processes: as many as of one process, for any number of processes.
extension RunMeasurement {
  /// The entries of a log over all shards: about 250 MB each, as in a run of one process.
  package struct Bound: Sendable {
    /// Entries of the limit log.
    package var observations = LimitLog.Bound.usual.observations
    /// Entries of the state log.
    package var exchanges = StateLog.Bound.usual.exchanges
    /// Lost requests.
    package var losses = ResponseLog.lossLimit
    /// Responses of collections.
    package var pages = 20_000
    /// Ids in these responses.
    package var items = 1_000_000
    /// Requests that may have changed data.
    package var writes = 200_000

    /// The bounds of a run of one process.
    package static let usual = Bound()
  }

  /// Removes the entries over the bound. Of a log of times, all entries after one time are removed, so that the rest is
  /// complete. Of the state log, whole keys are removed. The result for several parts does not depend on the order in
  /// which they were received.
  ///
  /// - Parameter slack: a log is cut when it is so many times as long as the bound. To cut it costs as much as to read
  ///   it.
  package mutating func cut(to bound: Bound = .usual, slack: Double = 1) {
    cutLimits(bound.observations, slack)
    cutStates(bound.exchanges, slack)
    cutLosses(bound.losses, slack)
    cutRelations(bound, slack)
  }

  /// Keeps this number of requests of each log for the reports. With more shards, each one shows fewer of them.
  package mutating func keepRequests(_ most: Int) {
    logs.changeEach { $0.keepRequests(most) }
  }

  /// Removes the entries after the end of the entries that are kept of others.
  package mutating func cut(asShortAs other: RunMeasurement) {
    guard let end = other.logs.compactMap({ log in log.limits.end.map { $0 - log.limits.start } }).min() else { return }
    cutLimits(from: end)
  }

  private func count<Entries: Collection>(_ entries: KeyPath<EventLog, Entries>) -> Int {
    logs.reduce(0) { $0 + $1[keyPath: entries].count }
  }

  private mutating func cutLimits(_ most: Int, _ slack: Double) {
    guard count(\.limits.observations) > most.with(slack) else { return }
    // Times count from each log's own start.
    let sorted = logs.flatMap { log in log.limits.observations.map { $0.sent - log.limits.start } }.sorted()
    if sorted.count > most { cutLimits(from: sorted[most]) }
  }

  private mutating func cutLimits(from end: Int64) {
    logs.changeEach { log in
      let last = log.limits.start + end
      log.limits.end = min(log.limits.end ?? last, last)
      log.limits.cut()
      log.limits.prune()
    }
  }

  private mutating func cutStates(_ most: Int, _ slack: Double) {
    guard count(\.state.exchanges) > most.with(slack) else { return }
    var counts: [String: Int] = [:]
    for log in logs.map(\.state) {
      for exchange in log.exchanges { counts[log.keyName(exchange), default: 0] += 1 }
    }
    var room = most
    var kept: Set<String> = []
    // By a hash, so that no kind of key is preferred.
    for key in counts.keys.sorted(by: { (Self.rank($0), $0) < (Self.rank($1), $1) }) {
      room -= counts[key] ?? 0
      guard room >= 0 else { break }
      kept.insert(key)
    }
    logs.changeEach { $0.state.keep(kept) }
  }

  private static func rank(_ key: String) -> String { Finding.fingerprint(of: [key]) }

  private mutating func cutLosses(_ most: Int, _ slack: Double) {
    let all = count(\.answers.losses)
    if all > most.with(slack) {
      let last = logs.flatMap { $0.answers.losses.map(\.sent) }.sorted()[most]
      logs.changeEach { log in
        let before = log.answers.losses.count
        log.answers.losses.removeAll { $0.sent >= last }
        log.answers.uncounted += before - log.answers.losses.count
      }
    }
    guard count(\.answers.waits) > most.with(slack) else { return }
    let last = logs.flatMap { $0.answers.waits.map(\.sent) }.sorted()[most]
    logs.changeEach { $0.answers.waits.removeAll { $0.sent >= last } }
  }

  private mutating func cutRelations(_ bound: Bound, _ slack: Double) {
    let pages = count(\.relations.pages)
    let items = count(\.relations.ids)
    if pages > bound.pages.with(slack) || items > bound.items.with(slack) {
      let share = min(Double(bound.pages) / Double(max(pages, 1)), Double(bound.items) / Double(max(items, 1)))
      let sent = logs.flatMap { $0.relations.pages.map(\.sent) }.sorted()
      if !sent.isEmpty {
        let last = sent[min(Int(saturating: Double(pages) * share), sent.count - 1)]
        logs.changeEach { $0.relations.leaveOutPages(from: last) }
      }
    }
    guard count(\.relations.writes) > bound.writes.with(slack) else { return }
    let last = logs.flatMap { $0.relations.writes.map(\.sent) }.sorted()[bound.writes]
    logs.changeEach { $0.relations.leaveOutWrites(from: last) }
  }
}

extension Int {
  fileprivate func with(_ slack: Double) -> Int { Int(saturating: Double(self) * slack) }
}

extension RunMeasurement {
  /// Moves the header sets of all logs into one table, in which equal sets have one entry.
  package mutating func poolHeaders() {
    var pool = headerPool ?? HeaderSets()
    logs.changeEach { log in
      let numbers = log.limits.headerSets.map { pool.number(of: $0) }
      guard !numbers.isEmpty else { return }
      log.limits.observations.changeEach { if $0.headers >= 0 { $0.headers = numbers[Int($0.headers)] } }
      log.limits.headerSets = HeaderSets()
    }
    headerPool = pool
  }

  /// Returns to each log the header sets that it references.
  package mutating func unpoolHeaders() {
    guard let pool = headerPool.take() else { return }
    logs.changeEach { log in
      var own = HeaderSets()
      var numbers: [Int32: Int32] = [:]
      log.limits.observations.changeEach {
        let old = $0.headers
        guard old >= 0 else { return }
        if numbers[old] == nil {
          numbers[old] = Int32(own.count)
          own.append(pool[Int(old)])
        }
        $0.headers = numbers[old] ?? -1
      }
      log.limits.headerSets = own
    }
  }
}
