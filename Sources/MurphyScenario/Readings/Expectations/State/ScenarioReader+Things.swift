import MurphyDocument
import MurphyJSON
import MurphyModel

/// Invariants over things with an id: sets, and messages with their tickets and receipts.
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
      report("message is a place in the body, as body[*]", at: node)
    }
    let batch = StateTap.Batch(
      messages: messages, tickets: tickets, id: id, marks: place(entries["marks"], "marks", StateText.glob),
      fails: place(entries["fails"], "fails", StateText.glob))
    var taps = [StateTap(send, .send(batch))]
    if let receipts = operation(entries["receipts"], "receipts") {
      guard let asked = source(entries, "asked"), let found = query(entries["found"], "found") else {
        report(
          "receipts need \"asked\" and \"found\": the ids in the request and in the answer", at: entries.node, width: 1)
        return nil
      }
      taps.append(StateTap(receipts, .receipts(asked: asked, found: found, arrives: arrival(entries))))
    }
    for (key, needed) in [("receipt", "receipts"), ("fails", "receipt")] where entries.has(key) && !entries.has(needed)
    {
      report("\"\(key)\" needs \"\(needed)\"", at: entries.keyNode(key))
    }
    return expectation(.delivery, nil, taps, entries, mark)
  }

  /// What a receipt says of a message that arrived.
  private func arrival(_ entries: Entries) -> StateTap.ReceiptMatch? {
    guard let node = entries["receipt"], let match = place(node, "receipt", StateText.match) else { return nil }
    guard case .answer(let field) = match.source else {
      report("receipt is a place within a receipt, as $.status == ok", at: node)
      return nil
    }
    return StateTap.ReceiptMatch(field: field, isEqual: match.isEqual, value: match.value)
  }
}
