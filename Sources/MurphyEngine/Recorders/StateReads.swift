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
      let transfer = connection.start(read.http)
      await transfer.finished()
      let before = recorder.log.exchanges.count
      parser.forget()
      recorder.record(
        transfer, read.http, operation: read.operation, session: -1, unique: UniqueValues(),
        body: AnswerBody(transfer, parser: parser), isOwn: true)
      let isAbsent = read.mayBeAbsent && (transfer.status == 404 || transfer.status == 410)
      if recorder.log.exchanges.count == before, !isAbsent { recorder.log.gaps[read.invariant].failedReads += 1 }
      observe(transfer, read, from: connection.sourceAddress)
      transfer.release()
    }
    connection.close()
  }

  private mutating func observe(_ transfer: Transfer, _ read: Read, from address: String?) {
    let isRejected = context.rejections.rejects(
      read.operation, status: transfer.status, headers: transfer.headers)
    guard limits.concerns(read.operation, isRejected: isRejected) else { return }
    var known: LimitRecorder.KnownIdentity?
    let identity = limits.identity(
      sourceAddress: address ?? "", headers: read.http.headers, unique: UniqueValues(), last: &known)
    limits.record(read.operation, transfer, read.http, identity: identity, isRejected: isRejected)
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
