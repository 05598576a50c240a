import MurphyModel

extension RelationCase {
  /// Requests whose responses may be compared with each other.
  private struct Place: Hashable {
    var view: Int
    var filters: UInt64
  }

  /// An item twice on one page.
  mutating func judgeRepeatsWithin() {
    guard isOn(.repeats) else { return }
    var witnesses = Witnesses<RelationLog.Page>()
    for page in pages where page.ids.count >= 2 && page.limit > 0 {
      let needed = isExclusive && isCalm(page.sent, page.answered, age: page.age) ? 1 : 3
      let place = UInt64(bitPattern: page.answered)
      tried(.repeats, at: place, needed: needed)
      let ids = ids(of: page)
      if Set(ids).count < ids.count { witnesses.add(page, at: place, needed: needed) }
    }
    guard witnesses.isProved, let first = witnesses.entries.first else { return }
    find(
      .repeats, "one page shows an item twice", discriminator: "within", count: witnesses.entries.count,
      moments: witnesses.entries.map(\.answered), requests: [first.request])
  }

  /// The total changes on its own.
  mutating func judgeTotals() {
    guard isOn(.total) else { return }
    let groups = Dictionary(grouping: pages.filter { $0.total >= 0 && !$0.isSearch }) {
      Place(view: $0.view, filters: $0.filters)
    }
    var changes: [(RelationLog.Page, RelationLog.Page)] = []
    var brackets = Witnesses<(RelationLog.Page, RelationLog.Page)>()
    for group in groups.values.sorted(by: { $0[0].answered < $1[0].answered }) {
      for (one, other) in zip(group, group.dropFirst()) where isExclusive {
        let (sent, answered) = (min(one.sent, other.sent), max(one.answered, other.answered))
        guard isCalm(sent, answered, age: max(one.age, other.age)) else { continue }
        tried(.total, 1, decides: true)
        if one.total != other.total { changes.append((one, other)) }
      }
      guard !isExclusive else { continue }
      for (index, middle) in group.enumerated().dropFirst().dropLast() {
        let (before, after) = (group[index - 1], group[index + 1])
        guard isBracket(before, middle, after) else { continue }
        let place = UInt64(bitPattern: middle.answered)
        tried(.total, at: place, needed: 5)
        if middle.total != before.total { brackets.add((before, middle), at: place, needed: 5) }
      }
    }
    if brackets.isProved { changes += brackets.entries }
    guard let first = changes.first else { return }
    find(
      .total, "the total changed from \(first.0.total) to \(first.1.total), although this run wrote nothing in between",
      discriminator: "changes", count: changes.count, moments: changes.map(\.1.answered),
      requests: [first.0.request, first.1.request])
  }

  /// Indices of pages whose total is repeated by the response before or after them to the same filters. If each
  /// response has another total, a page cannot contradict it.
  func repeatedTotals() -> Set<Int> {
    var latest: [Place: Int] = [:]
    var repeated: Set<Int> = []
    for (index, page) in pages.enumerated() where page.total >= 0 && !page.isSearch {
      let place = Place(view: page.view, filters: page.filters)
      if let earlier = latest.updateValue(index, forKey: place), pages[earlier].total == page.total {
        repeated.formUnion([earlier, index])
      }
    }
    return repeated
  }

  /// The same request got equal responses before and after another one, so close that a write in between is unlikely.
  private func isBracket(_ before: RelationLog.Page, _ middle: RelationLog.Page, _ after: RelationLog.Page) -> Bool {
    before.request == after.request && before.offset == after.offset && before.order == after.order
      && before.limit == after.limit && before.total == after.total && ids(of: before) == ids(of: after)
      && before.answered < middle.sent && middle.answered < after.sent
      && after.answered - before.sent <= 500_000_000
      && lag(max(before.age, middle.age, after.age)) == 0
  }

  // MARK: walks

  private struct WalkKey: Hashable {
    var session: Int64
    var view: Int
    var filters: UInt64
    var order: UInt64
    var limit: Int32
  }

  /// Consecutive pages of one session, with pages that were read again right after the next one.
  private struct Walk {
    var pages: [RelationLog.Page] = []
    var brackets: [(RelationLog.Page, RelationLog.Page)] = []
  }

