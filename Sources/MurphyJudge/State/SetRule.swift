import MurphyModel

/// Ids are unique, so each element is judged separately: absent, then present, then absent (docs/state.md §5). If each
/// user has a separate set, only the owner's lists and requests prove that an element does not exist.
package struct SetRule: Sendable {
  /// False if others may also write while the run lasts.
  package var isExclusive: Bool
  /// True if one list shows one time.
  package var isSnapshot: Bool
  /// True if lists are whole; an element that one page lacks is not missing.
  package var listsAll: Bool

  package init(isExclusive: Bool = true, isSnapshot: Bool = false, listsAll: Bool = true) {
    self.isExclusive = isExclusive
    self.isSnapshot = isSnapshot
    self.listsAll = listsAll
  }

  /// A verdict for each element, and for lists as a whole under the key -1.
  package func judge(_ history: SetHistory) -> [KeyVerdict] {
    let absences = Dictionary(grouping: listsAll ? history.lists : [], by: \.owner)
      .mapValues { SetAbsences($0, members: history.members) }
    var verdicts: [KeyVerdict] = []
    for (key, item) in history.items.sorted(by: { $0.key < $1.key }) where !item.creations.isEmpty {
      var item = item
      item.missing.removeAll { $0.owner != item.owner }
      let responses = item.shown.count + item.missing.count
      let created = item.creations.map(\.span.until).min() ?? .max
      let later = absences[item.owner]?.count(after: created) ?? 0
      let power = KeyVerdict.Power(
        reads: responses, sharp: max(responses, later), writes: item.creations.count + item.deletions.count)
      let violation = contradiction(item, key, absences[item.owner])
      verdicts.append(KeyVerdict(key: key, violation, power: power))
    }
    if let violation = strange(history) ?? (isSnapshot ? snapshot(history) : nil) {
      verdicts.append(KeyVerdict(key: -1, violation, power: .init(reads: history.lists.count, sharp: 1)))
    }
    return verdicts
  }

  private func contradiction(_ item: SetHistory.Item, _ key: Int32, _ absences: SetAbsences?) -> StateViolation? {
    if let twin = item.twin, let own = item.creations.first {
      return StateViolation(.stateSetRepeated, .itemRepeated, witness: [twin, own.index])
    }
    if item.creations.count > 1 {
      return StateViolation(.stateSetTwice, .itemTwice, witness: item.creations.prefix(2).map(\.index))
    }
    guard let creation = item.creations.first else { return nil }
    let lastShown = item.shown.max { $0.span.from < $1.span.from }
    let firstShown = item.shown.min { $0.span.until < $1.span.until }
    let deletion = item.deletions.filter { !$0.isOptional }.min { $0.span.until < $1.span.until }
    let earliest = item.deletions.min { $0.span.from < $1.span.from }
    // The latest time of its creation.
    var there = (at: creation.span.until, index: creation.index)
    if let firstShown, firstShown.span.until < there.at { there = (firstShown.span.until, firstShown.index) }
    if let deletion, deletion.span.until < there.at { there = (deletion.span.until, deletion.index) }
    if there.at < creation.span.from {
      return StateViolation(.stateSetEarly, .itemEarly, witness: [there.index, creation.index])
    }
    if let lastShown, let deletion, lastShown.span.from > deletion.span.until {
      return StateViolation(
        .stateSetReturned, .itemReturned, witness: [creation.index, deletion.index, lastShown.index])
    }
    let foreign = item.shown.first { $0.isListed && $0.owner >= 0 && $0.owner != item.owner }
    if item.owner >= 0, let other = foreign {
      return StateViolation(.stateSetForeign, .itemForeign, witness: [creation.index, other.index])
    }
    guard isExclusive else { return nil }
    let until = max(earliest?.span.from ?? .max, lastShown?.span.from ?? .min)
    var missing = item.missing.first { $0.span.from > there.at && $0.span.until < until }
    if missing == nil, let absences {
      missing = absences.first(of: item, key: key, after: there.at, before: until)
    }
    guard let missing else { return nil }
    let after = earliest == nil ? nil : lastShown?.index
    return StateViolation(
      .stateSetMissing, .itemMissing, witness: [creation.index, there.index, missing.index, after])
  }

  /// More elements without a known creation than creations without a response, in the lists of one owner.
  private func strange(_ history: SetHistory) -> StateViolation? {
    guard isExclusive else { return nil }
    let created = Dictionary(grouping: history.items.values.filter { !$0.creations.isEmpty }, by: \.owner)
      .mapValues { $0.flatMap(\.creations).map(\.span.from) }
    let unknown = Dictionary(grouping: history.unknown, by: \.owner)
      .mapValues { $0.map(\.change.span.from).sorted() }
    for (owner, lists) in Dictionary(grouping: history.lists, by: \.owner).sorted(by: { $0.key < $1.key }) {
      let begun = unknown[owner] ?? []
      let first = min(created[owner]?.min() ?? .max, begun.first ?? .max)
      // Elements in the first lists may have existed before.
      guard lists.contains(where: { $0.span.until < first }) else { continue }
      let before = Set(lists.filter { $0.span.from < first }.flatMap { history.members[$0.index] ?? [] })
      for list in lists {
        let strange = (history.members[list.index] ?? []).count {
          history.items[$0]?.creations.isEmpty ?? true && !before.contains($0)
        }
        let possible = begun.prefixCount { $0 <= list.span.until }
        if strange > possible {
          return StateViolation(
            .stateSetUnknown, .itemUnknown(shown: strange, possible: possible), witness: [list.index])
        }
      }
    }
    return nil
  }

  /// Two elements whose states in one response were never true at the same time.
  private func snapshot(_ history: SetHistory) -> StateViolation? {
    for list in history.lists {
      var low = (at: list.span.from, index: list.index)
      var high = (at: list.span.until, index: list.index)
      let members = history.members[list.index] ?? []
      for (key, item) in history.items {
        guard item.owner == list.owner, let creation = item.creations.first else { continue }
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
        return StateViolation(.stateSetSnapshot, .listContradicts, witness: [low.index, high.index, list.index])
      }
    }
    return nil
  }
}
