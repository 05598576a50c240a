import MurphyContract
import MurphyModel

extension RelationCase {
  private typealias Group = RelationLog.Group

  /// Decides over responses that violate a rule alone if there is an explanation.
  mutating func judgeDoubts(_ relations: ContractRelations) {
    let own = log.doubts.filter { $0.operation == Int32(operation) }.sorted { $0.answered < $1.answered }
    // A total that counts more than the filters select proves nothing about filtered pages; otherwise all pages are
    // evidence together.
    let groups = Dictionary(
      grouping: own.filter { $0.ground != .snapshot || wanted.countsAll != true || $0.key != "filtered" }
    ) { Group($0.operation, $0.rule, $0.ground, $0.ground == .snapshot ? "" : $0.key) }
    for (group, count) in log.trials
    where group.operation == Int32(operation) && (isJudged(group, relations) || showsConstant(group, relations)) {
      tried(group.rule, count, decides: decides(group, count))
    }
    for (group, doubts) in groups.sorted(by: { $0.value[0].answered < $1.value[0].answered })
    where isOn(group.rule) && (isJudged(group, relations) || group.ground == .synonym && isConstant(doubts)) {
      switch group.ground {
      case .plain, .synonym: report(group, doubts)
      case .snapshot: judgeSnapshots(group, doubts)
      case .row, .rowOfSeveral: judgeRows(group, doubts)
      case .texts: judgeTexts(group, doubts)
      case .identity: judgeIdentity(doubts, relations)
      case .parent: judgeParents(group, doubts)
      }
    }
  }

  /// True if the group's doubts show a fault of this API, provided that its names have their usual meaning.
  private func isJudged(_ group: Group, _ relations: ContractRelations) -> Bool {
    let shape = relations.collectionOf[operation] < 0 ? nil : relations.collections[relations.collectionOf[operation]]
    switch group.ground {
    case .plain, .snapshot, .identity, .parent: return true
    case .row, .rowOfSeveral, .texts:
      if group.rule == .order {
        let unsorted = wanted.unsorted.compactMap { shape?.sort?.keys[$0]?.field }
        return !unsorted.contains { group.key.hasPrefix($0 + " ") }
      }
      if wanted.filters[group.key] == false { return false }
      return group.ground == .row || rulesOutUnion || wanted.filters[group.key] == true || isPromised(.filter)
    case .synonym:
      // Another name may have another meaning, unless it has repeated five different values, or remains the same for
      // pages that differ.
      return (log.agreements[.init(Int32(operation), group.key)]?.count ?? 0) >= 5 || isPromised(group.rule)
    }
  }

  /// True if the group's trials would prove a fault, if all of them had it.
  private func decides(_ group: Group, _ count: Int) -> Bool {
    func differ(_ name: String) -> Bool { (log.values[.init(Int32(operation), name)]?.count ?? 0) >= 2 }
    switch group.rule {
    // Where all items have one value, a list that ignores the filter looks the same.
    case .filter: return count >= rowsNeeded && differ(group.key)
    case .order: return count >= (group.ground == .texts ? Self.textsNeeded : rowsNeeded)
    // The correct response to the same request, or three wrong ids.
    case .identity:
      let right = log.right[Int32(operation)]?.count ?? 0
      return count > right || right >= 3
    case .parent: return isPromised(.parent) || log.values.contains { isOfParents($0.key) && $0.value.count >= 2 }
    default: return true
    }
  }

  private func isOfParents(_ key: RelationLog.Key) -> Bool {
    key.operation == Int32(operation) && key.name.hasPrefix("/")
  }

  /// The number of rows that prove a fault: where other clients may write, one may have been changed.
  private var rowsNeeded: Int {
    isExclusive && pages.contains { !writes.isOpen(since($0.sent, $0.age), $0.answered) } ? 1 : 3
  }

  /// True if a number of the page that never changes would be found: three requests for other numbers prove it.
  private func showsConstant(_ group: Group, _ relations: ContractRelations) -> Bool {
    let place = relations.collectionOf[operation]
    guard group.ground == .synonym, place >= 0 else { return false }
    let isPage = relations.collections[place].echoes.contains {
      $0.role == .page && $0.path.joined(separator: ".") == group.key
    }
    return isPage && (log.agreements[.init(Int32(operation), group.key)]?.count ?? 0) >= 4
  }

