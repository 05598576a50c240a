import Glibc
import MurphyModel

/// A connection for HTTP/1.1, with at most one request in flight.
final class DirectLink: Link {
  var transfer: DirectTransfer?
  var parser = ResponseParser(isHead: false, limit: 0)
  /// The label of the last request that was answered on the current TCP connection.
  var lastLabel = -1
  private var end: Instant?

  var isIdle: Bool { transfer == nil && state != .closed }

  override var opener: DirectTransfer? { transfer }
  override var deadline: Instant? { end }

  /// Sends the transfer's request, over a new TCP connection if there is none.
  func carry(_ transfer: DirectTransfer) {
    begin(transfer)
    if state == .open, isStillOpen() {
      arm()
      flush()
    } else {
      connect()
    }
  }

  /// Takes over a connection that was opened for the transfer.
  func carry(_ transfer: DirectTransfer, over channel: SecureChannel, _ descriptor: CInt) {
    begin(transfer)
    self.channel = channel
    channel.link = self
    tlsReady(descriptor)
  }

  private func begin(_ transfer: DirectTransfer) {
    self.transfer = transfer
    transfer.link = self
    let request = transfer.request
    let transport = self.transport
    let acceptedCodings = write(request, transport, for: transfer)
    parser = ResponseParser(
      isHead: request.method == "HEAD", limit: transport.options.bodyLimit.bytes, acceptedCodings: acceptedCodings,
      names: transport.options.fieldNames)
    flushed = 0
    end = transfer.sent + transfer.timeout.nanoseconds
  }

  /// Writes the request to `outgoing`; returns its `Accept-Encoding`.
  private func write(_ request: HTTPRequest, _ transport: Transport, for transfer: DirectTransfer) -> String {
    let cookies = connection.cookies(for: request.target)
    if cookies == nil, let written = request.written(by: transport, as: .text) {
      outgoing.truncate(to: 0)
      written.bytes.withUnsafeBytes { if let start = $0.baseAddress { outgoing.append(start, count: $0.count) } }
      insertTrace(of: transfer, at: written.traceOffset)
      return written.acceptedCodings
    }
    let acceptedCodings = transport.requestText.acceptEncoding(of: request)
    let end = transport.requestText.write(request, cookies: cookies, into: &outgoing)
    let traceOffset = request.hasOwnTrace ? nil : end
    if cookies == nil {
      request.keep(
        outgoing.bytes, as: .text, acceptedCodings: acceptedCodings, traceOffset: traceOffset, of: transport)
    }
    insertTrace(of: transfer, at: traceOffset)
    return acceptedCodings
  }

  private func insertTrace(of transfer: DirectTransfer, at offset: Int?) {
    guard let trace = transfer.trace else { return }
    guard let offset else { return transfer.trace = nil }
    transport.traceLines.write(trace)
    outgoing.insert(UnsafeRawBufferPointer(transport.traceLines.bytes), at: offset)
  }

  override func opened(connect: Int64?) {
    transfer?.opened(connect: connect, at: .now)
    arm()
    flush()
  }

  override func unopened(_ error: TransportError) { finish(.failed(error), keeps: false) }

  func finish(_ ending: Transfer.Ending, keeps: Bool) {
    guard let transfer else { return }
    self.transfer = nil
    end = nil
    let now = Instant.now
    lastLabel = transfer.request.label
    kept = KeptConnection(idleSince: min(transport.loop.earliestEvent, now), announced: parser.announced)
    if !keeps { close() }
    transfer.violations.formUnion(parser.violations)
    transfer.complete(ending, layers: parser.codings, at: now)
  }

  override func abort(_ transfer: DirectTransfer) {
    self.transfer = nil
    close()
  }

  override func expire(_ now: Instant) {
    guard let transfer else { return }
    if transfer.isStreamed { return leaveStream(transfer) }
    if state == .connecting { return unopened(lateOpening(for: transfer)) }
    let received = transfer.hasBegun ? transfer.body.count : nil
    finish(.failed(.timeout(transfer.timeout, received: received)), keeps: false)
  }

  override func leaveStream(_ transfer: DirectTransfer) {
    transfer.stream?.isLeft = true
    finish(.answered, keeps: false)
  }

  // MARK: the response

  /// Passes the received bytes to the parser; returns true if more are needed.
  override func received(_ piece: UnsafeRawBufferPointer) -> Bool {
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
      if let stream = transfer.stream {
        // The stream's end replaces the deadline.
        end = stream.end
        arm()
      }
    }
    guard transfer.stream != nil else { return true }
    transfer.stream?.read(&transfer.body)
    guard transfer.stream?.isEnough == true else { return true }
    leaveStream(transfer)
    return false
  }

  override func endOfStream() {
    guard let transfer else { return close() }
    if parser.endsWithConnection { return finish(.answered, keeps: false) }
    if transfer.stream != nil { return breakStream(transfer) }
    let begun = parser.hasHead ? "within the body" : transfer.header.count > 0 ? "within the header section" : nil
    end(transfer, "the connection was closed \(begun ?? "without a response")")
  }

  override func broken(_ code: CInt) {
    guard let transfer else { return close() }
    if transfer.stream != nil { return breakStream(transfer) }
    let text = channel?.failure ?? String(cString: strerror(code))
    if channel != nil, TransportError.refusesCertificate(text) {
      return finish(.failed(.encryption(text)), keeps: false)
    }
    end(transfer, text)
  }

  private func breakStream(_ transfer: DirectTransfer) {
    transfer.stream?.isBroken = true
    finish(.answered, keeps: false)
  }

  /// The connection ended before the response did.
  private func end(_ transfer: DirectTransfer, _ detail: String) {
    if transfer.header.count == 0, kept != nil, transfer.repeats.isEmpty { return lose(transfer, detail) }
    let failure: TransportError =
      parser.hasHead
      ? .incomplete(received: transfer.body.count, detail)
      : transfer.header.count > 0 ? .incomplete(received: nil, detail) : .closed(detail)
    finish(.failed(failure), keeps: false)
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
    if isSilent { return true }
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

  /// The connection was closed before a response. The request was most likely never read. It is repeated once over a
  /// new connection if that is harmless (RFC 9112 §9.3.1), as browsers do, and counted.
  private func lose(_ transfer: DirectTransfer, _ detail: String) {
    let attempt = LostAttempt(sent: transfer.lastSent, on: kept)
    guard transfer.request.isIdempotent else { return finish(.failed(.lost(attempt, detail)), keeps: false) }
    disconnect()
    flushed = 0
    transfer.sendAgain(after: attempt)
    connect()
  }
}
