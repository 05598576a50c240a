import MurphyModel

/// Ids are unique, so each thing is judged by itself: absent, then present, then absent (docs/state.md §5).
package struct SetRule: Sendable {
  package var isExclusive: Bool
  /// Whether one list shows one moment.
  package var isSnapshot: Bool
  /// Whether lists are whole; a thing that one page lacks is not missing.
  package var listsAll: Bool

  package init(isExclusive: Bool = true, isSnapshot: Bool = false, listsAll: Bool = true) {
    self.isExclusive = isExclusive
    self.isSnapshot = isSnapshot
    self.listsAll = listsAll
  }

  /// A verdict for each thing, and for lists as a whole under the key -1.
  package func judge(_ history: SetHistory) -> [KeyVerdict] {
    let absences = isExclusive && listsAll ? Absences(history) : nil
    var verdicts: [KeyVerdict] = []
    for (key, item) in history.items.sorted(by: { $0.key < $1.key }) where !item.creations.isEmpty {
      let answers = item.shown.count + item.missing.count
      let created = item.creations.map(\.span.until).min() ?? .max
      let later = listsAll ? history.lists.count { $0.span.from > created } : 0
      let power = KeyVerdict.Power(
        reads: answers, sharp: max(answers, later), writes: item.creations.count + item.deletions.count)
      let violation = contradiction(item, key, absences)
      verdicts.append(KeyVerdict(key: key, outcome: violation.map { .violated($0) } ?? .consistent, power: power))
    }
    if let violation = strange(history) ?? (isSnapshot ? snapshot(history) : nil) {
      verdicts.append(
        KeyVerdict(key: -1, outcome: .violated(violation), power: .init(reads: history.lists.count, sharp: 1)))
    }
    return verdicts
  }

  private func contradiction(_ item: SetHistory.Item, _ key: Int32, _ absences: Absences?) -> StateViolation? {
    if item.creations.count > 1 {
      return StateViolation(.stateSetTwice, .itemTwice, witness: item.creations.prefix(2).map(\.index))
    }
    guard let creation = item.creations.first else { return nil }
    let lastShown = item.shown.max { $0.span.from < $1.span.from }
    let firstShown = item.shown.min { $0.span.until < $1.span.until }
    let deletion = item.deletions.filter { !$0.isOptional }.min { $0.span.until < $1.span.until }
    let earliest = item.deletions.min { $0.span.from < $1.span.from }
    // The latest moment of its creation.
    var there = (at: creation.span.until, index: creation.index)
    if let firstShown, firstShown.span.until < there.at { there = (firstShown.span.until, firstShown.index) }
    if let deletion, deletion.span.until < there.at { there = (deletion.span.until, deletion.index) }
    if there.at < creation.span.from {
      return StateViolation(.stateSetEarly, .itemEarly, witness: [there.index, creation.index].sorted())
    }
    if let lastShown, let deletion, lastShown.span.from > deletion.span.until {
      return StateViolation(
        .stateSetReturned, .itemReturned, witness: [creation.index, deletion.index, lastShown.index].sorted())
    }
    guard isExclusive else { return nil }
    let until = max(earliest?.span.from ?? .max, lastShown?.span.from ?? .min)
    var missing = item.missing.first { $0.span.from > there.at && $0.span.until < until }
    if missing == nil, let absences {
      missing = absences.first(of: item, key: key, after: there.at, before: until)
    }
    guard let missing else { return nil }
    var witness = [creation.index, there.index, missing.index]
    if earliest != nil, let lastShown { witness.append(lastShown.index) }
    return StateViolation(.stateSetMissing, .itemMissing, witness: Set(witness).sorted())
  }

  /// More things that nobody created than creations without an answer.
  private func strange(_ history: SetHistory) -> StateViolation? {
    guard isExclusive else { return nil }
    // What the first lists show may have been there before.
    let created = history.items.values.flatMap(\.creations).map(\.span.from) + history.unknown.map(\.span.from)
    let begun = history.unknown.map(\.span.from).sorted()
    let first = created.min() ?? .max
    let before = Set(
      history.lists.filter { $0.span.from < first }.flatMap { history.members[$0.index] ?? [] })
    let isKnown = history.lists.contains { $0.span.until < first }
    guard isKnown else { return nil }
    for list in history.lists {
      let strange = (history.members[list.index] ?? []).count {
        history.items[$0]?.creations.isEmpty ?? true && !before.contains($0)
      }
      let possible = begun.prefixCount { $0 <= list.span.until }
      if strange > possible {
        return StateViolation(.stateSetUnknown, .itemUnknown(shown: strange, possible: possible), witness: [list.index])
      }
    }
    return nil
  }

  /// Two things in one answer that were never there, or gone, at one moment.
  private func snapshot(_ history: SetHistory) -> StateViolation? {
    for list in history.lists {
      var low = (at: list.span.from, index: list.index)
      var high = (at: list.span.until, index: list.index)
      let members = history.members[list.index] ?? []
      for (key, item) in history.items {
        guard let creation = item.creations.first else { continue }
        let sure = item.deletions.filter { !$0.isOptional }.min { $0.span.until < $1.span.until }
        if members.contains(key) {
          if creation.span.from > low.at { low = (creation.span.from, creation.index) }
          if let sure, sure.span.until < high.at { high = (sure.span.until, sure.index) }
        } else if item.deletions.isEmpty {
          if creation.span.until < high.at { high = (creation.span.until, creation.index) }
        } else if creation.span.until < list.span.from,
          let first = item.deletions.min(by: { $0.span.from < $1.span.from })
        {
          if first.span.from > low.at { low = (first.span.from, first.index) }
        }
      }
      if low.at > high.at {
        return StateViolation(
          .stateSetSnapshot, .listContradicts, witness: Set([low.index, high.index, list.index]).sorted())
      }
    }
    return nil
  }
}

