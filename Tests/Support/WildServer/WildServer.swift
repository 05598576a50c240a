import Foundation
import Synchronization

/// A small HTTP/1.1 server for tests that does whatever its closure says, wrong things above all.
///
/// A thread for each connection; on port 0 of every loopback address. Shares no code with the client.
public final class WildServer: Sendable {
  public typealias Responder = @Sendable (WildRequest, WildConnection) -> Void

  public let port: Int
  private let listener: CInt
  private let log = Mutex(Log())
  private let respond: Responder

  private struct Log {
    var requests: [WildRequest] = []
    var connections = 0
    var open: Set<CInt> = []
    var isStopped = false
  }

  public init(_ respond: @escaping Responder) throws {
    self.respond = respond
    listener = socket(AF_INET, 1, 0)
    var yes: CInt = 1
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<CInt>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let listener = listener
    let code = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        let failed = bind(listener, generic, length) != 0 || listen(listener, 1024) != 0
        return failed || getsockname(listener, generic, &length) != 0
      }
    }
    guard listener >= 0, !code else { throw CocoaError(.fileNoSuchFile) }
    port = Int(UInt16(bigEndian: address.sin_port))
    Thread.detachNewThread { [self] in accept() }
  }

  public var url: String { "http://127.0.0.1:\(port)" }
  /// Every request that came in whole, in order of arrival.
  public var requests: [WildRequest] { log.withLock { $0.requests } }
  /// Connections accepted so far.
  public var connections: Int { log.withLock { $0.connections } }

  public func stop() {
    let open = log.withLock { log in
      log.isStopped = true
      return log.open
    }
    shutdown(listener, CInt(SHUT_RDWR))
    for descriptor in open { shutdown(descriptor, CInt(SHUT_RDWR)) }
  }

  private func accept() {
    while true {
      var address = sockaddr_in()
      var length = socklen_t(MemoryLayout<sockaddr_in>.size)
      let descriptor = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { Foundation.accept(listener, $0, &length) }
      }
      guard descriptor >= 0 else { break }
      let number = log.withLock { log in
        log.connections += 1
        log.open.insert(descriptor)
        return log.connections
      }
      let peer = String(cString: inet_ntoa(address.sin_addr))
      Thread.detachNewThread { [self] in
        serve(WildConnection(descriptor: descriptor, number: number, peer: peer))
        log.withLock { _ = $0.open.remove(descriptor) }
        close(descriptor)
      }
    }
    close(listener)
  }

  private func serve(_ connection: WildConnection) {
    while !connection.isFinished, let request = connection.read() {
      log.withLock { $0.requests.append(request) }
      respond(request, connection)
    }
  }
}

/// A request as it came over the wire.
public struct WildRequest: Sendable {
  public var method: String
  public var target: String
  /// Names in lower case, in the order sent.
  public var headers: [(name: String, value: String)]
  public var body: [UInt8]
  /// Which connection it came over, counted from 1.
  public var connection: Int
  /// The address it came from.
  public var peer: String

  public func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}
