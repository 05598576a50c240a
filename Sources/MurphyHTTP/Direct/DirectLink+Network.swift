import CLinux
import Glibc
import MurphyModel

extension DirectLink {
  /// Starts to connect to the next address of the target; fails the request when none is left.
  func connect() {
    transfer?.opens()
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
    finish(.failed(failure), keeps: false)
  }

  /// 0, or the errno.
  private func attempt(_ target: SocketAddress) -> CInt {
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

  func ready(_ readiness: Readiness) {
    if state == .connecting { return channel == nil ? connected() : () }
    if readiness.contains(.writable), flushed < outgoing.count { flush() }
    if !readiness.isDisjoint(with: [.readable, .broken]) { receive() }
  }

  private func connected() {
    let code = sys_socket_error(descriptor)
    guard code == 0 else {
      let target = transport.targets[address]
      disconnect()
      address += 1
      guard address >= transport.targets.count else { return connect() }
      address = 0
      return finish(.failed(.unconnected(code, Self.text(code, target))), keeps: false)
    }
    if let transfer {
      let now = Instant.now
      transfer.opening = (now - transfer.lastSent, nil)
      transfer.ready = now
    }
    state = .open
    arm()
    flush()
  }

  func flush() {
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

  private func receive() {
    let scratch = transport.scratch
    var reads = 0
    while state == .open, reads < Self.mostReads, reads == 0 || !transport.loop.isOverdue {
      reads += 1
      let count = receive(scratch)
      if count > 0 {
        guard receive(UnsafeRawBufferPointer(rebasing: scratch[..<count])) else { return }
        if channel == nil, count < scratch.count { return }
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

  /// Passes the received bytes to the parser; returns true if more are needed.
  private func receive(_ piece: UnsafeRawBufferPointer) -> Bool {
    guard let transfer else {
      recordStray(piece)
      close()
      return false
    }
    let progress = parser.feed(
      piece, status: &transfer.status, statusLine: &transfer.statusLine, header: &transfer.header,
      fields: transfer.fields, body: &transfer.body)
    switch progress {
    case .needsMore:
      if transfer.firstRead == nil { transfer.firstRead = .now }
      return wantsMore(of: transfer)
    case .complete(let consumed):
      if consumed < piece.count { transfer.violations.insert(.surplus) }
      finish(.answered, keeps: parser.keepsAlive && consumed == piece.count && flushed == outgoing.count)
    case .cutOff:
      transfer.isCutOff = true
      finish(.answered, keeps: false)
    case .malformed(let reason): finish(.failed(.notHTTP(reason)), keeps: false)
    case .broken(.upgrade) where transfer.request.headers.names("Upgrade"): finish(.answered, keeps: false)
    case .broken(let violation): finish(.failed(.broken(violation)), keeps: false)
    }
    return false
  }

  /// Returns true if more of a response is needed; a stream of events has its own end.
  private func wantsMore(of transfer: DirectTransfer) -> Bool {
    if transfer.stream == nil, parser.hasHead, transfer.isEventStream {
      transfer.beginStream(transfer.request, isReadable: parser.codings == 0)
      armStream()
    }
    guard transfer.stream != nil else { return true }
    transfer.stream?.read(&transfer.body)
    guard transfer.stream?.isEnough == true else { return true }
    leaveStream()
    return false
  }

  func leaveStream() {
    transfer?.stream?.isLeft = true
    finish(.answered, keeps: false)
  }

  private func breakStream() {
    transfer?.stream?.isBroken = true
    finish(.answered, keeps: false)
  }

  private func endOfStream() {
    guard let transfer else { return close() }
    if parser.endsWithConnection { return finish(.answered, keeps: false) }
    if transfer.stream != nil { return breakStream() }
    let begun = parser.hasHead ? "within the body" : transfer.header.count > 0 ? "within the header section" : nil
    end(transfer, "the connection was closed \(begun ?? "without a response")")
  }

  /// The connection ended before the response did.
  private func end(_ transfer: DirectTransfer, _ detail: String) {
    if isLost(transfer) { return lose(transfer, detail) }
    let failure: TransportError =
      parser.hasHead
      ? .incomplete(received: transfer.body.count, detail)
      : transfer.header.count > 0 ? .incomplete(received: nil, detail) : .closed(detail)
    finish(.failed(failure), keeps: false)
  }

  private func broken(_ code: CInt) {
    guard let transfer else { return close() }
    if transfer.stream != nil { return breakStream() }
    let text = channel?.failure ?? String(cString: strerror(code))
    if channel != nil, TransportError.refusesCertificate(text) {
      return finish(.failed(.encryption(text)), keeps: false)
    }
    end(transfer, text)
  }
}
