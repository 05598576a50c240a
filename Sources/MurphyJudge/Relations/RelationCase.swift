import MurphyContract
import MurphyModel
import MurphyScenario

/// The relations of one operation: what is known of it, and what was found.
struct RelationCase {
  let operation: Int
  let id: String
  let wanted: RelationExpectation.Operation
  /// Nobody else writes.
  let isExclusive: Bool
  /// How far behind an answer may be beside its age, nanoseconds.
  let stale: Int64
  let writes: PossibleWrites
  let log: RelationLog
  let duration: Double
  /// Pages of the operation by the moment of their answers.
  let pages: [RelationLog.Page]
  /// Found, by rule.
  private(set) var findings: [(rule: RelationRule, finding: Finding)] = []
  /// Answers, walks and brackets that could have broken a rule, beside those of the log.
  var tested: [RelationRule: Int] = [:]
  /// Another meaning of two filters than "and" is excluded.
  var rulesOutUnion = false

  init(_ operation: Int, _ run: JudgedRun, _ writes: PossibleWrites) {
    self.operation = operation
    id = run.contract.operations[operation].id
    wanted = run.scenario.expectations.relations[id]
    isExclusive = wanted.isExclusive ?? run.isAlone
    stale = wanted.stale?.nanoseconds ?? 0
    self.writes = writes
    log = run.record.relations
    duration = run.record.info.duration
    let together = run.record.generator.peakUsers >= 2
    if together { tested[.exchanged] = log.tested[.init(Int32(operation), .identity)] }
    pages = log.pages.filter { $0.operation == Int32(operation) }.sorted { $0.answered < $1.answered }
  }

  /// Whether the scenario wants it looked for.
  func isOn(_ rule: RelationRule) -> Bool { !wanted.isOff && wanted.rules[rule] != false }
  func isPromised(_ rule: RelationRule) -> Bool { wanted.rules[rule] == true }
  func lag(_ age: Int64) -> Int64 { stale + age }

  /// The moment from which on a write may have been missed by an answer.
  func since(_ sent: Int64, _ age: Int64) -> Int64 { max(sent, Int64.min / 2) - lag(age) }

  func ids(of page: RelationLog.Page) -> ArraySlice<Int64> {
    log.ids[Int(page.ids.lowerBound)..<Int(page.ids.upperBound)]
  }

  /// - Parameters:
  ///   - discriminator: equal for equal findings of all runs.
  ///   - moments: instants of the answers that show it.
  mutating func find(
    _ rule: RelationRule, _ message: String, discriminator: String, count: Int = 1, severity: Finding.Severity? = nil,
    moments: [Int64] = [], details: [String] = [], evidence: Evidence? = nil, requests: [Int32] = []
  ) {
    let seconds = moments.map { Double($0) / 1e9 }
    var proof = evidence ?? Evidence()
    if proof.curl == nil { proof.curl = script(requests) }
    var finding = Finding(
      kind: rule.kind, severity: isPromised(rule) ? .error : severity, operation: id, message: message,
      details: details, count: count, firstSeen: max(seconds.min() ?? 0, 0), lastSeen: max(seconds.max() ?? 0, 0),
      discriminator: discriminator, evidence: proof.curl == nil && proof.exchange == nil ? nil : proof)
    finding.found = nil
    findings.append((rule, finding))
  }

  /// The requests of answers, one after the other.
  private func script(_ requests: [Int32]) -> String? {
    let known = requests.filter { $0 >= 0 && Int($0) < log.requests.count }.map { log.requests[Int($0)] }
    guard !known.isEmpty else { return nil }
    return CurlScript([.requests(known)]).text
  }
}

/// Counts independent evidence: so many answers, at two different places at least.
struct Witnesses<Entry> {
  private(set) var entries: [Entry] = []
  private var places: Set<UInt64> = []

  /// - Returns: whether `needed` have come together; one is enough where one is needed.
  mutating func add(_ entry: Entry, at place: UInt64, needed: Int) -> Bool {
    entries.append(entry)
    places.insert(place)
    return entries.count >= needed && places.count >= min(needed, 2)
  }
}

extension RelationCase {
  private struct Text: Hashable {
    var member: Int
    var hash: UInt64
  }

  /// A text that another request sent, which was under way at the same time, and that the own one did not.
  mutating func judgeReturns(_ relations: ContractRelations) {
    guard let shape = relations.returns[operation], isOn(.exchanged) else { return }
    let own = log.returns.filter { $0.operation == Int32(operation) }
    tested[.exchanged, default: 0] += own.count
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
            // Who writes the same thing at the same time may be told what the other one made of it.
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
      "the \(shape.members[first.member]) that came back was sent by another request, which was under way at the same time",
      discriminator: "returned \(shape.members[first.member])", count: cases.count,
      moments: cases.map(\.mine.answered), requests: [first.mine.request, first.other.request])
  }

  /// Whether two requests were surely under way at one moment. Between clocks that are known to some width, moments were
  /// moved apart by it so that what comes after what is not claimed too early; here that would claim too much.
  func areTogether(_ one: (sent: Int64, answered: Int64), _ other: (sent: Int64, answered: Int64)) -> Bool {
    one.sent <= other.answered - log.clockWidth && other.sent <= one.answered - log.clockWidth
  }
}
