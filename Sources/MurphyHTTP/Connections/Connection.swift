import Glibc
import MurphyModel

/// The client of one virtual user, with its own TCP connections, cookies and source address.
///
/// Belongs to its loop's thread.
package final class Connection {
  let transport: Transport
  /// The local address to send from; nil for the system's choice.
  package let sourceAddress: String?
  /// The source address as the system calls need it.
  let source: SocketAddress?
  /// The libcurl handle that carries the user's requests or performs their TLS handshakes; nil for plain requests on
  /// the direct path.
  let multi: Multi?
  /// The user's key in libcurl's connection pool.
  let scope: Int
  /// libcurl's open sockets of this user.
  var sockets: [CInt] = []
  /// The idle connections of this user in libcurl, by local port.
  var kept: [CInt: KeptConnection] = [:]
  var isHTTP2 = false
  /// The local ports of libcurl's open connections of this user that are known to be HTTP/2.
  var streamPorts: Set<CInt> = []
  /// The direct path's connections of this user for HTTP/1.1.
  private(set) var links: [DirectLink] = []
  /// The direct path's connections of this user for HTTP/2.
  private var streamLinks: [H2Link] = []
  /// The number of TCP connections that would be open if the server closed none. Each request without a free connection
  /// adds one; each request without a complete response removes one.
  private var expected = 0
  private var inFlight = 0
  private var jar: CookieJar?
  /// The number of cookies that responses have set since the user began without any.
  package private(set) var cookiesSet = 0
  private var isClosed = false
  /// By operation: the number of TCP connections over which the user spreads its requests; empty for one each.
  package var widths: [Int] = []

  init(
    transport: Transport, multi: Multi?, scope: Int, sourceAddress: String?, keepsCookies: Bool
  ) throws(TransportError) {
    self.transport = transport
    self.multi = multi
    self.scope = scope
    self.sourceAddress = sourceAddress
    let bare = sourceAddress.map { $0.hasPrefix("[") ? String($0.dropFirst().dropLast()) : $0 }
    source = try bare.map { text throws(TransportError) in
      try SocketAddress.resolve(text, port: 0, isLiteral: true)[0]
    }
    if keepsCookies { jar = CookieJar(origin: transport.origin) }
  }

  deinit { close() }

  /// Sends a request at once. Several may be in flight; with HTTP/1.1 each has a TCP connection.
  ///
  /// - Parameter width: the number of TCP connections that the user opens before a request uses one again. A server
  ///   with several counters then counts the requests of the user apart. Requests through a proxy use any connection.
  package func start(_ request: HTTPRequest, over width: Int = 1) -> Transfer {
    transport.start(request, on: self, over: width)
  }

  /// Sends a request of an operation over as many connections as ``widths`` says.
  ///
  /// - Parameter trace: the ids in its headers `traceparent` and `tracestate`, unless it sets `traceparent` itself.
  package func start(_ request: HTTPRequest, of operation: Int, trace: TraceContext? = nil) -> Transfer {
    transport.start(request, on: self, over: widths.isEmpty ? 1 : widths[operation], trace: trace)
  }

  /// Returns true if a connection should be free for the request that begins now.
  ///
  /// - Parameter isSpread: true if the request opens another connection, whether one is free or not.
  func begin(isSpread: Bool) -> Bool {
    defer { inFlight += 1 }
    if expected > inFlight, !isSpread { return true }
    expected += 1
    return false
  }

  /// - Parameter keeps: true if the end of the request does not require its connection to close.
  func end(keeps: Bool) {
    inFlight -= 1
    if !keeps { expected -= 1 }
  }

  /// Records an idle connection of libcurl. The oldest one is dropped when there are many.
  func keep(_ port: CInt, _ connection: KeptConnection) {
    if kept.count >= 64, let oldest = kept.min(by: { $0.value.idleSince < $1.value.idleSince }) {
      kept[oldest.key] = nil
    }
    kept[port] = connection
  }

  func newLink() -> DirectLink {
    let link = DirectLink(connection: self)
    links.append(link)
    return link
  }

  func newStreamLink() -> H2Link {
    let link = H2Link(connection: self)
    streamLinks.append(link)
    return link
  }

  /// A connection of HTTP/2 that can take another request.
  func openStreamLink() -> H2Link? {
    // A copy: looking at a connection may find that the server has closed it.
    let links = streamLinks
    return links.last { $0.isReady() }
  }

  /// True if a request that is spread over `width` connections opens another one.
  func opensAnother(of width: Int) -> Bool {
    let count = links.count + streamLinks.count
    return count > 0 && count < width
  }

  /// Moves the free connection that has waited longest to the place of the one that the next request uses.
  func rotate() {
    if let index = links.firstIndex(where: \.isIdle) { links.append(links.remove(at: index)) }
    if streamLinks.count > 1 { streamLinks.append(streamLinks.removeFirst()) }
  }

  func remove(_ link: Link) {
    links.removeAll { $0 === link }
    streamLinks.removeAll { $0 === link }
  }

  /// The `Cookie` header that the jar adds to a request.
  package func cookies(for target: String) -> String? {
    guard let jar, !jar.isEmpty else { return nil }
    return jar.field(for: transport.origin.basePath + target, now: WallClock.seconds)
  }

  /// The value of a cookie that the user has for a target; nil if it has none.
  package func cookie(named name: String, for target: String) -> String? {
    jar?.value(of: name, for: transport.origin.basePath + target, now: WallClock.seconds)
  }

  /// The values of all cookies, to mask them. Call it on the loop's thread.
  package var cookieValues: [String] { jar?.values ?? [] }

  func keepCookies(of transfer: Transfer) {
    guard jar != nil, transfer.fields.has(.setCookie) else { return }
    for line in transfer.fields.lines where line.is(.setCookie) {
      let value = Substring(decoding: line.value, as: UTF8.self)
      jar?.store(value, target: transport.origin.basePath + transfer.target, now: WallClock.seconds)
      cookiesSet += 1
    }
  }

  /// The next request sends no cookie.
  package func forgetCookies() {
    jar?.removeAll()
    cookiesSet = 0
  }

  /// Closes the user's TCP connections. No request may be in flight.
  ///
  /// libcurl finds its closed sockets within a second of further traffic and frees them.
  package func close() {
    guard !isClosed else { return }
    isClosed = true
    multi?.users -= 1
    for socket in sockets {
      shutdown(socket, CInt(SHUT_RDWR))
      transport.forget(socket)
    }
    for link in links { link.invalidate() }
    for link in streamLinks { link.invalidate() }
    sockets = []
    links = []
    streamLinks = []
  }
}

