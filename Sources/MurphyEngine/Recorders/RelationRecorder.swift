import MurphyContract
import MurphyHTTP
import MurphyModel
import MurphyScenario

/// Keeps the relation log of one loop, within bounds.
struct RelationRecorder {
  /// The log so far; the requests are in ``requests``.
  var log = RelationLog()
  /// The requests of the pages, unmasked.
  private(set) var requests: [HTTPRequest] = []
  private var doubts: [DoubtKey: Int] = [:]
  /// Pages and writes beyond these limits are only counted; together some 30 MB.
  private let mostPages: Int
  private let mostIDs: Int
  private let mostWrites: Int
  private static let doubtsOfAKind = 200
  private static let evidenceOfAKind = 3
  private static let mostOfABody = 4_096

  private struct DoubtKey: Hashable {
    var operation: Int32
    var rule: RelationRule
    var ground: RelationLog.Doubt.Ground
  }

  /// One response, and the properties with which a page of it is kept.
  struct Response {
    /// The index of the operation in the contract.
    var operation: Int
    var request: HTTPRequest
    /// Nanoseconds since the load began.
    var sent: Int64
    /// Nanoseconds since the load began.
    var answered: Int64
    var fields: FieldTable
    /// The number of the session.
    var session: Int64
    var sendsCookies: Bool

    /// Equal for requests of one user with equal headers, in all processes of a run.
    var view: Int {
      // A cookie jar belongs to its user.
      var hash: UInt64 = sendsCookies ? UInt64(bitPattern: session) &* 0x9E37_79B9_7F4A_7C15 | 1 : 0
      for field in request.headers {
        hash = (hash ^ RelationHash.of(field.name)) &* 0x100_0000_01b3
        hash = (hash ^ RelationHash.of(field.value)) &* 0x100_0000_01b3
      }
      return Int(truncatingIfNeeded: hash)
    }
  }

  /// The bounds of a run are shared evenly by its loops.
  init(loops: Int) {
    mostPages = 20_000 / loops
    mostIDs = 1_000_000 / loops
    mostWrites = 200_000 / loops
  }

  /// Records the last result of the reader.
  ///
  /// - Parameter evidence: called for the first doubts of a kind.
  mutating func recordResponse(_ reader: RelationReader, _ response: Response, evidence: () -> Evidence?) {
    for doubt in reader.doubts { recordDoubt(doubt, reader, response, evidence) }
    guard reader.subject == .page else { return }
    let operation = Int32(response.operation)
    guard log.pages.count < mostPages, log.ids.count + reader.ids.count <= mostIDs else {
      log.unlogged[operation, default: 0] += 1
      return
    }
    let first = Int32(log.ids.count)
    log.ids.append(contentsOf: reader.ids)
    let reading = reader.page
    var page = RelationLog.Page(
      operation: operation, request: number(reader, response.request), sent: response.sent, answered: response.answered,
      age: ResponseAge.of(response.fields), view: response.view, filters: reading.filters, order: reading.order,
      limit: reading.limit, offset: reading.offset, total: reading.total, ids: first..<Int32(log.ids.count),
      session: response.session, isSearch: reading.isSearch)
    page.parts = reading.parts
    log.pages.append(page)
  }

  private mutating func recordDoubt(
    _ doubt: RelationLog.Doubt, _ reader: RelationReader, _ response: Response, _ evidence: () -> Evidence?
  ) {
    let key = DoubtKey(operation: Int32(response.operation), rule: doubt.rule, ground: doubt.ground)
    let known = doubts[key, default: 0]
    doubts[key] = known + 1
    guard known < Self.doubtsOfAKind else { return }
    var doubt = doubt
    doubt.operation = Int32(response.operation)
    (doubt.sent, doubt.answered) = (response.sent, response.answered)
    doubt.age = ResponseAge.of(response.fields)
    if known < Self.evidenceOfAKind { doubt.evidence = evidence() }
    doubt.request = number(reader, response.request)
    log.doubts.append(doubt)
  }

  private mutating func number(_ reader: RelationReader, _ request: HTTPRequest) -> Int32 {
    if reader.request < 0 { reader.request = keep(request) }
    return reader.request
  }

  /// Keeps a request and returns its number in the log.
  mutating func keep(_ request: HTTPRequest) -> Int32 {
    requests.append(request)
    return Int32(requests.count - 1)
  }

  /// Records a response to a request whose strings are returned.
  mutating func returned(_ entry: RelationLog.Return, _ request: HTTPRequest) {
    guard log.returns.count < mostPages, zip(entry.given, entry.found).contains(where: { $0 != 0 && $1 != 0 }) else {
      return
    }
    var entry = entry
    if entry.given != entry.found, requests.count < mostPages { entry.request = keep(request) }
    log.returns.append(entry)
  }

  /// Records what the first few responses of an operation report as created.
  mutating func created(_ transfer: Transfer, _ operation: Int, _ request: HTTPRequest) {
    guard log.created.count(where: { $0.operation == Int32(operation) }) < RelationLog.createdKept,
      let location = transfer.fields.lines.first(where: { $0.is(.location) })
    else { return }
    log.created.append(
      RelationLog.Created(
        operation: Int32(operation), target: request.target, location: String(decoding: location.value, as: UTF8.self),
        headers: request.headers,
        body: transfer.bodyBytes.count <= Self.mostOfABody ? Array(transfer.bodyBytes) : []))
  }

