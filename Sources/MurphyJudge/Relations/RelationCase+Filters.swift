import MurphyModel

extension RelationCase {
  private struct Key: Hashable {
    var view: Int
    var parts: [UInt64]
  }

  /// Two filters together against each alone. They may mean "and" or "or". A total below that of one filter rules out
  /// "or", one above it rules out "and". If both occur, neither meaning is possible.
  mutating func judgeFiltersTogether() {
    let groups = Dictionary(grouping: pages.filter { $0.total >= 0 && !$0.parts.isEmpty && !$0.isSearch }) {
      Key(view: $0.view, parts: $0.parts)
    }
    var narrow: [(parts: [UInt64], single: UInt64)] = []
    var wide = Witnesses<(RelationLog.Page, RelationLog.Page)>()
    var brackets = TrialTally()
    for (key, both) in groups.sorted(by: { $0.value[0].answered < $1.value[0].answered }) where key.parts.count == 2 {
      for page in both {
        for single in key.parts {
          guard let (before, after) = bracket(groups[Key(view: key.view, parts: [single])] ?? [], around: page) else {
            continue
          }
          let age = max(before.age, after.age, page.age)
          guard !isExclusive || isCalm(before.sent, after.answered, age: age) else { continue }
          let place = key.parts.reduce(0) { $0 &* 31 &+ $1 }
          brackets.add(at: place, needed: isExclusive ? 1 : 3)
          if page.total < before.total { narrow.append((key.parts, single)) }
          if page.total > before.total { wide.add((before, page), at: place, needed: isExclusive ? 1 : 3) }
        }
      }
    }
    // Writes of other clients may cancel within one bracket.
    rulesOutUnion =
      isExclusive
      ? !narrow.isEmpty
      : narrow.count >= 3 && Set(narrow.map { $0.parts.reduce($0.single) { $0 &* 31 &+ $1 } }).count >= 2
    guard rulesOutUnion || isPromised(.filtersTogether), isOn(.filtersTogether), wanted.countsAll != true else {
      return
    }
    tried(.filtersTogether, brackets.count, decides: brackets.decides)
    guard wide.isProved, let (single, both) = wide.entries.first
    else { return }
    find(
      .filtersTogether,
      "one filter alone gives a total of \(single.total), together with another \(both.total), and elsewhere fewer: "
        + "neither \"and\" nor \"or\" does that",
      discriminator: "together", count: wide.entries.count, moments: wide.entries.map(\.1.answered),
      requests: [single.request, both.request])
  }

  /// Two responses with the same total, the last before `page` and the first after it.
  private func bracket(
    _ singles: [RelationLog.Page], around page: RelationLog.Page
  ) -> (RelationLog.Page, RelationLog.Page)? {
    guard let before = singles.last(where: { $0.answered < page.sent }),
      let after = singles.first(where: { $0.sent > page.answered }), before.total == after.total
    else { return nil }
    let lag = lag(max(before.age, after.age, page.age))
    guard lag == 0 || (page.sent - before.sent >= lag && after.sent - page.answered >= lag) else { return nil }
    guard isExclusive || after.answered - before.sent <= 500_000_000 else { return nil }
    return (before, after)
  }
}
