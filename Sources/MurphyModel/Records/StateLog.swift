/// The client's log for the state judge: every attempt on the wire of the operations that an invariant names.
///
/// Strings are interned. A full log accepts no new keys: its data about a key is complete, never partial.
package struct StateLog: Sendable {
  /// The exchanges; the parts of one response follow one another.
  package var exchanges: [StateExchange] = []
  /// Keys, actors and values.
  package var names = StateNames()
  /// The requests, masked and without the headers: entry `request` of an exchange. The URL is the part after the
  /// target's.
  package var requests: [CurlRequest] = []
  /// The headers of the requests, masked: entry `headers` of an exchange.
  package var headers: [[CurlRequest.Field]] = []
  /// Actors that cannot have acted before this run: generated in it and salted.
  package var freshActors: Set<Int32> = []
  /// By session, the uncertainty of its machine's clock, in nanoseconds: the interval between send and response is
  /// widened by it. Empty for one machine.
  package var clockWidths: [Int32: Int64] = [:]
  /// By invariant: the data that could not be kept or read.
  package var gaps: [StateGaps]
  /// Operation names: entry `operation` of an exchange.
  package var operations: [String] = []

  package init(invariants: Int = 0) { gaps = Array(repeating: StateGaps(), count: invariants) }
}

/// The missing data in the log of one invariant.
package struct StateGaps: Sendable, Hashable, Codable {
  /// Keys that were not logged, because the log was full.
  package var keysLeftOut: Set<String> = []
  /// The number of further keys that were not logged, beyond those stored by name.
  package var moreKeysLeftOut = 0
  /// Writes whose key or actor could not be read from the request: they make every key undecidable.
  package var unreadWrites = 0
  /// Responses without the values that the invariant reads.
  package var unreadResponses = 0
  /// The first of them, as a sentence.
  package var firstUnread: String?
  /// Reads by murphy itself, before and after the load, that were not sent or got no usable response.
  package var failedReads = 0

  private enum CodingKeys: String, CodingKey {
    case keysLeftOut, moreKeysLeftOut, unreadWrites
    case unreadResponses = "unreadAnswers"
    case firstUnread, failedReads
  }

  package init() {}

  /// Adds the gaps of another loop or shard.
  package mutating func merge(_ other: StateGaps) {
    keysLeftOut.formUnion(other.keysLeftOut)
    moreKeysLeftOut += other.moreKeysLeftOut
    unreadWrites += other.unreadWrites
    unreadResponses += other.unreadResponses
    firstUnread = firstUnread ?? other.firstUnread
    failedReads += other.failedReads
  }
}

extension StateLog {
  /// Converts all times to another clock, which differs from this log's by at least `low` and at most `high`
  /// nanoseconds.
  package mutating func shift(_ low: Int64, _ high: Int64) {
    for row in exchanges.indices {
      exchanges[row].sent = exchanges[row].sent.adding(low)
      exchanges[row].answered = exchanges[row].answered.adding(high)
    }
    guard high > low else { return }
    for session in Set(exchanges.map(\.session)) { clockWidths[session] = high - low }
  }

  /// Appends another loop's log; its strings get the numbers of this log.
  package mutating func append(_ other: StateLog) {
    let names = other.names.texts.map { self.names.number(of: $0) }
    func moved(_ number: Int32) -> Int32 { number < 0 ? -1 : names[Int(number)] }
    let (request, headers) = (Int32(requests.count), Int32(self.headers.count))
    requests += other.requests
    self.headers += other.headers
    for index in gaps.indices where other.gaps.indices.contains(index) { gaps[index].merge(other.gaps[index]) }
    freshActors.formUnion(other.freshActors.map(moved))
    clockWidths.merge(other.clockWidths) { max($0, $1) }
    exchanges.reserveCapacity(exchanges.count + other.exchanges.count)
    for var exchange in other.exchanges {
      exchange.key = moved(exchange.key)
      exchange.actor = moved(exchange.actor)
      exchange.c = moved(exchange.c)
      exchange.once = moved(exchange.once)
      if exchange.request >= 0 { exchange.request += request }
      if exchange.headers >= 0 { exchange.headers += headers }
      exchanges.append(exchange)
    }
  }

  /// Moves all times by this number of nanoseconds.
  package mutating func shift(by nanoseconds: Nanoseconds) { shift(nanoseconds, nanoseconds) }

  /// The command that reproduces an exchange; nil if it was not kept.
  ///
  /// - Parameter target: the prefix of the URLs of the requests.
  package func command(_ exchange: StateExchange, target: String) -> ShellScript? {
    guard requests.indices.contains(Int(exchange.request)) else { return nil }
    var request = requests[Int(exchange.request)]
    request.url = ShellWord(target) + request.url
    if headers.indices.contains(Int(exchange.headers)) { request.headers += headers[Int(exchange.headers)] }
    return ShellScript(request.text)
  }

