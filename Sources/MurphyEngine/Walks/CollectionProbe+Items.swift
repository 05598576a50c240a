import MurphyContract
import MurphyModel
import MurphySchema

/// Single items compared with lists of them.
extension CollectionProbe {
  private static let itemsAsked = 4
  private static let lists = 4

  /// Single items, lists of them, and the items again.
  func readItems(_ caller: WalkCaller) async {
    guard let items, let id = shape.id, !rows.isEmpty else { return }
    let wanted = rows.prefix(Self.itemsAsked).compactMap { $0[id.name] }
    // The first one is read twice. If two workers respond in turn, an even number of requests would read each item from
    // the same worker every time.
    func askItems() async {
      for value in wanted + wanted.prefix(1) {
        guard let request = items.caller.request(item: (items.shape.parameter, value)),
          let answer = await client.ask(request, items.shape.operation), answer.status == 200,
          let body = answer.member(items.shape.path), body[items.shape.field] == value
        else { continue }
        // A list and an item have different paths, so only the caller must be the same.
        recordFields(body, answer, isRow: false)
      }
    }
    if let first = wanted.first {
      let name = items.shape.parameter
      await WalkProbes(client: client, operation: items.shape.operation, contract: contract) { method, headers in
        items.caller.request(item: (name, first), method: method, headers: headers)
      }.run()
    }
    await askItems()
    for list in 0..<Self.lists {
      client.session += 1
      guard let answer = await ask(caller, paging(0, firstSize)) else { return }
      for row in rows(answer) where wanted.contains(row[id.name] ?? .null) {
        recordFields(row, answer, isRow: true)
      }
      if list == Self.lists / 2 { await askItems() }
    }
    await askItems()
  }

  private func recordFields(_ value: JSONValue, _ answer: WalkClient.Answer, isRow: Bool) {
    guard let id = shape.id, let name = value[id.name],
      let number = id.isInteger ? name.int.map(Int64.init) : name.string.map({ Int64(bitPattern: RelationHash.of($0)) })
    else { return }
    client.recordFields(of: shape.operation, value.object?.map(\.key) ?? [], isRow: isRow)
    let fields = shape.fields.map { field -> UInt64 in
      guard let member = value[field] else { return 0 }
      // 1.0 and 1 are one number.
      let text = member.number.map { $0.int.map(String.init) ?? String(Double($0.text) ?? 0) } ?? member.text
      let hash = RelationHash.of(text) | 1
      client.recordText(String(text.prefix(80)), of: hash)
      return hash
    }
    client.recordReading(
      RelationLog.Reading(
        operation: Int32(shape.operation), request: client.number(of: answer.request), sent: answer.sent,
        answered: answer.answered, age: answer.age, view: 0, id: number, isRow: isRow, fields: fields))
  }
}
