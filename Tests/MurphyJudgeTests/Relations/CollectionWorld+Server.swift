import Foundation
import MurphyModel
import Simulation

/// Time, writes and the server.
extension CollectionWorld {
  mutating func pass(_ most: Double) {
    let end = now + random.unit() * most
    while due <= end {
      write(at: due)
      due += random.exponential(mean: 1 / rate)
    }
    now = end
  }

  mutating func write(at moment: Double) {
    var id = 0
    let operation: String
    switch random.index(below: 5) {
    case 0:
      next += 1
      let new = row(next)
      items[next] = new
      operation = "createItem"
    case 1:
      guard !items.isEmpty else { return }
      id = pick(items.keys.sorted())
      items[id] = nil
      operation = "deleteItem"
    default:
      guard !items.isEmpty else { return }
      id = pick(items.keys.sorted())
      let score = random.index(below: 13)
      items[id]?.score = score
      if random.unit() < 0.3 {
        let status = pick(["open", "closed"])
        items[id]?.status = status
      }
      operation = "updateItem"
    }
    history.append((moment, items))
    let isLost = random.unit() < 0.05
    let (sent, end) = (moment - random.unit() * 0.03, moment + random.unit() * 0.03)
    guard isExclusive, let index = Self.contract.index(of: operation) else { return }
    log.writes.append(
      RelationLog.Write(
        operation: Int32(index), sent: Self.nanoseconds(sent), end: isLost ? .max : Self.nanoseconds(end),
        id: Int64(id)))
  }

  static func nanoseconds(_ seconds: Double) -> Int64 { Int64(seconds * 1e9) }

  func state(at moment: Double) -> [Int: Row] { history.last { $0.0 <= moment }?.1 ?? items }

  func key(_ row: Row, _ field: String) -> (String, Int) {
    switch field {
    case "score": return ("", row.score)
    case "created_at": return (row.created, 0)
    case "name":
      switch kind.collation {
      case 0: return (row.name, 0)
      case 1: return (row.name.lowercased() + "\u{0}" + row.name, 0)
      default:
        let plain = row.name.lowercased().replacing("ä", with: "a").replacing("é", with: "e")
        return (plain.filter { $0.isLetter || $0.isNumber } + "\u{0}" + row.name.lowercased(), 0)
      }
    default: return ("", row.id)
    }
  }

  mutating func select(_ state: [Int: Row], _ ask: Ask) -> [Row] {
    var tests: [(Row) -> Bool] = []
    if let status = ask.status, fault != .filterDropped { tests.append { $0.status == status } }
    if let category = ask.category { tests.append { $0.category == category } }
    if let name = ask.name { tests.append { $0.name.lowercased().contains(name) } }
    if fault == .secondFilterDropped, tests.count > 1 { tests.removeFirst() }
    var rows = Array(state.values).filter { row in
      tests.isEmpty || (kind.isUnion ? tests.contains { $0(row) } : tests.allSatisfy { $0(row) })
    }
    rows.sort { $0.id < $1.id }
    if fault == .unstableTies {
      for index in rows.indices.reversed().dropLast() { rows.swapAt(index, random.index(below: index + 1)) }
    }
    let field = fault == .sortIgnored ? "id" : ask.sort ?? "id"
    let isDescending = fault == .orderIgnored || ask.order == "desc"
    let keyed = rows.enumerated().map { ($0, key($1, field), $1) }
    return keyed.sorted { left, right in
      // UTF-8 bytes, as a binary collation has them; equal keys keep their places.
      let (a, b) = isDescending ? (right, left) : (left, right)
      if a.1.0 != b.1.0 { return a.1.0.utf8.lexicographicallyPrecedes(b.1.0.utf8) }
      if a.1.1 != b.1.1 { return a.1.1 < b.1.1 }
      return left.0 < right.0
    }.map(\.2)
  }

  @discardableResult
  mutating func list(_ ask: Ask, walk: Int) -> Int {
    pass(0.02)
    let sent = now
    pass(0.03)
    var state = state(at: now - random.unit() * kind.lag)
    if kind.cache > 0 {
      if let known = cached[ask.target], known.0 > now - kind.cache {
        state = known.1
      } else {
        cached[ask.target] = (now, state)
      }
    }
    var rows = select(state, ask)
    var total = rows.count
    if fault == .droppedRow { rows.removeAll { hidden.contains($0.id) } }
    if fault == .totalOfAll { total = state.count }
    if fault == .totalWavers, random.unit() < share { total += 1 }
    var offset = ask.offset
    if fault == .pagesOverlap, offset > 0 { offset -= 1 }
    if fault == .pagesSkip, offset > 0 { offset += 1 }
    var shown = Array(rows.dropFirst(offset).prefix(ask.limit + (fault == .oneTooMany ? 1 : 0)))
    if fault == .listShowsOld, !shown.isEmpty, random.unit() < share {
      shown[0].status = shown[0].status == "open" ? "closed" : "open"
    }
    pass(0.02)
    let echo = ask.limit + (fault == .echoWrong ? 1 : 0)
    let head = kind.hasTotal ? "\"total\":\(total)," : ""
    let texts = shown.map { json($0, isBrief: kind.isBrief) }
    let body = "{\"data\":[\(texts.joined(separator: ","))],\(head)\"limit\":\(echo),\"offset\":\(ask.offset)}"
    receive(body, "listItems", ask.target, sent, walk)
    for row in shown { reading(row, sent, isRow: true) }
    return shown.count
  }

  mutating func get(_ id: Int) {
    pass(0.02)
    let sent = now
    pass(0.03)
    let state = state(at: now - random.unit() * kind.lag)
    var row = state[kind.hasAlias && id == 1 ? 2 : id]
    pass(0.02)
    if fault == .otherItem, random.unit() < share, !state.isEmpty { row = state[pick(state.keys.sorted())] }
    guard let row else { return }
    receive(json(row, isBrief: false), "getItem", "/items/\(id)", sent, 0)
    if row.id == id { reading(row, sent, isRow: false) }
  }

  mutating func json(_ row: Row, isBrief: Bool) -> String {
    if kind.countsViews { views += 1 }
    return """
      {"id":\(row.id),"name":"\(row.name)","score":\(row.score),"created_at":"\(row.created)",\
      "status":"\(row.status)","category_id":\(row.category.map(String.init) ?? "null"),\
      "text":"\(isBrief ? String(row.text.prefix(10)) : row.text)","views":\(kind.countsViews ? views : 0)}
      """
  }
}
