import MurphyContract
import MurphyModel
import MurphySchema

/// An invariant over sessions: a condition on the state behind the API, decided from the client's log.
package struct StateExpectation: Sendable {
  /// The condition. ``taps`` describe the values that it is checked with.
  package enum Invariant: Sendable {
    /// The last action of a voter counts. If votes toggle, a second action of the same kind cancels the first.
    case ledger(toggles: Bool)
    /// Each accepted write adds one.
    case counter
    /// Each accepted push raises the version by one.
    case versions
    /// One value, written as a whole.
    case register
    /// Items that are created, listed and deleted.
    case set(isSnapshot: Bool)
    /// One ticket for each message, and finally its receipt.
    case delivery
    /// A session does not see a state older than one that it has already seen.
    case session
    /// The scenario's own formula, with the names of the values that it reads.
    case formula(StateCondition, names: [String])
  }

  package var name: String
  package var kind: Invariant
  /// The position in the scenario.
  package var mark: SourceMark
  /// The values that the recorder takes from each operation.
  package var taps: [StateTap]
  /// The requests that murphy sends before the load, with the values that they read.
  package var starts: [StateStart] = []
  /// The caller: the owner of a new item, and of a list; nil if all callers see the same.
  package var owner: StateSource?
  /// The value that a client sends with a request and with each repetition, so that the request takes effect once.
  package var idempotency: StateSource?
  /// True if only the run changes its keys; nil if the scenario does not specify it.
  package var isExclusive: Bool?
  /// The time in which an unanswered write may still take effect; nil for no limit.
  package var settle: Duration?
  /// The time within which a write answered with 202 takes effect, or a receipt exists.
  package var within: Duration = .seconds(30)
  /// By operationId: the maximum age of a response; "*" for all others.
  package var stale: [String: Duration] = [:]
  /// True if each key is read once more after the load.
  package var readsAtEnd = true

  /// `the ledger votes`
  package var title: String { "the \(kind.word) \(name)" }
}

extension StateExpectation.Invariant {
  /// Its key in the scenario.
  package var word: String {
    switch self {
    case .ledger: "ledger"
    case .counter: "counter"
    case .versions: "versions"
    case .register: "register"
    case .set: "set"
    case .delivery: "delivery"
    case .session: "session"
    case .formula: "formula"
    }
  }

  /// The condition, as a sentence.
  package var promise: String {
    switch self {
    case .ledger(toggles: false): "counts match the last accepted vote of each voter"
    case .ledger(toggles: true):
      "counts match the accepted votes of each voter; a second equal vote revokes the first"
    case .counter: "each accepted write is counted once"
    case .versions: "each accepted change raises the version by one, and no change is lost"
    case .register: "reads return the value of the last write"
    case .set: "created items exist until they are deleted"
    case .delivery: "each message gets its ticket and its receipt"
    case .session: "a session never reads a smaller value than before"
    case .formula: "the formula is true for every response"
    }
  }
}

/// Requests of one operation before the load that read the initial state.
package struct StateStart: Sendable {
  package var operation: OperationReference
  package var query: [(name: String, value: JSONValue)] = []
  package var headers: [(name: String, value: String)] = []
  /// The path parameter that takes a key; nil for one request without keys.
  package var keyName: String?
  /// Names of the keys to read; empty for an invariant without keys.
  package var keys: [String] = []
}

extension ScenarioReader {
  /// One entry of `expect: state:`; nil after reporting its mistakes.
  func invariant(_ node: MarkedValue) -> StateExpectation? {
    let mistakes = diagnostics.count
    guard let entries = entries(node, .invariant) else { return nil }
    let mark = sourceMark(node)
    var expectation: StateExpectation?
    if entries.has("ledger") {
      expectation = ledger(entries, mark)
    } else if entries.has("holds") {
      expectation = formula(entries, mark)
    } else {
      for key in ["voter", "rule", "write", "read"] where entries.has(key) {
        report("\"\(key)\" is allowed only in an invariant with \"ledger\" or \"holds\"", at: entries.keyNode(key))
      }
      expectation = nested(entries, mark)
    }
    if expectation?.taps.isEmpty == true, diagnostics.count == mistakes {
      report("the invariant needs at least one operation, for example under \"write\" or \"read\"", at: node)
    }
    return diagnostics.count == mistakes ? expectation : nil
  }