/// Counts whole lists by when they were sent and answered, so that a list that lacks a thing is found without looking at
/// all of them.
private struct Absences {
  /// By send, ascending.
  private let lists: [SetHistory.Sight]
  private let members: [Int: Set<Int32>]
  /// Of each block of lists the ends, ascending.
  private let blocks: [[Int64]]
  private static let size = 256

  init(_ history: SetHistory) {
    let lists = history.lists.sorted { ($0.span.from, $0.index) < ($1.span.from, $1.index) }
    self.lists = lists
    members = history.members
    blocks = stride(from: 0, to: lists.count, by: Self.size).map { start in
      lists[start..<min(start + Self.size, lists.count)].map(\.span.until).sorted()
    }
  }

  /// A list that was sent after `after`, answered before `before`, and lacks the thing.
  func first(of item: SetHistory.Item, key: Int32, after: Int64, before: Int64) -> SetHistory.Sight? {
    let showing = Set(item.shown.filter { $0.span.from > after && $0.span.until < before }.map(\.index))
      .filter { members[$0] != nil }
    let start = firstSent(after: after)
    guard count(from: start, before: before) > showing.count else { return nil }
    return lists[start...].first { $0.span.until < before && !(members[$0.index]?.contains(key) ?? false) }
  }

  private func firstSent(after moment: Int64) -> Int {
    var (low, high) = (0, lists.count)
    while low < high {
      let middle = (low + high) / 2
      if lists[middle].span.from <= moment { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Lists from that place on that were answered before then.
  private func count(from start: Int, before: Int64) -> Int {
    guard start < lists.count else { return 0 }
    let block = (start + Self.size - 1) / Self.size
    let head = lists[start..<min(block * Self.size, lists.count)].count { $0.span.until < before }
    return blocks.dropFirst(block).reduce(head) { $0 + $1.prefixCount { $0 < before } }
  }
}
