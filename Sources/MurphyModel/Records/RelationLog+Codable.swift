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
    guard numbers.count == Self.count else { throw ColumnError("a table of pages has \(numbers.count) columns") }
    let (sent, first) = (numbers[2].sums.numbers, numbers[11].sums.numbers)
    return try parts.indices.map { row in
      let count: Int64 = numbers[12][row]
      guard first[row] >= 0, count >= 0, first[row] <= Int64(ids), count <= Int64(ids) - first[row],
        numbers[1].numbers[row] < Int64(requests)
      else { throw ColumnError("a page names items or requests that do not exist") }
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
