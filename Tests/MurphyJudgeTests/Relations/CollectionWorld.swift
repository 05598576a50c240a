import Foundation
import MurphyContract
import MurphyJSON
import MurphyJudge
import MurphyModel
import MurphyScenario
import Simulation

/// A collection and its server of one of many conforming kinds, or with a fault; clients and writers; and what
/// murphy's own reader keeps of its answers. Seconds.
struct CollectionWorld {
  enum Fault: String, CaseIterable {
    case oneTooMany, echoWrong, filterDropped, secondFilterDropped, orderIgnored, sortIgnored, totalOfAll, totalWavers
    case pagesOverlap, pagesSkip, droppedRow, unstableTies, listShowsOld, otherItem
  }

  struct Row {
    var id: Int
    var name: String
    var score: Int
    var created: String
    var status: String
    var category: Int?
    var text: String
  }

  struct Ask {
    var limit = 5
    var offset = 0
    var sort: String?
    var order: String?
    var status: String?
    var category: Int?
    var name: String?

    var target: String {
      var parts = ["limit=\(limit)", "offset=\(offset)"]
      if let sort { parts.append("sort=\(sort)") }
      if let order { parts.append("order=\(order)") }
      if let status { parts.append("status=\(status)") }
      if let category { parts.append("category_id=\(category)") }
      if let name { parts.append("name=\(name)") }
      return "/items?" + parts.joined(separator: "&")
    }
  }

  private struct Kind {
    var collation = 0
    var nullsFirst = false
    var cache = 0.0
    var lag = 0.0
    var isBrief = false
    var countsViews = false
    var hasAlias = false
    var hasTotal = true
    var isUnion = false
  }

  private static let words = """
    apple Apple äpfel Zebra zebra bread-7 item10 item9 éclair oak Oak elm birch pine fir cedar ash yew
    """.split(separator: " ").map(String.init)

  private var random: RandomSource
  private var kind = Kind()
  private let fault: Fault?
  private let share: Double
  private let rate: Double
  let isExclusive: Bool
  private var items: [Int: Row] = [:]
  private var next: Int
  private var now = 0.0
  private var due = Double.infinity
  private var history: [(Double, [Int: Row])] = []
  private var cached: [String: (Double, [Int: Row])] = [:]
  private var hidden: Set<Int> = []
  private var views = 0
  private var log = RelationLog()
  private let reader: RelationReader
  private let parser = TapeParser()
  private(set) var exchanges = 0

  /// - Parameters:
  ///   - share: of the answers that show the fault, where not all do.
  ///   - rate: writes a second.
  ///   - exclusive: whether all writers are known.
  init(
    seed: UInt64, fault: Fault? = nil, share: Double = 1, count: Int? = nil, rate: Double? = nil, exclusive: Bool? = nil
  ) {
    random = RandomSource(seed: seed)
    self.fault = fault
    self.share = share
    var draw = random
    let count = count ?? 8 + draw.index(below: 33)
    if fault == nil {
      kind.cache = [0, 0, 0, 0.5][draw.index(below: 4)]
      kind.lag = [0, 0, 0, 0.1][draw.index(below: 4)]
      kind.hasTotal = draw.unit() < 0.9
      kind.isUnion = draw.unit() < 0.1
    }
    kind.collation = draw.index(below: 3)
    kind.nullsFirst = draw.unit() < 0.5
    kind.isBrief = draw.unit() < 0.2
    kind.countsViews = draw.unit() < 0.2
    kind.hasAlias = draw.unit() < 0.2
    self.rate = rate ?? [0, 0, 2, 20][draw.index(below: 4)]
    isExclusive = exclusive ?? (draw.unit() < 0.6)
    next = count
    reader = RelationReader(ContractRelations(Self.contract))
    random = draw
    for id in 1...count {
      let new = row(id)
      items[id] = new
    }
    history = [(-.infinity, items)]
    if fault == .droppedRow { for id in items.keys.sorted() where random.unit() < share { hidden.insert(id) } }
    if self.rate > 0 { due = random.exponential(mean: 1 / self.rate) }
  }

  private mutating func pick<Element>(_ all: [Element]) -> Element { all[random.index(below: all.count)] }

