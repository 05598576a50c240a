import MurphyModel

/// The rows of a table that are still referenced, with new numbers in the order in which they are first used.
private struct Renumbering {
  private var numbers: [Int32: Int32] = [:]
  private(set) var kept: [Int] = []

  mutating func number(_ old: Int32) -> Int32 {
    guard old >= 0 else { return old }
    if let known = numbers[old] { return known }
    let number = Int32(kept.count)
    numbers[old] = number
    kept.append(Int(old))
    return number
  }
}

extension MutableCollection {
  /// Changes every element in place.
  mutating func changeEach(_ change: (inout Element) -> Void) {
    for index in indices { change(&self[index]) }
  }
}

extension LimitLog {
  /// Drops the rows of tables that no entry references, and the values that were issued after the end.
  mutating func prune() {
    if let end, issues.contains(where: { $0.sent >= end }) {
      issues.removeAll { $0.sent >= end }
      missesIssues = true
    }
    // The numbers of a table that all logs share.
    let isPooled = headerSets.isEmpty
    var (who, sets, texts, sent) = (Renumbering(), Renumbering(), Renumbering(), Renumbering())
    var charged = Renumbering()
    observations.changeEach {
      $0.identity = UInt32(bitPattern: who.number(Int32(bitPattern: $0.identity)))
      $0.body = texts.number($0.body)
      $0.costs = charged.number($0.costs)
      $0.request = sent.number($0.request)
      if !isPooled { $0.headers = sets.number($0.headers) }
    }
    issues.changeEach { $0.login = sent.number($0.login) }
    identities = who.kept.map { identities[$0] }
    var keptSets = HeaderSets()
    for old in sets.kept { keptSets.append(headerSets[old]) }
    headerSets = keptSets
    bodies = texts.kept.map { bodies[$0] }
    costs = charged.kept.map { costs[$0] }
    requests = sent.kept.map { requests[$0] }
  }

  /// Keeps the first requests only. They are shown; no check reads them.
  mutating func keepRequests(_ most: Int) {
    guard requests.count > most else { return }
    requests = Array(requests.prefix(most))
    observations.changeEach { if $0.request >= most { $0.request = -1 } }
    issues.changeEach { if $0.login >= most { $0.login = -1 } }
  }
}

extension StateLog {
  func keyName(_ exchange: StateExchange) -> String { "\(exchange.invariant) \(names[exchange.key])" }

  /// Keeps the entries of some keys, and the rows of tables that they reference.
  mutating func keep(_ kept: Set<String>) {
    let isDropped = exchanges.map { !kept.contains(keyName($0)) }
    for (exchange, isDropped) in zip(exchanges, isDropped)
    where isDropped && gaps.indices.contains(Int(exchange.invariant)) {
      gaps[Int(exchange.invariant)].keysLeftOut.insert(names[exchange.key])
    }
    exchanges = zip(exchanges, isDropped).filter { !$1 }.map(\.0)
    var (texts, sent, fields) = (Renumbering(), Renumbering(), Renumbering())
    exchanges.changeEach {
      $0.key = texts.number($0.key)
      $0.actor = texts.number($0.actor)
      $0.c = texts.number($0.c)
      $0.once = texts.number($0.once)
      $0.request = sent.number($0.request)
      $0.headers = fields.number($0.headers)
    }
    freshActors = Set(freshActors.map { texts.number($0) })
    var shorter = StateNames()
    for old in texts.kept { _ = shorter.number(of: names[Int32(old)]) }
    names = shorter
    requests = sent.kept.map { requests[$0] }
    headers = fields.kept.map { headers[$0] }
  }

  mutating func keepRequests(_ most: Int) {
    if requests.count > most {
      requests = Array(requests.prefix(most))
      exchanges.changeEach { if $0.request >= most { $0.request = -1 } }
    }
    if headers.count > most {
      headers = Array(headers.prefix(most))
      exchanges.changeEach { if $0.headers >= most { $0.headers = -1 } }
    }
  }
}

extension RelationLog {
  mutating func keepRequests(_ most: Int) {
    guard requests.count > most else { return }
    requests = Array(requests.prefix(most))
    pages.changeEach { if $0.request >= most { $0.request = -1 } }
    readings.changeEach { if $0.request >= most { $0.request = -1 } }
    doubts.changeEach { if $0.request >= most { $0.request = -1 } }
    returns.changeEach { if $0.request >= most { $0.request = -1 } }
  }

  mutating func leaveOutPages(from last: Int64) {
    var left: [Page] = []
    var items: [Int64] = []
    for var page in pages {
      guard page.sent < last else {
        unlogged[page.operation, default: 0] += 1
        continue
      }
      let range = Int(page.ids.lowerBound)..<Int(page.ids.upperBound)
      let first = Int32(items.count)
      items += ids[range]
      page.ids = first..<Int32(items.count)
      left.append(page)
    }
    (pages, ids) = (left, items)
  }

  /// One write that represents all later writes.
  mutating func leaveOutWrites(from last: Int64) {
    let end = writes.filter { $0.sent >= last }.map(\.end).max()
    writes.removeAll { $0.sent >= last }
    if let end { writes.append(Write(operation: -1, sent: last, end: end, id: 0)) }
  }
}
