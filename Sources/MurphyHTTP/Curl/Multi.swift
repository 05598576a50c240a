import CLibcurl
import Glibc
import MurphyModel

/// One libcurl multi handle on a loop, with the connection pool of a few dozen users.
final class Multi: TimerTarget {
  let handle: UnsafeMutableRawPointer
  unowned let transport: Transport
  var users = 0
  /// The time when libcurl wants the next call; nil for none.
  private var deadline: Int64?
  /// The earliest deadline that the loop's heap holds for this handle.
  private var armed: Int64?

  init(transport: Transport) throws(TransportError) {
    guard let handle = curl_multi_init() else { throw .exhausted(.memory, "no memory for a libcurl multi handle") }
    self.handle = handle
    self.transport = transport
    let me = Unmanaged.passUnretained(self).toOpaque()
    curl_multi_set_socket_function(handle, watchSocket)
    curl_multi_set_pointer(handle, CURLMOPT_SOCKETDATA, me)
    curl_multi_set_timer_function(handle, setMultiTimer)
    curl_multi_set_pointer(handle, CURLMOPT_TIMERDATA, me)
    // A fixed size: otherwise libcurl would adapt its pool to the handles in use and close idle connections of users.
    curl_multi_set_long(handle, CURLMOPT_MAXCONNECTS, 1 << 20)
  }

  deinit { curl_multi_cleanup(handle) }

  /// Lets libcurl do the work that is due.
  func turn() { act(CURL_SOCKET_TIMEOUT, 0) }

  func act(_ socket: CInt, _ mask: CInt) {
    var running: CInt = 0
    curl_multi_socket_action(handle, socket, mask, &running)
    collect()
  }

  /// Ends the transfers that libcurl has finished.
  private func collect() {
    var left: CInt = 0
    while let message = curl_multi_info_read(handle, &left) {
      guard message.pointee.msg == CURLMSG_DONE else { continue }
      transport.finish(message.pointee.easy_handle, message.pointee.data.result)
    }
  }

  /// libcurl moves its deadline several times per request; only an earlier one changes the heap.
  func wants(after milliseconds: Int) {
    guard milliseconds >= 0 else {
      deadline = nil
      return
    }
    let wanted = Instant.now.nanoseconds + Int64(milliseconds) * 1_000_000
    deadline = wanted
    if armed == nil || wanted < armed! { arm(wanted) }
  }

  private func arm(_ wanted: Int64) {
    armed = wanted
    _ = transport.loop.timers.set(Instant(nanoseconds: wanted), .fire(self))
  }

  package func timerFired(_ now: Instant) {
    if let armed, armed <= now.nanoseconds { self.armed = nil }
    guard let wanted = deadline else { return }
    if wanted <= now.nanoseconds {
      deadline = nil
      turn()
    } else if armed == nil {
      arm(wanted)
    }
  }
}
