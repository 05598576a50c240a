import MurphyModel
import MurphyScenario
import MurphySchema

/// The log entries of each kind of tap.
extension StateRecorder {
  mutating func record(
    _ action: StateTap.Action, _ exchange: StateExchange, _ reader: inout StateExchangeReader, _ unique: UniqueValues
  ) {
    switch action {
    case .vote(let key, let voter, let kinds, let shown):
      recordVote(exchange, &reader, unique, key: key, voter: voter, kinds: kinds, shown: shown)
    case .raise(let key, let shown):
      guard let written = begin(exchange, .write, key, &reader) else { return }
      log.exchanges.append(written)
      if let shown { recordOwn(written, shown, reader) }
    case .measure(let key, let measures): recordMeasures(exchange, &reader, key, measures)
    case .show(let place, let counts): recordShown(exchange, &reader, place, counts)
    case .push(let push): recordPush(exchange, &reader, push)
    case .entries(let place, let entry): recordEntries(exchange, &reader, place, entry)
    case .put(let key, let value):
      guard var written = begin(exchange, .write, key, &reader) else { return }
      guard let text = reader.text(value) else {
        return missWrite(exchange, "the request does not contain the value of the invariant")
      }
      written.c = log.names.number(of: text)
      log.exchanges.append(written)
    case .get(let key, let value): recordValue(exchange, &reader, key, value)
    case .delete(let key):
      guard let deleted = begin(exchange, .delete, key, &reader) else { return }
      log.exchanges.append(deleted)
    case .create(let id): recordCreation(exchange, reader, id)
    case .list(let ids, let isWhole): recordList(exchange, reader, ids, isWhole)
    case .look(let key): recordLook(exchange, &reader, key)
    case .send(let batch): recordBatch(exchange, &reader, batch)
    case .receipts(let requested, let found, let arrives): recordReceipts(exchange, &reader, requested, found, arrives)
    case .ordered(let key, let value, let isRead):
      guard exchange.outcome == .accepted, let number = reader.number(value),
        var seen = begin(exchange, isRead ? .read : .write, key, &reader)
      else { return }
      seen.a = number
      log.exchanges.append(seen)
    }
  }

  /// The exchange with its role and key; nil where the log does not take it.
  private mutating func begin(
    _ exchange: StateExchange, _ role: StateExchange.Role, _ key: StateSource, _ reader: inout StateExchangeReader
  ) -> StateExchange? {
    guard let text = reader.text(key) else {
      let reason = "the request has no \(key.text), which is the key of the invariant (`key:` or its default)"
      if role == .read { missResponse(exchange, reason) } else { missWrite(exchange, reason) }
      return nil
    }
    guard let number = number(ofKey: text, exchange) else { return nil }
    var begun = exchange
    begun.role = role
    begun.key = number
    return begun
  }

  private mutating func recordVote(
    _ exchange: StateExchange, _ reader: inout StateExchangeReader, _ unique: UniqueValues, key: StateSource,
    voter: StateSource, kinds: [StateTap.VoteKind], shown: StateTap.Counts?
  ) {
    let kind = kinds.first { kind in kind.condition.map { reader.matches($0) == true } ?? true }
    guard let kind else { return missWrite(exchange, "the request is not a vote of the invariant") }
    guard let who = reader.text(voter) else { return missWrite(exchange, "the request does not contain the voter") }
    guard var written = begin(exchange, .write, key, &reader) else { return }
    let isNew = log.names.known(who) == nil
    written.actor = log.names.number(of: who)
    if isNew, unique.isFresh(who) { log.freshActors.insert(written.actor) }
    written.a = kind.bit
    log.exchanges.append(written)
    if let shown { recordOwn(written, shown, reader) }
  }

  /// The numbers and conditions of a write: `a` and `b` are the numbers, and a bit of `c` is 1 for each condition that
  /// is true.
  private mutating func recordMeasures(
    _ exchange: StateExchange, _ reader: inout StateExchangeReader, _ key: StateSource, _ measures: StateTap.Measures
  ) {
    guard var written = begin(exchange, .write, key, &reader) else { return }
    // A value that the request does not have is not equal to anything.
    let holds = measures.matches.map { reader.matches($0) ?? !$0.isEqual }
    let numbers = measures.numbers.map { reader.number($0).flatMap { abs($0) < Self.mostSummed ? $0 : nil } }
    for need in measures.needs where need.match.map({ holds[$0] }) ?? true && numbers[need.number] == nil {
      return missWrite(
        exchange, "the request has no integer below \(Self.mostSummed) at the place that the formula adds")
    }
    written.a = (numbers.first ?? nil) ?? StateExchange.none
    written.b = (numbers.dropFirst().first ?? nil) ?? StateExchange.none
    if !holds.isEmpty { written.c = log.names.number(of: holds.map { $0 ? "1" : "0" }.joined()) }
    log.exchanges.append(written)
  }

  /// Limits each number so that the sum over a whole log fits.
  private static let mostSummed: Int64 = 1_000_000_000_000

