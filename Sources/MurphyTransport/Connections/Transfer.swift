import CLibcurl
import MurphyModel

/// One request in flight and, once it ended, its answer.
///
/// Belongs to its loop's thread. It is lent by a `Connection` and given back with `release`; the bytes of the
/// answer are valid until then.
package final class Transfer {
  package enum Ending: Sendable {
    case inFlight
    case answered
    case failed(TransportError)
    /// Taken back by the client.
    case cancelled
    /// Still in flight when the load ended.
    case abandoned
  }

  package internal(set) var ending = Ending.inFlight
  /// When the request was handed to the network, a new connection included.
  package internal(set) var sent = Instant(nanoseconds: 0)
  /// When the last byte was there, or the failure known.
  package internal(set) var ended = Instant(nanoseconds: 0)
  package internal(set) var status = 0
  /// The body went over the limit and was cut off there; the exchange was given up.
  package internal(set) var isCutOff = false
  /// Bytes of the body as they came over the wire, compressed if they were.
  package internal(set) var bytesReceived = 0

  let easy: UnsafeMutableRawPointer
  let slot: Int
  let errorText: UnsafeMutablePointer<CChar>
  unowned let transport: Transport
  var connection: Connection?
  var header = GrowingBytes()
  var body = GrowingBytes()
  var bodyLimit = Int.max
  var timeout: Duration = .zero
  var method = MethodSetting.unset
  var hasCookies = false
  var headerList: UnsafeMutablePointer<curl_slist>?
  private var waiting: UnsafeContinuation<Void, Never>?

  /// What the easy handle's method options were last set to, so that a series of GETs sets nothing.
  enum MethodSetting { case unset, get, other }

  init(easy: UnsafeMutableRawPointer, slot: Int, transport: Transport) {
    self.easy = easy
    self.slot = slot
    self.transport = transport
    errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
    errorText.initialize(to: 0)
    setOnce()
  }

  deinit {
    curl_easy_cleanup(easy)
    curl_slist_free_all(headerList)
    errorText.deallocate()
  }

  /// Header lines `Name: value\r\n` of the final answer, without the status line; valid until `release`.
  package var headerBlock: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: header.bytes.dropFirst(statusLine))
  }
  /// The decoded body; valid until `release`.
  package var bodyBytes: UnsafeRawBufferPointer { body.bytes }
  var statusLine = 0

  /// Suspends until the request ended, however it did.
  package func finished() async {
    guard case .inFlight = ending else { return }
    await withUnsafeContinuation { waiting = $0 }
  }

  func end(_ ending: Ending, at now: Instant) {
    self.ending = ending
    ended = now
    waiting.take()?.resume()
  }

  /// Takes the request back: the connection is closed, or with HTTP/2 the stream reset.
  package func cancel() { takeBack(.cancelled) }

  func takeBack(_ ending: Ending) {
    guard case .inFlight = self.ending else { return }
    transport.withdraw(self)
    end(ending, at: .now)
  }

  /// Gives the transfer back; its bytes are gone.
  package func release() {
    if case .inFlight = ending { cancel() }
    transport.reclaim(self)
  }
}
