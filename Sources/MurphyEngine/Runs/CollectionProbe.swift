import MurphyContract
import MurphyHTTP
import MurphyModel
import MurphySchema

/// The requests of a walk to one collection, in order: the most decisive come first.
struct CollectionProbe {
  let client: WalkClient
  let shape: CollectionShape
  let relations: ContractRelations
  let contract: Contract
  let isAlone: Bool
  /// No earlier request may still take effect, and no other client writes.
  let isStill: Bool
  /// The scenario declares that a search finds no more when letters are added.
  let narrows: Bool
  let callers: [WalkCaller]
  let items: (shape: ItemShape, caller: WalkCaller)?
  /// By the place of an item's count: the caller of the list.
  let lists: [WalkCaller?]
  /// The rows of the first page, for values of filters and items to read.
  private(set) var rows: [JSONValue] = []
  private(set) var total: Int64 = -1
  private(set) var first: WalkClient.Response?
  /// The size of the first page.
  private(set) var firstSize = 0

  private static let rowsOfALook = 24
  private static let sorts = 4

  mutating func run() async {
    guard let caller = callers.first else { return }
    await look(caller)
    guard first != nil else { return }
    let second = callers.count > 1 ? callers[1] : caller
    await WalkProbes(client: client, operation: shape.operation, contract: contract) {
      caller.request(method: $0, headers: $1)
    }.run()
    if shape.isPaged { await compareSizes(caller) }
    await search(caller)
    if narrows { await narrow(caller) }
    await readItems(callers.last ?? second)
    await count(callers.last ?? second)
    await sort(second)
    let third = callers.count > 2 ? callers[2] : second
    await filter(third)
    if let cursor = shape.cursor { await follow(cursor, second) }
    // The longest part comes last: if the time is too short, it is reported as untested.
    if shape.isPaged {
      await walk(caller, by: [])
      await jumpToTheEnd(caller)
    }
  }

  /// The largest page size that the contract allows.
  private var most: Int { min(shape.limit?.maximum ?? max(shape.limit?.standard ?? 20, 1), 100) }

  /// The page size of a whole walk: small enough for several pages, and large enough for few requests.
  var size: Int {
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

  /// - Returns: nil if the response is not 200.
  func send(_ caller: WalkCaller, _ query: [(String, String)]) async -> WalkClient.Response? {
    guard let request = caller.request(query), let response = await client.send(request, shape.operation),
      response.status == 200
    else { return nil }
    return response
  }

  /// Enough rows to check an order or a filter.
  var small: Int { min(size, Self.rowsOfALook) }

  /// Reads the first page.
  private mutating func look(_ caller: WalkCaller) async {
    client.session += 1
    firstSize = min(most, Self.rowsOfALook)
    guard let response = await send(caller, paging(0, firstSize)), let page = client.page(response) else { return }
    first = response
    total = page.total
    rows = rows(response)
  }

  func rows(_ response: WalkClient.Response) -> [JSONValue] { response.member(shape.items)?.array ?? [] }

  /// Reads two pages in each order that names a field, and one after the end.
  private func sort(_ caller: WalkCaller) async {
    guard let sort = shape.sort else { return }
    for value in sort.keys.keys.sorted().prefix(Self.sorts * 2) {
      let ways = sort.keys[value]?.isDescending == nil ? shape.direction?.values.keys.sorted() ?? [] : []
      let directions: [String?] = ways.isEmpty ? [nil] : ways
      for way in directions {
        var query = [(sort.name, value)]
        if let way, let direction = shape.direction { query.append((direction.name, way)) }
        await walk(caller, by: query, most: shape.isPaged ? 2 : 1, size: small)
      }
    }
  }

  /// One filter, two filters, and each again, so that each response is between two of the other.
  private func filter(_ caller: WalkCaller) async {
    let values = shape.filters.compactMap { filter in
      rows.lazy.compactMap { Self.text($0[filter.name]) }.first.map { (filter.name, $0) }
    }
    for value in values.prefix(Self.sorts) { await walk(caller, by: [value], most: 2, size: small) }
    guard values.count >= 2 else { return }
    for query in [[values[0]], [values[0], values[1]], [values[0]], [values[1]], [values[0], values[1]], [values[1]]] {
      await walk(caller, by: query, most: 1, size: small)
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

  /// - Parameter message: the error; nil if a rule was tested and not violated.
  func recordResult(
    _ rule: RelationRule, _ message: String?, _ response: WalkClient.Response?, after other: WalkClient.Response? = nil,
    severity: Finding.Severity = .error
  ) {
    client.recordResult(rule, of: shape.operation, message, response, after: other, severity: severity)
  }
}
