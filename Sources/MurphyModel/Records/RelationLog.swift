/// The data of a run for the relations between responses: numbers, never bodies. Instants are nanoseconds since the
/// load began; requests of a walk after the load have times after its end.
package struct RelationLog: Sendable {
  /// Responses of collections, in no order; beyond a bound they are only counted.
  package var pages: [Page] = []
  /// The ids of the items of all pages, page after page.
  package var ids: [Int64] = []
  /// Responses of single items, and of lists about them, that a walk requested.
  package var readings: [Reading] = []
  /// Requests that may have changed data.
  package var writes: [Write] = []
  /// Responses that break a rule, unless something that a single response does not show explains it.
  package var doubts: [Doubt] = []
  /// By group of a possible doubt: samples of single responses that could have raised it. 0 if requests asked for it,
  /// and no response could have shown it.
  package var trials: [Group: Int] = [:]
  /// By operation: items that were read in its pages.
  package var rows: [Int32: Int] = [:]
  /// By operation and field: different values that were seen, at most two.
  package var values: [Key: Set<UInt64>] = [:]
  /// By operation: items that were returned as requested.
  package var right: [Int32: Set<Int64>] = [:]
  /// By operation and property: different values with which a synonym of a parameter was returned as requested.
  package var agreements: [Key: Set<Int>] = [:]
  /// By sort order: neighbouring strings whose order was certainly wrong.
  package var inverted: [Key: Int] = [:]
  /// By operation: responses that were not kept because the log was full.
  package var unlogged: [Int32: Int] = [:]
  /// The requests of pages and readings, masked.
  package var requests: [CurlRequest] = []
  /// Values behind the hashes of readings, if they are kept.
  package var texts: [UInt64: String] = [:]
  /// The results of a walk that requested one resource in two ways.
  package var probes: [Probe] = []
  /// Features that a walk found missing, so that nothing can be checked against them: `its responses have no ETag`.
  package var lacking: [Tested: String] = [:]
  /// The sample that a walk did not get, so that a relation is not tested: `no list below an item had items`.
  package var missing: [Tested: String] = [:]
  /// By operation of a list: the fields of its rows, and those of the same items requested alone.
  package var sides: [Int32: Sides] = [:]
  /// By operation: the headers of users with credentials, which a walk sends too; secret, in memory only.
  package var senders: [Int32: [[HeaderField]]] = [:]
  /// Responses to bodies whose strings are returned.
  package var returns: [Return] = []
  /// Resources that responses reported as created, a few of each operation.
  package var created: [Created] = []
  /// Requests of the walk.
  package var walked = 0
  /// Why the walk did not take place; nil if it did.
  package var unwalked: String?
  /// Why a shard does not walk.
  package static let leftToTheFirst = "the first shard walks"
  /// The uncertainty of the clocks of several machines, in nanoseconds: the interval between send and response is
  /// widened by it.
  package var clockWidth: Int64 = 0

  /// Doubts of one group are of one kind and concern one parameter, field or order. A trial is in the group of the
  /// doubt that it could have raised.
  package struct Group: Sendable, Hashable, Codable {
    /// The index of the operation in the contract.
    package var operation: Int32
    package var rule: RelationRule
    /// The ground of the doubts in the group.
    package var ground: Doubt.Ground
    /// The parameter, the field or the sort order; empty for none.
    package var key: String

    package init(_ operation: Int32, _ rule: RelationRule, _ ground: Doubt.Ground, _ key: String = "") {
      self.operation = operation
      self.rule = rule
      self.ground = ground
      self.key = key
    }
  }

  /// Names of the fields of items in a list, and of the same items requested alone.
  package struct Sides: Sendable, Hashable, Codable {
    /// Empty if no list was seen.
    package var list: Set<String> = []
    /// Empty if no single item was seen.
    package var item: Set<String> = []

    package init() {}

    /// Empty while only one side was seen.
    package var oneSided: Set<String> { list.isEmpty || item.isEmpty ? [] : list.symmetricDifference(item) }

    mutating func merge(_ other: Sides) {
      list.formUnion(other.list)
      item.formUnion(other.item)
    }
  }

  /// A property of an operation's responses.
  package struct Key: Sendable, Hashable, Codable {
    /// The index of the operation in the contract.
    package var operation: Int32
    /// The name of the property.
    package var name: String

    package init(_ operation: Int32, _ name: String) {
      self.operation = operation
      self.name = name
    }
  }

  /// The maximum number of senders that are kept for an operation.
  package static let sendersKept = 4
  /// The maximum number of created resources that are kept for an operation.
  package static let createdKept = 4

  package init() {}

  /// Appends another loop's log; its numbers are shifted after the existing ones.
  package mutating func append(_ other: RelationLog) {
    let (first, request) = (Int32(ids.count), Int32(requests.count))
    func moved<Entry>(_ entries: [Entry], _ place: WritableKeyPath<Entry, Int32>) -> [Entry] {
      entries.map { entry in
        var entry = entry
        if entry[keyPath: place] >= 0 { entry[keyPath: place] += request }
        return entry
      }
    }
    for var page in moved(other.pages, \.request) {
      page.ids = (page.ids.lowerBound + first)..<(page.ids.upperBound + first)
      pages.append(page)
    }
    readings += moved(other.readings, \.request)
    doubts += moved(other.doubts, \.request)
    returns += moved(other.returns, \.request)
    ids += other.ids
    requests += other.requests
    writes += other.writes
    probes += other.probes
    trials.merge(other.trials) { $0 + $1 }
    rows.merge(other.rows) { $0 + $1 }
    values.merge(other.values) { Set($0.union($1).sorted().prefix(2)) }
    right.merge(other.right) { $0.union($1) }
    agreements.merge(other.agreements) { $0.union($1) }
    inverted.merge(other.inverted) { $0 + $1 }
    unlogged.merge(other.unlogged) { $0 + $1 }
    texts.merge(other.texts) { first, _ in first }
    senders.merge(other.senders) { Array(($0 + $1).prefix(Self.sendersKept)) }
    lacking.merge(other.lacking) { first, _ in first }
    missing.merge(other.missing) { first, _ in first }
    for (operation, other) in other.sides { sides[operation, default: Sides()].merge(other) }
    created += other.created
    walked += other.walked
    clockWidth = max(clockWidth, other.clockWidth)
    // A shard that leaves the walk to another one is ignored if that one walked.
    unwalked = [unwalked, other.unwalked].compactMap(\.self).filter { $0 != Self.leftToTheFirst || walked == 0 }.first
  }
}

