import MurphyJSON
import MurphyModel
import MurphyScenario

/// Sets and deliveries: one exchange tells of many things.
extension StateRecorder {
  mutating func recordCreation(_ exchange: StateExchange, _ reader: StateExchangeReader, _ id: JSONPath) {
    var created = exchange
    created.role = .create
    created.key = -1
    if exchange.outcome == .accepted {
      guard let text = reader.values(id).first?.stateText else {
        return missWrite(exchange, "the answer of a creation shows no id")
      }
      guard let number = number(ofKey: text, exchange) else { return }
      created.key = number
    }
    log.exchanges.append(created)
  }

  mutating func recordList(_ exchange: StateExchange, _ reader: StateExchangeReader, _ ids: JSONPath, _ isWhole: Bool) {
    guard exchange.outcome == .accepted else { return }
    var list = exchange
    list.role = .list
    list.key = -1
    if isWhole { log.exchanges.append(list) }
    for value in reader.values(ids) {
      guard let number = number(ofKey: value.stateText, exchange) else { continue }
      var shown = exchange
      (shown.role, shown.key, shown.b) = (.shown, number, isWhole ? 1 : 0)
      log.exchanges.append(shown)
    }
  }

  mutating func recordLook(
    _ exchange: StateExchange, _ reader: inout StateExchangeReader, _ key: StateSource
  ) {
    let isAbsent = exchange.status == 404 || exchange.status == 410
    guard exchange.outcome == .accepted || isAbsent, let text = reader.text(key),
      let number = number(ofKey: text, exchange)
    else { return }
    var seen = exchange
    (seen.role, seen.key, seen.outcome) = (isAbsent ? .absent : .shown, number, .accepted)
    log.exchanges.append(seen)
  }

  mutating func recordBatch(
    _ exchange: StateExchange, _ reader: inout StateExchangeReader, _ batch: StateTap.Batch
  ) {
    guard exchange.outcome == .accepted else { return }
    let messages = reader.requestValues(batch.messages)
    let tickets = reader.values(batch.tickets)
    var sent = exchange
    (sent.role, sent.key) = (.batch, -1)
    (sent.a, sent.b) = (Int64(messages.count), Int64(tickets.count))
    log.exchanges.append(sent)
    guard messages.count == tickets.count else { return }
    for (place, (message, ticket)) in zip(messages, tickets).enumerated() {
      let id = batch.id.values(in: ticket).first?.stateText
      var given = exchange
      (given.role, given.key, given.a, given.b) = (.ticket, -1, Int64(place), 0)
      if let marks = batch.marks, let field = marks.field.values(in: message).first?.stateText {
        given.b = marks.matches(field) == (id != nil) ? 1 : 0
      }
      if let id {
        guard let number = number(ofKey: id, exchange) else { continue }
        given.c = number
      }
      log.exchanges.append(given)
    }
  }

  mutating func recordReceipts(
    _ exchange: StateExchange, _ reader: inout StateExchangeReader, _ asked: StateSource, _ found: JSONPath
  ) {
    guard exchange.outcome == .accepted else { return }
    let wanted = reader.requestValues(asked).map(\.stateText)
    var there: Set<String> = []
    for value in reader.values(found) {
      if case .object(let object) = value { there.formUnion(object.keys) } else { there.insert(value.stateText) }
    }
    for id in wanted {
      guard let number = number(ofKey: id, exchange) else { continue }
      var entry = exchange
      (entry.role, entry.key, entry.c, entry.a) = (.asked, -1, number, there.contains(id) ? 1 : 0)
      log.exchanges.append(entry)
      guard there.contains(id) else { continue }
      (entry.role, entry.a, entry.b) = (.receipt, 0, 0)
      log.exchanges.append(entry)
    }
    for id in there.subtracting(wanted) {
      guard let number = number(ofKey: id, exchange) else { continue }
      var entry = exchange
      (entry.role, entry.key, entry.c, entry.a, entry.b) = (.receipt, -1, number, 1, 0)
      log.exchanges.append(entry)
    }
  }
}
