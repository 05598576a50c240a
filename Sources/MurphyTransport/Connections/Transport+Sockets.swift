import CLibcurl
import Glibc

/// What a transport knows of one descriptor.
struct WatchedSocket {
  /// What the epoll set watches it for. It lags behind what libcurl wants: a keep-alive connection stays
  /// watched between two requests, which spares two system calls per request.
  var registered: Readiness = []
  var wanted: Readiness = []
  var multi: Multi?
  var link: DirectLink?
  /// The user whose libcurl socket it is.
  weak var connection: Connection?
}

extension Transport {
  func descriptorReady(_ descriptor: CInt, _ readiness: Readiness) {
    if let link = sockets[Int(descriptor)].link { return link.ready(readiness) }
    guard let multi = sockets[Int(descriptor)].multi, !sockets[Int(descriptor)].wanted.isEmpty else {
      // Watched for nobody: the server closed an idle connection, or spoke unasked. libcurl finds out itself.
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

  /// The user is gone, the descriptor not yet.
  func forget(_ descriptor: CInt) { sockets[Int(descriptor)].connection = nil }

  // MARK: the direct path's

  func addLink(_ link: DirectLink, for interest: Readiness) {
    makeRoom(for: link.descriptor)
    sockets[Int(link.descriptor)] = WatchedSocket()
    sockets[Int(link.descriptor)].link = link
    register(link.descriptor, for: interest)
  }

  /// Takes a descriptor over that libcurl has opened, and will close.
  func adoptLink(_ link: DirectLink) {
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
