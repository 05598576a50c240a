import CLibcurl
import Glibc
import MurphyModel

/// The HTTP client of one loop: creates connections for its users and carries their requests.
///
/// Murphy reads and writes HTTP/1.1 and HTTP/2 itself, and uses libcurl for the TLS handshakes. libcurl carries the
/// requests through proxies, and HTTP/2 if its TLS library is not OpenSSL. Belongs to its loop's thread. It must be
/// closed before it is released.
package final class Transport: Watcher {
  /// The only thread that may use the transport.
  package let loop: EventLoop
  package let origin: Origin
  package let options: TransportOptions
  let prefix: String
  let resolved: ResolvedHost
  /// For libcurl, so that it does not resolve names itself.
  let addresses: UnsafeMutablePointer<curl_slist>?
  let isSecure: Bool
  let isDirect: Bool
  /// True if the direct path sends HTTP/2, or offers it in the TLS handshake.
  let usesStreams: Bool
  let requestText: RequestText
  let requestFields: RequestFields
  let traceLines = TraceLines()
  /// The receive buffer of the direct path; its bytes are copied on before the next event.
  let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: 131_072, alignment: 64)
  private(set) var usesSourceAddresses = false
  var sockets: [WatchedSocket] = []
  private(set) var number = 0
  /// Requests that were sent and have not ended.
  package internal(set) var inFlight = 0
  var isExpecting: Bool { inFlight > 0 }
  /// The number of requests for which an earlier response should have left a connection free.
  package internal(set) var reusable = 0
  /// The number of those that had to open another connection.
  package internal(set) var reopened = 0

  /// Streams of events: their requests are in flight but answered.
  package internal(set) var streams = OpenStreams()

  /// The TLS handshakes that libcurl performs now.
  var shaking: [UnsafeMutableRawPointer: SecureChannel] = [:]
  private var multis: [Multi] = []
  private var transfers: [CurlTransfer] = []
  private var idle: [CurlTransfer] = []
  private var directs: [DirectTransfer] = []
  private var idleDirects: [DirectTransfer] = []
  private var lastScope = 0
  /// Bytes on idle connections, as evidence.
  package private(set) var strays: [StrayBytes] = []
  private static let mostStrays = 1000
  /// The maximum number of idle libcurl handles that keep the buffers of their last request.
  private static let mostUsed = 64

  /// Connects to `origin` on `loop`; used on that loop only.
  package init(loop: EventLoop, origin: Origin, options: TransportOptions, resolved: ResolvedHost) {
    self.loop = loop
    self.origin = origin
    self.options = options
    self.resolved = resolved
    prefix = origin.text
    isSecure = origin.scheme == "https"
    usesStreams = isSecure ? options.version != .http1 && resolved.negotiation != .http1 : options.version == .http2
    let canUse = !usesStreams || !isSecure || SecureChannel.canOfferStreams
    isDirect = options.prefersDirectPath && canUse && !options.hasProxy(to: origin)
    requestText = RequestText(origin: origin, options: options)
    requestFields = RequestFields(origin: origin, text: requestText)
    addresses = resolved.curlEntry.flatMap { curl_slist_append(nil, $0) }
    number = loop.register(self)
  }

  deinit {
    curl_slist_free_all(addresses)
    scratch.deallocate()
  }

  var targets: [SocketAddress] { resolved.addresses }

  /// A connection for a new user; sends nothing yet.
  ///
  /// - Parameter sourceAddress: the local address to send from; nil for the system's choice.
  package func connect(
    sourceAddress: String? = nil, keepsCookies: Bool = true
  ) throws(TransportError) -> Connection {
    if sourceAddress != nil { usesSourceAddresses = true }
    let multi = isDirect && !isSecure ? nil : try multiWithRoom()
    multi?.users += 1
    lastScope += 1
    return try Connection(
      transport: self, multi: multi, scope: lastScope, sourceAddress: sourceAddress, keepsCookies: keepsCookies)
  }

  /// The newest multi handle with a free place comes first: most users are young.
  private func multiWithRoom() throws(TransportError) -> Multi {
    let room =
      !isSecure ? options.usersPerMulti : isDirect ? options.channelsPerMulti : options.usersPerSecureMulti
    if let open = multis.last(where: { $0.users < room }) { return open }
    let multi = try Multi(transport: self)
    multis.append(multi)
    return multi
  }

  func start(
    _ request: HTTPRequest, on connection: Connection, over width: Int, trace: TraceContext? = nil
  ) -> Transfer {
    inFlight += 1
    if !isDirect, let multi = connection.multi { return start(request, on: connection, multi, trace) }
    let transfer = idleDirects.popLast() ?? newDirect()
    transfer.trace = trace
    let isSpread = width > 1 && connection.opensAnother(of: width)
    begin(transfer, request, connection, isSpread: isSpread)
    transfer.prepare(request)
    guard RequestText.canSend(request.target) else {
      transfer.end(.failed(RequestText.unsendable), at: .now)
      return transfer
    }
    if isSpread { open(for: transfer, on: connection) } else { carry(transfer, on: connection, rotates: width > 1) }
    return transfer
  }

  /// A request that the client withholds: it ends as one to a host that refuses connections.
  package func withhold() -> Transfer {
    inFlight += 1
    let transfer = idleDirects.popLast() ?? newDirect()
    (transfer.sent, transfer.isWithheld) = (.now, true)
    transfer.lastSent = transfer.sent
    transfer.end(.failed(.refused("the client withheld the request")), at: transfer.sent)
    return transfer
  }

  /// - Parameter rotates: true if the request uses the free connection that has waited longest.
  func carry(_ transfer: DirectTransfer, on connection: Connection, rotates: Bool = false) {
    if rotates { connection.rotate() }
    if usesStreams, let link = connection.openStreamLink() { return link.carry(transfer) }
    // With HTTP/2 too: a server may pick HTTP/1.1 in a handshake.
    if let link = connection.links.last(where: \.isIdle) { return link.carry(transfer) }
    open(for: transfer, on: connection)
  }

  private func open(for transfer: DirectTransfer, on connection: Connection) {
    if usesStreams { connection.newStreamLink().carry(transfer) } else { connection.newLink().carry(transfer) }
  }

  private func start(
    _ request: HTTPRequest, on connection: Connection, _ multi: Multi, _ trace: TraceContext?
  ) -> Transfer {
    let transfer = idle.popLast() ?? newTransfer()
    transfer.trace = request.hasOwnTrace ? nil : trace
    transfer.prepare(request, for: connection)
    begin(transfer, request, connection)
    guard RequestText.canSend(request.target) else {
      transfer.end(.failed(RequestText.unsendable), at: .now)
      return transfer
    }
    curl_multi_add_handle(multi.handle, transfer.easy)
    multi.turn()
    return transfer
  }

  private func begin(
    _ transfer: Transfer, _ request: HTTPRequest, _ connection: Connection, isSpread: Bool = false
  ) {
    transfer.connection = connection
    transfer.isReusing = connection.begin(isSpread: isSpread)
    if transfer.isReusing { reusable += 1 }
    transfer.target = request.target
    transfer.sent = .now
    transfer.lastSent = transfer.sent
  }

  private func newTransfer() -> CurlTransfer {
    guard let easy = curl_easy_init() else { preconditionFailure("no memory for another request in flight") }
    let transfer = CurlTransfer(easy: easy, slot: transfers.count, transport: self)
    transfers.append(transfer)
    return transfer
  }

  private func newDirect() -> DirectTransfer {
    let transfer = DirectTransfer(transport: self)
    directs.append(transfer)
    return transfer
  }

  func finish(_ easy: UnsafeMutableRawPointer?, _ code: CURLcode) {
    if isDirect, let easy { return shaking[easy]?.ended(code) ?? () }
    var slot: UnsafeMutableRawPointer?
    curl_get_pointer(easy, CURLINFO_PRIVATE, &slot)
    let transfer = transfers[Int(bitPattern: slot) - 1]
    if transfer.needsRenewal, let multi = transfer.connection?.multi {
      transfer.withdraw()
      return transfer.beginAgain(on: multi)
    }
    let ending = transfer.conclude(code)
    transfer.withdraw()
    transfer.end(ending, at: .now)
  }

  func record(_ stray: StrayBytes) { if strays.count < Self.mostStrays { strays.append(stray) } }

  func reclaim(_ transfer: CurlTransfer) {
    // A used handle holds buffers; a new one holds almost nothing.
    if idle.count >= Self.mostUsed { transfer.renew() }
    idle.append(transfer)
  }

  func reclaim(_ transfer: DirectTransfer) { idleDirects.append(transfer) }

  /// Ends all requests in flight; their sessions get an error.
  package func abandonAll() {
    for transfer in transfers { transfer.withdraw(.abandoned) }
    for transfer in directs { transfer.withdraw(.abandoned) }
  }

  /// Abandons the requests in flight and frees all that libcurl holds, TCP connections included.
  package func close() {
    abandonAll()
    for socket in sockets { socket.link?.close() }
    transfers = []
    idle = []
    multis = []
  }
}

