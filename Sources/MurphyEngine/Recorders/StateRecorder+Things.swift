import MurphyContract
import MurphyHTTP
import MurphyModel
import MurphyScenario
import MurphySchema

/// Sets and deliveries: one exchange reports many elements.
extension StateRecorder {
  private static let unreadable = "the response is not JSON, or is incomplete"

  mutating func recordCreation(_ exchange: StateExchange, _ reader: StateExchangeReader, _ id: JSONPath) {
    guard exchange.outcome == .accepted else { return enter(exchange, as: .create) }
    guard let text = reader.values(id).first?.stateText else {
      return missWrite(exchange, "the response to a creation does not contain the id")
    }
    if let number = number(ofKey: text, exchange) { enter(exchange, as: .create, key: number) }
  }

  mutating func recordList(_ exchange: StateExchange, _ reader: StateExchangeReader, _ ids: JSONPath, _ isWhole: Bool) {
    guard exchange.outcome == .accepted else { return }
    guard let values = reader.all(ids) else { return missResponse(exchange, Self.unreadable) }
    if isWhole { enter(exchange, as: .list) }
    for value in values {
      guard let number = number(ofKey: value.stateText, exchange) else { continue }
      enter(exchange, as: .shown, key: number) { $0.b = isWhole ? 1 : 0 }
    }
  }

  mutating func recordLook(
    _ exchange: StateExchange, _ reader: inout StateExchangeReader, _ key: StateSource
  ) {
    let isAbsent = exchange.status == 404 || exchange.status == 410
    guard exchange.outcome == .accepted || isAbsent, let text = reader.text(key),
      let number = number(ofKey: text, exchange)
    else { return }
    enter(exchange, as: isAbsent ? .absent : .shown, key: number) { $0.outcome = .accepted }
  }

  mutating func recordBatch(
    _ exchange: StateExchange, _ reader: inout StateExchangeReader, _ batch: StateTap.Batch
  ) {
    guard exchange.outcome == .accepted else { return }
    guard let messages = reader.requested(batch.messages) else {
      return missResponse(exchange, "the messages of the request are not JSON")
    }
    guard let tickets = reader.all(batch.tickets) else { return missResponse(exchange, Self.unreadable) }
    enter(exchange, as: .batch) { ($0.a, $0.b) = (Int64(messages.count), Int64(tickets.count)) }
    guard messages.count == tickets.count else { return }
    for (place, (message, ticket)) in zip(messages, tickets).enumerated() {
      let id = batch.id.values(in: ticket).first?.stateText
      let facts = Self.facts(of: message, hasID: id != nil, batch)
      var given: Int32?
      if let id {
        given = number(ofKey: id, exchange)
        guard given != nil else { continue }
      }
      enter(exchange, as: .ticket) { ($0.a, $0.b, $0.c) = (Int64(place), facts.rawValue, given ?? $0.c) }
    }
  }

  /// The facts that a message reports on its ticket; none where it lacks the field for them.
  private static func facts(of message: JSONValue, hasID: Bool, _ batch: StateTap.Batch) -> TicketFacts {
    func isMarked(_ glob: StateGlob?) -> Bool? {
      glob.flatMap { glob in glob.field.values(in: message).first.map { glob.matches($0.stateText) } }
    }
    var facts: TicketFacts = []
    if isMarked(batch.marks) == hasID { facts.insert(.isWrong) }
    if let fails = isMarked(batch.fails) { facts.insert(fails ? .mustFail : .mustArrive) }
    return facts
  }