  private func walks() -> [Walk] {
    let counted = pages.filter { $0.offset >= 0 && $0.limit > 0 && !$0.isSearch }
    let groups = Dictionary(grouping: counted) { page in
      WalkKey(
        session: page.session, view: page.view, filters: page.filters, order: page.order, limit: page.limit)
    }
    var walks: [Walk] = []
    for group in groups.values.sorted(by: { $0[0].answered < $1[0].answered }) {
      var walk = Walk()
      for page in group.sorted(by: { $0.sent < $1.sent }) {
        guard let last = walk.pages.last else {
          walk.pages = [page]
          continue
        }
        if walk.pages.count >= 2, page.offset == walk.pages[walk.pages.count - 2].offset, page.sent >= last.answered {
          let before = walk.pages[walk.pages.count - 2]
          if ids(of: before) == ids(of: page), before.total == page.total { walk.brackets.append((before, last)) }
        } else if page.offset == last.offset + Int64(last.limit), page.sent >= last.answered {
          walk.pages.append(page)
        } else {
          walks.append(walk)
          walk = Walk(pages: [page])
        }
      }
      walks.append(walk)
    }
    return walks.filter { $0.pages.count >= 2 }
  }

  private func isLast(_ page: RelationLog.Page) -> Bool { page.ids.count < Int(page.limit) }

  /// Pages contain every item once if no write can have taken effect between them. Others are not compared: a write may
  /// have moved items across the boundary of two pages.
  mutating func judgeWalks() {
    var overlaps = Witnesses<(RelationLog.Page, RelationLog.Page)>()
    var short: [(pages: [RelationLog.Page], seen: Int)] = []
    var long: [(pages: [RelationLog.Page], seen: Int)] = []
    for walk in walks() {
      guard let first = walk.pages.first, let last = walk.pages.last else { continue }
      let age = walk.pages.map(\.age).max() ?? 0
      guard isExclusive else {
        guard lag(age) == 0 else { continue }
        for (page, next) in walk.brackets { judgeBracket(page, next, &overlaps) }
        continue
      }
      guard isCalm(first.sent, last.answered, age: age) else { continue }
      let seen = walk.pages.flatMap { ids(of: $0) }
      let distinct = Set(seen).count
      if walk.pages.count(where: { !$0.ids.isEmpty }) >= 2 {
        tried(.repeats, 1, decides: true)
        if distinct < seen.count, let pair = overlap(walk.pages) { overlaps.add(pair, at: first.filters, needed: 1) }
      }
      // A list of at most one page has no items that a second page could omit.
      guard first.offset == 0, isLast(last), first.total >= 0, max(Int(first.total), distinct) > Int(first.limit),
        !(wanted.countsAll == true && !first.parts.isEmpty)
      else { continue }
      tried(.skips, 1, decides: true)
      if distinct < Int(first.total) { short.append((walk.pages, distinct)) }
      if !Self.isCap(first.total), distinct > Int(first.total) { long.append((walk.pages, distinct)) }
    }
    if overlaps.isProved, isOn(.repeats), let (page, next) = overlaps.entries.first {
      find(
        .repeats,
        "the page after \(next.offset.text) items repeats items of \(page.offset == 0 ? "the first page" : "the page after \(page.offset.text)")",
        discriminator: "pages", count: overlaps.entries.count, moments: overlaps.entries.map(\.1.answered),
        details: ["If items can have equal sort keys, add a unique field as the last sort key."],
        requests: [page.request, next.request])
    }
    if isOn(.skips), let walk = short.first {
      find(
        .skips, "all pages together show \(walk.seen.text) items, but the total is \(walk.pages[0].total.text)",
        discriminator: "pages", count: short.count, moments: short.compactMap { $0.pages.last?.answered },
        requests: walk.pages.map(\.request))
    }
    if isOn(.total), let walk = long.first {
      find(
        .total, "all pages together show \(walk.seen.text) items, but the total is \(walk.pages[0].total.text)",
        discriminator: "walk", count: long.count, moments: long.compactMap { $0.pages.last?.answered },
        requests: walk.pages.map(\.request))
    }
  }

  /// The previous page was the same again after the next page, so that a write in between is unlikely.
  private mutating func judgeBracket(
    _ page: RelationLog.Page, _ next: RelationLog.Page,
    _ overlaps: inout Witnesses<(RelationLog.Page, RelationLog.Page)>
  ) {
    guard !page.ids.isEmpty, let first = ids(of: next).min() else { return }
    tried(.repeats, at: UInt64(bitPattern: first), needed: 3)
    guard let both = Set(ids(of: page)).intersection(ids(of: next)).min() else { return }
    overlaps.add((page, next), at: UInt64(bitPattern: both), needed: 3)
  }

  /// Two pages that share an item.
  private func overlap(_ pages: [RelationLog.Page]) -> (RelationLog.Page, RelationLog.Page)? {
    var seen: [Int64: Int] = [:]
    for (index, page) in pages.enumerated() {
      for id in ids(of: page) {
        if let earlier = seen[id], earlier != index { return (pages[earlier], page) }
        seen[id] = index
      }
    }
    return nil
  }

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
      "a second filter raises the total from \(single.total) to \(both.total), "
        + (rulesOutUnion
          ? "but lowers it in other requests: neither \"and\" nor \"or\" explains both"
          : "although the scenario requires that filters narrow the result"),
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
