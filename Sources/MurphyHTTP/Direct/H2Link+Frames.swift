import CNGHTTP2
import Glibc
import MurphyModel

extension H2Link {
  /// The header section of a response begins, or its trailers.
  fileprivate func beginHeaders(of transfer: DirectTransfer) {
    transfer.exchange.hasBegun = true
    guard !transfer.exchange.hasHead else { return }
    transfer.exchange.headerBytes = 0
    transfer.header.truncate(to: 0)
  }

  /// A header section is complete.
  fileprivate func endHeaders(of transfer: DirectTransfer, isLast: Bool) {
    if !transfer.exchange.hasHead {
      guard transfer.exchange.status >= 100 else { return refuse(transfer, .status) }
      guard transfer.exchange.status >= 200 else {
        // An interim response is skipped.
        transfer.exchange.interims += 1
        if transfer.exchange.interims > HeaderSection.mostInterims { refuse(transfer, .interim) }
        return
      }
      transfer.exchange.hasHead = true
      transfer.status = transfer.exchange.status
      transfer.fields.read(transfer.header.bytes, by: transport.options.fieldNames)
      let section = HeaderSection(
        transfer.header.bytes, statusLine: 0, acceptedCodings: transfer.exchange.acceptedCodings, transfer.fields)
      transfer.violations.formUnion(section.violations)
      if transfer.status > 599 { transfer.violations.insert(.status) }
      transfer.exchange.codings = section.codings
      if !isLast, transfer.isEventStream { beginStream(transfer) }
    }
    if isLast { complete(transfer) }
  }

  private func beginStream(_ transfer: DirectTransfer) {
    transfer.beginStream(transfer.request, isReadable: transfer.exchange.codings == 0)
    guard let stream = transfer.stream else { return }
    // The stream's end replaces the deadline.
    transfer.exchange.deadline = stream.end
    arm()
  }

  fileprivate func readData(of transfer: DirectTransfer, _ bytes: UnsafePointer<UInt8>, _ count: Int) {
    if transfer.stream != nil {
      // Every event counts. The stream keeps only the beginning of the body.
      transfer.body.append(bytes, count: count)
      transfer.stream?.read(&transfer.body)
      if transfer.stream?.isEnough == true { leave(transfer) }
      return
    }
    let room = transport.options.bodyLimit.bytes - transfer.body.count
    transfer.body.append(bytes, count: min(count, room))
    if count > room {
      transfer.isCutOff = true
      reset(transfer)
      finish(transfer, .answered)
    }
  }

  fileprivate func complete(_ transfer: DirectTransfer) {
    guard transfer.exchange.hasHead else {
      return finish(transfer, .failed(.closed("the stream ended without a response")))
    }
    // A response may end before the content of its request was sent.
    if transfer.exchange.sentContent < transfer.request.body?.count ?? 0 { reset(transfer) }
    finish(transfer, .answered)
  }

  private func refuse(_ transfer: DirectTransfer, _ violation: ProtocolViolation) {
    reset(transfer)
    finish(transfer, .failed(.broken(violation)))
  }

  /// The stream ended without a complete response.
  fileprivate func endStream(of transfer: DirectTransfer, _ code: UInt32) {
    let id = transfer.exchange.id
    if let broken = transfer.exchange.broken { return finish(transfer, .failed(.broken(broken))) }
    let name = String(cString: nghttp2_http2_strerror(code))
    let limit = permitted == 0 ? "; the server allows no streams (SETTINGS_MAX_CONCURRENT_STREAMS is 0)" : ""
    let detail = "HTTP/2 stream \(id) was not closed cleanly: \(name) (err \(code))\(limit)"
    let isRefused = code == NGHTTP2_REFUSED_STREAM.rawValue
    let needsHTTP1 = code == NGHTTP2_HTTP_1_1_REQUIRED.rawValue
    guard isRefused || needsHTTP1, !transfer.exchange.hasBegun else {
      return finish(transfer, transfer.ending(detail))
    }
    remove(transfer)
    var attempt = LostAttempt(sent: transfer.lastSent, on: kept)
    attempt.isStream = true
    refused.append(
      Resending(transfer: transfer, attempt: attempt, detail: detail, needsHTTP1: needsHTTP1))
  }
}