/// Without `senders` and `created`, which are secret and which only a walk of the same process needs.
extension RelationLog: Codable {
  private enum CodingKeys: String, CodingKey {
    case pages, ids, readings, writes, doubts, trials, rows, values, right, agreements, inverted, unlogged, requests,
      texts, probes, lacking, missing, sides, returns, walked, unwalked
  }

  package init(from decoder: any Decoder) throws {
    self.init()
    let values = try decoder.container(keyedBy: CodingKeys.self)
    ids = try values.decode(PackedNumbers.self, forKey: .ids).numbers
    requests = try values.decode([CurlRequest].self, forKey: .requests)
    pages = try values.decode(PageColumns.self, forKey: .pages).entries(ids: ids.count, requests: requests.count)
    readings = try values.decode([Reading].self, forKey: .readings)
    writes = try values.decode(WriteColumns.self, forKey: .writes).entries
    doubts = try values.decode([Doubt].self, forKey: .doubts)
    trials = try values.decode([Group: Int].self, forKey: .trials)
    rows = try values.decode([Int32: Int].self, forKey: .rows)
    self.values = try values.decode([Key: Set<UInt64>].self, forKey: .values)
    right = try values.decode([Int32: PackedNumbers].self, forKey: .right).mapValues { Set($0.numbers) }
    agreements = try values.decode([Key: Set<Int>].self, forKey: .agreements)
    inverted = try values.decode([Key: Int].self, forKey: .inverted)
    unlogged = try values.decode([Int32: Int].self, forKey: .unlogged)
    texts = try values.decode([UInt64: String].self, forKey: .texts)
    probes = try values.decode([Probe].self, forKey: .probes)
    lacking = try values.decode([Tested: String].self, forKey: .lacking)
    missing = try values.decode([Tested: String].self, forKey: .missing)
    sides = try values.decode([Int32: Sides].self, forKey: .sides)
    returns = try values.decode([Return].self, forKey: .returns)
    walked = try values.decode(Int.self, forKey: .walked)
    unwalked = try values.decodeIfPresent(String.self, forKey: .unwalked)
    try ColumnError.check(
      moments: pages.flatMap { [$0.sent, $0.answered] } + readings.flatMap { [$0.sent, $0.answered] }
        + writes.flatMap { [$0.sent, $0.end] } + doubts.flatMap { [$0.sent, $0.answered] }
        + returns.flatMap { [$0.sent, $0.answered] })
    try ColumnError.check(
      readings.map(\.request) + doubts.map(\.request) + returns.map(\.request), in: "requests", of: requests.count)
  }