  private func nested(_ outer: Entries, _ mark: SourceMark) -> StateExpectation? {
    func inner(_ key: String, _ vocabulary: Vocabulary) -> Entries? { outer[key].flatMap { entries($0, vocabulary) } }
    for key in Vocabulary.counter.keys.map(\.name) where key != "write" && key != "read" && outer.has(key) {
      report("move \"\(key)\" into the mapping of the invariant type", at: outer.keyNode(key))
    }
    if let entries = inner("counter", .counter) { return counter(entries, mark) }
    if let entries = inner("versions", .versions) { return versions(entries, mark) }
    if let entries = inner("register", .register) { return register(entries, mark) }
    if let entries = inner("set", .things) { return things(entries, mark) }
    if let entries = inner("delivery", .delivery) { return delivery(entries, mark) }
    if let entries = inner("session", .order) { return order(entries, mark) }
    return nil
  }

  /// The keys that every invariant may have.
  func expectation(
    _ kind: StateExpectation.Invariant, _ name: String?, _ taps: [StateTap], _ entries: Entries, _ mark: SourceMark,
    _ key: StateSource? = nil
  ) -> StateExpectation {
    var expectation = StateExpectation(
      name: text(entries["name"], "name") ?? name ?? taps.first?.operation.id ?? kind.word, kind: kind, mark: mark,
      taps: taps)
    func known(_ key: String) -> Bool { entries.vocabulary[key] != nil }
    if known("owner") { expectation.owner = source(entries, "owner") }
    if known("idempotency") { expectation.idempotency = source(entries, "idempotency") }
    if known("start") { expectation.starts = starts(entries, of: key) }
    expectation.isExclusive = boolean(entries["exclusive"], "exclusive")
    expectation.settle = duration(entries["settle"], "settle")
    expectation.within = duration(entries["within"], "within") ?? expectation.within
    if let node = entries["stale"] { expectation.stale = stale(node) }
    if let node = entries["final"], isOff(node) {
      expectation.readsAtEnd = false
    } else if let node = entries["final"], node.scalarText != "on", node.scalarValue != true {
      report("\"final\" must be on or off; found \(found(node))", at: node)
    }
    return expectation
  }

  private func stale(_ node: MarkedValue) -> [String: Duration] {
    guard case .object = node.content else { return duration(node, "stale").map { ["*": $0] } ?? [:] }
    var stale: [String: Duration] = [:]
    for (name, keyNode, value) in mapping(node, "stale") {
      guard let length = duration(value, "stale") else { continue }
      if name == "*" {
        stale[name] = length
      } else if let found = operation(name, at: keyNode) {
        stale[found.id] = length
      }
    }
    return stale
  }

  // MARK: kinds

  private func versions(_ entries: Entries, _ mark: SourceMark) -> StateExpectation? {
    guard let key = key(entries), let push = operation(entries["push"], "push"),
      let based = source(entries, "based-on"), let version = query(entries["version"], "version")
    else { return nil }
    let content = (elements(entries["content"], "content") ?? []).compactMap {
      place($0, "a field", StateText.source)
    }
    let entry = StateTap.Entry(version: version, content: content.compactMap(StateText.field))
    if entry.content.count != content.count, let node = entries["content"] {
      report("\"content\" must be a list of fields of the request body, such as body.text", at: node)
    }
    var conflicts: [(status: Int, at: JSONPath)] = []
    for (name, keyNode, value) in mapping(entries["conflict"], "conflict") {
      guard let status = Int(name), (400..<500).contains(status) else {
        report("each key of \"conflict\" must be a status from 400 to 499; found \"\(name)\"", at: keyNode)
        continue
      }
      if let at = query(value, "a place") { conflicts.append((status, at)) }
    }
    let id = query(entries["id"], "id")
    let change = StateTap.Push(
      key: key, based: based, version: version, content: content, conflicts: conflicts, entry: entry)
    var taps = [StateTap(push, .push(change))]
    for (name, keyNode, value) in mapping(entries["read"], "read") {
      guard let operation = operation(name, at: keyNode), let at = query(value, "a place") else { continue }
      if at.isSingular {
        taps.append(StateTap(operation, .entries(.request(key), Self.entry(entry, below: at))))
      } else if let id {
        taps.append(StateTap(operation, .entries(.each(at, key: id), entry)))
      } else {
        report("\(at) selects several items, so the key \"id\" must select the id of each item", at: value)
      }
    }
    return expectation(.versions, nil, taps, entries, mark)
  }

