import Foundation
import TestSupport

/// An authority, a certificate for `localhost` that it signed, and servers of openssl that use it.
struct TestAuthority {
  let folder: String
  /// PEM of the authority.
  var authority: String { folder + "/ca.pem" }
  /// PEM of an authority that signed nothing.
  var stranger: String { folder + "/other.pem" }

  /// - Parameter folder: where the files are put.
  init(in folder: String) async throws {
    self.folder = folder
    let made = try await Shell.run(
      """
      exec 2>&1
      openssl req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.pem -days 2 -subj /CN=murphy-tests &&
      openssl req -x509 -newkey rsa:2048 -nodes -keyout other.key -out other.pem -days 2 -subj /CN=another &&
      openssl req -newkey rsa:2048 -nodes -keyout server.key -out server.csr -subj /CN=localhost &&
      openssl x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -out server.pem -days 2 \
        -extfile <(echo subjectAltName=DNS:localhost)
      """, in: folder)
    guard made.said.status == 0 else { throw Failure(description: made.said.output) }
  }

  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  /// Runs `body` with the URL of a TLS server that answers with the bytes of a file: `/items` is the file `items`.
  func serving<Value>(_ body: (String) async throws -> Value) async throws -> Value {
    let port = try FreePort.find()
    let server = Process()
    server.executableURL = URL(filePath: try Tool.openssl.path)
    server.arguments = [
      "s_server", "-accept", "\(port)", "-cert", "server.pem", "-key", "server.key", "-HTTP", "-quiet",
    ]
    server.currentDirectoryURL = URL(filePath: folder)
    server.standardInput = FileHandle.nullDevice
    server.standardOutput = FileHandle.nullDevice
    server.standardError = FileHandle.nullDevice
    try server.run()
    defer {
      kill(server.processIdentifier, SIGKILL)
      server.waitUntilExit()
    }
    for _ in 0..<600 where !FreePort.isTaken(port) { try await Task.sleep(for: .milliseconds(50)) }
    return try await body("https://localhost:\(port)")
  }
}
