/// The client's log for the state judge: every wire attempt of the operations that an invariant names.
///
/// Texts are interned. A log that is full takes no new keys: what it has of a key is whole, never a part.
package struct StateLog: Sendable {
  package var exchanges: [StateExchange] = []
  /// Keys, actors and values.
  package var names = StateNames()
  /// What was sent, masked, and without the header fields: entry `request` of an exchange. The URL is what follows the
  /// target's.
  package var requests: [CurlRequest] = []
  /// Header fields that were sent, masked: entry `headers` of an exchange.
  package var headers: [[CurlRequest.Field]] = []
  /// Actors that can have done nothing before this run: drawn in it and salted.
  package var freshActors: Set<Int32> = []
  /// By session, what is not known of its machine's clock, nanoseconds: its sends and answers lie that much further apart
  /// than they were. Empty for one machine.
  package var clockWidths: [Int32: Int64] = [:]
  /// By invariant: what could not be kept or read.
  package var gaps: [StateGaps]
  /// Operation names: entry `operation` of an exchange.
  package var operations: [String] = []

  package init(invariants: Int = 0) { gaps = Array(repeating: StateGaps(), count: invariants) }
}

/// What the log of one invariant lacks.
package struct StateGaps: Sendable, Hashable, Codable {
  /// Keys that were not logged, for the log was full.
  package var keysLeftOut: Set<String> = []
  /// More keys that were not logged than are remembered by name.
  package var moreKeysLeftOut = 0
  /// Writes whose key or actor could not be read from the request: nothing can be said of any key.
  package var unreadWrites = 0
  /// Answers that do not hold what the invariant reads.
  package var unreadAnswers = 0
  /// The first of them, as a sentence.
  package var firstUnread: String?
  /// Reads of murphy's own, before and after the load, that were not sent or got no usable answer.
  package var failedReads = 0

  package init() {}

  package mutating func merge(_ other: StateGaps) {
    keysLeftOut.formUnion(other.keysLeftOut)
    moreKeysLeftOut += other.moreKeysLeftOut
    unreadWrites += other.unreadWrites
    unreadAnswers += other.unreadAnswers
    firstUnread = firstUnread ?? other.firstUnread
    failedReads += other.failedReads
  }
}

extension StateLog {
  /// Puts all moments on another clock, which this log's differs from by `low` at least and `high` at most, nanoseconds.
  package mutating func shift(_ low: Int64, _ high: Int64) {
    for row in exchanges.indices {
      exchanges[row].sent = exchanges[row].sent.adding(low)
      exchanges[row].answered = exchanges[row].answered.adding(high)
    }
    guard high > low else { return }
    for session in Set(exchanges.map(\.session)) { clockWidths[session] = high - low }
  }

  /// Takes another loop's log over; its texts get the numbers that they have here.
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

  /// Moves all times by so many nanoseconds.
  package mutating func shift(by nanoseconds: Int64) { shift(nanoseconds, nanoseconds) }

  /// The command that sends an exchange again; nil where it was not kept.
  ///
  /// - Parameter target: what the URLs of the requests follow.
  package func command(_ exchange: StateExchange, target: String) -> ShellScript? {
    guard requests.indices.contains(Int(exchange.request)) else { return nil }
    var request = requests[Int(exchange.request)]
    request.url = ShellWord(target) + request.url
    if headers.indices.contains(Int(exchange.headers)) { request.headers += headers[Int(exchange.headers)] }
    return ShellScript(request.text)
  }
}

extension StateLog {
  /// The most that the log of a run keeps.
  package struct Bound: Sendable {
    package var exchanges: Int
    /// Bytes of names.
    package var names: Int

    package init(exchanges: Int, names: Int) {
      self.exchanges = exchanges
      self.names = names
    }

    /// About 250 MB together.
    package static let usual = Bound(exchanges: 2_000_000, names: 100_000_000)

    /// The part of one loop of several.
    package func share(of loops: Int) -> Bound {
      Bound(exchanges: max(exchanges / max(loops, 1), 1), names: max(names / max(loops, 1), 1))
    }
  }
}

/// Texts, each once and with a number.
package struct StateNames: Sendable {
  package private(set) var texts: [String] = []
  private var numbers: [String: Int32] = [:]
  /// Bytes of all texts together, with what each costs to be found again.
  package private(set) var byteCount = 0

  package init() {}

  /// The number of a text, which is kept from now on.
  package mutating func number(of text: String) -> Int32 {
    if let known = numbers[text] { return known }
    let number = Int32(texts.count)
    texts.append(text)
    numbers[text] = number
    byteCount += text.utf8.count + Self.cost
    return number
  }

  /// The number of a text that is kept; nil for others.
  package func known(_ text: String) -> Int32? { numbers[text] }

  package subscript(number: Int32) -> String {
    texts.indices.contains(Int(number)) ? texts[Int(number)] : "?"
  }

  /// Bytes, besides its own, that a text takes in an array and in a dictionary.
  private static let cost = 60
}