extension DirectTransfer {
  /// Takes one header field, and stores it as a line of HTTP/1.1; false if the response cannot be read.
  fileprivate func readHeader(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> Bool {
    let count = name.count + value.count + 4
    exchange.headerBytes += count
    guard exchange.headerBytes <= HeaderSection.longest else {
      exchange.broken = .headerSize
      return false
    }
    // Trailers are not part of any header that the contract defines.
    guard !exchange.hasHead, let start = name.baseAddress else { return true }
    if name.first == UInt8(ascii: ":") {
      // nghttp2 has checked that it is `:status`, with three digits.
      exchange.status = value.reduce(0) { $0 * 10 + Int($1) - 0x30 }
      return true
    }
    header.fill(room: count) { line in
      memcpy(line, start, name.count)
      line.storeBytes(of: 0x203A, toByteOffset: name.count, as: UInt16.self)
      if let start = value.baseAddress { memcpy(line + name.count + 2, start, value.count) }
      line.storeBytes(of: 0x0A0D, toByteOffset: count - 2, as: UInt16.self)
      return count
    }
    return true
  }
}

// Functions that nghttp2 calls while it reads or writes, on the loop's thread. They are at file scope because a closure
// would carry an isolation.

private func link(_ user: UnsafeMutableRawPointer?) -> H2Link? {
  user.map { Unmanaged<H2Link>.fromOpaque($0)._withUnsafeGuaranteedRef { $0 } }
}

/// The request of a stream; nil if it has ended.
private func transfer(_ session: OpaquePointer?, _ stream: Int32) -> DirectTransfer? {
  nghttp2_session_get_stream_user_data(session, stream).map {
    Unmanaged<DirectTransfer>.fromOpaque($0)._withUnsafeGuaranteedRef { $0 }
  }
}

func beginHeaders(
  _ session: OpaquePointer?, _ frame: UnsafePointer<nghttp2_frame>?, _ user: UnsafeMutableRawPointer?
) -> Int32 {
  guard let transfer = transfer(session, nghttp2_head(frame).stream_id) else { return 0 }
  link(user)?.beginHeaders(of: transfer)
  return 0
}

func readHeader(
  _ session: OpaquePointer?, _ frame: UnsafePointer<nghttp2_frame>?, _ name: UnsafePointer<UInt8>?, _ nameCount: Int,
  _ value: UnsafePointer<UInt8>?, _ valueCount: Int, _ flags: UInt8, _ user: UnsafeMutableRawPointer?
) -> Int32 {
  guard let transfer = nghttp2_session_get_stream_user_data(session, nghttp2_head(frame).stream_id) else { return 0 }
  // Called for each field, so without retains.
  let isRead = Unmanaged<DirectTransfer>.fromOpaque(transfer)._withUnsafeGuaranteedRef {
    $0.readHeader(
      UnsafeRawBufferPointer(start: name, count: nameCount), UnsafeRawBufferPointer(start: value, count: valueCount))
  }
  return isRead ? 0 : NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue
}

func readData(
  _ session: OpaquePointer?, _ flags: UInt8, _ stream: Int32, _ bytes: UnsafePointer<UInt8>?, _ count: Int,
  _ user: UnsafeMutableRawPointer?
) -> Int32 {
  guard let bytes, let transfer = transfer(session, stream) else { return 0 }
  link(user)?.readData(of: transfer, bytes, count)
  return 0
}

func endFrame(
  _ session: OpaquePointer?, _ frame: UnsafePointer<nghttp2_frame>?, _ user: UnsafeMutableRawPointer?
) -> Int32 {
  let head = nghttp2_head(frame)
  let isHeaders = head.type == NGHTTP2_HEADERS.rawValue
  guard isHeaders || head.type == NGHTTP2_DATA.rawValue, let transfer = transfer(session, head.stream_id),
    let link = link(user)
  else { return 0 }
  let isLast = UInt32(head.flags) & NGHTTP2_FLAG_END_STREAM.rawValue != 0
  if isHeaders { link.endHeaders(of: transfer, isLast: isLast) } else if isLast { link.complete(transfer) }
  return 0
}

func endStream(
  _ session: OpaquePointer?, _ stream: Int32, _ code: UInt32, _ user: UnsafeMutableRawPointer?
) -> Int32 {
  guard let transfer = transfer(session, stream) else { return 0 }
  link(user)?.endStream(of: transfer, code)
  return 0
}

/// Copies the next piece of a request's content.
func readContent(
  _ session: OpaquePointer?, _ stream: Int32, _ room: UnsafeMutablePointer<UInt8>?, _ size: Int,
  _ flags: UnsafeMutablePointer<UInt32>?, _ source: UnsafeMutablePointer<nghttp2_data_source>?,
  _ user: UnsafeMutableRawPointer?
) -> Int {
  guard let room, let flags, let transfer = transfer(session, stream), let body = transfer.request.body else {
    return Int(NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue)
  }
  let sent = transfer.exchange.sentContent
  let count = min(size, body.count - sent)
  body.withUnsafeBytes { if let start = $0.baseAddress { memcpy(room, start + sent, count) } }
  transfer.exchange.sentContent += count
  if transfer.exchange.sentContent == body.count { flags.pointee |= NGHTTP2_DATA_FLAG_EOF.rawValue }
  return count
}
