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
    /// Taken back by the client.
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
  /// When the last byte was there, or the failure known.
  package internal(set) final var ended = Instant(nanoseconds: 0)
  package internal(set) final var status = 0
  /// The body went over the limit and was cut off there; the exchange was given up.
  package internal(set) final var isCutOff = false
  /// Bytes of the body as they came over the wire, compressed if they were.
  package internal(set) final var bytesReceived = 0

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

  /// The decoded body; valid until `release`.
  package final var bodyBytes: UnsafeRawBufferPointer { body.bytes }

  /// Suspends until the request ended, however it did.
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
    violations = []
    _ending = .inFlight
    recycle()
  }

  final func end(_ ending: Ending, at now: Instant) {
    guard case .inFlight = _ending else { return }
    _ending = ending
    ended = now
    transport.inFlight -= 1
    var keeps = false
    if case .answered = ending {
      connection?.keepCookies(of: self)
      keeps = !isCutOff
    }
    connection?.end(keeps: keeps)
    waiting.take()?.resume()
  }

  /// The request needs a new TCP connection.
  final func opens() {
    guard isReusing else { return }
    isReusing = false
    transport.reopened += 1
  }

  final func takeBack(_ ending: Ending) {
    guard case .inFlight = _ending, connection != nil else { return }
    withdraw()
    end(ending, at: .now)
  }

  /// Takes the request off the network.
  func withdraw() {}

  /// Puts the transfer where the next request finds it.
  func recycle() {}
}
