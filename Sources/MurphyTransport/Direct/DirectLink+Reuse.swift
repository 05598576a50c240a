import CLinux
import Glibc
import MurphyModel

/// Bytes that a server sent over an idle connection: they belong to no request.
package struct StrayBytes: Sendable {
  /// The label of the last request that the connection answered.
  package var label: Int
  package var at: Instant
}

extension DirectLink {
  /// Whether the connection that was kept can carry another request. What the server did to it meanwhile, epoll may not
  /// have told yet: a close that is known before the send costs no request.
  func isStillOpen() -> Bool {
    // A look at the socket is cheaper than one through TLS.
    if channel != nil, !LibcurlVersion.readsAhead, sys_is_silent(descriptor) != 0 { return true }
    let scratch = transport.scratch
    let count = receive(scratch)
    if -count == EAGAIN { return true }
    if count > 0 { noteStray(UnsafeRawBufferPointer(rebasing: scratch[..<count])) }
    disconnect()
    return false
  }

  /// What comes on an idle connection cannot be an answer. Only a 408 is common usage: some servers say why they close.
  func noteStray(_ piece: UnsafeRawBufferPointer) {
    guard kept != nil, !piece.starts(with: "HTTP/1.1 408".utf8), !piece.starts(with: "HTTP/1.0 408".utf8) else {
      return
    }
    transport.note(StrayBytes(label: lastLabel, at: .now))
  }

  /// Whether the request was on a connection that was kept, and nothing of an answer had come.
  func isLost(_ transfer: DirectTransfer) -> Bool {
    transfer.header.count == 0 && kept != nil && transfer.repeats.isEmpty
  }

  /// The connection was closed before an answer. The request was most likely never read: sent once more over a new
  /// connection if that can do no harm (RFC 9112 §9.3.1), as browsers do, and counted.
  func lose(_ transfer: DirectTransfer, _ detail: String) {
    let attempt = LostAttempt(sent: transfer.lastSent, on: kept)
    guard transfer.request.isIdempotent else { return finish(.failed(.lost(attempt, detail)), keeps: false) }
    transfer.repeats.append(attempt)
    disconnect()
    flushed = 0
    transfer.lastSent = .now
    connect()
  }
}