  mutating func recordReceipts(
    _ exchange: StateExchange, _ reader: inout StateExchangeReader, _ requested: StateSource, _ found: JSONPath,
    _ arrives: StateTap.ReceiptMatch?
  ) {
    guard exchange.outcome == .accepted else { return }
    guard let wanted = reader.requested(requested)?.map(\.stateText) else {
      return missResponse(exchange, "the request does not contain ids")
    }
    guard let values = reader.all(found) else { return missResponse(exchange, Self.unreadable) }
    var there: [String: JSONValue?] = [:]
    for value in values {
      if case .object(let object) = value {
        for member in object.members { there[member.key] = member.value }
      } else {
        there.updateValue(nil, forKey: value.stateText)
      }
    }
    for id in wanted {
      guard let number = number(ofKey: id, exchange) else { continue }
      enter(exchange, as: .requested) { ($0.c, $0.a) = (number, there.keys.contains(id) ? 1 : 0) }
    }
    let isWanted = Set(wanted)
    for (id, receipt) in there.sorted(by: { $0.key < $1.key }) {
      guard let number = number(ofKey: id, exchange) else { continue }
      var entry = exchange
      (entry.role, entry.key, entry.c) = (.receipt, -1, number)
      entry.a = isWanted.contains(id) ? 0 : 1
      if let arrives, let receipt {
        if let says = arrives.field.values(in: receipt).first?.stateText {
          entry.actor = log.names.number(of: says)
          entry.b = (says == arrives.value) == arrives.isEqual ? 0 : 1
        } else {
          missResponse(exchange, "a receipt does not contain the outcome of its message")
        }
      }
      log.exchanges.append(entry)
    }
  }
}

/// Reads the values of one exchange that invariants name. Bodies are parsed at the first access.
struct StateExchangeReader {
  let request: HTTPRequest
  /// The operationId.
  let operation: String
  let path: PathShape
  /// Nil without a response whose body can be read.
  let response: ResponseBody?
  private(set) var parsedRequest: JSONValue??

  /// Sums of larger numbers would overflow, and no count is so large.
  private static let largest = Int64(1) << 50

  mutating func text(_ source: StateSource) -> String? {
    switch source {
    case .path(let name): path.value(name, in: request.target)
    case .query(let name): query(name)
    case .header(let name): request.headers.first { $0.name.isSameHeader(as: name) }?.value
    case .body(let query): requestBody.flatMap { query.values(in: $0).first }?.stateText
    case .answer(let query): response?.values(query).first?.stateText
    case .operation: operation
    }
  }

  mutating func number(_ source: StateSource) -> Int64? { text(source).flatMap(Self.number) }

  func number(_ path: JSONPath?) -> Int64? {
    guard let path, let response else { return nil }
    return response.values(path).first.flatMap(Self.number)
  }

  static func number(_ value: JSONValue) -> Int64? {
    value.string.map { number($0) } ?? value.int.flatMap { bounded(Int64($0)) }
  }

  /// `3`, or an entity tag such as `"3"` or `W/"3"` (RFC 9110 §8.8.3).
  private static func number(_ text: String) -> Int64? {
    guard text.hasSuffix("\"") else { return Int64(text).flatMap(bounded) }
    let tag = text.hasPrefix("W/") ? text.dropFirst(2) : text[...]
    return tag.count > 2 && tag.hasPrefix("\"") ? Int64(tag.dropFirst().dropLast()).flatMap(bounded) : nil
  }

  private static func bounded(_ number: Int64) -> Int64? { abs(max(number, -largest)) < largest ? number : nil }

  func values(_ path: JSONPath) -> [JSONValue] { response?.values(path) ?? [] }

  /// All values that the query finds. Nil where the response is incomplete or not JSON, so that a missing value proves
  /// nothing.
  func all(_ path: JSONPath) -> [JSONValue]? { response.flatMap { $0.isJSON ? $0.values(path) : nil } }

  /// All values that the request has at a place; for a path, a query or a header also the parts between commas. Nil
  /// where the request has no such place.
  mutating func requested(_ source: StateSource) -> [JSONValue]? {
    if case .body(let query) = source { return requestBody.map { query.values(in: $0) } }
    return text(source).map { text in
      let parts = text.split(separator: ",").map { String($0.drop { $0 == " " }) }
      return (parts.count > 1 ? [text] + parts : [text]).map { .string($0) }
    }
  }

  mutating func matches(_ match: StateMatch) -> Bool? {
    text(match.source).map { ($0 == match.value) == match.isEqual }
  }

