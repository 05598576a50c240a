import MurphyModel
import MurphyScenario
import MurphySchema

/// Sets and deliveries: one exchange reports many elements.
extension StateRecorder {
  private static let unreadable = "the response is not JSON, or was cut off"

  mutating func recordCreation(_ exchange: StateExchange, _ reader: StateExchangeReader, _ id: JSONPath) {
    guard exchange.outcome == .accepted else { return enter(exchange, as: .create) }
    guard let text = reader.values(id).first?.stateText else {
      return missWrite(exchange, "the response of a creation shows no id")
    }
    if let number = number(ofKey: text, exchange) { enter(exchange, as: .create, key: number) }
  }

  mutating func recordList(_ exchange: StateExchange, _ reader: StateExchangeReader, _ ids: JSONPath, _ isWhole: Bool) {
    guard exchange.outcome == .accepted else { return }
    guard let values = reader.all(ids) else { return missAnswer(exchange, Self.unreadable) }
    if isWhole { enter(exchange, as: .list) }
    for value in values {
      guard let number = number(ofKey: value.stateText, exchange) else { continue }
      enter(exchange, as: .shown, key: number) { $0.b = isWhole ? 1 : 0 }
    }
  }

  mutating func recordLook(
    _ exchange: StateExchange, _ reader: inout StateExchangeReader, _ key: StateSource
  ) {
    let isAbsent = exchange.status == 404 || exchange.status == 410
    guard exchange.outcome == .accepted || isAbsent, let text = reader.text(key),
      let number = number(ofKey: text, exchange)
    else { return }
    enter(exchange, as: isAbsent ? .absent : .shown, key: number) { $0.outcome = .accepted }
  }

  mutating func recordBatch(
    _ exchange: StateExchange, _ reader: inout StateExchangeReader, _ batch: StateTap.Batch
  ) {
    guard exchange.outcome == .accepted else { return }
    guard let messages = reader.requested(batch.messages) else {
      return missAnswer(exchange, "the messages of the request are not JSON")
    }
    guard let tickets = reader.all(batch.tickets) else { return missAnswer(exchange, Self.unreadable) }
    enter(exchange, as: .batch) { ($0.a, $0.b) = (Int64(messages.count), Int64(tickets.count)) }
    guard messages.count == tickets.count else { return }
    for (place, (message, ticket)) in zip(messages, tickets).enumerated() {
      let id = batch.id.values(in: ticket).first?.stateText
      let facts = Self.facts(of: message, hasID: id != nil, batch)
      var given: Int32?
      if let id {
        given = number(ofKey: id, exchange)
        guard given != nil else { continue }
      }
      enter(exchange, as: .ticket) { ($0.a, $0.b, $0.c) = (Int64(place), facts.rawValue, given ?? $0.c) }
    }
  }

  /// The facts that a message reports on its ticket; none where it lacks the field for them.
  private static func facts(of message: JSONValue, hasID: Bool, _ batch: StateTap.Batch) -> TicketFacts {
    func isMarked(_ glob: StateGlob?) -> Bool? {
      glob.flatMap { glob in glob.field.values(in: message).first.map { glob.matches($0.stateText) } }
    }
    var facts: TicketFacts = []
    if isMarked(batch.marks) == hasID { facts.insert(.isWrong) }
    if let fails = isMarked(batch.fails) { facts.insert(fails ? .mustFail : .mustArrive) }
    return facts
  }

  mutating func recordReceipts(
    _ exchange: StateExchange, _ reader: inout StateExchangeReader, _ asked: StateSource, _ found: JSONPath,
    _ arrives: StateTap.ReceiptMatch?
  ) {
    guard exchange.outcome == .accepted else { return }
    guard let wanted = reader.requested(asked)?.map(\.stateText) else {
      return missAnswer(exchange, "the request names no ids")
    }
    guard let values = reader.all(found) else { return missAnswer(exchange, Self.unreadable) }
    var there: [String: JSONValue?] = [:]
    for value in values {
      if case .object(let object) = value {
        for member in object.members { there[member.key] = member.value }
      } else {
        there.updateValue(nil, forKey: value.stateText)
      }
    }
    for id in wanted {
      guard let number = number(ofKey: id, exchange) else { continue }
      enter(exchange, as: .asked) { ($0.c, $0.a) = (number, there.keys.contains(id) ? 1 : 0) }
    }
    let isWanted = Set(wanted)
    for (id, receipt) in there.sorted(by: { $0.key < $1.key }) {
      guard let number = number(ofKey: id, exchange) else { continue }
      var entry = exchange
      (entry.role, entry.key, entry.c) = (.receipt, -1, number)
      entry.a = isWanted.contains(id) ? 0 : 1
      if let arrives, let receipt {
        if let says = arrives.field.values(in: receipt).first?.stateText {
          entry.actor = log.names.number(of: says)
          entry.b = (says == arrives.value) == arrives.isEqual ? 0 : 1
        } else {
          missAnswer(exchange, "a receipt does not name the outcome of its message")
        }
      }
      log.exchanges.append(entry)
    }
  }
}
