import CLibcurl
import CLinux
import Glibc
import MurphyModel

/// The TLS of one link: libcurl connects and performs the handshake (`CURLOPT_CONNECT_ONLY`). Later bytes go directly
/// through OpenSSL, or through `curl_easy_send` and `curl_easy_recv` if libcurl uses another library: libcurl 7.88 searches
/// its connections in each call, and needs three system calls to receive a response.
final class SecureChannel: TimerTarget {
  private let easy: UnsafeMutableRawPointer
  private let errorText: UnsafeMutablePointer<CChar>
  private let multi: Multi
  unowned var link: Link
  private unowned let transport: Transport
  private var isClosed = false
  private(set) var failure = ""
  /// OpenSSL's connection; nil with another library.
  private var tls: UnsafeMutableRawPointer?
  /// True if bytes go directly through OpenSSL.
  private var isTaken = false
  /// True if the server picked HTTP/2 in the handshake.
  private(set) var hasStreams = false

  /// True if libcurl's TLS library lets murphy offer HTTP/2 itself. With another library, libcurl carries HTTP/2.
  static let canOfferStreams = curl_can_offer_streams() != 0

  /// Starts to connect; `link` is notified of the end.
  init(link: Link, multi: Multi) {
    guard let easy = curl_easy_init() else { preconditionFailure("no memory for another connection") }
    self.easy = easy
    self.link = link
    self.multi = multi
    transport = link.transport
    errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
    errorText.initialize(to: 0)
    setOptions()
  }

  deinit {
    close()
    errorText.deallocate()
  }

