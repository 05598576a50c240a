import Glibc

/// The few calls of the socket interface that the calibration server needs.
enum CalibrationSocket {
  // Glibc's module gives the type of `SOCK_STREAM` and `MSG_NOSIGNAL` no plain number.
  private static let stream: CInt = 1
  private static let noSignal: CInt = 0x4000
  private static let tcp: CInt = 6

  /// A listening socket on a free port of 127.0.0.1.
  static func listen() throws(CalibrationServerError) -> (descriptor: CInt, port: Int) {
    let descriptor = socket(AF_INET, stream, 0)
    guard descriptor >= 0 else { throw failure("create a socket") }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let listens = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        bind(descriptor, generic, length) == 0 && Glibc.listen(descriptor, 1024) == 0
          && getsockname(descriptor, generic, &length) == 0
      }
    }
    guard listens, setNonBlocking(descriptor) else {
      let failure = failure("listen on 127.0.0.1")
      close(descriptor)
      throw failure
    }
    return (descriptor, Int(UInt16(bigEndian: address.sin_port)))
  }

  /// A connection that waits to be accepted; nil if there is none.
  static func accept(_ listener: CInt) -> CInt? {
    let descriptor = Glibc.accept(listener, nil, nil)
    guard descriptor >= 0 else { return nil }
    var yes: CInt = 1
    setsockopt(descriptor, tcp, TCP_NODELAY, &yes, socklen_t(MemoryLayout<CInt>.size))
    guard setNonBlocking(descriptor) else {
      close(descriptor)
      return nil
    }
    return descriptor
  }

  private static func setNonBlocking(_ descriptor: CInt) -> Bool {
    fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK) == 0
  }

  /// True if all bytes were sent; responses are short, and the send buffer is large enough.
  static func send(_ bytes: [UInt8], to descriptor: CInt) -> Bool {
    Glibc.send(descriptor, bytes, bytes.count, noSignal) == bytes.count
  }

  /// The received bytes; nil if the connection has ended, empty if there are none.
  static func receive(from descriptor: CInt) -> ArraySlice<UInt8>? {
    var bytes = [UInt8](repeating: 0, count: 8192)
    let count = recv(descriptor, &bytes, bytes.count, 0)
    if count > 0 { return bytes[..<count] }
    return count < 0 && errno == EAGAIN ? [] : nil
  }

  /// Waits until one of the descriptors is readable, at most `nanoseconds`; returns the readable ones.
  ///
  /// Uses pselect, because Glibc's module has no other call that waits for less than a millisecond. Descriptors from
  /// 1024 on are not supported.
  static func wait(for descriptors: some Sequence<CInt>, nanoseconds: Int64) -> [CInt] {
    var set = fd_set()
    var highest: CInt = -1
    withUnsafeMutableBytes(of: &set) { bits in
      for descriptor in descriptors {
        bits[Int(descriptor) / 8] |= 1 << UInt8(descriptor % 8)
        highest = max(highest, descriptor)
      }
    }
    var span = timespec(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
    guard pselect(highest + 1, &set, nil, nil, &span, nil) > 0 else { return [] }
    return withUnsafeBytes(of: &set) { bits in
      (0...highest).filter { bits[Int($0) / 8] & 1 << UInt8($0 % 8) != 0 }
    }
  }

  static let mostDescriptors: CInt = 1024

  /// `CLOCK_MONOTONIC`, nanoseconds.
  static var now: Int64 {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
  }

  /// Blocks the calling thread until `instant`.
  static func sleep(until instant: Int64) {
    while case let left = instant - now, left > 0 {
      var span = timespec(tv_sec: Int(left / 1_000_000_000), tv_nsec: Int(left % 1_000_000_000))
      nanosleep(&span, nil)
    }
  }

  private static func failure(_ action: String) -> CalibrationServerError {
    CalibrationServerError(description: "cannot \(action) for the known server: \(String(cString: strerror(errno)))")
  }
}

/// A request as the calibration server reads it.
struct CalibrationRequest {
  /// Without a query.
  var path: String
  /// The header `X-Key`; empty without one.
  var key: String
}

/// The bytes of one connection, split into requests without a body (RFC 9112 §2).
struct CalibrationConnection {
  private var bytes: [UInt8] = []

  mutating func append(_ more: ArraySlice<UInt8>) { bytes += more }

  /// Takes the next complete request; nil when none is complete.
  mutating func nextRequest() -> CalibrationRequest? {
    let end: [UInt8] = [13, 10, 13, 10]
    guard bytes.count >= end.count,
      let last = (0...(bytes.count - end.count)).first(where: { bytes[$0..<$0 + end.count].elementsEqual(end) })
    else { return nil }
    let lines = String(decoding: bytes[..<last], as: UTF8.self).split(separator: "\r\n")
    bytes.removeFirst(last + end.count)
    let words = lines.first?.split(separator: " ") ?? []
    let target = words.count > 1 ? words[1] : ""
    let key = lines.dropFirst().first { $0.lowercased().hasPrefix("x-key:") }
    return CalibrationRequest(
      path: String(target.prefix { $0 != "?" }), key: key.map { String($0.drop { $0 != ":" }.dropFirst()) } ?? "")
  }
}

/// The responses of the calibration server, as they are sent.
enum CalibrationResponse {
  static let good = message("200 OK", body: #"{"ok":true}"#)
  /// `ok` is not a Boolean.
  static let broken = message("200 OK", body: #"{"ok":"yes"}"#)
  static let unknown = message("404 Not Found", body: "{}")

  /// - Parameter nanoseconds: until the window ends.
  static func refused(nanoseconds: Int64) -> [UInt8] {
    let seconds = (nanoseconds + 999_999_999) / 1_000_000_000
    return message("429 Too Many Requests", fields: "Retry-After: \(seconds)\r\n", body: #"{"ok":false}"#)
  }

  private static func message(_ status: String, fields: String = "", body: String) -> [UInt8] {
    let head = "HTTP/1.1 \(status)\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n"
    return Array((head + fields + "\r\n" + body).utf8)
  }
}
