import MurphyContract
import MurphyModel

extension RelationCase {
  private struct Group: Hashable {
    var rule: RelationRule
    var ground: RelationLog.Doubt.Ground
    var key: String
  }

  /// Decides over answers that break a rule by themselves: whether something explains it.
  mutating func judgeDoubts(_ relations: ContractRelations) {
    let own = log.doubts.filter { $0.operation == Int32(operation) }.sorted { $0.answered < $1.answered }
    let groups = Dictionary(grouping: own) { Group(rule: $0.rule, ground: $0.ground, key: $0.key) }
    let shape = relations.collectionOf[operation] < 0 ? nil : relations.collections[relations.collectionOf[operation]]
    let unsorted = wanted.unsorted.compactMap { shape?.sort?.keys[$0]?.field }
    for (group, doubts) in groups.sorted(by: { $0.value[0].answered < $1.value[0].answered }) where isOn(group.rule) {
      if group.rule == .order, unsorted.contains(where: { group.key.hasPrefix($0 + " ") }) { continue }
      switch group.ground {
      case .plain: report(group, doubts)
      case .synonym:
        // Another name may mean another thing, unless it has repeated five different values, or stays the same for
        // pages that differ.
        let agreed = log.agreements[.init(Int32(operation), group.key)]?.count ?? 0
        if agreed >= 5 || isPromised(group.rule) || isConstant(doubts) { report(group, doubts) }
      case .snapshot: judgeSnapshots(group, doubts)
      case .row: judgeRows(group, doubts)
      case .rowOfSeveral:
        if rulesOutUnion || wanted.filters[group.key] == true || isPromised(.filter) { judgeRows(group, doubts) }
      case .texts: judgeTexts(group, doubts)
      case .identity: judgeIdentity(doubts, relations)
      case .parent: judgeParents(group, doubts)
      }
    }
  }

  /// One value for three requests that asked for others and got pages that begin otherwise.
  private func isConstant(_ doubts: [RelationLog.Doubt]) -> Bool {
    Dictionary(grouping: doubts.filter { $0.place != 0 }, by: \.second).values.contains { same in
      Set(same.map(\.first)).count >= 3 && Set(same.map(\.place)).count >= 3
    }
  }

  /// A thing may belong to several others and tell of one, so a single item proves nothing: two answers for different
  /// things, each with several items that all belong to another one, do.
  private mutating func judgeParents(_ group: Group, _ doubts: [RelationLog.Doubt]) {
    let isSure = Set(doubts.filter { $0.place >= 2 }.map(\.first)).count >= 2
    report(
      group, doubts, severity: isSure ? nil : .warning,
      details: isSure
        ? [] : ["If items may belong to several things, `parent: off` under `expect: relations:` says so."])
  }

  /// A total and rows that may be read one after the other: one calm answer, or several at different places.
  private mutating func judgeSnapshots(_ group: Group, _ doubts: [RelationLog.Doubt]) {
    guard !(wanted.countsAll == true && group.key == "filtered") else { return }
    var witnesses = Witnesses<RelationLog.Doubt>()
    let few = group.rule == .shortPage ? 2 : 1
    var isProved = false
    for doubt in doubts where group.rule == .shortPage || !Self.isCap(doubt.second) {
      let counts = writes.between(since(doubt.sent, doubt.age), doubt.answered)
      let isCalm = isExclusive && counts.isCalm
      let proves = witnesses.add(doubt, at: doubt.place, needed: isCalm ? few : 5)
      isProved = proves || isProved
    }
    if isProved { report(group, witnesses.entries) }
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
    if group.rule == .filter, wanted.filters[group.key] == false { return }
    var witnesses = Witnesses<RelationLog.Doubt>()
    var isProved = false
    for doubt in untouched(doubts) {
      let isCalm = isExclusive && !writes.isOpen(since(doubt.sent, doubt.age), doubt.answered)
      let proves = witnesses.add(doubt, at: UInt64(bitPattern: doubt.first), needed: isCalm ? 1 : 3)
      isProved = proves || isProved
    }
    if isProved { report(group, witnesses.entries) }
  }

  /// Without rows that a write may have changed while the page was made.
  private func untouched(_ doubts: [RelationLog.Doubt]) -> [RelationLog.Doubt] {
    doubts.filter { doubt in
      let since = since(doubt.sent, doubt.age)
      return !writes.mayTouch(doubt.first, since, doubt.answered)
        && (doubt.second == 0 || !writes.mayTouch(doubt.second, since, doubt.answered))
    }
  }

  /// Collations differ, and languages have letters of two: so one pair proves nothing, and a fifth of all does.
  private mutating func judgeTexts(_ group: Group, _ doubts: [RelationLog.Doubt]) {
    let key = RelationLog.Key(Int32(operation), group.key)
    let (comparable, inverted) = (log.comparable[key, default: 0], log.inverted[key, default: 0])
    let rest = untouched(doubts)
    guard Set(rest.map(\.place)).count >= 3, comparable >= 10, inverted * 5 >= comparable else { return }
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
      ? "other requests for the same items got the right ones, or another one each time"
      : "if it is another name of the same item, `identity: off` under `expect: relations:` says so"
    find(
      .identity, "another item came back than the one asked for: \(Self.asked(proof, shape)), and \(proof.message)",
      discriminator: "identity", count: rest.count, severity: isSure ? .error : .warning,
      moments: rest.map(\.answered), details: [why], evidence: proof.evidence, requests: [proof.request])
  }

  /// Two requests under way at the same time, of which each got the other's item.
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
      "answers of requests under way at the same time were exchanged: \(Self.asked(proof, shape)), and "
        + "\(proof.message), for which another request was waiting",
      discriminator: "exchanged", count: doubts.count, moments: doubts.map(\.answered),
      details: [
        "One was under way from \(Self.seconds(proof.sent)) to \(Self.seconds(proof.answered)), the other from "
          + "\(Self.seconds(other.sent)) to \(Self.seconds(other.answered)) after the load began."
      ], evidence: proof.evidence, requests: [proof.request, other.request])
  }

  private static func seconds(_ nanoseconds: Int64) -> String {
    Duration.nanoseconds(max(nanoseconds, 0)).text
  }

  private static func asked(_ doubt: RelationLog.Doubt, _ shape: ItemShape) -> String {
    shape.isInteger ? "\(shape.parameter) \(doubt.first) was asked for" : "another \(shape.parameter) was asked for"
  }
}
