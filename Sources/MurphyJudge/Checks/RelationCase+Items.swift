import MurphyContract
import MurphyModel

extension RelationCase {
  /// One item that is equal before and after a list of it, and different in the list. It is proof only where the same
  /// item with the same value was correct in another list, because lists may shorten or round.
  mutating func judgeListAgainstItem(_ relations: ContractRelations) {
    guard isOn(.listItem), relations.collectionOf[operation] >= 0 else { return }
    noteSides(relations)
    let shape = relations.collections[relations.collectionOf[operation]]
    let readings = log.readings.filter {
      $0.operation == Int32(operation) && $0.fields.count >= shape.fields.count
    }
    let items = Dictionary(grouping: readings.filter { !$0.isRow }, by: \.id)
      .mapValues { $0.sorted { $0.answered < $1.answered } }
    if isExclusive { judgeFlips(items, shape) }
    var pairs: [Int: Int] = [:]
    var volatile: [Int: Int] = [:]
    var agreeing: Set<Sight> = []
    var differing: [Sight: (RelationLog.Reading, RelationLog.Reading)] = [:]
    for row in readings.filter(\.isRow).sorted(by: { $0.answered < $1.answered }) {
      let lag = lag(row.age)
      let own = (items[row.id] ?? []).filter { $0.view == row.view }
      guard let before = own.last(where: { $0.answered < row.sent - lag }),
        let after = own.first(where: { $0.sent > row.answered + lag })
      else { continue }
      if isExclusive {
        let (since, until) = (since(before.sent, max(row.age, before.age, after.age)), after.answered)
        if writes.mayTouch(row.id, since, until) || writes.isOpen(since, until) { continue }
      } else if after.answered - before.sent > 500_000_000 {
        continue
      }
      var isCompared = false
      for field in row.fields.indices
      where field < shape.fields.count && row.fields[field] != 0 && before.fields[field] != 0
        && !wanted.ignored.contains(shape.fields[field])
      {
        pairs[field, default: 0] += 1
        guard before.fields[field] == after.fields[field] else {
          volatile[field, default: 0] += 1
          continue
        }
        // They always have the id in common.
        isCompared = isCompared || shape.fields[field] != shape.id?.name
        let sight = Sight(id: row.id, field: field, value: before.fields[field])
        if row.fields[field] == before.fields[field] {
          agreeing.insert(sight)
        } else if differing[sight] == nil {
          differing[sight] = (before, row)
        }
      }
      if isCompared { tried(.listItem, at: UInt64(bitPattern: row.id), needed: isExclusive ? 1 : 3) }
    }
    for (field, name) in shape.fields.enumerated() where volatile[field, default: 0] * 5 <= pairs[field, default: 0] {
      let wrong = differing.filter { $0.key.field == field }
      // Lists may omit fields that an item has; the opposite is always a fault.
      let sure = wrong.filter {
        agreeing.contains($0.key) || isPromised(.listItem) || log.texts[$0.value.0.fields[field]] == "null"
      }
      if Set(sure.keys.map(\.id)).count >= (isExclusive ? 1 : 3) {
        reportDiffering(name, field, sure.values.map(\.self), isSure: true)
      } else if Set(wrong.keys.map(\.id)).count >= 3 {
        reportDiffering(name, field, wrong.values.map(\.self), isSure: false)
      }
    }
  }

  /// Fields without any comparison.
  private mutating func noteSides(_ relations: ContractRelations) {
    let names = (log.sides[Int32(operation)]?.oneSided ?? []).subtracting(wanted.ignored).sorted()
    guard !names.isEmpty,
      let item = relations.items.first(where: { item in
        item.collection == relations.collectionOf[operation]
      })
    else { return }
    let shown = names.prefix(Self.namesShown).joined(separator: ", ")
    find(
      .listItem, kind: .relationOneSided,
      "\(names.count) \(names.count == 1 ? "field is" : "fields are") in the list or in \(itemID(item)), but not in "
        + "both: " + shown + (names.count > Self.namesShown ? ", …" : ""),
      discriminator: "one side", severity: .note)
  }

  private static let namesShown = 12

  /// A boolean that flips and flips back without a write. Numbers and times may change on their own.
  private mutating func judgeFlips(_ items: [Int64: [RelationLog.Reading]], _ shape: CollectionShape) {
    for (field, name) in shape.fields.enumerated() where !wanted.ignored.contains(name) {
      var turns: [(RelationLog.Reading, RelationLog.Reading)] = []
      var items = items.sorted { $0.key < $1.key }.map(\.value)
      items.removeAll { readings in
        guard let first = readings.first, let last = readings.last, readings.count >= 3 else { return true }
        let since = since(first.sent, readings.map(\.age).max() ?? 0)
        return writes.mayTouch(first.id, since, last.answered) || writes.isOpen(since, last.answered)
      }
      for readings in items {
        let truths = readings.filter { ["true", "false"].contains(log.texts[$0.fields[field]]) }
        for (one, other) in zip(truths, truths.dropFirst()) where one.fields[field] != other.fields[field] {
          if truths.last?.fields[field] == one.fields[field] || truths.first?.fields[field] == other.fields[field] {
            turns.append((one, other))
          }
        }
      }
      guard let (one, other) = turns.first else { continue }
      find(
        .listItem,
        "\(name) of one item changed between two reads and changed back, although this run wrote nothing in between",
        discriminator: "\(name) turns", count: turns.count, moments: turns.map(\.1.answered),
        requests: [one.request, other.request])
    }
  }