  private var requestBody: JSONValue? {
    mutating get {
      if let parsedRequest { return parsedRequest }
      let parsed = request.body.flatMap { try? JSONValue.parse($0) }
      parsedRequest = .some(parsed)
      return parsed
    }
  }

  private func query(_ name: String) -> String? {
    guard let start = request.target.firstIndex(of: "?") else { return nil }
    for pair in request.target[request.target.index(after: start)...].split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard PercentEncoding.decode(parts[0]) == name else { continue }
      return parts.count > 1 ? PercentEncoding.decode(form: parts[1]) : ""
    }
    return nil
  }
}

extension JSONValue {
  /// A string as it is; any other value as JSON.
  var stateText: String { if case .string(let text) = self { text } else { text } }
}

/// The values that the log of the invariants takes from each operation.
struct StateInterest: Sendable {
  /// One invariant's tap on an operation.
  struct Tap: Sendable {
    var invariant: Int
    var action: StateTap.Action
    /// The place of the user and of the idempotency key in the request; nil where the invariant reads neither.
    var owner: StateSource?
    var once: StateSource?
  }

  /// By operation; most have none.
  let taps: [[Tap]]
  /// By operation: the places of the parameters in its path.
  let paths: [PathShape]
  let invariants: [StateExpectation]

  init(scenario: Scenario, contract: Contract) {
    invariants = scenario.expectations.state
    var taps = [[Tap]](repeating: [], count: contract.operations.count)
    for (number, invariant) in invariants.enumerated() {
      for tap in invariant.taps {
        guard let operation = tap.operation.index ?? contract.index(of: tap.operation.id) else { continue }
        taps[operation].append(
          Tap(invariant: number, action: tap.action, owner: invariant.owner, once: invariant.idempotency))
      }
    }
    self.taps = taps
    paths = zip(contract.operations, taps).map { PathShape($0.path, isUsed: !$1.isEmpty) }
  }

  var isEmpty: Bool { invariants.isEmpty }
}

/// Finds the parameters of `/laws/{id}/vote` in `/laws/17/vote?x=1`.
struct PathShape: Sendable {
  private struct Place: Sendable {
    var segment: Int
    var prefix: String
    var suffix: String
  }

  private var places: [String: Place] = [:]
  private var count = 0

  init(_ template: String, isUsed: Bool) {
    guard isUsed else { return }
    let segments = template.split(separator: "/", omittingEmptySubsequences: false)
    count = segments.count
    for (number, segment) in segments.enumerated() {
      guard let open = segment.firstIndex(of: "{"), let close = segment.firstIndex(of: "}"), open < close else {
        continue
      }
      let name = String(segment[segment.index(after: open)..<close])
      places[name] = Place(
        segment: number, prefix: String(segment[..<open]), suffix: String(segment[segment.index(after: close)...]))
    }
  }

  /// The decoded values of all parameters.
  func values(in target: String) -> JSONObject {
    var values = JSONObject()
    for name in places.keys { values[name] = value(name, in: target).map { .string($0) } }
    return values
  }

  /// The decoded value of a parameter; nil where the target does not have it.
  func value(_ name: String, in target: String) -> String? {
    guard let place = places[name] else { return nil }
    let segments = target.prefix { $0 != "?" }.split(separator: "/", omittingEmptySubsequences: false)
    guard segments.count == count, segments[place.segment].hasPrefix(place.prefix),
      segments[place.segment].hasSuffix(place.suffix)
    else { return nil }
    let text = segments[place.segment].dropFirst(place.prefix.count).dropLast(place.suffix.count)
    return text.isEmpty ? nil : PercentEncoding.decode(text)
  }

  /// The target with another value of a parameter.
  func replacing(_ name: String, with value: String, in target: String) -> String? {
    guard let place = places[name] else { return nil }
    let path = target.prefix { $0 != "?" }
    var segments = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard segments.count == count else { return nil }
    segments[place.segment] = place.prefix + PercentEncoding.encode(value, keepingReserved: false) + place.suffix
    return segments.joined(separator: "/") + target.dropFirst(path.count)
  }
}
