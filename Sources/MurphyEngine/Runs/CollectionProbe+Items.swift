import MurphyContract
import MurphyHTTP
import MurphyModel
import MurphySchema

/// Single items compared with lists of them.
extension CollectionProbe {
  private static let itemsRequested = 4
  private static let lists = 4

  /// Single items, lists of them, and the items again.
  func readItems(_ caller: WalkCaller) async {
    guard let items, let id = shape.id, !rows.isEmpty else { return }
    let wanted = rows.prefix(Self.itemsRequested).compactMap { $0[id.name] }
    // The first one is read twice. If two workers respond in turn, an even number of requests would read each item from
    // the same worker every time.
    func requestItems() async {
      for value in wanted + wanted.prefix(1) {
        guard let request = items.caller.request(item: (items.shape.parameter, value)),
          let response = await client.send(request, items.shape.operation), response.status == 200,
          let body = response.member(items.shape.path), body[items.shape.field] == value
        else { continue }
        // A list and an item have different paths, so only the caller must be the same.
        recordFields(body, response, isRow: false)
      }
    }
    if let first = wanted.first {
      let name = items.shape.parameter
      await WalkProbes(client: client, operation: items.shape.operation, contract: contract) { method, headers in
        items.caller.request(item: (name, first), method: method, headers: headers)
      }.run()
    }
    await requestItems()
    for list in 0..<Self.lists {
      client.session += 1
      guard let response = await send(caller, paging(0, firstSize)) else { return }
      for row in rows(response) where wanted.contains(row[id.name] ?? .null) {
        recordFields(row, response, isRow: true)
      }
      if list == Self.lists / 2 { await requestItems() }
    }
    await requestItems()
  }

  private func recordFields(_ value: JSONValue, _ response: WalkClient.Response, isRow: Bool) {
    guard let id = shape.id, let name = value[id.name],
      let number = id.isInteger ? name.int.map(Int64.init) : name.string.map({ Int64(bitPattern: RelationHash.of($0)) })
    else { return }
    client.recordFields(of: shape.operation, value.object?.map(\.key) ?? [], isRow: isRow)
    let fields = shape.fields.map { field -> UInt64 in
      guard let member = value[field] else { return 0 }
      // 1.0 and 1 are one number.
      let text = member.number.map { $0.int.map(String.init) ?? String(Double($0.text) ?? 0) } ?? member.text
      let hash = RelationHash.of(text) | 1
      client.recordText(text.shortened(to: 80), of: hash)
      return hash
    }
    client.recordReading(
      RelationLog.Reading(
        operation: Int32(shape.operation), request: client.number(of: response.request), sent: response.sent,
        answered: response.answered, age: response.age, view: 0, id: number, isRow: isRow, fields: fields))
  }
}

/// The counts in an item, compared with its lists.
extension CollectionProbe {
  private static let itemsCounted = 3

  private struct Sum {
    var said: Int
    var total: Int
    var item: WalkClient.Response
    var list: WalkClient.Response
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
      client.recordResult(
        .counts, of: items.shape.operation,
        wrong.first.map { "\(name) is \($0.said), but the total of the list is \($0.total)" }, wrong.first?.list,
        after: wrong.first?.item, severity: isSure ? .error : .warning)
    }
  }

  private func sum(
    _ count: ItemShape.Count, _ list: WalkCaller, of value: JSONValue, _ items: (shape: ItemShape, caller: WalkCaller)
  ) async -> Sum? {
    let shape = relations.collections[count.collection]
    guard let parameter = shape.parent?.parameter ?? contract.lastPathParameter(of: shape.operation),
      let request = items.caller.request(item: (items.shape.parameter, value)),
      let response = await client.send(request, items.shape.operation), response.status == 200,
      let said = response.member(items.shape.path + count.path)?.int,
      let below = list.request(item: (parameter, value)),
      let page = await client.send(below, shape.operation), page.status == 200,
      let total = page.member(shape.total ?? [])?.int
    else { return nil }
    return Sum(said: said, total: total, item: response, list: page)
  }
}

extension Contract {
  /// The name of the last parameter in an operation's path.
  fileprivate func lastPathParameter(of operation: Int) -> String? {
    operations[operation].path.split(separator: "/").last { $0.hasPrefix("{") && $0.hasSuffix("}") }
      .map { String($0.dropFirst().dropLast()) }
  }
}

/// Requests the created items of the load at the locations in the responses (RFC 9110 §10.2.2, §15.3.2).
struct LocationVisit {
  let client: WalkClient
  let contract: Contract
  /// The record of the finished load.
  let record: RunRecord
  let origin: Origin

  func run() async {
    for created in record.relations.created {
      // Another origin gets no request, and an item that may be deleted by now need not exist.
      guard case .within(let target) = Redirect(created.location, from: created.target, at: origin),
        !mayBeDeleted(target)
      else { continue }
      let headers = created.headers.filter { !Self.aboutTheBody.contains($0.name.lowercased()) }
      let request = HTTPRequest(method: "GET", target: target, headers: headers)
      guard let response = await client.send(request, Int(created.operation)) else { return }
      let isBeside = target.prefix { $0 != "?" }.split(separator: "/").dropLast().elementsEqual(
        created.target.prefix { $0 != "?" }.split(separator: "/"))
      recordResult(
        complaint(response, created), response, created,
        severity: isBeside || response.status != 200 ? .error : .warning)
    }
  }

  private static let aboutTheBody: Set<String> = ["content-type", "content-length", "idempotency-key", "if-match"]

  /// - Parameter severity: the id at a location elsewhere than the request's path may belong to another item.
  private func recordResult(
    _ message: String?, _ response: WalkClient.Response, _ created: RelationLog.Created, severity: Finding.Severity
  ) {
    // A rejection, a failure or an unreadable response does not show the location of the item.
    guard message != nil || response.status == 200 else { return }
    client.recordResult(.location, of: Int(created.operation), message, response, severity: severity)
  }

  private func complaint(_ response: WalkClient.Response, _ created: RelationLog.Created) -> String? {
    if response.status == 404 || response.status == 410 {
      return "the Location of the created item returns \(response.status)"
    }
    guard response.status == 200, let made = Self.id(try? JSONValue.parse(created.body)),
      let found = Self.id(response.value),
      made != found
    else { return nil }
    return "the Location of the created item returns another item"
  }

  /// The `id` of an item, also within `data` and similar fields.
  private static func id(_ value: JSONValue?) -> JSONValue? { value?["id"] ?? value?["data"]?["id"] }

  private func mayBeDeleted(_ target: String) -> Bool {
    let path = target.prefix { $0 != "?" }.split(separator: "/")
    let called = Set(record.operations.filter { $0.sent > 0 }.map(\.operation))
    return contract.operations.contains { operation in
      guard operation.method == "DELETE", called.contains(operation.id) else { return false }
      let pattern = operation.path.split(separator: "/")
      return pattern.count <= path.count && zip(pattern, path).allSatisfy { $0.hasPrefix("{") || $0 == $1 }
    }
  }
}
