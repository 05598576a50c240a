import CLibcurl
import CLinux
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

// Functions that libcurl calls, on the loop's thread. They are at file scope because a closure would carry an
// isolation.

func receiveBody(_ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ user: UnsafeMutableRawPointer?)
  -> Int
{
  guard let bytes, let user else { return 0 }
  let transfer = Unmanaged<CurlTransfer>.fromOpaque(user)._withUnsafeGuaranteedRef { $0 }
  return transfer.receive(body: UnsafeRawPointer(bytes), count: size * count)
}

func receiveHeader(
  _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ user: UnsafeMutableRawPointer?
) -> Int {
  guard let bytes, let user else { return 0 }
  let transfer = Unmanaged<CurlTransfer>.fromOpaque(user)._withUnsafeGuaranteedRef { $0 }
  return transfer.receive(header: UnsafeRawPointer(bytes), count: size * count) ? size * count : 0
}

/// Called at each attempt to send a request, after its connection is open.
func beforeSending(
  _ user: UnsafeMutableRawPointer?, _ remote: UnsafeMutablePointer<CChar>?, _ local: UnsafeMutablePointer<CChar>?,
  _ remotePort: CInt, _ localPort: CInt
) -> CInt {
  guard let user else { return CURL_PREREQFUNC_ABORT }
  let transfer = Unmanaged<CurlTransfer>.fromOpaque(user).takeUnretainedValue()
  return transfer.maySend(from: localPort) ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
}

func openSocket(
  _ user: UnsafeMutableRawPointer?, _ purpose: curlsocktype, _ address: UnsafeMutablePointer<curl_sockaddr>?
) -> curl_socket_t {
  guard let user, let socket = newSocket(address) else { return CURL_SOCKET_BAD }
  Unmanaged<CurlTransfer>.fromOpaque(user).takeUnretainedValue().opened(socket)
  return socket
}

/// A socket for one of libcurl's addresses while enough descriptors are left; otherwise nil, with `errno`.
func newSocket(_ address: UnsafeMutablePointer<curl_sockaddr>?) -> CInt? {
  guard let address = address?.pointee else { return nil }
  let descriptor = socket(address.family, address.socktype | CInt(SOCK_CLOEXEC.rawValue), address.protocol)
  guard descriptor >= 0 else { return nil }
  guard sys_leaves_spare(descriptor) != 0 else {
    close(descriptor)
    errno = EMFILE
    return nil
  }
  return descriptor
}

func closeSocket(_ user: UnsafeMutableRawPointer?, _ socket: curl_socket_t) -> CInt {
  if let user { Unmanaged<Transport>.fromOpaque(user).takeUnretainedValue().closed(socket) }
  return close(socket)
}

func watchSocket(
  _ easy: UnsafeMutableRawPointer?, _ socket: curl_socket_t, _ what: CInt, _ user: UnsafeMutableRawPointer?,
  _ known: UnsafeMutableRawPointer?
) -> CInt {
  guard let user else { return 0 }
  let multi = Unmanaged<Multi>.fromOpaque(user).takeUnretainedValue()
  var interest: Readiness = []
  if what == CURL_POLL_IN || what == CURL_POLL_INOUT { interest.insert(.readable) }
  if what == CURL_POLL_OUT || what == CURL_POLL_INOUT { interest.insert(.writable) }
  multi.transport.watch(socket, for: interest, of: multi)
  return 0
}

func setMultiTimer(_ handle: UnsafeMutableRawPointer?, _ milliseconds: Int, _ user: UnsafeMutableRawPointer?) -> CInt {
  if let user { Unmanaged<Multi>.fromOpaque(user).takeUnretainedValue().wants(after: milliseconds) }
  return 0
}

extension UnsafeMutableRawPointer {
  /// A number that libcurl reports for an easy handle; 0 if it reports none.
  func number(_ info: CURLINFO) -> Int {
    var value = 0
    curl_get_long(self, info, &value)
    return value
  }

  /// The same with 64 bits.
  func large(_ info: CURLINFO) -> Int64 {
    var value: curl_off_t = 0
    curl_get_large(self, info, &value)
    return Int64(value)
  }
}
