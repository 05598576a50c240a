import MurphyHTTP
import MurphyModel
import MurphyScenario

/// Keeps the state log of one loop: every wire attempt of the operations that an invariant names.
///
/// The log is bounded. When it is full, it takes no new keys. At one and a half times that size, it removes existing
/// keys. The remaining entries of a removed key prove nothing, so the judge ignores the key.
struct StateRecorder {
  let context: RunContext
  var log: StateLog
  private(set) var requests = RequestTable()
  /// Headers as they were sent, unmasked. An exchange refers to its entry with `headers`.
  private(set) var headers: [[HeaderField]] = []
  private var headerNumbers: [[HeaderField]: Int32] = [:]
  private var headerBytes = 0
  private let bound: StateLog.Bound
  /// By operation: the last request that got a response, for reads at the end.
  private(set) var samples: [Int: HTTPRequest] = [:]
  /// By invariant and owner: the last request that returned the whole list, for reads at the end.
  private(set) var lists: [[String: (operation: Int, request: HTTPRequest)]]
  /// By invariant: the keys in the log.
  private var keys: [Set<Int32>]

  private static let mostHeaderBytes = 16_000_000
  private static let mostLeftOut = 100_000
  private static let mostLists = 2_000

  init(context: RunContext) {
    self.context = context
    bound = context.options.stateBound.share(of: context.loops)
    log = StateLog(invariants: context.state.invariants.count)
    log.operations = context.contract.operations.map(\.id)
    keys = Array(repeating: [], count: context.state.invariants.count)
    lists = Array(repeating: [:], count: context.state.invariants.count)
  }

  func concerns(_ operation: Int) -> Bool { !context.state.taps[operation].isEmpty }

  /// Records an exchange that ended, with any result.
  ///
  /// - Parameter isOwn: true if murphy sent it before or after the load.
  mutating func record(
    _ transfer: Transfer, _ request: HTTPRequest, operation: Int, session: Int, unique: UniqueValues,
    body: ResponseBody?,
    isOwn: Bool = false
  ) {
    var exchange = StateExchange(
      invariant: 0, operation: operation, role: .read, outcome: transfer.stateOutcome, status: transfer.status,
      sent: context.elapsed(transfer.lastSent), answered: context.elapsed(transfer.ended))
    exchange.session = Int32(truncatingIfNeeded: session)
    exchange.isOwn = isOwn
    keep(request, &exchange)
    let hasResponse = exchange.outcome == .accepted && !transfer.isCutOff
    if hasResponse { samples[operation] = request }
    var reader = StateExchangeReader(
      request: request, operation: log.operations[operation], path: context.state.paths[operation],
      response: hasResponse || exchange.outcome == .refused || exchange.outcome == .pending ? body : nil)
    record(exchange, operation, &reader, unique)
    if hasResponse { keepList(request, operation, &reader) }
  }

  /// Records an earlier attempt of a request that was sent again. It is unknown if the server processed it.
  mutating func record(
    lost attempt: LostAttempt, _ request: HTTPRequest, operation: Int, session: Int, unique: UniqueValues
  ) {
    var exchange = StateExchange(
      invariant: 0, operation: operation, role: .read, outcome: .unknown, status: 0,
      sent: context.elapsed(attempt.sent), answered: context.elapsed(attempt.sent))
    exchange.session = Int32(truncatingIfNeeded: session)
    keep(request, &exchange)
    var reader = StateExchangeReader(
      request: request, operation: log.operations[operation], path: context.state.paths[operation], response: nil)
    record(exchange, operation, &reader, unique)
  }

  private mutating func record(
    _ exchange: StateExchange, _ operation: Int, _ reader: inout StateExchangeReader, _ unique: UniqueValues
  ) {
    for tap in context.state.taps[operation] {
      var exchange = exchange
      exchange.invariant = UInt16(clamping: tap.invariant)
      if let owner = tap.owner, let who = reader.text(owner) { exchange.actor = log.names.number(of: who) }
      if let once = tap.once, let key = reader.text(once) { exchange.once = log.names.number(of: key) }
      record(tap.action, exchange, &reader, unique)
    }
  }

