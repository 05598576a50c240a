import Dispatch
import Foundation
import Glibc

/// A client on a bare socket: it sees resets, cut bodies and bytes that are not HTTP as what they are.
struct WireClient: Sendable {
  var port: Int
  /// Local address to send from; every 127.x.y.z is one of this machine's.
  var source = "127.0.0.1"
  var device: String?
  var timeout: Duration = .seconds(20)

  /// Sends one request on a connection of its own and reads until the server closes.
  func send(
    _ method: String, _ path: String, headers: [String: String] = [:], body: String? = nil
  ) async throws -> Exchange {
    var lines = ["\(method) \(path) HTTP/1.1", "Host: 127.0.0.1:\(port)", "Connection: close"]
    var fields = headers
    if let device, fields["X-Device-ID"] == nil { fields["X-Device-ID"] = device }
    if body != nil, fields["Content-Type"] == nil { fields["Content-Type"] = "application/json" }
    if let body { fields["Content-Length"] = "\(body.utf8.count)" }
    lines += fields.map { "\($0): \($1)" }
    let request = lines.joined(separator: "\r\n") + "\r\n\r\n" + (body ?? "")
    return try await exchange(request)
  }

  func get(_ path: String, headers: [String: String] = [:]) async throws -> Exchange {
    try await send("GET", "/api/v1" + path, headers: headers)
  }

  func post(_ path: String, _ body: String, headers: [String: String] = [:]) async throws -> Exchange {
    try await send("POST", "/api/v1" + path, headers: headers, body: body)
  }

  func vote(_ direction: String, on law: Int, headers: [String: String] = [:]) async throws -> Exchange {
    try await post("/laws/\(law)/vote", #"{"vote_type":"\#(direction)"}"#, headers: headers)
  }

  func removeVote(on law: Int) async throws -> Exchange { try await send("DELETE", "/api/v1/laws/\(law)/vote") }

  /// The same client under another device's name.
  func with(device: String?) -> WireClient {
    var client = self
    client.device = device
    return client
  }

  /// Sends bytes as they are and reads what comes back.
  func exchange(_ request: String) async throws -> Exchange {
    try await withCheckedThrowingContinuation { continuation in
      // A thread of its own: the cooperative pool must not wait for sockets.
      Thread { continuation.resume(with: Result { try connection(request) }) }.start()
    }
  }

  private func connection(_ request: String) throws -> Exchange {
    let start = ContinuousClock.now
    let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard socket >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    defer { close(socket) }
    var limit = timeval(tv_sec: Int(timeout.components.seconds), tv_usec: 0)
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    try withAddress(source, 0) { address, length in
      guard bind(socket, address, length) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    }
    try withAddress("127.0.0.1", UInt16(port)) { address, length in
      guard connect(socket, address, length) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    }
    let bytes = Array(request.utf8)
    _ = bytes.withUnsafeBytes { Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    let (received, end) = receive(socket)
    var exchange = ResponseParser.parse(Data(received), end)
    exchange.elapsed = ContinuousClock.now - start
    return exchange
  }

  /// Reads until the end, which is nil for an orderly one.
  private func receive(_ socket: Int32) -> ([UInt8], Exchange.Breach?) {
    var received: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = recv(socket, &buffer, buffer.count, 0)
      if count == 0 { return (received, nil) }
      if count < 0 { return (received, errno == ECONNRESET ? .reset : .timeout) }
      received += buffer[..<count]
    }
  }

  private func withAddress(_ text: String, _ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) throws -> Void)
    rethrows
  {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    inet_pton(AF_INET, text, &address.sin_addr)
    try withUnsafePointer(to: &address) { pointer in
      try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        try body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }
}

/// One response as it came over the wire.
struct Exchange: Sendable {
  /// 0 if no status line came.
  var status = 0
  /// Names in lower case.
  var headers: [String: String] = [:]
  var body = Data()
  /// How the connection ended before the response was whole, if it did.
  var breach: Breach?
  var elapsed: Duration = .zero

  enum Breach: Sendable {
    case reset, closedEarly, timeout, notHTTP
  }

  var text: String { String(decoding: body, as: UTF8.self) }

  /// The body as JSON; null if it is none.
  var json: JSON { (try? JSONDecoder().decode(JSON.self, from: body)) ?? .null }
}
