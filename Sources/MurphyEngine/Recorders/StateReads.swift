import MurphyContract
import MurphyHTTP
import MurphyModel
import MurphyScenario
import MurphySchema

/// Reads that murphy sends itself before or after the load: one after the other, on one connection and a separate loop.
struct StateReads {
  struct Read {
    var invariant: Int
    var operation: Int
    var http: HTTPRequest
    /// True if no write of its key was accepted, so that the key may not exist.
    var mayBeAbsent = false
  }

  private let context: RunContext
  private var recorder: StateRecorder
  /// The requests that limiters may have counted.
  private var limits: LimitRecorder

  /// The maximum for all reads together, nanoseconds.
  private static let longest: Int64 = 10_000_000_000

  init(_ context: RunContext) {
    self.context = context
    recorder = StateRecorder(context: context)
    limits = LimitRecorder(context: context)
  }

  /// The results of the reads; nil where there is none to send.
  ///
  /// - Parameter unwritten: by invariant, the number of reads that cannot be written as requests.
  static func recorded(
    _ reads: [Read], _ context: RunContext, unwritten: [Int: Int] = [:], after lag: Duration = .zero
  ) async -> StateReads? {
    guard !reads.isEmpty || !unwritten.isEmpty, let loop = try? EventLoop(number: context.loops) else { return nil }
    let whole = await loop.submit {
      var whole = StateReads(context)
      for (invariant, count) in unwritten { whole.recorder.log.gaps[invariant].failedReads += count }
      await whole.send(reads, on: loop, after: lag)
      return whole
    }.value
    loop.shutdown()
    return whole
  }

  /// The log of the reads, masked, with times that count from the zero of another context.
  func log(countingFrom other: RunContext) -> EventLog {
    var log = EventLog(context)
    (log.state, log.limits) = (recorder.masked, limits.masked)
    log.state.shift(by: context.start - other.start)
    return log
  }

  private mutating func send(_ reads: [Read], on loop: EventLoop, after lag: Duration) async {
    let transport = Transport(
      loop: loop, origin: context.origin, options: context.transport, resolved: context.resolved)
    defer { transport.close() }
    guard let connection = try? transport.connect(sourceAddress: nil, keepsCookies: false) else {
      for read in reads { recorder.log.gaps[read.invariant].failedReads += 1 }
      return
    }
    let parser = TapeParser()
    let begun = Instant.now + lag.nanoseconds
    if lag > .zero { _ = await loop.sleep(until: begun) }
    for read in reads {
      guard .now - begun < Self.longest else {
        recorder.log.gaps[read.invariant].failedReads += 1
        continue
      }
      var http = read.http
      let transfer = await connection.exchanged(&http, operation: read.operation, context.credential, on: loop)
      let before = recorder.log.exchanges.count
      parser.forget()
      recorder.record(
        transfer, http, operation: read.operation, session: -1, unique: UniqueValues(),
        body: ResponseBody(transfer: transfer, parser: parser), isOwn: true)
      let isAbsent = read.mayBeAbsent && (transfer.status == 404 || transfer.status == 410)
      if recorder.log.exchanges.count == before, !isAbsent { recorder.log.gaps[read.invariant].failedReads += 1 }
      observe(transfer, read, parser, from: connection.sourceAddress)
      transfer.release()
    }
    connection.close()
  }

  private mutating func observe(_ transfer: Transfer, _ read: Read, _ parser: TapeParser, from address: String?) {
    let isRejected = context.rejections.rejects(
      read.operation, status: transfer.status, headers: transfer.headers)
    guard limits.concerns(read.operation, isRejected: isRejected) else { return }
    var known: LimitRecorder.KnownIdentity?
    let identity = limits.identity(
      sourceAddress: address ?? "", headers: read.http.headers, unique: UniqueValues(), last: &known)
    limits.record(
      read.operation, transfer, read.http, identity: identity, isRejected: isRejected,
      body: ResponseBody(transfer: transfer, parser: parser))
  }
}

extension StateReads {
  /// The initial counts before the load, from the requests that `start:` of the invariants names.
  ///
  /// - Parameter context: the context of a load that has not begun. The log's times count from its zero.
  static func starts(_ context: RunContext) async -> StateReads? {
    var reads: [Read] = []
    var unwritten: [Int: Int] = [:]
    for (number, invariant) in context.state.invariants.enumerated() {
      for start in invariant.starts {
        guard let operation = start.operation.index ?? context.contract.index(of: start.operation.id) else { continue }
        for call in calls(start, operation, context) {
          guard var http = try? call.request(context.contract, credentials: context.credentials[operation]) else {
            unwritten[number, default: 0] += 1
            continue
          }
          http.add(clientHeaders: start.headers.map { HeaderField($0.name, $0.value) })
          reads.append(Read(invariant: number, operation: operation, http: http))
        }
      }
    }
    return await recorded(reads, context, unwritten: unwritten)
  }

  private static func calls(_ start: StateStart, _ operation: Int, _ context: RunContext) -> [OperationCall] {
    var call = OperationCall(operation: operation)
    call.query = start.query.map { ($0.name, $0.value) }
    guard let name = start.keyName, !start.keys.isEmpty else { return [call] }
    return start.keys.map { key in
      call.path[name] = .string(key)
      return call
    }
  }
}