/// How long a connection is idle between two requests, and how long its server announced to keep it.
struct KeptConnection {
  /// The earliest time of the last response: the loop may have read it late.
  var idleSince: Instant
  /// `Keep-Alive: timeout=N` (RFC 2068 §19.7.1.1), which servers still send.
  var announced: Duration?
}

/// One attempt to send a request whose connection was closed before the first byte of a response.
///
/// It happens on a kept-alive connection: the server may close an idle one while a request is on its way
/// (RFC 9112 §9.3.1). A server that closes earlier than it may has lost a request.
package struct LostAttempt: Sendable, Hashable {
  /// When the attempt was sent.
  package var sent: Instant
  /// The maximum time that the connection had been idle when the request was sent.
  package var idle: Duration
  package var announced: Duration?
  /// HTTP/2: the server refused the stream (RFC 9113 §8.7). Through a proxy it may also have lost it: libcurl does not
  /// distinguish that.
  package var isStream = false
  /// An earlier attempt to send the request was lost as well.
  package var isSecond = false

  package init(sent: Instant, idle: Duration, announced: Duration?) {
    self.sent = sent
    self.idle = idle
    self.announced = announced
  }

  init(sent: Instant, on connection: KeptConnection?) {
    self.sent = sent
    idle = connection.map { .nanoseconds(max(sent - $0.idleSince, 0)) } ?? .zero
    announced = connection?.announced
  }

  /// How long a server must keep an idle connection: the announced time less a tenth for the transit of the request, or
  /// one second.
  package var patience: Duration { announced.map { $0 * 9 / 10 } ?? .seconds(1) }

  /// True if the close was the server's error, as opposed to the known race on an idle connection.
  package var isEarly: Bool { idle < patience }

  /// The reason why the request was not sent again after this attempt.
  var remark: String {
    isSecond ? "Murphy sent the request twice" : "The request is not idempotent, so murphy did not send it again"
  }

  /// The rule as a phrase, without the values of one request.
  package var rule: String {
    announced.map { "the announced keep-alive time of \($0.text)" } ?? "1 s (the server announces no keep-alive time)"
  }
}
