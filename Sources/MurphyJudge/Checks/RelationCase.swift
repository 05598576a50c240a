import MurphyContract
import MurphyModel
import MurphyScenario

/// The relations of one operation: its data and its findings.
struct RelationCase {
  let operation: Int
  let id: String
  let wanted: RelationExpectation.Operation
  /// True if no other client writes.
  let isExclusive: Bool
  /// The maximum staleness of a response in addition to its age, nanoseconds.
  let stale: Int64
  let writes: PossibleWrites
  let log: RelationLog
  /// By their indexes in the contract.
  private let operations: [String]
  /// Pages of the operation, ordered by the time of their responses.
  let pages: [RelationLog.Page]
  /// The findings, by rule.
  private(set) var findings: [(rule: RelationRule, finding: Finding)] = []
  /// Samples that could have violated a rule: docs/relations.md, "Trials".
  private(set) var trials: [RelationRule: TrialTally] = [:]
  /// True if two filters can only mean "and".
  var rulesOutUnion = false

  init(_ operation: Int, _ run: FinishedRun, _ writes: PossibleWrites) {
    self.operation = operation
    id = run.contract.operations[operation].id
    wanted = run.scenario.expectations.relations[id]
    isExclusive = wanted.isExclusive ?? run.isAlone
    stale = wanted.stale?.nanoseconds ?? 0
    self.writes = writes
    log = run.record.relations
    operations = run.contract.operations.map(\.id)
    pages = log.pages.filter { $0.operation == Int32(operation) }.sorted { $0.answered < $1.answered }
  }

  func itemID(_ item: ItemShape) -> String { operations[item.operation] }

  /// True if the scenario enables the rule.
  func isOn(_ rule: RelationRule) -> Bool { !wanted.isOff && wanted.rules[rule] != false }
  func isPromised(_ rule: RelationRule) -> Bool { wanted.rules[rule] == true }
  func lag(_ age: Int64) -> Int64 { stale + age }

  /// The time from which on a response may lack a write.
  func since(_ sent: Int64, _ age: Int64) -> Int64 { max(sent, Int64.min / 2) - lag(age) }

  func ids(of page: RelationLog.Page) -> ArraySlice<Int64> {
    log.ids[Int(page.ids.lowerBound)..<Int(page.ids.upperBound)]
  }

  /// True if no write of the collection may have taken effect from `low` until `high`, as far as murphy sees writes.
  /// Responses with a possible write in between are not compared.
  func isCalm(_ low: Int64, _ high: Int64, age: Int64) -> Bool { writes.isCalm(since(low, age), high) }

  /// Counts one trial of a rule.
  ///
  /// - Parameter needed: the number of trials at two places that prove a fault, if all of them show it.
  mutating func tried(_ rule: RelationRule, at place: UInt64, needed: Int) {
    trials[rule, default: TrialTally()].add(at: place, needed: needed)
  }

  /// - Parameter decides: true if a fault in all of them is found.
  mutating func tried(_ rule: RelationRule, _ count: Int, decides: Bool) {
    trials[rule, default: TrialTally()].add(count, decides: decides)
  }

  /// - Parameters:
  ///   - discriminator: equal for equal findings of all runs.
  ///   - moments: instants of the responses that show it.
  mutating func find(
    _ rule: RelationRule, kind: FindingKind? = nil, _ message: String, discriminator: String, count: Int = 1,
    severity: Finding.Severity? = nil, moments: [Int64] = [], details: [String] = [], evidence: Evidence? = nil,
    requests: [Int32] = []
  ) {
    let times = moments.map { Duration.nanoseconds($0) }
    var proof = evidence ?? Evidence()
    if proof.curl == nil { proof.curl = script(requests) }
    var finding = Finding(
      kind: kind ?? rule.kind, severity: isPromised(rule) && kind == nil ? .error : severity, operation: id,
      message: message,
      details: details, count: count, firstSeen: max(times.min() ?? .zero, .zero),
      lastSeen: max(times.max() ?? .zero, .zero),
      discriminator: discriminator, evidence: proof.curl == nil && proof.exchange == nil ? nil : proof)
    finding.found = nil
    findings.append((rule, finding))
  }

  /// The requests of the responses, one after the other.
  private func script(_ requests: [Int32]) -> ShellScript? {
    let known = requests.filter { $0 >= 0 && Int($0) < log.requests.count }.map { log.requests[Int($0)] }
    guard !known.isEmpty else { return nil }
    return CurlScript([.requests(known)]).text
  }
}

/// The trials of a rule, and if a fault in all of them would be found. Some rules need several responses, at two
/// different places at least.
struct TrialTally {
  private(set) var count = 0
  private(set) var decides = false
  private var places: Set<UInt64> = []

  mutating func add(at place: UInt64, needed: Int) {
    count += 1
    places.insert(place)
    decides = decides || count >= needed && places.count >= min(needed, 2)
  }

  mutating func add(_ count: Int, decides: Bool) {
    guard count > 0 else { return }
    self.count += count
    self.decides = self.decides || decides
  }
}

/// Collects independent evidence by the same rule.
struct Witnesses<Entry> {
  private(set) var entries: [Entry] = []
  private var tally = TrialTally()
  var isProved: Bool { tally.decides }

  mutating func add(_ entry: Entry, at place: UInt64, needed: Int) {
    entries.append(entry)
    tally.add(at: place, needed: needed)
  }
}

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
    let needs = recognised.needs ?? "a request that tests it"
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
    case .shortPage: return "a proof needs two lists, for example with two filters, but only one list was read"
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
    case .rowOfSeveral: return "every request had several filters, which the API may combine with \"or\""
    case .synonym:
      return "\(first.key) matched the request for fewer than five values, so it may have another meaning"
    default: return "disabled by the scenario for \(first.key)"
    }
  }

  /// Samples did not exist.
  ///
  /// - Parameter keys: the parameters of requests.
  private func none(_ rule: RelationRule, _ keys: [String]) -> String? {
    let names = keys.joined(separator: ", ")
    switch rule {
    case .pageSize: return keys.isEmpty ? nil : "no full page was known to have a next page"
    case .echo: return keys.isEmpty ? nil : "no response had \(names)"
    case .total: return "no page with items had a total, or each response had a different total"
    case .shortPage: return "no page was read that must have items according to the total"
    case .lastPage: return keys.isEmpty ? nil : "no response with items contained the number of its last page"
    case .order: return keys.isEmpty ? nil : "no two consecutive items differed in \(names)"
    case .filter: return keys.isEmpty ? nil : "no item had the field \(names)"
    case .parent: return keys.isEmpty ? nil : "no list had several items that all have \(names)"
    case .repeats: return "no page had two items, and no two pages with items were read without a write in between"
    case .skips: return "no list of more than one page was read to its end without a write in between"
    case .exchanged: return keys.isEmpty ? nil : "no two requests for different items were in flight at the same time"
    case .listItem:
      let own = log.readings.filter { $0.operation == Int32(operation) }
      if own.isEmpty { return nil }
      return own.contains { !$0.isRow }
        ? "no list was read between two equal responses of an item, or it contained only the item's id"
        : "no item was requested individually"
    default: return nil
    }
  }
}
