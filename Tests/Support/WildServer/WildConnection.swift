import Foundation

/// One connection of a `WildServer`, used by its own thread only.
public final class WildConnection {
  let descriptor: CInt
  public let number: Int
  let peer: String
  private var pending: [UInt8] = []
  public private(set) var isFinished = false

  init(descriptor: CInt, number: Int, peer: String) {
    self.descriptor = descriptor
    self.number = number
    self.peer = peer
  }

  /// Sends bytes as they are; false when the client is gone.
  @discardableResult
  public func send(_ bytes: some Collection<UInt8>) -> Bool {
    let bytes = Array(bytes)
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes { buffer in
        Foundation.send(descriptor, buffer.baseAddress! + sent, bytes.count - sent, CInt(0x4000))  // MSG_NOSIGNAL
      }
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }

  @discardableResult
  public func send(_ text: String) -> Bool { send(text.utf8) }

  /// A well-formed response.
  public func answer(
    _ status: Int = 200, type: String = "application/json", headers: [String: String] = [:], body: String = "{}"
  ) {
    var text = "HTTP/1.1 \(status) Whatever\r\nContent-Type: \(type)\r\nContent-Length: \(body.utf8.count)\r\n"
    for (name, value) in headers.sorted(by: { $0.key < $1.key }) { text += "\(name): \(value)\r\n" }
    send(text + "\r\n" + body)
  }

  public func pause(milliseconds: Int) { usleep(UInt32(milliseconds) * 1000) }

  /// Closes the connection; no further request is read.
  public func finish() {
    isFinished = true
    shutdown(descriptor, CInt(SHUT_RDWR))
  }

  /// Waits until the client has closed its side; false when it has not within `seconds`.
  public func waitForClose(atMost seconds: Double) -> Bool {
    var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&watched, 1, CInt(seconds * 1000)) == 1 else { return false }
    var byte: UInt8 = 0
    return recv(descriptor, &byte, 1, 0) <= 0
  }

  /// The next request, or nil when the client has closed.
  func read() -> WildRequest? {
    guard let end = readUntilBlankLine() else { return nil }
    let lines = String(decoding: pending[..<end], as: UTF8.self).split(separator: "\r\n")
    pending.removeFirst(end + 4)
    let words = lines.first?.split(separator: " ") ?? []
    guard words.count == 3 else { return nil }
    let headers = lines.dropFirst().compactMap { line -> (name: String, value: String)? in
      guard let colon = line.firstIndex(of: ":") else { return nil }
      return (line[..<colon].lowercased(), line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces))
    }
    let length = headers.first { $0.name == "content-length" }.flatMap { Int($0.value) } ?? 0
    while pending.count < length { guard receive() else { return nil } }
    let body = Array(pending.prefix(length))
    pending.removeFirst(length)
    return WildRequest(
      method: String(words[0]), target: String(words[1]), headers: headers, body: body, connection: number, peer: peer)
  }

  private func readUntilBlankLine() -> Int? {
    while true {
      if let end = pending.indices.first(where: { pending[$0...].starts(with: [13, 10, 13, 10]) }) { return end }
      guard receive() else { return nil }
    }
  }

  private func receive() -> Bool {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    guard count > 0 else { return false }
    pending += buffer[..<count]
    return true
  }
}
