import CLibcurl
import MurphyModel

/// A transfer that libcurl carries, through a proxy: an easy handle, used by one user after the other.
final class CurlTransfer: Transfer {
  private(set) var easy: UnsafeMutableRawPointer
  let slot: Int
  let errorText: UnsafeMutablePointer<CChar>
  var bodyLimit = Int.max
  var headerList: UnsafeMutablePointer<curl_slist>?
  var last = Settings()
  private(set) var request: HTTPRequest?
  /// True if the handle points to headers of a response before this exchange (``LibcurlVersion/remembersHeaders``).
  private(set) var isStale = false
  /// True if the request was held back because the handle is stale and the connection may not be HTTP/2.
  var needsRenewal = false
  var isIdempotent = false
  var acceptedCodings = ""
  /// The number of attempts so far; libcurl starts a second one automatically when a kept connection turns out to be
  /// closed.
  var sendings = 0
  /// The state of the connection that carries the request; nil for a new one.
  var kept: KeptConnection?
  /// The attempt after which libcurl was refused another one.
  var lost: LostAttempt?
  var broken: ProtocolViolation?
  var interims = 0
  /// True if a header line of the current header section announces a stream of events.
  var promisesEvents = false
  private var streamTimer: TimerQueue.Token?
  var socketOpened: Instant?
  /// The time from then to the first attempt, in nanoseconds.
  var openedIn: Int64?
  var headerBytes = 0

  /// The maximum content in bytes that an idle handle may keep.
  private static let mostContent = 16_384

  /// The last settings of the easy handle, so that the next request of a loop sets as little as possible.
  struct Settings {
    enum Method { case unset, get, other }

    var method = Method.unset
    var url = ""
    var hasCookies = false
    /// Nil if more than the request's headers was set.
    var headers: [HeaderField]?
    var time: Duration?
    var multi: ObjectIdentifier?
  }

  init(easy: UnsafeMutableRawPointer, slot: Int, transport: Transport) {
    self.easy = easy
    self.slot = slot
    errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
    errorText.initialize(to: 0)
    super.init(transport: transport)
    setOnce()
  }

  deinit {
    curl_easy_cleanup(easy)
    curl_slist_free_all(headerList)
    errorText.deallocate()
  }

  /// Configures the handle for a request. A stale handle is replaced unless the user has an HTTP/2 connection.
  func prepare(_ request: HTTPRequest, for connection: Connection) {
    self.request = request
    if isStale, connection.streamPorts.isEmpty { renew() }
    set(request, for: connection)
  }

  /// Starts over with a new handle: nothing was sent.
  func beginAgain(on multi: Multi) {
    guard let request, let connection else { return }
    needsRenewal = false
    errorText.pointee = 0
    socketOpened = nil
    renew()
    set(request, for: connection)
    setTime(max(timeout - .nanoseconds(Instant.now - sent), .milliseconds(1)))
    curl_multi_add_handle(multi.handle, easy)
  }

  /// Replaces the used handle with a new one.
  func renew() {
    curl_easy_cleanup(easy)
    guard let new = curl_easy_init() else { preconditionFailure("no memory for another request in flight") }
    easy = new
    isStale = false
    last = Settings()
    curl_slist_free_all(headerList)
    headerList = nil
    setOnce()
  }

  override func withdraw() {
    if let streamTimer { transport.loop.timers.cancel(streamTimer) }
    streamTimer = nil
    if let multi = connection?.multi { curl_multi_remove_handle(multi.handle, easy) }
  }

  override func leaveStream() {
    stream?.isLeft = true
    let ending = conclude(CURLE_WRITE_ERROR)
    withdraw()
    end(ending, at: .now)
  }

  override func recycle() {
    errorText.pointee = 0
    kept = nil
    lost = nil
    broken = nil
    interims = 0
    (socketOpened, openedIn) = (nil, nil)
    promisesEvents = false
    headerBytes = 0
    // libcurl may have received a response that it did not show completely, and over HTTP/2 one may have no header at
    // all.
    isStale = LibcurlVersion.remembersHeaders && (isStale || sendings > 0)
    sendings = 0
    needsRenewal = false
    // libcurl keeps a copy of the content.
    if request?.body?.count ?? 0 > Self.mostContent { renew() }
    request = nil
    transport.reclaim(self)
  }
}