  /// Records a request that may have changed `item`, or any item if it is 0. Nanoseconds since the load began.
  mutating func write(_ operation: Int, sent: Int64, end: Int64, item: Int64) {
    if log.writes.count >= mostWrites, let last = log.writes.indices.last {
      // One write that represents all later writes.
      log.writes[last].id = 0
      log.writes[last].operation = -1
      log.writes[last].end = max(log.writes[last].end, end)
      return
    }
    log.writes.append(RelationLog.Write(operation: Int32(operation), sent: sent, end: end, id: item))
  }
}

/// The maximum age of a response when it was made: caches between the API and murphy may hold an older state.
enum ResponseAge {
  /// Nanoseconds: `Age`, otherwise how long `Cache-Control` lets a shared cache keep it (RFC 9111 §4.2, §5).
  static func of(_ fields: FieldTable) -> Int64 {
    guard fields.has(.age) || fields.has(.cacheControl) else { return 0 }
    var control = ""
    for line in fields.lines {
      if line.is(.age) { return seconds(String(decoding: line.value, as: UTF8.self)) }
      if line.is(.cacheControl) { control += "," + String(decoding: line.value, as: UTF8.self).lowercased() }
    }
    let words = control.split(separator: ",").map { $0.filter { $0 != " " && $0 != "\"" } }
    guard !words.contains(where: { ["no-store", "no-cache", "private"].contains($0) }) else { return 0 }
    func named(_ name: String) -> Int64? {
      words.first { $0.hasPrefix(name + "=") }.map { seconds(String($0.dropFirst(name.count + 1))) }
    }
    return (named("s-maxage") ?? named("max-age") ?? 0) + (named("stale-while-revalidate") ?? 0)
  }

  /// The first number of a list; a number beyond the range is a long time (RFC 9111 §1.2.2), and another text is none.
  private static func seconds(_ text: String) -> Nanoseconds {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    return digits.isEmpty ? 0 : min(Int64(digits) ?? .max, 86_400 * 365) * 1_000_000_000
  }
}

/// The properties of operations for the relation log: which ones write, and where their paths name an item.
///
/// A class, because a copy of the value would retain each of its parts, and every write reads it.
final class RelationInterest: Sendable {
  /// Nil where the scenario disables all relations, or the contract has none.
  let relations: ContractRelations?
  let writes: [Bool]
  /// By operation: the index of the path segment that names the changed item, from 0; -1 without one.
  let itemSegments: [Int]
  /// By operation: true if that segment is an integer.
  let hasIntegers: [Bool]
  /// By operation: the strings of its body that its response returns.
  let returns: [ReturnShape?]

  init(scenario: Scenario, contract: Contract) {
    let found = contract.relations(promising: scenario.expectations.relations.lists)
    let isOff = scenario.expectations.relations.all.isOff
    let isEmpty = found.collections.isEmpty && found.items.isEmpty && found.returns.allSatisfy { $0 == nil }
    relations = isOff || isEmpty ? nil : found
    let writings = found.writings(contract)
    let isLogged = relations != nil
    writes = writings.map { $0 != nil && isLogged }
    itemSegments = writings.map { $0?.segment ?? -1 }
    returns = found.returns
    hasIntegers = writings.map { $0?.collection.flatMap { found.collections[$0].id?.isInteger } ?? true }
  }
}

extension RelationInterest {
  /// True if a request with this method may change something although its operation reads. An exploration sends such
  /// requests.
  func isStrangeWrite(_ method: String) -> Bool {
    relations != nil && !ContractRelations.reads(method: method)
  }

  /// The number of the item that the path of a write names; 0 for none.
  func item(_ target: String, of operation: Int) -> Int64 {
    let segment = itemSegments[operation]
    guard segment >= 0 else { return 0 }
    let isInteger = hasIntegers[operation]
    let read = target.utf8.withContiguousStorageIfAvailable {
      Self.item(UnsafeRawBufferPointer($0), segment, isInteger: isInteger)
    }
    if let item = read.flatMap(\.self) { return item }
    let parts = target.prefix { $0 != "?" }.split(separator: "/")
    guard segment < parts.count else { return 0 }
    return RelationHash.id(PercentEncoding.decode(parts[segment]), isInteger: isInteger) ?? 0
  }

  /// The same without a `String`. Nil where one is needed, for percent-encoding and signs.
  private static func item(_ target: UnsafeRawBufferPointer, _ segment: Int, isInteger: Bool) -> Int64? {
    var (index, number) = (0, -1)
    while index < target.count, target[index] != UInt8(ascii: "?") {
      if target[index] == UInt8(ascii: "/") {
        index += 1
        continue
      }
      let start = index
      while index < target.count, target[index] != UInt8(ascii: "/"), target[index] != UInt8(ascii: "?") { index += 1 }
      number += 1
      guard number == segment else { continue }
      let part = UnsafeRawBufferPointer(rebasing: target[start..<index])
      return isInteger
        ? integer(part) : part.contains(UInt8(ascii: "%")) ? nil : Int64(bitPattern: RelationHash.of(part))
    }
    return 0
  }

  private static func integer(_ digits: UnsafeRawBufferPointer) -> Int64? {
    guard digits.count <= 18 else { return nil }
    var value: Int64 = 0
    for digit in digits {
      guard digit >= UInt8(ascii: "0"), digit <= UInt8(ascii: "9") else { return nil }
      value = value * 10 + Int64(digit - UInt8(ascii: "0"))
    }
    return value
  }
}
