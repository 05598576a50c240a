import CNGHTTP2
import Glibc
import MurphyModel

/// A connection for HTTP/2 (RFC 9113): several requests of one user share it. nghttp2 reads and writes the frames.
final class H2Link: Link {
  /// nghttp2's session; nil before the connection is open.
  var session: OpaquePointer?
  /// The requests in flight, also those that wait until the connection is open.
  private(set) var streams: [DirectTransfer] = []
  /// True while nghttp2 reads or writes. Its functions may then only be called to submit something.
  private var isWorking = false
  /// The requests to send again as soon as nghttp2 returns. Another connection uses the buffer from which it reads.
  var refused: [Resending] = []

  /// The size of the receive windows, as with libcurl: a whole body fits in one.
  private static let window: Int32 = 32 << 20
  /// The maximum bytes of a request's headers. By default, nghttp2 does not send more than 64 KB and closes the stream as
  /// if the server had refused it.
  private static let mostSentHeaders = 1 << 30
  /// The maximum number of streams on a connection, whatever the server permits.
  private static let mostStreams = 100
  /// The bytes that are passed to the system at once.
  private static let piece = 65_536

  override var offersStreams: Bool { true }
  override var opener: DirectTransfer? { streams.first }
  override var deadline: Instant? {
    // No key path: reading through one takes 2,000 instructions.
    streams.min { $0.exchange.deadline < $1.exchange.deadline }?.exchange.deadline
  }

  /// Returns true if another request can be sent over the connection, as far as that is known.
  func isReady() -> Bool {
    guard hasRoom else { return false }
    if state == .connecting || !streams.isEmpty || isWorking || isSilent { return true }
    receive()
    return hasRoom
  }

  private var hasRoom: Bool {
    guard state != .closed, streams.count < Self.mostStreams else { return false }
    return session == nil || streams.count < permitted && nghttp2_session_check_request_allowed(session) != 0
  }

  /// The number of streams that the server permits at once.
  var permitted: UInt32 { nghttp2_session_get_remote_settings(session, NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS) }

  /// Sends the transfer's request, over a new TCP connection if there is none.
  func carry(_ transfer: DirectTransfer) {
    streams.append(transfer)
    transfer.link = self
    transfer.exchange = H2Exchange(deadline: transfer.sent + transfer.timeout.nanoseconds)
    switch state {
    case .unconnected, .closed: connect()
    case .open:
      submit(transfer)
      arm()
      if !isWorking { advance() }
    case .connecting: arm()
    }
  }

  // MARK: opening

  override func opened(connect: Int64?) {
    let now = Instant.now
    if let channel, !channel.hasStreams { return changeToHTTP1(channel) }
    for transfer in streams { transfer.opened(connect: connect, at: now) }
    session = newSession()
    for transfer in streams { submit(transfer) }
    arm()
    advance()
  }