/// Reads every key that the load changed once more after the load. A loss at the end is visible only in this way.
struct StateFinals {
  let context: RunContext
  let recorders: [StateRecorder]

  /// The maximum of keys of one invariant that are read. If there are more, those with the most writes are read.
  private static let mostKeys = 2_000
  /// The maximum time to wait where responses may be old.
  private static let longestLag = Duration.seconds(5)

  private typealias Read = StateReads.Read

  /// The log of the reads; nil where there is nothing to read.
  func recorded() async -> EventLog? {
    guard !context.cutting.isRequested, !context.state.isEmpty else { return nil }
    let lag = context.state.invariants.flatMap(\.stale.values).max() ?? .zero
    var log = await StateReads.recorded(reads(), context, after: min(lag, Self.longestLag))?.log(countingFrom: context)
    // These reads are sent after the load, and limits are judged by the load only.
    log?.limits = LimitLog(start: context.start)
    return log
  }

  private func reads() -> [Read] {
    context.state.invariants.indices.filter { context.state.invariants[$0].readsAtEnd }.flatMap { reads(of: $0) }
  }

  private func reads(of invariant: Int) -> [Read] {
    var look: [Read] = []
    for (operation, taps) in context.state.taps.enumerated() {
      for tap in taps where tap.invariant == invariant {
        switch tap.action {
        case .show(.request(.path(let name)), _), .entries(.request(.path(let name)), _), .get(.path(let name), _):
          return reads(of: invariant, by: operation, name)
        // One whole list shows all items.
        case .look(.path(let name)): look = reads(of: invariant, by: operation, name)
        case .list(_, isWhole: true) where tap.owner != nil: return lists(of: invariant)
        case .list(_, isWhole: true):
          guard let sample = sample(of: operation) else { continue }
          return [Read(invariant: invariant, operation: operation, http: sample)]
        default: continue
        }
      }
    }
    return look
  }

  /// A read of each changed key by an operation whose path parameter has the key.
  private func reads(of invariant: Int, by operation: Int, _ name: String) -> [Read] {
    changes(of: invariant).compactMap { change in
      request(operation, name, change).map {
        Read(invariant: invariant, operation: operation, http: $0, mayBeAbsent: !change.isAccepted)
      }
    }
  }

  /// The list of each owner, as the owner requested it.
  private func lists(of invariant: Int) -> [Read] {
    let all = recorders.reduce(into: [:]) { $0.merge($1.lists[invariant]) { first, _ in first } }
    return all.sorted { $0.key < $1.key }.prefix(Self.mostKeys).map {
      Read(invariant: invariant, operation: $0.value.operation, http: $0.value.request)
    }
  }

  /// A key that the load changed, or may have changed.
  private struct Change {
    var key: String
    var writes = 0
    /// The headers of the last accepted write, otherwise of the last write: they identify a user that may read the
    /// changed value. Nil where they were not kept.
    var headers: [HeaderField]?
    var isAccepted = false
  }

  /// Those with the most writes first.
  private func changes(of invariant: Int) -> [Change] {
    var changes: [String: Change] = [:]
    for state in recorders {
      for exchange in state.log.exchanges where Int(exchange.invariant) == invariant {
        // A rejected creation has no key.
        guard [.write, .delete, .create].contains(exchange.role), exchange.key >= 0 else { continue }
        let key = state.log.names[exchange.key]
        var change = changes[key] ?? Change(key: key)
        change.writes += 1
        let isAccepted = exchange.outcome == .accepted
        if isAccepted || !change.isAccepted {
          change.isAccepted = isAccepted
          change.headers = exchange.headers < 0 ? nil : state.headers[Int(exchange.headers)]
        }
        changes[key] = change
      }
    }
    let ordered = changes.values.sorted { ($1.writes, $0.key) < ($0.writes, $1.key) }
    return Array(ordered.prefix(Self.mostKeys))
  }

  private func sample(of operation: Int) -> HTTPRequest? {
    recorders.lazy.compactMap { $0.samples[operation] }.first
  }

  /// The request as the load sent it, with another key and the headers of the user that changed it; otherwise as the
  /// contract writes it. The headers matter because another user may not be allowed to read it.
  private func request(_ operation: Int, _ name: String, _ change: Change) -> HTTPRequest? {
    guard let headers = change.headers else { return nil }
    if let sample = sample(of: operation),
      let target = context.state.paths[operation].replacing(name, with: change.key, in: sample.target)
    {
      let fields = sample.headers.map { field in headers.first(named: field.name) ?? field }
      return HTTPRequest(method: sample.method, target: target, headers: fields, body: sample.body)
    }
    var call = OperationCall(operation: operation)
    call.path[name] = .string(change.key)
    guard var http = try? call.request(context.contract, credentials: context.credentials[operation]) else {
      return nil
    }
    http.add(clientHeaders: headers.filter { !$0.name.lowercased().hasPrefix("content-") })
    return http
  }
}
