import CLinux
import Glibc
import MurphyModel

/// One TCP connection, plain or with TLS, of one user on the direct path, with at most one request in flight.
final class DirectLink: TimerTarget {
  enum State {
    case unconnected
    case connecting
    /// Connected; a request is in flight if there is a transfer.
    case open
    case closed
  }

  unowned let transport: Transport
  unowned let connection: Connection
  var state = State.unconnected
  var descriptor: CInt = -1
  var channel: SecureChannel?
  var transfer: DirectTransfer?
  var parser = ResponseParser(isHead: false, limit: 0)
  var outgoing = GrowingBytes()
  var flushed = 0
  /// The state of the current TCP connection since its last response; nil before the first.
  var kept: KeptConnection?
  /// The label of the last request that was answered on the current TCP connection.
  var lastLabel = -1
  var address = 0
  private var deadline: Instant?
  /// The earliest deadline in the loop's heap for this link.
  private var armed: (at: Instant, token: TimerQueue.Token)?

  init(connection: Connection) {
    self.connection = connection
    transport = connection.transport
  }

  var isIdle: Bool { transfer == nil && state != .closed }

  /// Sends the transfer's request, over a new TCP connection if there is none.
  func carry(_ transfer: DirectTransfer) {
    self.transfer = transfer
    transfer.link = self
    let request = transfer.request
    let transport = self.transport
    let acceptedCodings = write(request, transport)
    parser = ResponseParser(
      isHead: request.method == "HEAD", limit: transport.options.bodyLimit.bytes, acceptedCodings: acceptedCodings,
      names: transport.options.fieldNames)
    flushed = 0
    deadline = transfer.sent + transfer.timeout.nanoseconds
    if state == .open, isStillOpen() {
      arm()
      flush()
    } else {
      connect()
    }
  }

  /// Writes the request to `outgoing`; returns its `Accept-Encoding`.
  private func write(_ request: HTTPRequest, _ transport: Transport) -> String {
    let cookies = connection.cookies(for: request.target)
    if cookies == nil, let written = request.written(by: transport) {
      outgoing.truncate(to: 0)
      written.bytes.withUnsafeBytes { if let start = $0.baseAddress { outgoing.append(start, count: $0.count) } }
      return written.acceptedCodings
    }
    let acceptedCodings = transport.requestText.acceptEncoding(of: request)
    transport.requestText.write(request, cookies: cookies, into: &outgoing)
    if cookies == nil { request.keep(outgoing.bytes, acceptedCodings: acceptedCodings, of: transport) }
    return acceptedCodings
  }

  func finish(_ ending: Transfer.Ending, keeps: Bool) {
    guard let transfer else { return }
    self.transfer = nil
    transfer.link = nil
    deadline = nil
    let now = Instant.now
    lastLabel = transfer.request.label
    kept = KeptConnection(idleSince: min(transport.loop.earliestEvent, now), announced: parser.announced)
    if !keeps { close() }
    transfer.bytesReceived = transfer.body.count
    transfer.violations.formUnion(parser.violations)
    var ending = ending
    if case .answered = ending, parser.codings > 0, !transport.options.keepsCodings,
      !transfer.decode(layers: parser.codings, limit: transport.options.bodyLimit.bytes)
    {
      ending = .failed(.broken(.coding))
    }
    transfer.end(ending, at: now)
  }

  /// Aborts the request in flight and closes the TCP connection.
  func abort() {
    transfer?.link = nil
    transfer = nil
    close()
  }

  /// Closes the TCP connection and removes the link from its user.
  func close() {
    guard state != .closed else { return }
    invalidate()
    connection.links.removeAll { $0 === self }
  }

  /// Closes the TCP connection permanently; the user has dropped the link, or is about to.
  func invalidate() {
    disconnect()
    state = .closed
    if let armed { transport.loop.timers.cancel(armed.token) }
    armed = nil
  }

  func disconnect() {
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
  }

  // MARK: deadlines

  /// Most requests end long before their deadline: the heap gets an entry only if it has none that is early enough.
  func arm() {
    guard let wanted = state == .connecting ? connectDeadline : deadline else { return }
    if let armed {
      guard wanted < armed.at else { return }
      transport.loop.timers.cancel(armed.token)
    }
    armed = (wanted, transport.loop.timers.set(wanted, .fire(self)))
  }

