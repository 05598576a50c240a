import MurphyContract
import MurphyJSON
import MurphyModel
import MurphyTransport

/// What a walk asks of one collection, and in which order: what decides most comes first.
struct CollectionVisit {
  let client: WalkClient
  let shape: CollectionShape
  let relations: ContractRelations
  let contract: Contract
  let isAlone: Bool
  /// Nothing that was sent before may still take effect, and nobody else writes.
  let isStill: Bool
  let callers: [WalkCaller]
  let items: (shape: ItemShape, caller: WalkCaller)?
  /// By the place of an item's count: who asks for the list.
  let lists: [WalkCaller?]
  /// The rows of the first page, for values to filter by and items to ask for.
  private(set) var rows: [JSONValue] = []
  private(set) var total: Int64 = -1
  private(set) var first: WalkClient.Answer?
  /// What the first page was asked with.
  private(set) var firstSize = 0

  private static let pagesOfAWalk = 60
  private static let pagesAmongStrangers = 6
  private static let sorts = 4

  init(
    _ client: WalkClient, _ shape: CollectionShape, _ relations: ContractRelations, _ contract: Contract,
    isAlone: Bool, isStill: Bool, callers: [WalkCaller], items: (ItemShape, WalkCaller)?,
    lists: [WalkCaller?]
  ) {
    self.client = client
    self.shape = shape
    self.relations = relations
    self.contract = contract
    self.isAlone = isAlone
    self.isStill = isStill
    self.callers = callers
    self.items = items
    self.lists = lists
  }

  mutating func run() async {
    guard let caller = callers.first else { return }
    await look(caller)
    guard first != nil else { return }
    let second = callers.count > 1 ? callers[1] : caller
    await WalkProbes(client, shape.operation, contract) { caller.request(method: $0, headers: $1) }.run()
    await readItems(callers.last ?? second)
    await sort(second)
    let third = callers.count > 2 ? callers[2] : second
    await filter(third)
    await search(third)
    await count(callers.last ?? second)
    if let cursor = shape.cursor { await follow(cursor, second) }
    // The longest comes last: what the time is too short for is said to be untested.
    if shape.isPaged { await walk(caller, by: []) }
  }

  /// The size of a page: small enough for several of them, and large enough for few requests.
  var size: Int {
    let most = min(shape.limit?.maximum ?? max(shape.limit?.standard ?? 20, 1), 100)
    guard total > 0, total < most * 2 else { return most }
    return max(Int((total + 2) / 3), shape.limit?.minimum ?? 1, 1)
  }

  func paging(_ number: Int, _ size: Int) -> [(String, String)] {
    var query: [(String, String)] = []
    if let limit = shape.limit { query.append((limit.name, String(size))) }
    if let offset = shape.offset {
      query.append((offset.name, String(number * size)))
    } else if let page = shape.page, let first = page.first {
      query.append((page.name, String(first + number)))
    }
    return query
  }

  /// The first page, as large as may be.
  private mutating func look(_ caller: WalkCaller) async {
    client.session += 1
    firstSize = size
    guard let request = caller.request(paging(0, firstSize)), let answer = await client.ask(request, shape.operation),
      answer.status == 200, let page = client.page(answer)
    else { return }
    first = answer
    total = page.total
    rows = Self.rows(answer, shape)
  }

  static func rows(_ answer: WalkClient.Answer, _ shape: CollectionShape) -> [JSONValue] {
    var value = answer.value
    for name in shape.items { value = value?[name] }
    return value?.array ?? []
  }

  /// Page after page to the end, or as far as it goes. Among strangers each page is read again after the next one.
  private func walk(_ caller: WalkCaller, by query: [(String, String)], most: Int? = nil) async {
    client.session += 1
    let size = size
    let pages = most ?? (isAlone ? Self.pagesOfAWalk : Self.pagesAmongStrangers)
    var end: WalkClient.Answer?
    for number in 0..<pages {
      guard let request = caller.request(query + paging(number, size)),
        let answer = await client.ask(request, shape.operation), answer.status == 200
      else { return }
      let count = Self.rows(answer, shape).count
      if let end, !Set(client.ids(answer)).isSubset(of: client.ids(end)) { noteEnd(end, before: answer) }
      end = shape.next != nil && isNull(shape.next, in: answer) ? answer : nil
      follow(answer, number, size)
      if !isAlone, number > 0, let again = caller.request(query + paging(number - 1, size)) {
        _ = await client.ask(again, shape.operation)
      }
      if count < size { return }
    }
  }

  private func isNull(_ path: [String]?, in answer: WalkClient.Answer) -> Bool {
    var value = answer.value
    for name in path ?? [] { value = value?[name] }
    return value == .null
  }

  /// A page without a next one, and the next one with items.
  private func noteEnd(_ end: WalkClient.Answer, before answer: WalkClient.Answer) {
    guard isStill, let path = shape.next else { return }
    client.note(
      RelationLog.Probe(
        operation: Int32(shape.operation), rule: .next,
        message: "\(path.joined(separator: ".")) is null, and the next page has items",
        evidence: client.evidence(answer, after: end)))
  }

  /// Whether the link to the next page names the next page.
  private func follow(_ answer: WalkClient.Answer, _ number: Int, _ size: Int) {
    guard let path = shape.next else { return }
    var value = answer.value
    for name in path { value = value?[name] }
    guard let link = value?.string, let query = link.split(separator: "?", maxSplits: 1).dropFirst().first else {
      return
    }
    for pair in query.split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, let found = Int(parts[1]) else { continue }
      let name = String(parts[0])
      var expected: Int?
      if name == shape.offset?.name { expected = (number + 1) * size }
      if name == shape.page?.name, let first = shape.page?.first { expected = first + number + 1 }
      guard let expected else { continue }
      client.note(
        RelationLog.Probe(
          operation: Int32(shape.operation), rule: .next,
          message: found == expected
            ? nil : "the link to the next page has \(name)=\(found), and the next page has \(name)=\(expected)",
          evidence: found == expected ? nil : client.evidence(answer)))
    }
  }

  /// Two pages in each order that names a field, and one behind the end.
  private func sort(_ caller: WalkCaller) async {
    guard let sort = shape.sort else { return }
    for value in sort.keys.keys.sorted().prefix(Self.sorts * 2) {
      let ways = sort.keys[value]?.isDescending == nil ? shape.direction?.values.keys.sorted() ?? [] : []
      let directions: [String?] = ways.isEmpty ? [nil] : ways
      for way in directions {
        var query = [(sort.name, value)]
        if let way, let direction = shape.direction { query.append((direction.name, way)) }
        await walk(caller, by: query, most: shape.isPaged ? 2 : 1)
      }
    }
  }

  /// One filter, two filters, and each again, so that each answer stands between two of the other.
  private func filter(_ caller: WalkCaller) async {
    let values = shape.filters.compactMap { filter in
      rows.lazy.compactMap { Self.text($0[filter.name]) }.first.map { (filter.name, $0) }
    }
    for value in values.prefix(Self.sorts) { await walk(caller, by: [value], most: 2) }
    guard values.count >= 2 else { return }
    for query in [[values[0]], [values[0], values[1]], [values[0]], [values[1]], [values[0], values[1]], [values[1]]] {
      await walk(caller, by: query, most: 1)
    }
  }

  private static func text(_ value: JSONValue?) -> String? {
    switch value {
    case .string(let text)?: text
    case .number(let number)?: number.int.map(String.init)
    case .bool(let truth)?: String(truth)
    default: nil
    }
  }
}