  /// The maximum size of the log of a run.
  package struct Bound: Sendable {
    /// The maximum number of exchanges in the log.
    package var exchanges: Int
    /// Bytes of names.
    package var names: Int

    package init(exchanges: Int, names: Int) {
      self.exchanges = exchanges
      self.names = names
    }

    /// About 250 MB in total.
    package static let usual = Bound(exchanges: 2_000_000, names: 100_000_000)

    /// The part of one of several loops.
    package func share(of loops: Int) -> Bound {
      Bound(exchanges: max(exchanges / max(loops, 1), 1), names: max(names / max(loops, 1), 1))
    }
  }
}

/// Strings, each stored once and with a number.
package struct StateNames: Sendable {
  /// The number of a string is its index.
  package private(set) var texts: [String] = []
  private var numbers: [String: Int32] = [:]
  /// The bytes of all strings, including the overhead of the lookup tables.
  package private(set) var byteCount = 0

  package init() {}

  /// The number of a string, which is stored from now on.
  package mutating func number(of text: String) -> Int32 {
    if let known = numbers[text] { return known }
    let number = Int32(texts.count)
    texts.append(text)
    numbers[text] = number
    byteCount += text.utf8.count + Self.cost
    return number
  }

  /// The number of a stored string; nil for others.
  package func known(_ text: String) -> Int32? { numbers[text] }

  /// The string with a number; `?` for an unknown number.
  package subscript(number: Int32) -> String {
    texts.indices.contains(Int(number)) ? texts[Int(number)] : "?"
  }

  /// The bytes that a string takes in an array and in a dictionary, in addition to its own.
  private static let cost = 60
}

/// Entries of a state log as columns of numbers. Times count from the load's beginning.
package struct StateColumns: Sendable, Codable {
  private var invariant: PackedNumbers
  private var operation: PackedNumbers
  private var role: PackedNumbers
  private var outcome: PackedNumbers
  private var status: PackedNumbers
  private var key: PackedNumbers
  private var actor: PackedNumbers
  private var session: PackedNumbers
  private var once: PackedNumbers
  private var sent: PackedNumbers
  private var took: PackedNumbers
  private var a: PackedNumbers
  private var b: PackedNumbers
  private var c: PackedNumbers
  private var request: PackedNumbers
  private var headers: PackedNumbers
  private var isOwn: PackedNumbers

  package init(_ entries: some Collection<StateExchange>) {
    invariant = PackedNumbers(column: entries.map(\.invariant))
    operation = PackedNumbers(column: entries.map(\.operation))
    role = PackedNumbers(column: entries.map(\.role.rawValue))
    outcome = PackedNumbers(column: entries.map(\.outcome.rawValue))
    status = PackedNumbers(column: entries.map(\.status))
    key = PackedNumbers(column: entries.map(\.key))
    actor = PackedNumbers(column: entries.map(\.actor))
    session = PackedNumbers(column: entries.map(\.session))
    once = PackedNumbers(column: entries.map(\.once))
    sent = PackedNumbers(entries.map(\.sent)).deltas
    took = PackedNumbers(entries.map { $0.answered &- $0.sent })
    a = PackedNumbers(entries.map(\.a))
    b = PackedNumbers(entries.map(\.b))
    c = PackedNumbers(column: entries.map(\.c))
    request = PackedNumbers(column: entries.map(\.request))
    headers = PackedNumbers(column: entries.map(\.headers))
    isOwn = PackedNumbers(column: entries.map { $0.isOwn ? 1 : 0 })
  }

  /// - Throws: `ColumnError` if the columns differ in length, or refer to missing entries.
  package var entries: [StateExchange] {
    get throws(ColumnError) {
      try ColumnError.check([
        invariant, operation, role, outcome, status, key, actor, session, once, sent, took, a, b, c, request, headers,
        isOwn,
      ])
      let moments = sent.sums.numbers
      try ColumnError.check(moments: moments)
      try ColumnError.check(moments: took.numbers)
      var entries: [StateExchange] = []
      entries.reserveCapacity(moments.count)
      for row in moments.indices {
        guard let role = StateExchange.Role(rawValue: role[row]),
          let outcome = StateExchange.Outcome(rawValue: outcome[row])
        else { throw ColumnError("a row has a role or an outcome that this version of murphy does not know") }
        var entry = StateExchange(
          invariant: invariant[row], operation: operation[row], role: role, outcome: outcome, status: status[row],
          key: key[row], sent: moments[row], answered: moments[row] &+ took.numbers[row])
        (entry.actor, entry.session, entry.once) = (actor[row], session[row], once[row])
        (entry.a, entry.b, entry.c) = (a[row], b[row], c[row])
        (entry.request, entry.headers) = (request[row], headers[row])
        entry.isOwn = isOwn.numbers[row] != 0
        entries.append(entry)
      }
      return entries
    }
  }
}

extension StateNames: Codable {
  package init(from decoder: any Decoder) throws {
    self.init()
    for text in try [String](from: decoder) { _ = number(of: text) }
  }

  package func encode(to encoder: any Encoder) throws { try texts.encode(to: encoder) }
}