  private var connectDeadline: Instant? {
    guard let transfer, let deadline else { return nil }
    return min(deadline, transfer.lastSent + transport.options.connectTimeout.nanoseconds)
  }

  /// The stream's end replaces the deadline.
  func armStream() {
    guard let stream = transfer?.stream else { return }
    deadline = stream.end
    arm()
  }

  func timerFired(_ now: Instant) {
    armed = nil
    guard let transfer, let wanted = state == .connecting ? connectDeadline : deadline else { return }
    guard wanted <= now else { return arm() }
    if transfer.isStreamed {
      leaveStream()
    } else if state == .connecting {
      finish(.failed(.connectTimeout(transport.options.connectTimeout)), keeps: false)
    } else {
      let received = transfer.hasBegun ? transfer.body.count : nil
      finish(.failed(.timeout(transfer.timeout, received: received)), keeps: false)
    }
  }
}

extension DirectLink {
  /// Starts to connect with TLS; libcurl tries all addresses of the target.
  func startTLS() {
    guard let multi = connection.multi else { preconditionFailure("a user of https without a handle of libcurl") }
    let channel = SecureChannel(link: self, multi: multi)
    self.channel = channel
    state = .connecting
    arm()
    channel.connect()
  }

  func tlsReady(_ descriptor: CInt) {
    self.descriptor = descriptor
    if let transfer {
      let now = Instant.now
      let connect = min(channel?.connectTime ?? 0, now - transfer.lastSent)
      transfer.opening = (connect, now - transfer.lastSent - connect)
      transfer.ready = now
    }
    transport.adoptLink(self)
    state = .open
    arm()
    flush()
  }

  func tlsFailed(_ error: TransportError) {
    disconnect()
    finish(.failed(error), keeps: false)
  }

  func send(_ start: UnsafeRawPointer, _ count: Int) -> Int {
    if let channel { return channel.send(start, count) }
    return sys_send(descriptor, start, count)
  }

  /// Receives bytes: returns how many, 0 at the end of the stream, or the negative errno.
  func receive(_ room: UnsafeMutableRawBufferPointer) -> Int {
    if let channel { return channel.receive(room) }
    return sys_receive(descriptor, room.baseAddress, room.count)
  }
}

/// Bytes that a server sent over an idle connection: they are not part of any request.
package struct StrayBytes: Sendable {
  /// The label of the last request that was answered on the connection.
  package var label: Int
  package var at: Instant
}

extension DirectLink {
  /// Returns true if the kept connection can carry another request. epoll may not have reported the server's close yet:
  /// detecting it before the send loses no request.
  func isStillOpen() -> Bool {
    // Checking the socket is cheaper than checking through TLS.
    if channel != nil, !LibcurlVersion.readsAhead, sys_is_silent(descriptor) != 0 { return true }
    let scratch = transport.scratch
    let count = receive(scratch)
    if -count == EAGAIN { return true }
    if count > 0 { recordStray(UnsafeRawBufferPointer(rebasing: scratch[..<count])) }
    disconnect()
    return false
  }

  /// Bytes on an idle connection cannot be a response. Only a 408 is common: some servers state why they close.
  func recordStray(_ piece: UnsafeRawBufferPointer) {
    guard kept != nil, !piece.starts(with: "HTTP/1.1 408".utf8), !piece.starts(with: "HTTP/1.0 408".utf8) else {
      return
    }
    transport.record(StrayBytes(label: lastLabel, at: .now))
  }

  /// Returns true if the request was on a kept connection and nothing of a response was received.
  func isLost(_ transfer: DirectTransfer) -> Bool {
    transfer.header.count == 0 && kept != nil && transfer.repeats.isEmpty
  }

  /// The connection was closed before a response. The request was most likely never read. It is repeated once over a
  /// new connection if that is harmless (RFC 9112 §9.3.1), as browsers do, and counted.
  func lose(_ transfer: DirectTransfer, _ detail: String) {
    let attempt = LostAttempt(sent: transfer.lastSent, on: kept)
    guard transfer.request.isIdempotent else { return finish(.failed(.lost(attempt, detail)), keeps: false) }
    transfer.repeats.append(attempt)
    transfer.firstRead = nil
    disconnect()
    flushed = 0
    transfer.lastSent = .now
    connect()
  }
}
