import MurphyContract
import MurphyModel
import MurphySchema

/// The counts in an item, compared with its lists.
extension CollectionProbe {
  private static let itemsCounted = 3

  private struct Sum {
    var said: Int
    var total: Int
    var item: WalkClient.Answer
    var list: WalkClient.Answer
  }

  /// If some sums are right, a wrong one is an error; if all are wrong, they may count something else.
  func count(_ caller: WalkCaller) async {
    guard isStill, let items, let id = shape.id, !items.shape.counts.isEmpty else { return }
    let wanted = rows.prefix(Self.itemsCounted).compactMap { $0[id.name] }
    for (place, count) in items.shape.counts.enumerated() {
      guard let list = lists[place] else { continue }
      var sums: [Sum] = []
      for value in wanted {
        if let sum = await sum(count, list, of: value, items) { sums.append(sum) }
      }
      guard sums.contains(where: { $0.said > 0 || $0.total > 0 }) else {
        if !sums.isEmpty {
          client.recordUntested(.counts, of: items.shape.operation, "every sublist of an item was empty")
        }
        continue
      }
      let wrong = sums.filter { $0.said != $0.total }
      let isSure = sums.contains { $0.said == $0.total && $0.total > 0 }
      let name = count.path.joined(separator: ".")
      client.recordProbe(
        RelationLog.Probe(
          operation: Int32(items.shape.operation), rule: .counts,
          message: wrong.first.map { "\(name) is \($0.said), but the total of the list is \($0.total)" },
          severity: isSure ? .error : .warning,
          evidence: wrong.first.map { client.evidence($0.list, after: $0.item) }))
    }
  }

  private func sum(
    _ count: ItemShape.Count, _ list: WalkCaller, of value: JSONValue, _ items: (shape: ItemShape, caller: WalkCaller)
  ) async -> Sum? {
    let shape = relations.collections[count.collection]
    guard let parameter = shape.parent?.parameter ?? contract.lastPathParameter(of: shape.operation),
      let request = items.caller.request(item: (items.shape.parameter, value)),
      let answer = await client.ask(request, items.shape.operation), answer.status == 200,
      let said = answer.member(items.shape.path + count.path)?.int,
      let below = list.request(item: (parameter, value)),
      let page = await client.ask(below, shape.operation), page.status == 200,
      let total = page.member(shape.total ?? [])?.int
    else { return nil }
    return Sum(said: said, total: total, item: answer, list: page)
  }
}

extension Contract {
  /// The name of the last parameter in an operation's path.
  fileprivate func lastPathParameter(of operation: Int) -> String? {
    operations[operation].path.split(separator: "/").last { $0.hasPrefix("{") && $0.hasSuffix("}") }
      .map { String($0.dropFirst().dropLast()) }
  }
}
