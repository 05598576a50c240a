import Foundation
import TestSupport

/// Debian's nginx with TLS by a test authority, HTTP/2 and gzip, on free ports.
final class NginxFixture: Sendable {
  let plain: String
  let secure: String
  /// The test authority's certificate, PEM.
  let authority: String
  private let folder: String
  private let process: Process

  /// - Parameter backend: the URL that `/backend/` is fetched from, whatever the size of its headers.
  init(backend: String = "http://127.0.0.1:1") throws {
    let folder = NSTemporaryDirectory() + "murphy-nginx-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let program = try Tool.nginx.path
    try Self.makeCertificates(in: folder)
    let (first, second) = (try FreePort.find(), try FreePort.find())
    (plain, secure) = ("http://127.0.0.1:\(first)", "https://localhost:\(second)")
    (authority, self.folder) = (folder + "/ca.pem", folder)
    let law = "{\"text\":\"" + String(repeating: "anything that can go wrong ", count: 200) + "\"}"
    try law.write(toFile: folder + "/law.json", atomically: true, encoding: .utf8)
    try Self.configuration(folder, first, second, backend).write(
      toFile: folder + "/nginx.conf", atomically: true, encoding: .utf8)
    process = Process()
    process.executableURL = URL(filePath: program)
    process.arguments = ["-p", folder, "-c", folder + "/nginx.conf"]
    process.standardError = FileHandle.nullDevice
    try process.run()
    for port in [first, second] { for _ in 0..<1000 where !FreePort.isTaken(port) { usleep(20_000) } }
  }

  func stop() {
    process.terminate()
    process.waitUntilExit()
    try? FileManager.default.removeItem(atPath: folder)
  }

  private static func configuration(_ folder: String, _ plain: Int, _ secure: Int, _ backend: String) -> String {
    let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map { "\($0)_temp_path \(folder)/\($0);" }
    return """
      daemon off; worker_processes 1; pid \(folder)/nginx.pid; error_log /dev/null;
      events { worker_connections 512; }
      http {
        access_log off; types { application/json json; } gzip on; gzip_types application/json; gzip_min_length 100;
        \(temporary.joined(separator: " "))
        ssl_certificate \(folder)/server.pem; ssl_certificate_key \(folder)/server.key;
        add_header X-Protocol $server_protocol;
        server { listen 127.0.0.1:\(plain); root \(folder); }
        server {
          listen 127.0.0.1:\(secure) ssl http2; root \(folder);
          proxy_buffer_size 8m; proxy_buffers 4 8m; proxy_busy_buffers_size 8m;
          location /backend/ { proxy_pass \(backend); }
        }
      }
      """
  }

  /// An authority and a certificate for `localhost` that it signed.
  static func makeCertificates(in folder: String) throws {
    let commands = [
      "req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.pem -days 2 -subj /CN=murphy-test-authority",
      "req -newkey rsa:2048 -nodes -keyout server.key -out server.csr -subj /CN=localhost",
      "x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -out server.pem -days 2 -extfile names.cnf",
    ]
    try "subjectAltName=DNS:localhost".write(toFile: folder + "/names.cnf", atomically: true, encoding: .utf8)
    for command in commands {
      let openssl = Process()
      openssl.executableURL = URL(filePath: try Tool.openssl.path)
      openssl.arguments = command.split(separator: " ").map(String.init)
      openssl.currentDirectoryURL = URL(filePath: folder)
      openssl.standardError = FileHandle.nullDevice
      openssl.standardOutput = FileHandle.nullDevice
      try openssl.run()
      openssl.waitUntilExit()
      guard openssl.terminationStatus == 0 else { throw Failure(description: "openssl \(command)") }
    }
  }

  struct Failure: Error, CustomStringConvertible { let description: String }
}
