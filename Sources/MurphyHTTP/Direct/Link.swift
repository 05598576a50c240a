import CLinux
import Glibc
import MurphyModel

/// One TCP connection of one user on the direct path, plain or with TLS.
///
/// ``DirectLink`` sends HTTP/1.1 over it and ``H2Link`` HTTP/2.
class Link: TimerTarget {
  enum State {
    case unconnected
    case connecting
    /// Connected, with or without requests in flight.
    case open
    case closed
  }

  final unowned let transport: Transport
  final unowned let connection: Connection
  final var state = State.unconnected
  final var descriptor: CInt = -1
  final var channel: SecureChannel?
  /// The state of the current TCP connection since its last response; nil before the first.
  final var kept: KeptConnection?
  final var outgoing = GrowingBytes()
  final var flushed = 0
  /// The index of the target's address that is tried.
  private final var address = 0
  /// The earliest deadline in the loop's heap for this link.
  private final var armed: (at: Instant, token: TimerQueue.Token)?

  init(connection: Connection) {
    self.connection = connection
    transport = connection.transport
  }

  // MARK: of the version of HTTP

  /// True if the TLS handshake offers HTTP/2 and HTTP/1.1.
  var offersStreams: Bool { false }
  /// The request for which the connection is opened.
  var opener: DirectTransfer? { nil }
  /// The earliest deadline of the requests in flight.
  var deadline: Instant? { nil }

  /// The connection is open. `connect` is the time that libcurl needed for the TCP handshake, in nanoseconds; nil
  /// without TLS.
  func opened(connect: Int64?) {}
  /// No connection could be opened.
  func unopened(_ error: TransportError) {}
  /// Takes received bytes; returns true if more are needed now.
  func received(_ piece: UnsafeRawBufferPointer) -> Bool { false }
  /// The system has taken what it had no room for before.
  func written() {}
  func endOfStream() {}
  func broken(_ code: CInt) {}
  /// A deadline has passed: of a request, or of the connection while it opens.
  func expire(_ now: Instant) {}
  /// The requester no longer wants the response.
  func abort(_ transfer: DirectTransfer) {}
  func leaveStream(_ transfer: DirectTransfer) {}
  /// The connection has been closed, or handed over.
  func dropped() {}

  // MARK: its end

  /// Closes the TCP connection and removes the link from its user.
  final func close() {
    guard state != .closed else { return }
    invalidate()
    connection.remove(self)
  }

  /// Closes the TCP connection permanently; the user has dropped the link, or is about to.
  final func invalidate() {
    disconnect()
    state = .closed
    if let armed { transport.loop.timers.cancel(armed.token) }
    armed = nil
  }

  final func disconnect() {
    if let channel {
      // libcurl closes the descriptor and reports it.
      channel.close()
      self.channel = nil
    } else {
      guard descriptor >= 0 else { return }
      transport.dropLink(descriptor)
      Glibc.close(descriptor)
    }
    descriptor = -1
    state = .unconnected
    kept = nil
    dropped()
  }

  // MARK: deadlines

  /// Most requests end long before their deadline: the heap gets an entry only if it has none that is early enough.
  final func arm() {
    guard let wanted = nextDeadline else { return }
    if let armed {
      guard wanted < armed.at else { return }
      transport.loop.timers.cancel(armed.token)
    }
    armed = (wanted, transport.loop.timers.set(wanted, .fire(self)))
  }

  private final var nextDeadline: Instant? {
    guard let deadline, state == .connecting else { return deadline }
    guard let opener else { return nil }
    return min(deadline, opener.lastSent + transport.options.connectTimeout.nanoseconds)
  }

  final func timerFired(_ now: Instant) {
    armed = nil
    guard let wanted = nextDeadline else { return }
    guard wanted <= now else { return arm() }
    expire(now)
  }

  /// The failure of a request whose connection is not open in time. It names the limit that expired first.
  final func lateOpening(for transfer: DirectTransfer) -> TransportError {
    let limit = transport.options.connectTimeout
    let isFirst = transfer.lastSent + limit.nanoseconds <= transfer.sent + transfer.timeout.nanoseconds
    return .connectTimeout(isFirst ? limit : transfer.timeout)
  }

  // MARK: opening

