import Foundation
import MurphyHTTP
import TestSupport

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

  /// In front of the server on a loopback port.
  convenience init(to server: Int) throws { try self.init(before: "http://127.0.0.1:\(server)", protocols: "h2") }

  /// In front of the server of a plain URL; the door's URL has its path.
  init(before url: String, protocols: String) throws {
    let origin = try Origin(url)
    let folder = NSTemporaryDirectory() + "murphy-door-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let certificates = try Self.certificates.get()
    port = try FreePort.find()
    self.folder = folder
    certificate = certificates + "/both.pem"
    (self.url, authority) = ("https://localhost:\(port)\(origin.basePath)", certificates + "/ca.pem")
    try open(to: origin.port, protocols: protocols)
  }

  /// Made once for all doors: two keys take half a second.
  private static let certificates = Result {
    let folder = NSTemporaryDirectory() + "murphy-door-certificates-\(getpid())"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try NginxFixture.makeCertificates(in: folder)
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
    process.executableURL = URL(filePath: try Tool.haproxy.path)
    process.arguments = ["-db", "-f", folder + "/haproxy.cfg"]
    process.standardError = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    for _ in 0..<2000 where !FreePort.isTaken(port) { usleep(5_000) }
  }

  func stop() {
    process.terminate()
    process.waitUntilExit()
    try? FileManager.default.removeItem(atPath: folder)
  }
}