  private func newSession() -> OpaquePointer? {
    var callbacks: OpaquePointer?
    var session: OpaquePointer?
    nghttp2_session_callbacks_new(&callbacks)
    nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks, beginHeaders)
    nghttp2_session_callbacks_set_on_header_callback(callbacks, readHeader)
    nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, readData)
    nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, endFrame)
    nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, endStream)
    var options: OpaquePointer?
    nghttp2_option_new(&options)
    nghttp2_option_set_max_send_header_block_length(options, Self.mostSentHeaders)
    nghttp2_session_client_new2(&session, callbacks, Unmanaged.passUnretained(self).toOpaque(), options)
    nghttp2_option_del(options)
    nghttp2_session_callbacks_del(callbacks)
    guard session != nil else { preconditionFailure("no memory for another connection") }
    let settings = [
      nghttp2_settings_entry(settings_id: Int32(NGHTTP2_SETTINGS_ENABLE_PUSH.rawValue), value: 0),
      nghttp2_settings_entry(
        settings_id: Int32(NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE.rawValue), value: UInt32(Self.window)),
    ]
    nghttp2_submit_settings(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), settings, settings.count)
    nghttp2_session_set_local_window_size(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), 0, Self.window)
    return session
  }

  /// The server picked HTTP/1.1 in the handshake: the first request goes over this connection, others over new ones.
  private func changeToHTTP1(_ channel: SecureChannel) {
    var waiting = streams[...]
    let descriptor = descriptor
    streams = []
    self.channel = nil
    self.descriptor = -1
    close()
    guard let first = waiting.popFirst() else { return channel.close() }
    connection.newLink().carry(first, over: channel, descriptor)
    for transfer in waiting { connection.newLink().carry(transfer) }
  }

  override func unopened(_ error: TransportError) {
    let waiting = streams
    streams = []
    close()
    for transfer in waiting { transfer.complete(.failed(error), layers: 0, at: .now) }
  }

  override func dropped() {
    if let session { nghttp2_session_del(session) }
    session = nil
    for transfer in streams { transfer.exchange.id = 0 }
  }

  // MARK: sending

  private func submit(_ transfer: DirectTransfer) {
    let request = transfer.request
    let user = Unmanaged.passUnretained(transfer).toOpaque()
    var content = nghttp2_content(user, readContent)
    let hasContent = request.body?.isEmpty == false
    transfer.exchange.id = transport.requestFields.withFields(
      of: transfer, cookies: connection.cookies(for: request.target), for: transport
    ) { fields, acceptedCodings in
      transfer.exchange.acceptedCodings = acceptedCodings
      return withUnsafePointer(to: &content) {
        nghttp2_submit_request(session, nil, fields.baseAddress, fields.count, hasContent ? $0 : nil, user)
      }
    }
    guard transfer.exchange.id < 0 else { return }
    let reason = Self.text(of: transfer.exchange.id)
    transfer.exchange.id = 0
    finish(transfer, .failed(.exhausted(.memory, reason)))
  }

  /// Sends what nghttp2 has to send, and closes the connection if it cannot be used any more.
  private func advance() {
    fill()
    settle()
    sendRefused()
  }

  private func fill() {
    while state == .open, flushed == outgoing.count {
      outgoing.truncate(to: 0)
      flushed = 0
      while outgoing.count < Self.piece {
        var bytes: UnsafePointer<UInt8>?
        isWorking = true
        let count = nghttp2_session_mem_send(session, &bytes)
        isWorking = false
        if count < 0 { return end { _ in Self.text(of: Int32(count)) } }
        guard count > 0, let bytes else { break }
        outgoing.append(bytes, count: count)
      }
      guard outgoing.count > 0 else { return }
      flush()
    }
  }

  override func written() { advance() }

  private func settle() {
    guard state == .open, let session else { return }
    if nghttp2_session_want_read(session) == 0, nghttp2_session_want_write(session) == 0 {
      end { _ in "error in the framing layer of HTTP/2" }
    } else if streams.isEmpty, permitted == 0 || nghttp2_session_check_request_allowed(session) == 0 {
      close()
    }
  }

  // MARK: receiving

  override func received(_ piece: UnsafeRawBufferPointer) -> Bool {
    isWorking = true
    let count = nghttp2_session_mem_recv(
      session, piece.baseAddress?.assumingMemoryBound(to: UInt8.self), piece.count)
    isWorking = false
    if count < 0 {
      end { _ in Self.text(of: Int32(count)) }
      sendRefused()
    } else {
      for transfer in streams where transfer.exchange.hasBegun && transfer.firstRead == nil {
        transfer.firstRead = .now
      }
      advance()
    }
    return state == .open && !streams.isEmpty
  }

  private static func text(of code: Int32) -> String { String(cString: nghttp2_strerror(code)) }

  // MARK: the end of a stream

  func finish(_ transfer: DirectTransfer, _ ending: Transfer.Ending) {
    remove(transfer)
    let now = Instant.now
    if transfer.exchange.hasHead {
      kept = KeptConnection(idleSince: min(transport.loop.earliestEvent, now), announced: nil)
    }
    transfer.complete(ending, layers: transfer.exchange.codings, at: now)
  }

  func remove(_ transfer: DirectTransfer) {
    if let index = streams.firstIndex(where: { $0 === transfer }) { streams.remove(at: index) }
    if transfer.exchange.id > 0 { nghttp2_session_set_stream_user_data(session, transfer.exchange.id, nil) }
  }

  /// Tells the server that the client no longer reads the stream.
  func reset(_ transfer: DirectTransfer) {
    guard transfer.exchange.id > 0 else { return }
    nghttp2_submit_rst_stream(
      session, UInt8(NGHTTP2_FLAG_NONE.rawValue), transfer.exchange.id, NGHTTP2_CANCEL.rawValue)
  }

  override func abort(_ transfer: DirectTransfer) {
    reset(transfer)
    remove(transfer)
    if state == .open { advance() } else if streams.isEmpty { close() }
  }

  override func expire(_ now: Instant) {
    let isOpening = state == .connecting
    if isOpening, let opener, opener.lastSent + transport.options.connectTimeout.nanoseconds <= now {
      return unopened(lateOpening(for: opener))
    }
    for transfer in streams where transfer.exchange.deadline <= now {
      reset(transfer)
      if transfer.isStreamed {
        transfer.stream?.isLeft = true
        finish(transfer, .answered)
      } else if isOpening {
        finish(transfer, .failed(lateOpening(for: transfer)))
      } else {
        let received = transfer.hasBegun ? transfer.body.count : nil
        finish(transfer, .failed(.timeout(transfer.timeout, received: received)))
      }
    }
    if isOpening, streams.isEmpty { return close() }
    advance()
    arm()
  }

  override func leaveStream(_ transfer: DirectTransfer) {
    leave(transfer)
    if !isWorking { advance() }
  }

  func leave(_ transfer: DirectTransfer) {
    transfer.stream?.isLeft = true
    reset(transfer)
    finish(transfer, .answered)
  }

  // MARK: the end of the connection

  override func endOfStream() {
    end { transfer in
      "the connection was closed \(transfer.exchange.hasHead ? "within the body" : "without a response")"
    }
  }

  override func broken(_ code: CInt) {
    let text = channel?.failure ?? String(cString: strerror(code))
    guard channel == nil || !TransportError.refusesCertificate(text) else { return unopened(.encryption(text)) }
    end { _ in text }
  }
}
