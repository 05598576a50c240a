import CLibcurl
import Glibc
import MurphyModel

/// The HTTP client of one loop: makes connections for its users and carries their requests.
///
/// Belongs to its loop's thread. It must be closed before it is let go.
package final class Transport: Watcher {
  package let loop: EventLoop
  package let origin: Origin
  package let options: TransportOptions
  let prefix: String
  let addresses: UnsafeMutablePointer<curl_slist>?
  let hasProxy: Bool
  private(set) var usesSourceAddresses = false

  private var multis: [Multi] = []
  private var transfers: [Transfer] = []
  private var idle: [Transfer] = []
  private var sockets: [WatchedSocket] = []
  private var lastScope = 0
  private var number = 0
  package private(set) var inFlight = 0

  /// What is known of one descriptor.
  private struct WatchedSocket {
    /// What the epoll set watches it for. It lags behind what libcurl wants: a keep-alive connection stays
    /// watched between two requests, which spares two system calls per request.
    var registered: Readiness = []
    var wanted: Readiness = []
    unowned(unsafe) var multi: Multi?
    // Unowned and unsafe: cleared in `closed` and `forget`, both before the owners go.
    unowned(unsafe) var connection: Connection?
  }

  package init(loop: EventLoop, origin: Origin, options: TransportOptions, resolved: ResolvedHost?) {
    self.loop = loop
    self.origin = origin
    self.options = options
    prefix = origin.text
    hasProxy = ProxyEnvironment.names(proxyFor: origin.scheme)
    addresses = resolved.flatMap { curl_slist_append(nil, $0.curlEntry) }
    number = loop.register(self)
  }

  deinit { curl_slist_free_all(addresses) }

  /// A new user's connection; nothing is sent yet.
  package func connect(sourceAddress: String? = nil, keepsCookies: Bool = true) throws(SystemError) -> Connection {
    if sourceAddress != nil { usesSourceAddresses = true }
    lastScope += 1
    let multi = try multiWithRoom()
    multi.users += 1
    return Connection(
      transport: self, multi: multi, scope: lastScope, sourceAddress: sourceAddress, keepsCookies: keepsCookies)
  }

  /// The newest multi with room comes first: most users are young.
  private func multiWithRoom() throws(SystemError) -> Multi {
    if let open = multis.last(where: { $0.users < options.usersPerMulti }) { return open }
    let multi = try Multi(transport: self)
    multis.append(multi)
    return multi
  }

  func start(_ request: HTTPRequest, on connection: Connection) -> Transfer {
    let transfer = idle.popLast() ?? newTransfer()
    transfer.set(request, for: connection)
    transfer.sent = .now
    inFlight += 1
    curl_multi_add_handle(connection.multi.handle, transfer.easy)
    connection.multi.turn()
    return transfer
  }

  private func newTransfer() -> Transfer {
    guard let easy = curl_easy_init() else { preconditionFailure("no memory for another request in flight") }
    let transfer = Transfer(easy: easy, slot: transfers.count, transport: self)
    transfers.append(transfer)
    return transfer
  }

  func finish(_ easy: UnsafeMutableRawPointer?, _ code: CURLcode) {
    var slot: UnsafeMutableRawPointer?
    curl_get_pointer(easy, CURLINFO_PRIVATE, &slot)
    let transfer = transfers[Int(bitPattern: slot) - 1]
    let ending = transfer.conclude(code)
    withdraw(transfer)
    transfer.end(ending, at: .now)
  }

  /// Takes a transfer out of its multi handle.
  func withdraw(_ transfer: Transfer) {
    guard let connection = transfer.connection else { return }
    curl_multi_remove_handle(connection.multi.handle, transfer.easy)
    inFlight -= 1
  }

  func reclaim(_ transfer: Transfer) {
    curl_set_pointer(transfer.easy, CURLOPT_SHARE, nil)
    transfer.connection = nil
    transfer.header.clear()
    transfer.body.clear()
    transfer.statusLine = 0
    transfer.status = 0
    transfer.isCutOff = false
    transfer.bytesReceived = 0
    transfer.errorText.pointee = 0
    transfer.ending = .inFlight
    idle.append(transfer)
  }

  /// Ends every request in flight as abandoned.
  package func abandonAll() {
    for transfer in transfers where transfer.connection != nil { transfer.takeBack(.abandoned) }
  }

  /// Abandons what is in flight and frees all that libcurl holds, TCP connections included.
  package func close() {
    abandonAll()
    transfers = []
    idle = []
    multis = []
  }
}

// MARK: sockets

extension Transport {
  func descriptorReady(_ descriptor: CInt, _ readiness: Readiness) {
    let known = sockets[Int(descriptor)]
    guard let multi = known.multi, !known.wanted.isEmpty else {
      // Watched for nobody: the server closed an idle connection, or spoke unasked. libcurl finds out itself.
      stopWatching(descriptor)
      return
    }
    var mask: CInt = 0
    if readiness.contains(.readable) { mask |= CURL_CSELECT_IN }
    if readiness.contains(.writable) { mask |= CURL_CSELECT_OUT }
    if !readiness.isDisjoint(with: .broken) { mask |= CURL_CSELECT_ERR }
    multi.act(descriptor, mask)
  }

  func watch(_ descriptor: CInt, for interest: Readiness, of multi: Multi) {
    makeRoom(for: descriptor)
    let index = Int(descriptor)
    sockets[index].wanted = interest
    sockets[index].multi = multi
    guard !interest.isEmpty, sockets[index].registered != interest else { return }
    let known = !sockets[index].registered.isEmpty
    loop.poller.watch(descriptor, for: interest, known: known, tag: UInt64(number) << 32 | UInt64(UInt32(descriptor)))
    sockets[index].registered = interest
  }

  func opened(_ descriptor: CInt, by connection: Connection) {
    makeRoom(for: descriptor)
    sockets[Int(descriptor)] = WatchedSocket(multi: nil, connection: connection)
  }

  /// libcurl is about to close the descriptor, which takes it out of the epoll set too.
  func closed(_ descriptor: CInt) {
    makeRoom(for: descriptor)
    if let connection = sockets[Int(descriptor)].connection { connection.sockets.removeAll { $0 == descriptor } }
    stopWatching(descriptor)
    sockets[Int(descriptor)] = WatchedSocket()
  }

  /// The user is gone, the descriptor not yet.
  func forget(_ descriptor: CInt) { sockets[Int(descriptor)].connection = nil }

  private func stopWatching(_ descriptor: CInt) {
    guard !sockets[Int(descriptor)].registered.isEmpty else { return }
    loop.poller.watch(descriptor, for: [], known: true, tag: 0)
    sockets[Int(descriptor)].registered = []
  }

  private func makeRoom(for descriptor: CInt) {
    while sockets.count <= Int(descriptor) { sockets.append(WatchedSocket()) }
  }
}