/// The open streams of a loop.
package struct OpenStreams: Sendable {
  package internal(set) var open = 0
  /// The time when the last one began; nil before the first.
  package internal(set) var lastBegun: Instant?
}

struct WatchedSocket {
  /// The events for which the epoll set watches it. They lag behind the events that libcurl requests: a keep-alive
  /// connection stays watched between two requests, which saves two system calls per request.
  var registered: Readiness = []
  var wanted: Readiness = []
  var multi: Multi?
  var link: Link?
  /// The user to whom the libcurl socket belongs.
  weak var connection: Connection?
}

extension Transport {
  func descriptorReady(_ descriptor: CInt, _ readiness: Readiness) {
    if let link = sockets[Int(descriptor)].link { return link.ready(readiness) }
    guard let multi = sockets[Int(descriptor)].multi, !sockets[Int(descriptor)].wanted.isEmpty else {
      // No transfer waits for it: the server closed an idle connection or sent unsolicited bytes. libcurl detects that
      // itself.
      sockets[Int(descriptor)].connection?.streamPorts.removeAll()
      stopWatching(descriptor)
      return
    }
    var mask: CInt = 0
    if readiness.contains(.readable) { mask |= CURL_CSELECT_IN }
    if readiness.contains(.writable) { mask |= CURL_CSELECT_OUT }
    if !readiness.isDisjoint(with: .broken) { mask |= CURL_CSELECT_ERR }
    multi.act(descriptor, mask)
  }