  private func setOptions() {
    let me = Unmanaged.passUnretained(self).toOpaque()
    transport.options.setReach(easy, to: transport.origin)
    curl_set_pointer(easy, CURLOPT_ERRORBUFFER, errorText)
    curl_set_open_function(easy, openSocketOfChannel)
    curl_set_pointer(easy, CURLOPT_OPENSOCKETDATA, me)
    curl_set_close_function(easy, closeSocket)
    curl_set_pointer(easy, CURLOPT_CLOSESOCKETDATA, Unmanaged.passUnretained(transport).toOpaque())
    curl_set_text(easy, CURLOPT_URL, transport.prefix)
    curl_set_pointer(easy, CURLOPT_RESOLVE, transport.addresses)
    curl_set_long(easy, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
    curl_set_long(easy, CURLOPT_CONNECT_ONLY, 1)
    if link.offersStreams { curl_offer_streams(easy) }
    curl_set_prerequest_function(easy, handshakeDone)
    curl_set_pointer(easy, CURLOPT_PREREQDATA, me)
    // `curl_easy_recv` of 7.88 returns at most this many bytes at once. The size holds a whole TLS record (RFC 8446
    // §5.1). So no part of one remains unread: neither epoll nor a check of the socket would show it.
    curl_set_long(easy, CURLOPT_BUFFERSIZE, 16_384)
    // The link's own deadline expires first.
    curl_set_long(easy, CURLOPT_CONNECTTIMEOUT_MS, transport.options.connectTimeout.milliseconds + 1000)
    if transport.usesSourceAddresses { TransportOptions.setSource(easy, link.connection.sourceAddress) }
  }

  func connect() {
    transport.shaking[easy] = self
    curl_multi_add_handle(multi.handle, easy)
    multi.turn()
  }

  fileprivate func readHandshake() {
    tls = curl_tls(easy)
    guard link.offersStreams else { return }
    var name = [CChar](repeating: 0, count: 32)
    let length = curl_negotiated_protocol(easy, &name, UInt32(name.count))
    hasStreams = length == 2 && name[0] == CChar(UInt8(ascii: "h")) && name[1] == CChar(UInt8(ascii: "2"))
  }

  /// libcurl has connected and completed the handshake, or failed.
  func ended(_ code: CURLcode) {
    transport.shaking[easy] = nil
    var descriptor = CURL_SOCKET_BAD
    if code == CURLE_OK { curl_get_socket(easy, &descriptor) }
    guard descriptor != CURL_SOCKET_BAD else { return link.tlsFailed(error(code)) }
    if let tls { isTaken = curl_take_tls(tls, descriptor) != 0 }
    link.tlsReady(descriptor)
  }

  /// The time that libcurl needed for the TCP handshake, in nanoseconds.
  var connectTime: Int64 { easy.large(CURLINFO_CONNECT_TIME_T) * 1000 }

  private func error(_ code: CURLcode) -> TransportError {
    recordCode(code)
    return TransportError(
      code, detail: failure, cause: easy.number(CURLINFO_OS_ERRNO),
      options: (transport.options.connectTimeout, transport.options.timeout))
  }

  private func recordCode(_ code: CURLcode) {
    failure = String(cString: errorText)
    if failure.isEmpty { failure = String(cString: curl_easy_strerror(code)) }
  }

  /// Sends bytes; returns how many were sent, or the negative errno: `EAGAIN`, or `EPROTO` with a ``failure``.
  func send(_ start: UnsafeRawPointer, _ count: Int) -> Int {
    if isTaken { return result(curl_tls_write(tls, start, CInt(clamping: count), errorText, Int(CURL_ERROR_SIZE))) }
    var sent = 0
    let code = curl_easy_send(easy, start, count, &sent)
    return result(code, sent)
  }

  /// Receives bytes: returns how many, 0 at the end of the stream, or the negative errno as ``send(_:_:)``.
  func receive(_ room: UnsafeMutableRawBufferPointer) -> Int {
    if isTaken {
      return result(curl_tls_read(tls, room.baseAddress, CInt(clamping: room.count), errorText, Int(CURL_ERROR_SIZE)))
    }
    var received = 0
    let code = curl_easy_recv(easy, room.baseAddress, room.count, &received)
    return result(code, received)
  }

  private func result(_ count: CInt) -> Int {
    if count >= 0 { return Int(count) }
    if count == -1 { return Int(-EAGAIN) }
    failure = String(cString: errorText)
    return Int(-EPROTO)
  }

  private func result(_ code: CURLcode, _ count: Int) -> Int {
    if code == CURLE_OK { return count }
    if code == CURLE_AGAIN { return Int(-EAGAIN) }
    recordCode(code)
    return Int(-EPROTO)
  }

  func close() {
    guard !isClosed else { return }
    isClosed = true
    transport.shaking[easy] = nil
    if let rest { transport.loop.timers.cancel(rest) }
    curl_multi_remove_handle(multi.handle, easy)
    curl_easy_cleanup(easy)
  }

  // MARK: what is left in TLS

  /// True if TLS holds received bytes, or a part of a record: they keep no descriptor ready.
  var holdsBytes: Bool { isTaken && curl_tls_has_pending(tls) != 0 }
  /// True if a read may leave bytes in TLS.
  var needsAnotherRead: Bool { !isTaken || holdsBytes }
  /// True if the socket alone shows that nothing is waiting to be received.
  var isEmpty: Bool { isTaken ? !holdsBytes : !LibcurlVersion.readsAhead }

  /// The timer after which the link continues to read.
  private var rest: TimerQueue.Token?

  /// Lets the link continue to read in the loop's next turn: bytes that TLS has already decrypted keep no descriptor
  /// ready.
  func readOn() {
    guard rest == nil else { return }
    rest = transport.loop.timers.set(.now, .fire(self))
  }

  func timerFired(_ now: Instant) {
    rest = nil
    link.ready(.readable)
  }

  func opened(_ socket: CInt) { transport.opened(socket, by: link.connection) }
}

/// Called after the handshake; the choice of the server and OpenSSL's connection cannot be read later.
private func handshakeDone(
  _ user: UnsafeMutableRawPointer?, _ remote: UnsafeMutablePointer<CChar>?, _ local: UnsafeMutablePointer<CChar>?,
  _ remotePort: CInt, _ localPort: CInt
) -> CInt {
  if let user { Unmanaged<SecureChannel>.fromOpaque(user).takeUnretainedValue().readHandshake() }
  return CURL_PREREQFUNC_OK
}

func openSocketOfChannel(
  _ user: UnsafeMutableRawPointer?, _ purpose: curlsocktype, _ address: UnsafeMutablePointer<curl_sockaddr>?
) -> curl_socket_t {
  guard let user, let socket = newSocket(address) else { return CURL_SOCKET_BAD }
  Unmanaged<SecureChannel>.fromOpaque(user).takeUnretainedValue().opened(socket)
  return socket
}