  /// The highest operation number in the log.
  package var operations: Int32 {
    let named =
      [pages.map(\.operation), readings.map(\.operation), writes.map(\.operation), doubts.map(\.operation)].joined()
    let others = [returns.map(\.operation), probes.map(\.operation), trials.keys.map(\.operation)].joined()
    return max(named.max() ?? -1, others.max() ?? -1, unlogged.keys.max() ?? -1, right.keys.max() ?? -1)
  }

  /// Writes pages, writes and ids as columns of numbers.
  package func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(PackedNumbers(ids), forKey: .ids)
    try values.encode(requests, forKey: .requests)
    try values.encode(PageColumns(pages), forKey: .pages)
    try values.encode(readings, forKey: .readings)
    try values.encode(WriteColumns(writes), forKey: .writes)
    try values.encode(doubts, forKey: .doubts)
    try values.encode(trials, forKey: .trials)
    try values.encode(rows, forKey: .rows)
    try values.encode(self.values, forKey: .values)
    try values.encode(right.mapValues { PackedNumbers($0.sorted()) }, forKey: .right)
    try values.encode(agreements, forKey: .agreements)
    try values.encode(inverted, forKey: .inverted)
    try values.encode(unlogged, forKey: .unlogged)
    try values.encode(texts, forKey: .texts)
    try values.encode(probes, forKey: .probes)
    try values.encode(lacking, forKey: .lacking)
    try values.encode(missing, forKey: .missing)
    try values.encode(sides, forKey: .sides)
    try values.encode(returns, forKey: .returns)
    try values.encode(walked, forKey: .walked)
    try values.encodeIfPresent(unwalked, forKey: .unwalked)
  }
}

private struct PageColumns: Codable {
  /// Row by row: the numbers of a page; each number has the same meaning in all rows.
  var numbers: [PackedNumbers]
  var parts: [[UInt64]]
  private static let count = 15

  init(_ pages: [RelationLog.Page]) {
    func column(_ value: (RelationLog.Page) -> some FixedWidthInteger) -> PackedNumbers {
      PackedNumbers(column: pages.map(value))
    }
    numbers = [
      column(\.operation), column(\.request), column(\.sent).deltas, column { $0.answered &- $0.sent }, column(\.age),
      column(\.view), column(\.filters), column(\.order), column(\.limit), column(\.offset), column(\.total),
      column(\.ids.lowerBound).deltas, column(\.ids.count), column(\.session), column { $0.isSearch ? 1 : 0 },
    ]
    parts = pages.map(\.parts)
  }

  func entries(ids: Int, requests: Int) throws -> [RelationLog.Page] {
    try ColumnError.check(numbers + [PackedNumbers(column: parts.indices)])
    guard numbers.count == Self.count else {
      throw ColumnError("a table of pages has \(numbers.count) columns, expected \(Self.count)")
    }
    let (sent, first) = (numbers[2].sums.numbers, numbers[11].sums.numbers)
    return try parts.indices.map { row in
      let count: Int64 = numbers[12][row]
      guard first[row] >= 0, count >= 0, first[row] <= Int64(ids), count <= Int64(ids) - first[row],
        numbers[1].numbers[row] < Int64(requests)
      else { throw ColumnError("a page refers to items or requests that do not exist") }
      var page = RelationLog.Page(
        operation: numbers[0][row], request: numbers[1][row], sent: sent[row],
        answered: sent[row] &+ numbers[3].numbers[row], age: numbers[4][row], view: numbers[5][row],
        filters: numbers[6][row], order: numbers[7][row], limit: numbers[8][row], offset: numbers[9][row],
        total: numbers[10][row], ids: Int32(first[row])..<Int32(first[row] + count), session: numbers[13][row],
        isSearch: numbers[14].numbers[row] != 0)
      page.parts = parts[row]
      return page
    }
  }
}

private struct WriteColumns: Codable {
  var operation: PackedNumbers
  var sent: PackedNumbers
  /// Distances from the sends; -1 for an unknown end.
  var took: PackedNumbers
  var id: PackedNumbers

  init(_ writes: [RelationLog.Write]) {
    operation = PackedNumbers(column: writes.map(\.operation))
    sent = PackedNumbers(writes.map(\.sent)).deltas
    took = PackedNumbers(writes.map { $0.end == .max ? -1 : $0.end &- $0.sent })
    id = PackedNumbers(writes.map(\.id))
  }

  var entries: [RelationLog.Write] {
    get throws {
      try ColumnError.check([operation, sent, took, id])
      return zip(sent.sums.numbers.indices, sent.sums.numbers).map { row, begin in
        RelationLog.Write(
          operation: operation[row], sent: begin, end: took.numbers[row] < 0 ? .max : begin &+ took.numbers[row],
          id: id[row])
      }
    }
  }
}
