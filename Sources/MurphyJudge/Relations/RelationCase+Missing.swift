import MurphyContract
import MurphyModel

/// The missing sample for which a relation is not tested.
extension RelationCase {
  func missing(_ recognised: RecognisedRelation, _ tally: TrialTally) -> String {
    let rule = recognised.rule
    if let missing = log.missing[.init(Int32(operation), rule)] { return missing }
    let keys = log.trials.keys.filter { $0.operation == Int32(operation) && $0.rule == rule }.map(\.key)
    let isOfPages = !keys.isEmpty && rule != .identity && rule != .exchanged || [.total, .shortPage].contains(rule)
    if isOfPages, !pages.isEmpty, log.rows[Int32(operation), default: 0] == 0 { return "every page was empty" }
    if tally.count > 0, let more = more(rule, tally) { return more }
    if tally.count == 0, let open = unjudged(rule) { return open }
    if !keys.isEmpty, let none = none(rule, Set(keys.filter { !$0.isEmpty }).sorted()) { return none }
    if !pages.isEmpty, let none = none(rule, []) { return none }
    let needs = recognised.needs ?? "a request for it"
    return "needs \(log.unwalked.map { "\(needs) (\($0))" } ?? needs)"
  }

  /// Samples existed, but all of them together could not have proved a fault.
  private func more(_ rule: RelationRule, _ tally: TrialTally) -> String? {
    switch rule {
    case .filter:
      let same = log.trials.keys.filter { $0.operation == Int32(operation) && $0.rule == .filter }
        .filter { (log.values[.init(Int32(operation), $0.key)]?.count ?? 0) < 2 }.map(\.key).sorted()
      return same.first.map { "all returned items have the same \($0)" } ?? fewer(tally)
    case .identity: return "no item was requested twice, and fewer than three items were requested"
    case .parent: return "only the lists of one parent had several items"
    case .shortPage: return "a fault must be in two lists, for example with two filters, and only one was read"
    default: return fewer(tally)
    }
  }

  private func fewer(_ tally: TrialTally) -> String {
    "\(tally.count) \(tally.count == 1 ? "sample is" : "samples are") too few to prove a fault"
  }

  /// Samples existed, but their meaning is unknown.
  private func unjudged(_ rule: RelationRule) -> String? {
    let some = log.trials.filter { $0.key.operation == Int32(operation) && $0.key.rule == rule && $0.value > 0 }
    guard let first = some.keys.min(by: { $0.key < $1.key }) else { return nil }
    switch first.ground {
    case .rowOfSeveral: return "every request had several filters, which may mean \"or\""
    case .synonym:
      return "\(first.key) was returned as requested with fewer than five values, so it may mean something else"
    default: return "the scenario switches it off for \(first.key)"
    }
  }

  /// Samples did not exist.
  ///
  /// - Parameter keys: the parameters of requests.
  private func none(_ rule: RelationRule, _ keys: [String]) -> String? {
    let names = keys.joined(separator: ", ")
    switch rule {
    case .pageSize: return keys.isEmpty ? nil : "no page was full while more items were known to follow"
    case .echo: return keys.isEmpty ? nil : "no response had \(names)"
    case .total: return "no page with items had a total, or each response had another one"
    case .shortPage: return "no page that has items by its total was read"
    case .lastPage: return keys.isEmpty ? nil : "no response with items named its last page"
    case .order: return keys.isEmpty ? nil : "no two neighbouring items differed in \(names)"
    case .filter: return keys.isEmpty ? nil : "no item had the field \(names)"
    case .parent: return keys.isEmpty ? nil : "no list of several items had \(names) in all of them"
    case .repeats: return "no page had two items, and no two pages without a write between them had items"
    case .skips: return "no list of more than one page was read to its end without a write in between"
    case .exchanged: return keys.isEmpty ? nil : "no two requests for different items were in flight at the same time"
    case .listItem:
      let own = log.readings.filter { $0.operation == Int32(operation) }
      if own.isEmpty { return nil }
      return own.contains { !$0.isRow }
        ? "no list between two equal reads of an item had one of its fields except the id"
        : "no item was read in a response of its own"
    default: return nil
    }
  }
}