  /// Keeps the request with which an owner reads their whole list.
  private mutating func keepList(_ request: HTTPRequest, _ operation: Int, _ reader: inout StateExchangeReader) {
    for tap in context.state.taps[operation] {
      guard case .list(_, isWhole: true) = tap.action, let owner = tap.owner, let who = reader.text(owner),
        lists[tap.invariant][who] != nil || lists[tap.invariant].count < Self.mostLists
      else { continue }
      lists[tap.invariant][who] = (operation, request)
    }
  }

  private mutating func keep(_ request: HTTPRequest, _ exchange: inout StateExchange) {
    exchange.request = requests.number(of: request) { _ in true }
    if let known = headerNumbers[request.headers] {
      exchange.headers = known
    } else if headerBytes < Self.mostHeaderBytes {
      let number = Int32(headers.count)
      headers.append(request.headers)
      headerNumbers[request.headers] = number
      headerBytes += request.headers.reduce(100) { $0 + $1.name.utf8.count + $1.value.utf8.count + 60 }
      exchange.headers = number
    }
  }

  /// Enters the exchange in a role.
  mutating func enter(
    _ exchange: StateExchange, as role: StateExchange.Role, key: Int32 = -1,
    _ change: (inout StateExchange) -> Void = { _ in }
  ) {
    var entry = exchange
    (entry.role, entry.key) = (role, key)
    change(&entry)
    log.exchanges.append(entry)
  }

  // MARK: keys

  /// The number of a key, if the log still takes it.
  mutating func number(ofKey text: String, _ exchange: StateExchange) -> Int32? {
    let invariant = Int(exchange.invariant)
    if let known = log.names.known(text), keys[invariant].contains(known) {
      guard log.exchanges.count < bound.exchanges + bound.exchanges / 2 else {
        leaveOut(text, invariant)
        return nil
      }
      return known
    }
    guard !log.gaps[invariant].keysLeftOut.contains(text) else { return nil }
    guard log.exchanges.count < bound.exchanges, log.names.byteCount < bound.names else {
      leaveOut(text, invariant)
      return nil
    }
    let number = log.names.number(of: text)
    keys[invariant].insert(number)
    return number
  }

  private mutating func leaveOut(_ key: String, _ invariant: Int) {
    if log.gaps[invariant].keysLeftOut.count < Self.mostLeftOut {
      log.gaps[invariant].keysLeftOut.insert(key)
    } else {
      log.gaps[invariant].moreKeysLeftOut += 1
    }
  }

  /// Records a write without a known key. It makes the state of every key uncertain.
  mutating func missWrite(_ exchange: StateExchange, _ what: String) {
    guard exchange.outcome != .refused else { return }
    log.gaps[Int(exchange.invariant)].unreadWrites += 1
    keepFirstUnread(exchange, what)
  }

  /// Records a response without the expected value. It shows nothing.
  mutating func missResponse(_ exchange: StateExchange, _ what: String) {
    guard exchange.outcome == .accepted else { return }
    log.gaps[Int(exchange.invariant)].unreadResponses += 1
    keepFirstUnread(exchange, what)
  }

  private mutating func keepFirstUnread(_ exchange: StateExchange, _ what: String) {
    guard log.gaps[Int(exchange.invariant)].firstUnread == nil else { return }
    log.gaps[Int(exchange.invariant)].firstUnread = "\(log.operations[Int(exchange.operation)]): \(what)"
  }
}

extension Transfer {
  /// The result of the exchange, as far as this side can determine.
  fileprivate var stateOutcome: StateExchange.Outcome {
    switch ending {
    case .answered:
      switch status {
      case 202: .pending
      case 200..<300: .accepted
      case 304: .refused
      case 400..<500 where status != 408: .refused
      // A redirect may follow a completed change, as after POST and 303.
      default: .unknown
      }
    case .failed(let error): error.isUnsent ? .refused : .unknown
    case .cancelled, .abandoned, .inFlight: .unknown
    }
  }
}

extension TransportError {
  /// True if no byte of the request can have reached the target.
  fileprivate var isUnsent: Bool { life == .unreachable || life == .unknown }
}
