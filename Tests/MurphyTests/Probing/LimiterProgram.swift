import Foundation
import TestSupport

/// A real limiter that nobody of this project wrote, on a free port of the loopback.
final class LimiterProgram: Sendable {
  let url: String
  let folder: String
  private let process: Process

  /// Debian's nginx.
  /// - Parameter limits: lines of the block `http`.
  static func nginx(_ limits: String) throws -> LimiterProgram {
    try LimiterProgram(.nginx, file: "nginx.conf", arguments: { ["-p", $0, "-c", $0 + "/nginx.conf"] }) {
      folder, port in
      let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map { "\($0)_temp_path \(folder)/\($0);" }
      return """
        daemon off; worker_processes 1; pid \(folder)/pid; error_log /dev/null;
        events { worker_connections 2048; }
        http {
          access_log off; keepalive_requests 100000; \(temporary.joined(separator: " "))
          \(limits)
          server {
            listen 127.0.0.1:\(port);
            location / { root \(folder); }
          }
        }
        """
    }
  }

  /// Debian's HAProxy.
  /// - Parameter limits: lines of the frontend.
  static func haproxy(_ limits: String) throws -> LimiterProgram {
    try LimiterProgram(.haproxy, file: "haproxy.cfg", arguments: { ["-db", "-f", $0 + "/haproxy.cfg"] }) {
      _, port in
      """
      defaults
        mode http
        timeout connect 2s
        timeout client 60s
        timeout server 5s
      frontend probed
        bind 127.0.0.1:\(port)
      \(limits)
        http-request return status 200 content-type text/plain string served

      """
    }
  }

  private init(
    _ program: Tool, file: String, arguments: (String) -> [String], configuration: (String, Int) -> String
  ) throws {
    folder = NSTemporaryDirectory() + "murphy-limiter-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    // Workers of nginx run as another user.
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder)
    try "served".write(toFile: folder + "/index.html", atomically: true, encoding: .utf8)
    let port = try FreePort.find()
    url = "http://127.0.0.1:\(port)"
    try configuration(folder, port).write(toFile: folder + "/" + file, atomically: true, encoding: .utf8)
    process = Process()
    process.executableURL = URL(filePath: try program.path)
    process.arguments = arguments(folder)
    process.standardError = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    for _ in 0..<1000 where !FreePort.isTaken(port) { usleep(20_000) }
  }

  func stop() {
    process.terminate()
    process.waitUntilExit()
    try? FileManager.default.removeItem(atPath: folder)
  }
}
