import MurphyModel

extension RelationCase {
  /// Requests whose answers may be held against each other.
  private struct Place: Hashable {
    var view: Int
    var filters: UInt64
  }

  /// An item twice on one page.
  mutating func judgeRepeatsWithin() {
    guard isOn(.repeats) else { return }
    var witnesses = Witnesses<RelationLog.Page>()
    var isProved = false
    for page in pages where !page.ids.isEmpty && page.limit > 0 {
      let ids = ids(of: page)
      guard Set(ids).count < ids.count else { continue }
      let isCalm = isExclusive && writes.between(since(page.sent, page.age), page.answered).isCalm
      let proves = witnesses.add(page, at: UInt64(page.answered), needed: isCalm ? 1 : 3)
      isProved = proves || isProved
    }
    guard isProved, let first = witnesses.entries.first else { return }
    find(
      .repeats, "one page shows an item twice", discriminator: "within", count: witnesses.entries.count,
      moments: witnesses.entries.map(\.answered), requests: [first.request])
  }

  /// The total changes by itself.
  mutating func judgeTotals() {
    guard isOn(.total) else { return }
    let groups = Dictionary(grouping: pages.filter { $0.total >= 0 && !$0.isSearch }) {
      Place(view: $0.view, filters: $0.filters)
    }
    var changes: [(RelationLog.Page, RelationLog.Page)] = []
    var brackets = Witnesses<(RelationLog.Page, RelationLog.Page)>()
    var isProved = false
    for group in groups.values.sorted(by: { $0[0].answered < $1[0].answered }) {
      for (one, other) in zip(group, group.dropFirst()) where isExclusive {
        let since = since(min(one.sent, other.sent), max(one.age, other.age))
        let counts = writes.between(since, max(one.answered, other.answered))
        guard !counts.isOpen else { continue }
        tested[.total, default: 0] += 1
        if abs(one.total - other.total) > Int64(counts.sum) { changes.append((one, other)) }
      }
      guard !isExclusive else { continue }
      for (index, middle) in group.enumerated().dropFirst().dropLast() {
        let (before, after) = (group[index - 1], group[index + 1])
        guard isBracket(before, middle, after) else { continue }
        tested[.total, default: 0] += 1
        guard middle.total != before.total else { continue }
        let proves = brackets.add((before, middle), at: UInt64(middle.answered), needed: 5)
        isProved = proves || isProved
      }
    }
    if isProved { changes += brackets.entries }
    guard let first = changes.first else { return }
    find(
      .total, "the total was \(first.0.total), then \(first.1.total), and nothing was written that explains it",
      discriminator: "changes", count: changes.count, moments: changes.map(\.1.answered),
      requests: [first.0.request, first.1.request])
  }

  /// The same request answered alike before and after another one, so close that a write in between is unlikely.
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

  /// Pages of one session, one behind the other, with pages that were read again right after the next one.
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
    return walks.filter { $0.pages.count >= 2 || ($0.pages.first?.offset == 0 && isLast($0.pages[0])) }
  }

  private func isLast(_ page: RelationLog.Page) -> Bool { page.ids.count < Int(page.limit) }

  /// Among all items of a walk at most `inserts + 2 updates` come twice, and `deletes + 2 updates` never (docs/relations.md,
  /// "Walks"). Where answers lag behind, the moments of pages need not follow each other, so each gap counts by itself.
  mutating func judgeWalks() {
    var overlaps = Witnesses<(RelationLog.Page, RelationLog.Page)>()
    var isOverlapProved = false
    var short: [(pages: [RelationLog.Page], seen: Int)] = []
    var long: [(pages: [RelationLog.Page], seen: Int)] = []
    for walk in walks() {
      guard let first = walk.pages.first, let last = walk.pages.last else { continue }
      guard isExclusive else {
        guard lag(walk.pages.map(\.age).max() ?? 0) == 0 else { continue }
        for (page, next) in walk.brackets {
          tested[.repeats, default: 0] += 1
          guard let both = Set(ids(of: page)).intersection(ids(of: next)).min() else { continue }
          let proves = overlaps.add((page, next), at: UInt64(bitPattern: both), needed: 3)
          isOverlapProved = proves || isOverlapProved
        }
        continue
      }
      let age = walk.pages.map(\.age).max() ?? 0
      let counts = writes.between(since(first.sent, age), last.answered)
      guard !counts.isOpen else { continue }
      var (up, down) = (counts.inserts + 2 * counts.updates, counts.deletes + 2 * counts.updates)
      if lag(age) > 0 {
        up = counts.sum
        for (page, next) in zip(walk.pages, walk.pages.dropFirst()) {
          let gap = writes.between(since(page.sent, age), next.answered)
          up += gap.sum + gap.updates
        }
        down = up
      }
      let seen = walk.pages.flatMap { ids(of: $0) }
      let distinct = Set(seen).count
      if walk.pages.count >= 2 {
        tested[.repeats, default: 0] += 1
        if seen.count - distinct > up, let pair = overlap(walk.pages) {
          let proves = overlaps.add(pair, at: first.filters, needed: counts.sum == 0 ? 1 : 2)
          isOverlapProved = proves || isOverlapProved
        }
      }
      guard first.offset == 0, isLast(last), first.total >= 0,
        !(wanted.countsAll == true && !first.parts.isEmpty)
      else { continue }
      tested[.skips, default: 0] += 1
      if distinct < Int(first.total) - down - counts.inserts { short.append((walk.pages, distinct)) }
      if !Self.isCap(first.total), distinct > Int(first.total) + up + counts.deletes {
        long.append((walk.pages, distinct))
      }
    }
    if isOverlapProved, isOn(.repeats), let (page, next) = overlaps.entries.first {
      find(
        .repeats,
        "items of the page behind \(page.offset) items come again on the page behind \(next.offset) items",
        discriminator: "pages", count: overlaps.entries.count, moments: overlaps.entries.map(\.1.answered),
        details: ["Where rows tie in what they are sorted by, a last key that is unique keeps pages apart."],
        requests: [page.request, next.request])
    }
    if isOn(.skips), let walk = short.first {
      find(
        .skips, "all pages together show \(walk.seen) items, and the total is \(walk.pages[0].total)",
        discriminator: "pages", count: short.count, moments: short.compactMap { $0.pages.last?.answered },
        requests: walk.pages.map(\.request))
    }
    if isOn(.total), let walk = long.first {
      find(
        .total, "all pages together show \(walk.seen) items, and the total is \(walk.pages[0].total)",
        discriminator: "walk", count: long.count, moments: long.compactMap { $0.pages.last?.answered },
        requests: walk.pages.map(\.request))
    }
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
}
