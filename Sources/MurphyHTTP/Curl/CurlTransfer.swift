import CLibcurl
import MurphyModel

/// A transfer that libcurl carries: an easy handle, used by one user after the other.
final class CurlTransfer: Transfer {
  private(set) var easy: UnsafeMutableRawPointer
  let slot: Int
  let errorText: UnsafeMutablePointer<CChar>
  var bodyLimit = Int.max
  var headerList: UnsafeMutablePointer<curl_slist>?
  var last = Settings()
  private(set) var request: HTTPRequest?
  /// Whether the handle points to headers of an answer before this exchange (``LibcurlVersion/remembersHeaders``).
  private(set) var isStale = false
  /// Whether the request was withheld, because the handle is stale and the connection may not be HTTP/2.
  var needsRenewal = false
  var isIdempotent = false
  var asked = ""
  /// Sendings so far; libcurl begins a second one by itself when a connection that was kept turns out to be closed.
  var sendings = 0
  /// What is known of the connection that carries the request; nil for a new one.
  var kept: KeptConnection?
  /// The sending after which another was refused to libcurl.
  var lost: LostAttempt?
  var broken: ProtocolViolation?
  var interims = 0
  /// Whether a field line of the present header section says that a stream of events comes.
  var promisesEvents = false
  private var streamTimer: TimerQueue.Token?
  var socketOpened: Instant?
  /// From then to the first sending, nanoseconds.
  var openedIn: Int64?
  var headerBytes = 0

  /// Bytes of content that an idle handle may keep.
  private static let mostContent = 16_384

  /// What the easy handle was last set to, so that the next request of a loop sets as little as possible.
  struct Settings {
    enum Method { case unset, get, other }

    var method = Method.unset
    var url = ""
    var hasCookies = false
    /// Nil where more than the request's fields was set.
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

  /// Sets the handle for a request; one that is stale gets a new handle unless the user has a connection of HTTP/2.
  func prepare(_ request: HTTPRequest, for connection: Connection) {
    self.request = request
    if isStale, connection.streamPorts.isEmpty { renew() }
    set(request, for: connection)
  }

  /// Begins again with a new handle: nothing was sent.
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

  /// A new handle in the place of a used one.
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
    // An answer may have come that was not shown to the end, and over HTTP/2 one may have no field at all.
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
  /// The header section of a stream of events is there: its own end takes the place of libcurl's deadline.
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
  /// Whether libcurl may send the request, over the connection with this local port.
  ///
  /// libcurl sends a request again by itself, up to five times, when a connection that was kept is closed before the
  /// first byte of an answer, and when an HTTP/2 stream was refused (`Curl_retry_request` in lib/transfer.c of 7.88). It
  /// asks before each sending: here the repeat is counted, or refused.
  func maySend(from port: CInt) -> Bool {
    if isStale, connection?.streamPorts.contains(port) != true {
      needsRenewal = true
      return false
    }
    let now = Instant.now
    sendings += 1
    if sendings > 1 {
      var attempt = LostAttempt(sent: lastSent, on: kept)
      // Only a refused stream is sent again over a connection that had not been kept.
      attempt.isStream = connection?.isHTTP2 ?? false || kept == nil
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

  /// Remembers until when the connection was busy.
  func keepConnection() {
    let port = easy.number(CURLINFO_LOCAL_PORT)
    guard port > 0, let connection else { return }
    if isHTTP2 {
      connection.isHTTP2 = true
      // A connection that ended with the answer is closed by now.
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

/// The libcurl that this process runs.
package enum LibcurlVersion {
  /// `libcurl/7.88.1 OpenSSL/3.0.19 …`
  package static var text: String { String(cString: curl_version()) }

  /// Why this libcurl cannot carry the requests; nil when it can.
  ///
  /// From 7.87 to 7.88 a second request over a plain HTTP/2 connection fails with "Error in the HTTP2 framing layer"
  /// (curl/curl#10634, mended in 8.0.0): a fault that would look like the target's.
  package static func mistake(_ version: TransportOptions.Version, to origin: Origin) -> String? {
    let number = curl_version_info(CURLVERSION_TENTH).pointee.version_num
    guard version == .http2, origin.scheme == "http", (0x07_57_00..<0x08_00_00).contains(number) else { return nil }
    return
      "`http: 2` without TLS needs libcurl 8.0 or newer, and this is \(text.prefix { $0 != " " }): it cannot send a "
      + "second request over such a connection. Use an https target, or `http: 1.1`"
  }

  /// Whether an easy handle that is used again still points to the last header of the answer before, which is freed by
  /// then: an answer that begins with a folded line makes libcurl 7.88 (Debian 12) read it, and ends the process. Later
  /// versions clear the pointer.
  package static let remembersHeaders = number < 0x080200

  /// Whether libcurl may hold bytes of a connection that it has received and nobody has asked for: since 8.0 its filters
  /// have buffers.
  static let readsAhead = number >= 0x080000

  private static let number = curl_version_info(CURLVERSION_FIRST).pointee.version_num

  /// Prepares libcurl for use by several threads; needed once, before the first connection.
  package static let prepare: Void = { curl_global_init(Int(CURL_GLOBAL_DEFAULT)) }()
}