  private func makeRoom(for descriptor: CInt) {
    while sockets.count <= Int(descriptor) { sockets.append(WatchedSocket()) }
  }

  private func register(_ descriptor: CInt, for interest: Readiness) {
    let index = Int(descriptor)
    guard sockets[index].registered != interest else { return }
    let known = !sockets[index].registered.isEmpty
    let tag = UInt64(number) << 32 | UInt64(UInt32(descriptor))
    loop.poller.watch(descriptor, for: interest, known: known, tag: tag)
    sockets[index].registered = interest
  }

  private func stopWatching(_ descriptor: CInt) { register(descriptor, for: []) }

  // MARK: libcurl's

  func watch(_ descriptor: CInt, for interest: Readiness, of multi: Multi) {
    makeRoom(for: descriptor)
    sockets[Int(descriptor)].wanted = interest
    sockets[Int(descriptor)].multi = multi
    if !interest.isEmpty { register(descriptor, for: interest) }
  }

  func opened(_ descriptor: CInt, by connection: Connection) {
    makeRoom(for: descriptor)
    sockets[Int(descriptor)] = WatchedSocket()
    sockets[Int(descriptor)].connection = connection
  }

  /// libcurl is about to close the descriptor.
  func closed(_ descriptor: CInt) {
    makeRoom(for: descriptor)
    sockets[Int(descriptor)].connection?.sockets.removeAll { $0 == descriptor }
    // A later connection may have the port.
    sockets[Int(descriptor)].connection?.streamPorts.removeAll()
    stopWatching(descriptor)
    sockets[Int(descriptor)] = WatchedSocket()
  }

  /// The user has left; the descriptor is still open.
  func forget(_ descriptor: CInt) { sockets[Int(descriptor)].connection = nil }

  // MARK: the direct path's

  func addLink(_ link: Link, for interest: Readiness) {
    makeRoom(for: link.descriptor)
    sockets[Int(link.descriptor)] = WatchedSocket()
    sockets[Int(link.descriptor)].link = link
    register(link.descriptor, for: interest)
  }

  /// Takes over a descriptor that libcurl has opened and will close.
  func adoptLink(_ link: Link) {
    let index = Int(link.descriptor)
    sockets[index] = WatchedSocket(registered: sockets[index].registered, link: link)
    register(link.descriptor, for: .readable)
  }

  func watchLink(_ descriptor: CInt, for interest: Readiness) { register(descriptor, for: interest) }

  func dropLink(_ descriptor: CInt) {
    guard Int(descriptor) < sockets.count else { return }
    stopWatching(descriptor)
    sockets[Int(descriptor)] = WatchedSocket()
  }
}