  /// Adds the value that the response of a write shows, as a read after the write.
  private mutating func recordOwn(_ written: StateExchange, _ counts: StateTap.Counts, _ reader: StateExchangeReader) {
    guard written.outcome == .accepted else { return }
    guard let numbers = Self.numbers(counts, { reader.number($0) }) else {
      return missResponse(written, "the response does not contain the numbers of the invariant")
    }
    enter(written, as: .response, key: written.key) { ($0.a, $0.b) = numbers }
  }

  /// The two numbers that a response shows, in the form of the log; nil where it shows neither.
  private static func numbers(_ counts: StateTap.Counts, _ find: (JSONPath?) -> Int64?) -> (Int64, Int64)? {
    let (first, second) = (find(counts.first), find(counts.second))
    if first == nil, second == nil { return nil }
    return (first ?? StateExchange.none, second ?? StateExchange.none)
  }

  private mutating func recordShown(
    _ exchange: StateExchange, _ reader: inout StateExchangeReader, _ place: StateTap.Place, _ counts: StateTap.Counts
  ) {
    guard exchange.outcome == .accepted else { return }
    switch place {
    case .request(let key):
      guard let read = begin(exchange, .read, key, &reader) else { return }
      guard let numbers = Self.numbers(counts, { reader.number($0) }) else {
        return missResponse(exchange, "the response does not contain the numbers of the invariant")
      }
      enter(read, as: .read, key: read.key) { ($0.a, $0.b) = numbers }
    case .each(let elements, let key):
      for element in reader.values(elements) {
        guard let text = key.values(in: element).first?.stateText else {
          missResponse(exchange, "an element of the response does not contain the key")
          continue
        }
        guard let number = number(ofKey: text, exchange) else { continue }
        let numbers = Self.numbers(counts) { path in
          path.flatMap { $0.values(in: element).first }.flatMap(StateExchangeReader.number)
        }
        if let numbers { enter(exchange, as: .read, key: number) { ($0.a, $0.b) = numbers } }
      }
    }
  }

  private mutating func recordPush(
    _ exchange: StateExchange, _ reader: inout StateExchangeReader, _ push: StateTap.Push
  ) {
    guard var written = begin(exchange, .write, push.key, &reader) else { return }
    guard let based = reader.number(push.based) else {
      return missWrite(exchange, "the request does not contain the version that it changes")
    }
    written.a = based
    var fields: [String] = []
    for source in push.content { fields.append(reader.text(source) ?? "") }
    if !fields.isEmpty { written.c = log.names.number(of: Self.content(fields)) }
    if exchange.outcome == .accepted {
      if let given = reader.number(push.version) {
        written.b = given
      } else {
        missResponse(exchange, "the response does not contain the version")
      }
    }
    log.exchanges.append(written)
    guard exchange.outcome == .refused,
      let conflict = push.conflicts.first(where: { $0.status == Int(exchange.status) }),
      let entry = reader.values(conflict.at).first
    else { return }
    append(entry, push.entry, to: written, as: .conflict)
  }

  private mutating func recordEntries(
    _ exchange: StateExchange, _ reader: inout StateExchangeReader, _ place: StateTap.Place, _ entry: StateTap.Entry
  ) {
    guard exchange.outcome == .accepted else { return }
    switch place {
    case .request(let key):
      guard let read = begin(exchange, .read, key, &reader), let whole = Self.root.flatMap({ reader.values($0).first })
      else { return }
      append(whole, entry, to: read, as: .read)
    case .each(let elements, let key):
      for element in reader.values(elements) {
        guard let text = key.values(in: element).first?.stateText, let number = number(ofKey: text, exchange) else {
          continue
        }
        var read = exchange
        read.key = number
        append(element, entry, to: read, as: .read)
      }
    }
  }

  private static let root = try? JSONPath("$")

  /// Fields joined to one string. Different fields give different strings.
  private static func content(_ fields: [String]) -> String {
    fields.map { "\($0.utf8.count):\($0)" }.joined()
  }

  private mutating func append(
    _ value: JSONValue, _ entry: StateTap.Entry, to exchange: StateExchange, as role: StateExchange.Role
  ) {
    guard let version = entry.version.values(in: value).first.flatMap(StateExchangeReader.number) else {
      return missResponse(exchange, "the response does not contain the version")
    }
    var seen = exchange
    (seen.role, seen.outcome, seen.a, seen.b, seen.c) = (role, .accepted, version, StateExchange.none, -1)
    let fields = entry.content.map { $0.values(in: value).first?.stateText }
    if !fields.isEmpty, fields.allSatisfy({ $0 != nil }) {
      seen.c = log.names.number(of: Self.content(fields.map { $0 ?? "" }))
    }
    log.exchanges.append(seen)
  }

  private mutating func recordValue(
    _ exchange: StateExchange, _ reader: inout StateExchangeReader, _ key: StateSource, _ value: JSONPath
  ) {
    let isAbsent = exchange.status == 404 || exchange.status == 410
    guard exchange.outcome == .accepted || isAbsent, var read = begin(exchange, .read, key, &reader) else { return }
    if !isAbsent {
      guard let text = reader.values(value).first?.stateText else {
        return missResponse(exchange, "the response does not contain the value of the invariant")
      }
      read.c = log.names.number(of: text)
    }
    read.outcome = .accepted
    log.exchanges.append(read)
  }
}