  private struct Sight: Hashable {
    var id: Int64
    var field: Int
    var value: UInt64
  }

  private mutating func reportDiffering(
    _ name: String, _ field: Int, _ cases: [(RelationLog.Reading, RelationLog.Reading)], isSure: Bool
  ) {
    guard let (item, row) = cases.min(by: { $0.1.answered < $1.1.answered }) else { return }
    func text(_ hash: UInt64) -> String { log.texts[hash] ?? "another value" }
    find(
      .listItem,
      "\(name) of one item is \(text(row.fields[field])) in the list, but \(text(item.fields[field])) in the item's "
        + "own response",
      discriminator: name, count: cases.count, severity: isSure ? .error : .warning,
      moments: cases.map(\.1.answered),
      details: isSure
        ? [
          text(item.fields[field]) == "null"
            ? "Lists may omit item fields, but not contradict them."
            : "The item's own response had the same value before and after the list was read."
        ]
        : [
          "The field differs in every list. If the difference is intended, set `list-vs-item: { ignore: [\(name)] }`."
        ],
      requests: [item.request, row.request])
  }

  /// The questions that the walk sent in two ways.
  mutating func judgeProbes() {
    let own = log.probes.filter { $0.operation == Int32(operation) }
    for rule in RelationRule.allCases where isOn(rule) {
      let probes = own.filter { $0.rule == rule }
      tried(rule, probes.count, decides: true)
      let broken = Dictionary(grouping: probes.filter { $0.message != nil }) { $0.message ?? "" }
      for (message, same) in broken.sorted(by: { $0.key < $1.key }) {
        find(
          rule, message, discriminator: message, count: same.count, severity: same[0].severity,
          evidence: same.first { $0.evidence != nil }?.evidence)
      }
    }
  }

  private struct Text: Hashable {
    var member: Int
    var hash: UInt64
  }

  /// A string that was sent by another request in flight at the same time, and not by this one.
  mutating func judgeReturns(_ relations: ContractRelations) {
    guard let shape = relations.returns[operation], isOn(.exchanged) else { return }
    let own = log.returns.filter {
      $0.operation == Int32(operation) && $0.given.count == shape.members.count && $0.found.count == $0.given.count
    }
    tried(.exchanged, meetings(own), decides: true)
    var senders: [Text: [RelationLog.Return]] = [:]
    for entry in own {
      for (member, hash) in entry.given.enumerated() where hash != 0 {
        senders[Text(member: member, hash: hash), default: []].append(entry)
      }
    }
    var cases: [(member: Int, mine: RelationLog.Return, other: RelationLog.Return)] = []
    for entry in own {
      for (member, hash) in entry.found.enumerated() where hash != 0 && entry.given[member] != 0 {
        guard hash != entry.given[member],
          let other = senders[Text(member: member, hash: hash)]?.first(where: {
            // A client that writes the same item at the same time may see the other's result.
            ($0.thing == 0 || $0.thing != entry.thing)
              && areTogether(($0.sent, $0.answered), (entry.sent, entry.answered))
          })
        else { continue }
        cases.append((member, entry, other))
      }
    }
    guard let first = cases.min(by: { $0.mine.answered < $1.mine.answered }) else { return }
    find(
      .exchanged,
      "the response contains the \(shape.members[first.member]) of another request that was in flight at the same time",
      discriminator: "returned \(shape.members[first.member])", count: cases.count,
      moments: cases.map(\.mine.answered), requests: [first.mine.request, first.other.request])
  }

  /// Responses with a returned string while another request with another string was in flight.
  private func meetings(_ own: [RelationLog.Return]) -> Int {
    var open: [RelationLog.Return] = []
    var met: Set<Int64> = []
    for entry in own.sorted(by: { $0.sent < $1.sent }) {
      open.removeAll { $0.answered - log.clockWidth < entry.sent }
      let others = open.filter {
        differ($0, entry) && areTogether(($0.sent, $0.answered), (entry.sent, entry.answered))
      }
      if !others.isEmpty { met.formUnion(others.map(\.answered) + [entry.answered]) }
      open.append(entry)
    }
    return met.count
  }

  /// True if one of them could show a string of the other.
  private func differ(_ one: RelationLog.Return, _ other: RelationLog.Return) -> Bool {
    (one.thing == 0 || one.thing != other.thing)
      && one.given.indices.contains { member in
        one.given[member] != other.given[member] && one.given[member] != 0 && other.given[member] != 0
          && (one.found[member] != 0 || other.found[member] != 0)
      }
  }

  /// True if two requests were certainly in flight at one time. Between inexact clocks, the times were moved apart by
  /// the inexactness, so that a wrong order is not claimed; here that would claim too much.
  func areTogether(_ one: (sent: Int64, answered: Int64), _ other: (sent: Int64, answered: Int64)) -> Bool {
    one.sent <= other.answered - log.clockWidth && other.sent <= one.answered - log.clockWidth
  }
}
