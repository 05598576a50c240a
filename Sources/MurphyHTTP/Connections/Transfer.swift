import Glibc
import MurphyModel

/// One request in flight and, once it ended, its answer.
///
/// Belongs to its loop's thread. It is lent by a `Connection` and given back with `release`; the bytes of the
/// answer are valid until then.
package class Transfer {
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
  /// When the request was handed to the network, a new connection included.
  package internal(set) final var sent = Instant(nanoseconds: 0)
  /// When it was last sent: later than `sent` if a connection was closed before it was answered.
  package internal(set) final var lastSent = Instant(nanoseconds: 0)
  /// Earlier sendings of the same request, after each of which it was sent again.
  package internal(set) final var repeats: [LostAttempt] = []
  /// The rules of HTTP that the answer broke, and that it was read without.
  package internal(set) final var violations: ProtocolViolations = []
  /// When the last byte was there, or the failure known; of a stream of events, when its header section was there.
  package internal(set) final var ended = Instant(nanoseconds: 0)
  /// When the client was done with it: behind `ended` for a stream of events.
  package private(set) final var left = Instant(nanoseconds: 0)
  /// The load ended while the client read a stream of events.
  package private(set) final var isCutShort = false
  /// Whether its answer came in one piece over a connection that stood: all of its time was the wait for the first byte.
  package final var isPlain: Bool { opening == nil && firstRead == nil && sent == lastSent }
  /// What it took to open the connection that was opened for it, nanoseconds; nil where one was used again.
  final var opening: (connect: Int64, tls: Int64?)?
  /// When that connection could take the request.
  final var ready: Instant?
  /// When the first bytes of an answer were read; nil where nothing came after them.
  final var firstRead: Instant?
  package final var hasBegun: Bool { firstRead != nil }
  package internal(set) final var status = 0
  /// The body went over the limit and was cut off there; the exchange was given up.
  package internal(set) final var isCutOff = false
  /// Bytes of the body as they came over the wire, compressed if they were.
  package internal(set) final var bytesReceived = 0

  /// Whether it is read as a stream of events, until the server or the client ends it.
  package private(set) final var isStreamed = false
  /// The stream of events that the answer is; nil for an answer with an end of its own.
  final var stream: EventStream?

  /// Whether the user should have had a free connection for it.
  final var isReusing = false
  unowned let transport: Transport
  final var connection: Connection?
  final var target = ""
  final var header = GrowingBytes()
  final var body = GrowingBytes()
  /// The field lines of the final answer, without the status line; valid until `release`.
  package final let fields = FieldTable()
  /// Bytes of the status line, with which `header` begins.
  final var statusLine = 0
  final var timeout: Duration = .zero
  private final var waiting: UnsafeContinuation<Void, Never>?

  init(transport: Transport) { self.transport = transport }

  /// Header lines `Name: value\r\n` of the final answer, without the status line; valid until `release`.
  package final var headerBlock: UnsafeRawBufferPointer { fields.block }

  /// Where the time from `sent` to `ended` went, once it was answered.
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

  /// Takes the request back: the connection is closed, or with HTTP/2 the stream reset.
  package final func cancel() { takeBack(.cancelled) }

  /// Gives the transfer back; its bytes are gone.
  package final func release() {
    cancel()
    connection = nil
    header.clear()
    body.clear()
    fields.clear()
    statusLine = 0
    status = 0
    isCutOff = false
    bytesReceived = 0
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

  final func takeBack(_ ending: Ending) {
    guard case .inFlight = _ending, connection != nil else { return }
    if isStreamed, case .abandoned = ending {
      // It was answered when it began.
      isCutShort = true
      return leaveStream()
    }
    withdraw()
    end(ending, at: .now)
  }

  /// Whether the answer is a stream of events, whole or not.
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

  /// The header section of a stream of events is there: the request is answered.
  ///
  /// - Parameter isReadable: whether its bytes are in no content coding.
  final func beginStream(_ request: HTTPRequest, isReadable: Bool = true) {
    guard let patience = request.stream ?? transport.options.stream else { return }
    let now = Instant.now
    stream = EventStream(begun: now, patience: patience, isReadable: isReadable)
    isStreamed = true
    transport.streams.open += 1
    transport.streams.lastBegun = now
  }

  /// Whether the end of the stream leaves its connection open. Apart from the end of other answers, which it must not cost.
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