  private mutating func row(_ id: Int) -> Row {
    Row(
      id: id, name: pick(Self.words) + pick(["", "", String(random.index(below: 99) + 1)]),
      score: random.index(below: 13),
      created: String(format: "2024-01-%02dT10:00:00Z", random.index(below: 28) + 1), status: pick(["open", "closed"]),
      category: pick([nil, 1, 2, 3]), text: String(repeating: "x", count: random.index(below: 30) + 1))
  }

  // MARK: time and writes

  private mutating func pass(_ most: Double) {
    let end = now + random.unit() * most
    while due <= end {
      write(at: due)
      due += random.exponential(mean: 1 / rate)
    }
    now = end
  }

  private mutating func write(at moment: Double) {
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

  private static func nanoseconds(_ seconds: Double) -> Int64 { Int64(seconds * 1e9) }

  private func state(at moment: Double) -> [Int: Row] { history.last { $0.0 <= moment }?.1 ?? items }

  // MARK: the server

  private func key(_ row: Row, _ field: String) -> (String, Int) {
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

  private mutating func select(_ state: [Int: Row], _ ask: Ask) -> [Row] {
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

  private mutating func json(_ row: Row, isBrief: Bool) -> String {
    if kind.countsViews { views += 1 }
    return """
      {"id":\(row.id),"name":"\(row.name)","score":\(row.score),"created_at":"\(row.created)",\
      "status":"\(row.status)","category_id":\(row.category.map(String.init) ?? "null"),\
      "text":"\(isBrief ? String(row.text.prefix(10)) : row.text)","views":\(kind.countsViews ? views : 0)}
      """
  }

  // MARK: murphy

  private mutating func receive(_ body: String, _ name: String, _ target: String, _ sent: Double, _ walk: Int) {
    exchanges += 1
    guard let operation = Self.contract.index(of: name) else { return }
    Array(body.utf8).withUnsafeBytes { bytes in
      guard case .tape(let tape) = parser.parse(bytes) else { return }
      reader.begin()
      reader.read(tape, operation: operation, target: target)
      guard reader.subject != .none else { return }
      let age = Self.nanoseconds(kind.cache)
      for doubt in reader.doubts {
        var doubt = doubt
        doubt.operation = Int32(operation)
        (doubt.sent, doubt.answered, doubt.age) = (Self.nanoseconds(sent), Self.nanoseconds(now), age)
        log.doubts.append(doubt)
      }
      guard reader.subject == .page else { return }
      let first = Int32(log.ids.count)
      log.ids += reader.ids
      let reading = reader.page
      if reader.request < 0 { reader.request = Int32(log.pages.count) }
      var page = RelationLog.Page(
        operation: Int32(operation), request: reader.request, sent: Self.nanoseconds(sent),
        answered: Self.nanoseconds(now), age: age, view: 1, filters: reading.filters, order: reading.order,
        limit: reading.limit, offset: reading.offset, total: reading.total, ids: first..<Int32(log.ids.count),
        session: Int64(walk), isSearch: reading.isSearch)
      page.parts = reading.parts
      log.pages.append(page)
    }
  }

  private mutating func reading(_ row: Row, _ sent: Double, isRow: Bool) {
    guard let operation = Self.contract.index(of: "listItems") else { return }
    let text = isRow && kind.isBrief ? String(row.text.prefix(10)) : row.text
    let fields = [
      String(row.id), row.name, String(row.score), row.created, row.status, row.category.map(String.init) ?? "null",
      text, kind.countsViews ? "v\(exchanges)" : "0",
    ]
    log.readings.append(
      RelationLog.Reading(
        operation: Int32(operation), request: -1, sent: Self.nanoseconds(sent), answered: Self.nanoseconds(now),
        age: isRow ? Self.nanoseconds(kind.cache) : 0, view: 1, id: Int64(row.id), isRow: isRow,
        fields: fields.map { RelationHash.of($0) | 1 }))
  }

  /// One thing that clients do: a walk, a filtered list, two filters beside each alone, an item beside lists of it.
  mutating func step(_ number: Int) {
    var ask = Ask(limit: 3 + random.index(below: 6))
    let choice = random.unit()
    if random.unit() < 0.5 {
      ask.sort = pick(["score", "name", "created_at", "id"])
      ask.order = pick(["asc", "desc"])
    }
    if choice < 0.35 {
      if random.unit() < 0.4 { ask.status = pick(["open", "closed"]) }
      for page in 0..<30 {
        var turn = ask
        turn.offset = page * ask.limit
        let count = list(turn, walk: number)
        if page > 0, random.unit() < 0.25 {
          turn.offset -= ask.limit
          list(turn, walk: number)
        }
        if count < ask.limit { break }
      }
    } else if choice < 0.6 {
      for _ in 0..<random.index(below: 3) {
        switch random.index(below: 3) {
        case 0: ask.status = "open"
        case 1: ask.category = 2
        default: ask.name = "e"
        }
      }
      list(ask, walk: -number - 1)
    } else if choice < 0.8 {
      var (one, two, status) = (ask, ask, ask)
      one.category = pick([1, 2])
      (two.category, two.status, status.status) = (one.category, "open", "open")
      for turn in [one, two, one, status, two, status] { list(turn, walk: -number - 1) }
    } else {
      let id = random.index(below: max(next, 1)) + 1
      get(id)
      list(ask, walk: -number - 1)
      get(id)
      list(ask, walk: -number - 1)
      get(id)
    }
  }

  /// The findings of errors, by their kind.
  mutating func findings() -> [Finding] {
    reader.fill(&log)
    var record = RunRecord.sample
    record.relations = log
    for operation in Self.contract.operations {
      var entry = OperationRecord(operation: operation.id, method: operation.method, path: operation.path)
      entry.sent = 1
      record.operations.append(entry)
    }
    var scenario = Scenario(
      name: "world", file: "world.yaml", sessions: [], load: .open([]), expectations: Expectations())
    scenario.expectations.relations.all.stale = .nanoseconds(Self.nanoseconds(kind.lag))
    var run = JudgedRun(record, scenario, Self.contract)
    run.isAlone = isExclusive
    return RelationJudge.rule(on: run).findings.filter { $0.severity == .error }
  }

  static let contract: Contract = {
    do { return try Contract.parse(document, file: "world.yaml") } catch { fatalError("\(error)") }
  }()

  private static let document = """
    openapi: 3.1.0
    info: { title: World, version: "1" }
    paths:
      /items:
        get:
          operationId: listItems
          parameters:
            - { name: limit, in: query, schema: { type: integer, minimum: 1, maximum: 100, default: 20 } }
            - { name: offset, in: query, schema: { type: integer, minimum: 0, default: 0 } }
            - { name: sort, in: query, schema: { type: string, enum: [score, name, created_at, id], default: id } }
            - { name: order, in: query, schema: { type: string, enum: [asc, desc], default: asc } }
            - { name: status, in: query, schema: { type: string, enum: [open, closed] } }
            - { name: category_id, in: query, schema: { type: integer } }
            - { name: name, in: query, schema: { type: string } }
          responses:
            "200":
              description: A page.
              content:
                application/json:
                  schema:
                    type: object
                    properties:
                      data: { type: array, items: { $ref: "#/components/schemas/Item" } }
                      total: { type: integer }
                      limit: { type: integer }
                      offset: { type: integer }
        post: { operationId: createItem, responses: { "201": { description: Created. } } }
      /items/{id}:
        parameters: [ { name: id, in: path, required: true, schema: { type: integer } } ]
        get:
          operationId: getItem
          responses:
            "200":
              description: One.
              content: { application/json: { schema: { $ref: "#/components/schemas/Item" } } }
        patch: { operationId: updateItem, responses: { "200": { description: Changed. } } }
        delete: { operationId: deleteItem, responses: { "204": { description: Gone. } } }
    components:
      schemas:
        Item:
          type: object
          properties:
            id: { type: integer }
            name: { type: string }
            score: { type: integer }
            created_at: { type: string, format: date-time }
            status: { type: string, enum: [open, closed] }
            category_id: { type: [integer, "null"] }
            text: { type: string }
            views: { type: integer }
    """
}