  /// Converts fields of an entry into fields of the response that contains it.
  private static func entry(_ entry: StateTap.Entry, below place: JSONPath) -> StateTap.Entry {
    func below(_ path: JSONPath) -> JSONPath { (try? JSONPath(place.text + path.text.dropFirst())) ?? path }
    return StateTap.Entry(version: below(entry.version), content: entry.content.map(below))
  }

  private func register(_ entries: Entries, _ mark: SourceMark) -> StateExpectation? {
    guard let key = key(entries), let put = operation(entries["put"], "put"),
      let get = operation(entries["get"], "get"),
      let value = source(entries, "value"), let node = entries["value"]
    else { return nil }
    guard let field = StateText.field(value) else {
      return refuse("\"value\" must be a field of the request body, such as body.text", at: node)
    }
    var taps = [StateTap(put, .put(key: key, value: value)), StateTap(get, .get(key: key, value: field))]
    if let delete = operation(entries["delete"], "delete") { taps.append(StateTap(delete, .delete(key: key))) }
    return expectation(.register, nil, taps, entries, mark)
  }

  private func order(_ entries: Entries, _ mark: SourceMark) -> StateExpectation? {
    guard let key = key(entries), let value = query(entries["order"], "order") else { return nil }
    let taps =
      operations(entries["read"], "read").map { StateTap($0, .ordered(key: key, value: value, isRead: true)) }
      + operations(entries["write"], "write").map { StateTap($0, .ordered(key: key, value: value, isRead: false)) }
    return expectation(.session, nil, taps, entries, mark)
  }
}

/// Invariants over items with an id: sets, and messages with their tickets and receipts.
extension ScenarioReader {
  func things(_ entries: Entries, _ mark: SourceMark) -> StateExpectation? {
    guard let create = operation(entries["create"], "create"), let id = query(entries["id"], "id") else { return nil }
    let key = key(entries, otherwise: .path("id"))
    var taps = [StateTap(create, .create(id: id))]
    let isPaged = boolean(entries["paged"], "paged") ?? false
    for (name, keyNode, value) in mapping(entries["list"], "list") {
      guard let operation = operation(name, at: keyNode), let ids = query(value, "the ids") else { continue }
      taps.append(StateTap(operation, .list(ids: ids, isWhole: !isPaged)))
    }
    if let get = operation(entries["get"], "get"), let key { taps.append(StateTap(get, .look(key: key))) }
    if let delete = operation(entries["delete"], "delete"), let key { taps.append(StateTap(delete, .delete(key: key))) }
    let isSnapshot = boolean(entries["snapshot"], "snapshot") ?? false
    return expectation(.set(isSnapshot: isSnapshot), nil, taps, entries, mark)
  }

  func delivery(_ entries: Entries, _ mark: SourceMark) -> StateExpectation? {
    guard let send = operation(entries["send"], "send"), let messages = source(entries, "message"),
      let tickets = query(entries["tickets"], "tickets"), let id = query(entries["id"], "id")
    else { return nil }
    if StateText.field(messages) == nil, let node = entries["message"] {
      report("\"message\" must be a part of the request body, such as body[*]", at: node)
    }
    let batch = StateTap.Batch(
      messages: messages, tickets: tickets, id: id, marks: place(entries["marks"], "marks", StateText.glob),
      fails: place(entries["fails"], "fails", StateText.glob))
    var taps = [StateTap(send, .send(batch))]
    if let receipts = operation(entries["receipts"], "receipts") {
      guard let asked = source(entries, "asked"), let found = query(entries["found"], "found") else {
        return refuse(
          "\"receipts\" needs the keys \"asked\" (ids in the request) and \"found\" (receipts in the response)",
          at: entries.node)
      }
      taps.append(StateTap(receipts, .receipts(asked: asked, found: found, arrives: arrival(entries))))
    }
    for (key, needed) in [("receipt", "receipts"), ("fails", "receipt")] where entries.has(key) && !entries.has(needed)
    {
      report("\"\(key)\" needs the key \"\(needed)\"", at: entries.keyNode(key))
    }
    return expectation(.delivery, nil, taps, entries, mark)
  }

  /// The condition under which a receipt confirms a message that arrived.
  private func arrival(_ entries: Entries) -> StateTap.ReceiptMatch? {
    guard let node = entries["receipt"], let match = place(node, "receipt", StateText.match) else { return nil }
    guard case .answer(let field) = match.source else {
      return refuse("\"receipt\" must be a condition on a receipt, such as $.status == ok", at: node)
    }
    return StateTap.ReceiptMatch(field: field, isEqual: match.isEqual, value: match.value)
  }
}