extension CurlTransfer: TimerTarget {
  /// The header section of a stream of events was received: its own end replaces libcurl's deadline.
  func beginStream() {
    guard let request, stream == nil, request.method != "HEAD" else { return }
    readStatus()
    if status >= 200, status != 204, status != 304 { beginStream(request) }
    guard let stream else { return fields.clear() }
    setTime(nil)
    streamTimer = transport.loop.timers.set(stream.end, .fire(self))
  }

  func timerFired(_ now: Instant) {
    streamTimer = nil
    leaveStream()
  }
}

extension CurlTransfer {
  /// Returns true if libcurl may send the request over the connection with this local port.
  ///
  /// libcurl repeats a request automatically, up to five times (`Curl_retry_request` in lib/transfer.c of 7.88). It
  /// does so when a kept connection is closed before the first byte of a response, and when an HTTP/2 stream was
  /// refused. It calls this function before each attempt: here the repetition is counted or refused.
  func maySend(from port: CInt) -> Bool {
    if isStale, connection?.streamPorts.contains(port) != true {
      needsRenewal = true
      return false
    }
    let now = Instant.now
    sendings += 1
    if sendings > 1 {
      var attempt = LostAttempt(sent: lastSent, on: kept)
      // Over a connection that had not been kept, only a refused stream is repeated.
      attempt.isStream = connection?.isHTTP2 ?? false || kept == nil
      attempt.isSecond = !repeats.isEmpty
      guard isIdempotent, repeats.isEmpty else {
        lost = attempt
        return false
      }
      repeats.append(attempt)
      firstRead = nil
    }
    if openedIn == nil, let socketOpened { openedIn = now - socketOpened }
    lastSent = now
    kept = connection?.kept.removeValue(forKey: port)
    return true
  }

  /// Records until when the connection was busy.
  func keepConnection() {
    let port = easy.number(CURLINFO_LOCAL_PORT)
    guard port > 0, let connection else { return }
    if isHTTP2 {
      connection.isHTTP2 = true
      // A connection that ended with the response is closed by now.
      var socket = CURL_SOCKET_BAD
      curl_get_socket(easy, &socket)
      if connection.sockets.contains(socket) { connection.streamPorts.insert(CInt(truncatingIfNeeded: port)) }
    }
    let announced = fields.lines.last { $0.is(.keepAlive) }.flatMap { HeaderSection.seconds($0.value) }
    let since = min(transport.loop.earliestEvent, .now)
    connection.keep(CInt(truncatingIfNeeded: port), KeptConnection(idleSince: since, announced: announced))
  }

  private var isHTTP2: Bool { easy.number(CURLINFO_HTTP_VERSION) == Int(CURL_HTTP_VERSION_2_0) }
}

/// The version of libcurl that this process uses.
package enum LibcurlVersion {
  /// `libcurl/7.88.1 OpenSSL/3.0.19 …`
  package static var text: String { String(cString: curl_version()) }

  /// Why this libcurl cannot carry the requests through a proxy; nil if it can, or without a proxy.
  ///
  /// From 7.87 to 7.88 a second request over a plain HTTP/2 connection fails (curl/curl#10634, fixed in 8.0.0). The
  /// error is "Error in the HTTP2 framing layer", which would look like a fault of the target.
  package static func mistake(_ options: TransportOptions, to origin: Origin) -> String? {
    let number = curl_version_info(CURLVERSION_TENTH).pointee.version_num
    guard options.version == .http2, origin.scheme == "http", options.hasProxy(to: origin),
      (0x07_57_00..<0x08_00_00).contains(number)
    else { return nil }
    return
      "`http: 2` through a proxy requires an https target, or libcurl 8.0 or newer. This version "
      + "(\(text.prefix { $0 != " " })) cannot send a second request over such a connection. Use an https target, or "
      + "`http: 1.1`"
  }

  /// True if a reused easy handle still points to the last header of the previous response, which has been freed. A
  /// response that begins with a folded line makes libcurl 7.88 (Debian 12) read it, and ends the process. Later
  /// versions clear the pointer.
  package static let remembersHeaders = number < 0x080200

  /// True if libcurl may hold received bytes of a connection that no caller has read: since 8.0 its filters have
  /// buffers.
  static let readsAhead = number >= 0x080000

  private static let number = curl_version_info(CURLVERSION_FIRST).pointee.version_num

  /// Prepares libcurl for use by several threads; needed once, before the first connection.
  package static let prepare: Void = { curl_global_init(Int(CURL_GLOBAL_DEFAULT)) }()
}
