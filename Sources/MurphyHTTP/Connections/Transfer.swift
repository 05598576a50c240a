import Glibc
import MurphyModel

/// One request in flight and, after its end, its response.
///
/// Belongs to its loop's thread. A `Connection` lends it; the borrower returns it with `release`. The bytes of the
/// response are valid until then.
package class Transfer {
  /// How the transfer ended.
  package enum Ending: Sendable {
    case inFlight
    case answered
    case failed(TransportError)
    case cancelled
    /// Still in flight when the load ended.
    case abandoned
  }

  package final var ending: Ending { _ending }
  private final var _ending = Ending.inFlight
  /// The time when the request was passed to the network, before a new connection is opened.
  package internal(set) final var sent = Instant(nanoseconds: 0)
  /// The time of the last attempt: later than `sent` if a connection was closed before the response.
  package internal(set) final var lastSent = Instant(nanoseconds: 0)
  /// Earlier attempts of the same request, each followed by another attempt.
  package internal(set) final var repeats: [LostAttempt] = []
  /// The rules of HTTP that the response broke although it could be read.
  package internal(set) final var violations: ProtocolViolations = []
  /// The time of the last byte or of the failure; for a stream of events, the time of its header section.
  package internal(set) final var ended = Instant(nanoseconds: 0)
  /// The time when the client had finished with it: after `ended` for a stream of events.
  package private(set) final var left = Instant(nanoseconds: 0)
  /// The load ended while the client read a stream of events.
  package private(set) final var isCutShort = false
  /// True if its response came in one piece over an open connection: all of its time was the wait for the first byte.
  package final var isPlain: Bool { opening == nil && firstRead == nil && sent == lastSent }
  /// How long it took to open a connection for it, in nanoseconds; nil if a connection was reused.
  final var opening: (connect: Int64, tls: Int64?)?
  /// The time when that connection could take the request.
  final var ready: Instant?
  /// The time when the first bytes of a response were read; nil if nothing followed them.
  final var firstRead: Instant?
  /// True as soon as a byte of the response was received.
  package final var hasBegun: Bool { firstRead != nil }
  /// 0 without a response.
  package internal(set) final var status = 0
  /// The body exceeded the limit and was cut off there; the exchange was aborted.
  package internal(set) final var isCutOff = false
  /// The bytes of the body on the wire, compressed if they were sent so.
  package internal(set) final var bytesReceived = 0

  /// The trace in the request's headers; nil without one.
  package internal(set) final var trace: TraceContext?
  /// True if the client withheld the request.
  package internal(set) final var isWithheld = false
  /// True if it is read as a stream of events, until the server or the client ends it.
  package private(set) final var isStreamed = false
  /// The stream of events in the response; nil for a response with an end of its own.
  final var stream: EventStream?

  /// True if the user should have had a free connection for it.
  final var isReusing = false
  unowned let transport: Transport
  final var connection: Connection?
  final var target = ""
  final var header = GrowingBytes()
  final var body = GrowingBytes()
  /// The header lines of the final response, without the status line; valid until `release`.
  package final let fields = FieldTable()
  /// The length in bytes of the status line, with which `header` begins.
  final var statusLine = 0
  final var timeout: Duration = .zero
  private final var waiting: UnsafeContinuation<Void, Never>?

  init(transport: Transport) { self.transport = transport }

  /// Header lines `Name: value\r\n` of the final response, without the status line; valid until `release`.
  package final var headerBlock: UnsafeRawBufferPointer { fields.block }

  /// The parts of the time from `sent` to `ended`, after the response.
  package final var phases: ServicePhases {
    let first = firstRead ?? ended
    var phases = ServicePhases(firstByte: max(first - (ready ?? lastSent), 0))
    phases.body = ended - first
    if let opening { (phases.connect, phases.tls) = opening }
    if sent != lastSent || opening != nil { phases.held = max(ended - sent - phases.total, 0) }
    return phases
  }

  /// The decoded body; valid until `release`.
  package final var bodyBytes: UnsafeRawBufferPointer { body.bytes }

  nonisolated(nonsending) package final func finished() async {
    guard case .inFlight = ending else { return }
    await withUnsafeContinuation { waiting = $0 }
  }

  /// Cancels the request: closes the connection, or resets the stream with HTTP/2.
  package final func cancel() { withdraw(.cancelled) }

  /// Returns the transfer; its bytes become invalid.
  package final func release() {
    cancel()
    connection = nil
    header.clear()
    body.clear()
    fields.clear()
    statusLine = 0
    status = 0
    isCutOff = false
    isWithheld = false
    bytesReceived = 0
    trace = nil
    if !repeats.isEmpty { repeats = [] }
    if isStreamed { (stream, isStreamed, isCutShort) = (nil, false, false) }
    opening = nil
    ready = nil
    firstRead = nil
    violations = []
    _ending = .inFlight
    recycle()
  }

  final func end(_ ending: Ending, at now: Instant) {
    guard case .inFlight = _ending else { return }
    _ending = ending
    (ended, left) = (now, now)
    transport.inFlight -= 1
    var keeps = false
    if case .answered = ending {
      connection?.keepCookies(of: self)
      keeps = !isCutOff
    }
    if isStreamed { keeps = endStream(ending) && keeps }
    connection?.end(keeps: keeps)
    waiting.take()?.resume()
  }

  final func opens() {
    guard isReusing else { return }
    isReusing = false
    transport.reopened += 1
  }

  final func withdraw(_ ending: Ending) {
    guard case .inFlight = _ending, connection != nil else { return }
    if isStreamed, case .abandoned = ending {
      // It was answered when the stream began.
      isCutShort = true
      return leaveStream()
    }
    withdraw()
    end(ending, at: .now)
  }

  /// True if the response is a stream of events, complete or not.
  package final var isEventStream: Bool {
    if isStreamed { return true }
    return fields.lines.contains { $0.is(.contentType) && ASCIICase.begins($0.value, "text/event-stream") }
  }

  package final var streamFigures: StreamFigures {
    var figures = StreamFigures()
    figures.streams = 1
    if let stream {
      figures.events = stream.events
      figures.broken = stream.isBroken ? 1 : 0
    } else {
      var counter = EventCounter()
      counter.feed(bodyBytes)
      figures.events = counter.events
    }
    return figures
  }

  /// The header section of a stream of events was received: the request is answered.
  ///
  /// - Parameter isReadable: true if its bytes have no content coding.
  final func beginStream(_ request: HTTPRequest, isReadable: Bool = true) {
    guard let patience = request.stream ?? transport.options.stream else { return }
    let now = Instant.now
    stream = EventStream(begun: now, patience: patience, isReadable: isReadable)
    isStreamed = true
    transport.streams.open += 1
    transport.streams.lastBegun = now
  }

  /// Returns true if the end of the stream leaves its connection open. A separate function, so that the end of other
  /// responses costs no more.
  @inline(never)
  private final func endStream(_ ending: Ending) -> Bool {
    readStream()
    guard let stream else { return true }
    transport.streams.open -= 1
    if case .answered = ending { ended = stream.begun }
    return !stream.isLeft && !stream.isBroken
  }

  func readStream() {}

  /// The client's patience with the stream is over.
  func leaveStream() {}

  func withdraw() {}

  func recycle() {}
}