  /// Starts to connect to the next address of the target; fails the requests when none is left.
  final func connect() {
    opener?.opens()
    if transport.isSecure { return startTLS() }
    let addresses = transport.targets
    var failure = TransportError.unreachable("the target has no address")
    while address < addresses.count {
      let target = addresses[address]
      let code = attempt(target)
      if code == 0 || code == EINPROGRESS {
        state = .connecting
        transport.addLink(self, for: [.readable, .writable])
        return arm()
      }
      failure = .unconnected(code, Self.text(code, target))
      disconnect()
      address += 1
    }
    address = 0
    unopened(failure)
  }

  /// 0, or the errno.
  private final func attempt(_ target: SocketAddress) -> CInt {
    descriptor = sys_tcp_socket(target.family)
    guard descriptor >= 0 else {
      defer { descriptor = -1 }
      return -descriptor
    }
    if let source = connection.source {
      let code = source.bytes.withUnsafeBytes { sys_bind(descriptor, $0.baseAddress, $0.count) }
      if code != 0 { return -code }
    }
    return -target.bytes.withUnsafeBytes { sys_connect(descriptor, $0.baseAddress, $0.count) }
  }

  private static func text(_ code: CInt, _ target: SocketAddress) -> String {
    "\(target.text): \(String(cString: strerror(code)))"
  }

  private final func connected() {
    let code = sys_socket_error(descriptor)
    guard code == 0 else {
      let target = transport.targets[address]
      disconnect()
      address += 1
      guard address >= transport.targets.count else { return connect() }
      address = 0
      return unopened(.unconnected(code, Self.text(code, target)))
    }
    state = .open
    opened(connect: nil)
  }

  /// Starts to connect with TLS; libcurl tries all addresses of the target.
  private final func startTLS() {
    guard let multi = connection.multi else { preconditionFailure("a user of https without a handle of libcurl") }
    let channel = SecureChannel(link: self, multi: multi)
    self.channel = channel
    state = .connecting
    arm()
    channel.connect()
  }

  final func tlsReady(_ descriptor: CInt) {
    self.descriptor = descriptor
    transport.adoptLink(self)
    state = .open
    opened(connect: channel?.connectTime ?? 0)
  }

  final func tlsFailed(_ error: TransportError) {
    disconnect()
    unopened(error)
  }

  // MARK: bytes

  final func ready(_ readiness: Readiness) {
    if state == .connecting { return channel == nil ? connected() : () }
    if readiness.contains(.writable), flushed < outgoing.count {
      flush()
      written()
    }
    if !readiness.isDisjoint(with: [.readable, .broken]) { receive() }
  }

  /// Sends the rest of `outgoing`.
  final func flush() {
    while flushed < outgoing.count, let start = outgoing.start {
      let sent = send(start + flushed, outgoing.count - flushed)
      if sent >= 0 {
        flushed += sent
      } else if -sent == EAGAIN {
        return transport.watchLink(descriptor, for: [.readable, .writable])
      } else if -sent != EINTR {
        return broken(CInt(-sent))
      }
    }
    transport.watchLink(descriptor, for: .readable)
  }

  /// The maximum number of reads in one turn of the loop, fewer when the turn is long already. Remaining bytes keep the
  /// descriptor ready, so deadlines and other users are served first.
  private static let mostReads = 8

  final func receive() {
    let scratch = transport.scratch
    var reads = 0
    while state == .open, reads < Self.mostReads, reads == 0 || !transport.loop.isOverdue {
      reads += 1
      let count = receive(scratch)
      if count > 0 {
        guard received(UnsafeRawBufferPointer(rebasing: scratch[..<count])) else {
          if let channel, channel.holdsBytes { channel.readOn() }
          return
        }
        if count < scratch.count, channel?.needsAnotherRead != true { return }
      } else if count == 0 {
        return endOfStream()
      } else if -count == EAGAIN {
        return
      } else if -count != EINTR {
        return broken(CInt(-count))
      }
    }
    if state == .open { channel?.readOn() }
  }

  private final func send(_ start: UnsafeRawPointer, _ count: Int) -> Int {
    if let channel { return channel.send(start, count) }
    return sys_send(descriptor, start, count)
  }

  /// Receives bytes: returns how many, 0 at the end of the stream, or the negative errno.
  final func receive(_ room: UnsafeMutableRawBufferPointer) -> Int {
    if let channel { return channel.receive(room) }
    return sys_receive(descriptor, room.baseAddress, room.count)
  }

  /// Returns true if nothing is waiting to be received, as far as that shows without reading. Checking the socket is
  /// cheaper than checking through TLS.
  final var isSilent: Bool {
    guard let channel else { return false }
    return channel.isEmpty && sys_is_silent(descriptor) != 0
  }
}
