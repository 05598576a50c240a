import Foundation
import Synchronization

/// A small HTTP/2 server for tests (RFC 9113, with prior knowledge) that treats each request as its closure says.
///
/// It reads no header field: a request is a HEADERS frame. A thread for each connection; on port 0 of the loopback.
public final class StreamServer: Sendable {
  public enum Treatment: Sendable, Equatable {
    /// Status 200 with a field and without content.
    case answer
    /// Status 200 without a field.
    case bare
    /// RST_STREAM with REFUSED_STREAM: by §8.7 nothing was processed.
    case refuse
    /// GOAWAY that names an earlier stream as the last one, and the end of the connection.
    case goAway
    /// The end of the connection without a word.
    case close
    /// These frames; the connection stays open.
    case frames([Frame])
  }

  /// A frame of any content.
  public struct Frame: Sendable, Equatable {
    /// Where a frame belongs.
    public enum Place: Sendable, Equatable { case request, connection, stream(UInt32) }

    var type: UInt8
    var flags: UInt8
    var place: Place
    var payload: [UInt8]

    public init(_ type: UInt8, flags: UInt8 = 0, on place: Place = .request, _ payload: [UInt8] = []) {
      (self.type, self.flags, self.place, self.payload) = (type, flags, place, payload)
    }
  }

  public let port: Int
  private let listener: CInt
  private let treat: @Sendable (_ number: Int) -> Treatment
  private let count = Counter()
  private let accepted = Counter()
  private let open = Mutex<[Int: CInt]>([:])

  /// - Parameter treat: gets the number of the request at this server, from 1.
  public init(_ treat: @escaping @Sendable (_ number: Int) -> Treatment) throws {
    self.treat = treat
    listener = socket(AF_INET, 1, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let listener = listener
    let failed = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        bind(listener, generic, length) != 0 || listen(listener, 64) != 0
          || getsockname(listener, generic, &length) != 0
      }
    }
    guard listener >= 0, !failed else { throw CocoaError(.fileNoSuchFile) }
    port = Int(UInt16(bigEndian: address.sin_port))
    Thread.detachNewThread { [self] in
      while case let descriptor = accept(listener, nil, nil), descriptor >= 0 {
        let number = accepted.add()
        open.withLock { $0[number] = descriptor }
        Thread.detachNewThread { [self] in
          serve(descriptor)
          open.withLock { $0[number] = nil }
          close(descriptor)
        }
      }
      close(listener)
    }
  }

  public var url: String { "http://127.0.0.1:\(port)" }
  /// HEADERS frames that came in: every sending of every request.
  public var requests: Int { count.value }
  /// TCP connections that were opened.
  public var connections: Int { accepted.value }

  /// TCP connections that are open.
  public var openConnections: Int { open.withLock { $0.count } }

  public func stop() {
    shutdown(listener, CInt(SHUT_RDWR))
    for descriptor in open.withLock({ $0 }).values { shutdown(descriptor, CInt(SHUT_RDWR)) }
  }

  /// Sends frames without a request, none of them for the place of a request.
  ///
  /// - Parameter connection: its number, from 1.
  public func send(_ frames: [Frame], on connection: Int) {
    guard let descriptor = open.withLock({ $0[connection] }) else { return }
    for frame in frames { _ = send(frame, descriptor, request: 0) }
  }

  private func send(_ frame: Frame, _ descriptor: CInt, request: UInt32) -> Bool {
    let stream: UInt32 =
      switch frame.place {
      case .request: request
      case .connection: 0
      case .stream(let other): other
      }
    return send(descriptor, frame.type, frame.flags, stream: stream, frame.payload)
  }

  private enum Kind { static let headers: UInt8 = 1, reset: UInt8 = 3, settings: UInt8 = 4, goAway: UInt8 = 7 }

  private func serve(_ descriptor: CInt) {
    // The client's preface (§3.4).
    guard read(24, descriptor) != nil, send(descriptor, Kind.settings, 0, stream: 0, []) else { return }
    while let head = read(9, descriptor) {
      let length = Int(head[0]) << 16 | Int(head[1]) << 8 | Int(head[2])
      let stream = head[5...].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF
      guard read(length, descriptor) != nil else { return }
      switch head[3] {
      case Kind.settings where head[4] & 1 == 0:
        guard send(descriptor, Kind.settings, 1, stream: 0, []) else { return }
      case Kind.headers: guard take(stream, descriptor) else { return }
      default: break
      }
    }
  }

  /// - Returns: false when the connection ends.
  private func take(_ stream: UInt32, _ descriptor: CInt) -> Bool {
    switch treat(count.add()) {
    // `:status: 200` is entry 8 of HPACK's table, `x-a` a literal; END_STREAM and END_HEADERS.
    case .answer:
      let field = [0, 3] + Array("x-a".utf8) + [100] + Array(repeating: UInt8(ascii: "v"), count: 100)
      return send(descriptor, Kind.headers, 5, stream: stream, [0x88] + field)
    case .bare: return send(descriptor, Kind.headers, 5, stream: stream, [0x88])
    case .refuse: return send(descriptor, Kind.reset, 0, stream: stream, [0, 0, 0, 7])
    case .goAway:
      let last = stream >= 2 ? stream - 2 : 0
      _ = send(
        descriptor, Kind.goAway, 0, stream: 0,
        [UInt8(last >> 24), UInt8(last >> 16 & 0xFF), UInt8(last >> 8 & 0xFF), UInt8(last & 0xFF), 0, 0, 0, 0])
      shutdown(descriptor, CInt(SHUT_RDWR))
      return false
    case .frames(let frames):
      return frames.allSatisfy { send($0, descriptor, request: stream) }
    case .close:
      shutdown(descriptor, CInt(SHUT_RDWR))
      return false
    }
  }

  private func send(_ descriptor: CInt, _ type: UInt8, _ flags: UInt8, stream: UInt32, _ payload: [UInt8]) -> Bool {
    let count = payload.count
    var frame = [UInt8(count >> 16), UInt8(count >> 8 & 0xFF), UInt8(count & 0xFF), type, flags]
    frame += [UInt8(stream >> 24), UInt8(stream >> 16 & 0xFF), UInt8(stream >> 8 & 0xFF), UInt8(stream & 0xFF)]
    frame += payload
    return Foundation.send(descriptor, frame, frame.count, CInt(0x4000)) == frame.count  // MSG_NOSIGNAL
  }

  private func read(_ count: Int, _ descriptor: CInt) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
      let received = bytes.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress! + filled, count - filled, 0) }
      guard received > 0 else { return nil }
      filled += received
    }
    return bytes
  }
}