  /// True for one value in the responses to three requests that specified others and got pages with other first items.
  private func isConstant(_ doubts: [RelationLog.Doubt]) -> Bool {
    Dictionary(grouping: doubts.filter { $0.place != 0 }, by: \.second).values.contains { same in
      Set(same.map(\.first)).count >= 3 && Set(same.map(\.place)).count >= 3
    }
  }

  /// An item may belong to several others and name one, so a single item proves nothing. The proof needs two responses
  /// for different parents, each with several items that all belong to another parent.
  private mutating func judgeParents(_ group: Group, _ doubts: [RelationLog.Doubt]) {
    let isSure = Set(doubts.filter { $0.place >= 2 }.map(\.first)).count >= 2
    report(
      group, doubts, severity: isSure ? nil : .warning,
      details: isSure
        ? [] : ["If items may belong to several parents, set `parent: off` under `expect: relations:`."])
  }

  /// A total and rows that may be read one after the other: one response without concurrent writes, or several at
  /// different places.
  private mutating func judgeSnapshots(_ group: Group, _ doubts: [RelationLog.Doubt]) {
    var witnesses = Witnesses<RelationLog.Doubt>()
    for doubt in doubts where group.rule == .shortPage || !Self.isCap(doubt.second) {
      let needed = snapshotsNeeded(group.rule, doubt.sent, doubt.answered, doubt.age)
      witnesses.add(doubt, at: doubt.place, needed: needed)
    }
    if witnesses.isProved { report(group, witnesses.entries) }
  }

  private func snapshotsNeeded(_ rule: RelationRule, _ sent: Int64, _ answered: Int64, _ age: Int64) -> Int {
    isExclusive && isCalm(sent, answered, age: age) ? (rule == .shortPage ? 2 : 1) : 5
  }

  /// Pages with items and a total, and pages that have some according to the total.
  mutating func trySnapshots() {
    let repeated = isExclusive ? [] : repeatedTotals()
    for (index, page) in pages.enumerated() where page.total >= 0 && page.offset >= 0 {
      if wanted.countsAll == true, !page.parts.isEmpty || page.isSearch { continue }
      func needed(_ rule: RelationRule) -> Int { snapshotsNeeded(rule, page.sent, page.answered, page.age) }
      if !page.ids.isEmpty, !Self.isCap(page.total), isExclusive || repeated.contains(index) {
        tried(.total, at: UInt64(bitPattern: page.offset), needed: needed(.total))
      }
      if page.limit > 0, page.total > page.offset { tried(.shortPage, at: page.filters, needed: needed(.shortPage)) }
    }
  }

  /// Search engines count no further than such numbers: there may be more, never less.
  static func isCap(_ total: Int64) -> Bool {
    if total >= 1_000 {
      var rest = total
      while rest % 10 == 0 { rest /= 10 }
      if rest == 1 { return true }
    }
    return total >= 1_023 && (total + 1) & total == 0
  }

  private mutating func judgeRows(_ group: Group, _ doubts: [RelationLog.Doubt]) {
    var witnesses = Witnesses<RelationLog.Doubt>()
    for doubt in untouched(doubts) {
      let isCalm = isExclusive && !writes.isOpen(since(doubt.sent, doubt.age), doubt.answered)
      witnesses.add(doubt, at: UInt64(bitPattern: doubt.first), needed: isCalm ? 1 : 3)
    }
    if witnesses.isProved { report(group, witnesses.entries) }
  }

  /// Without rows that a write may have changed while the page was created.
  private func untouched(_ doubts: [RelationLog.Doubt]) -> [RelationLog.Doubt] {
    doubts.filter { doubt in
      let since = since(doubt.sent, doubt.age)
      return !writes.mayTouch(doubt.first, since, doubt.answered)
        && (doubt.second == 0 || !writes.mayTouch(doubt.second, since, doubt.answered))
    }
  }

  private static let textsNeeded = 10

