import Foundation
import MurphyTransport

/// TLS with ALPN in front of a plain server, by Debian's HAProxy, which passes the bytes on as they are.
// @unchecked: one test has it, which asks one thing after the other.
final class SecureDoor: @unchecked Sendable {
  let url: String
  /// The test authority's certificate, PEM.
  let authority: String
  private let folder: String
  private let certificate: String
  private let port: Int
  private var process = Process()

  struct Missing: Error, CustomStringConvertible {
    let description = "haproxy or openssl is not installed; make test-packages installs them"
  }

  /// In front of the server on a loopback port.
  convenience init(to server: Int) throws { try self.init(before: "http://127.0.0.1:\(server)", protocols: "h2") }

  /// In front of the server of a plain URL; the door's URL has its path.
  init(before url: String, protocols: String) throws {
    let origin = try Origin(url)
    let folder = NSTemporaryDirectory() + "murphy-door-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let certificates = try Self.certificates.get()
    port = try NginxFixture.freePort()
    self.folder = folder
    certificate = certificates + "/both.pem"
    (self.url, authority) = ("https://localhost:\(port)\(origin.basePath)", certificates + "/ca.pem")
    try open(to: origin.port, protocols: protocols)
  }

  /// Made once for all doors: two keys take half a second.
  private static let certificates = Result {
    let folder = NSTemporaryDirectory() + "murphy-door-certificates-\(getpid())"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    guard try NginxFixture.makeCertificates(in: folder) else { throw Missing() }
    let both = try ["/server.pem", "/server.key"].map { try String(contentsOfFile: folder + $0, encoding: .utf8) }
    try both.joined().write(toFile: folder + "/both.pem", atomically: true, encoding: .utf8)
    return folder
  }

  /// Closes all connections and begins again, in front of another server.
  func reopen(to server: Int, protocols: String) throws {
    process.terminate()
    process.waitUntilExit()
    process = Process()
    try open(to: server, protocols: protocols)
  }

  private func open(to server: Int, protocols: String) throws {
    let configuration = """
      defaults
        mode tcp
        timeout connect 5s
        timeout client 60s
        timeout server 60s
      frontend door
        bind 127.0.0.1:\(port) ssl crt \(certificate) \(protocols.isEmpty ? "" : "alpn \(protocols)")
        default_backend room
      backend room
        server only 127.0.0.1:\(server)

      """
    try configuration.write(toFile: folder + "/haproxy.cfg", atomically: true, encoding: .utf8)
    process.executableURL = URL(filePath: "/usr/sbin/haproxy")
    process.arguments = ["-db", "-f", folder + "/haproxy.cfg"]
    process.standardError = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    do { try process.run() } catch { throw Missing() }
    for _ in 0..<2000 where !Self.isOpen(port) { usleep(5_000) }
  }

  func stop() {
    process.terminate()
    process.waitUntilExit()
    try? FileManager.default.removeItem(atPath: folder)
  }

  private static func isOpen(_ port: Int) -> Bool {
    let descriptor = socket(AF_INET, 1, 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
  }
}