  /// Collations differ, and some languages treat two letters as one: so one pair proves nothing, and a fifth of all
  /// does.
  private mutating func judgeTexts(_ group: Group, _ doubts: [RelationLog.Doubt]) {
    let (comparable, inverted) = (
      log.trials[group, default: 0], log.inverted[.init(Int32(operation), group.key), default: 0]
    )
    let rest = untouched(doubts)
    guard Set(rest.map(\.place)).count >= 3, comparable >= Self.textsNeeded, inverted * 5 >= comparable else { return }
    report(group, rest)
  }

  private mutating func report(
    _ group: Group, _ doubts: [RelationLog.Doubt], severity: Finding.Severity? = nil, details: [String] = []
  ) {
    guard !doubts.isEmpty else { return }
    let proof = doubts.first { $0.evidence != nil } ?? doubts[0]
    find(
      group.rule, proof.message, discriminator: "\(group.ground) \(group.key)", count: doubts.count,
      severity: severity, moments: doubts.map(\.answered), details: details, evidence: proof.evidence,
      requests: [proof.request])
  }

  // MARK: identity

  private mutating func judgeIdentity(_ doubts: [RelationLog.Doubt], _ relations: ContractRelations) {
    let place = relations.itemOf[operation]
    guard place >= 0 else { return }
    let shape = relations.items[place]
    let exchanged = doubts.filter { doubt in doubts.contains { areExchanged(doubt, $0) } }
    if isOn(.exchanged) { reportExchanged(exchanged, shape) }
    let right = log.right[Int32(operation)] ?? []
    var wrong: [Int64: Set<Int64>] = [:]
    for doubt in doubts { wrong[doubt.first, default: []].insert(doubt.second) }
    let isSure =
      wrong.contains { right.contains($0.key) || $0.value.count > 1 }
      || (!shape.isLoose && wrong.count >= 3 && right.count < wrong.count)
    let rest =
      exchanged.isEmpty
      ? doubts : doubts.filter { doubt in !exchanged.contains { $0.sent == doubt.sent && $0.first == doubt.first } }
    guard let proof = rest.first(where: { $0.evidence != nil }) ?? rest.first else { return }
    let why =
      isSure
      ? "Other requests for the same items got the correct items, or a different item each time."
      : "If both values name the same item, set `identity: off` under `expect: relations:`."
    find(
      .identity, "wrong item returned: \(Self.request(proof, shape)), but \(proof.message)",
      discriminator: "identity", count: rest.count, severity: isSure ? .error : .warning,
      moments: rest.map(\.answered), details: [why], evidence: proof.evidence, requests: [proof.request])
  }

  /// Two requests in flight at the same time, of which each got the other's item.
  private func areExchanged(_ one: RelationLog.Doubt, _ other: RelationLog.Doubt) -> Bool {
    one.second == other.first && one.first != other.first
      && areTogether((one.sent, one.answered), (other.sent, other.answered))
  }

  private mutating func reportExchanged(_ doubts: [RelationLog.Doubt], _ shape: ItemShape) {
    guard let proof = doubts.first(where: { $0.evidence != nil }) ?? doubts.first,
      let other = doubts.first(where: { areExchanged(proof, $0) })
    else { return }
    find(
      .exchanged,
      "responses of concurrent requests were exchanged: \(Self.request(proof, shape)), but "
        + "\(proof.message), which a concurrent request had requested",
      discriminator: "exchanged", count: doubts.count, moments: doubts.map(\.answered),
      details: [
        "One request was in flight from \(Self.seconds(proof.sent)) to \(Self.seconds(proof.answered)), the other from "
          + "\(Self.seconds(other.sent)) to \(Self.seconds(other.answered)) after the load began."
      ], evidence: proof.evidence, requests: [proof.request, other.request])
  }

  private static func seconds(_ nanoseconds: Nanoseconds) -> String {
    Duration.nanoseconds(max(nanoseconds, 0)).text
  }

  private static func request(_ doubt: RelationLog.Doubt, _ shape: ItemShape) -> String {
    shape.isInteger ? "\(shape.parameter) \(doubt.first) was requested" : "another \(shape.parameter) was requested"
  }
}
