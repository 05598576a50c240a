import Foundation
import MurphyHTTP
import MurphyModel
import TestSupport
import Testing

/// Servers that demand a certificate of their clients.
@Suite(.requires(.openssl)) struct ClientCertificateTests {
  /// An authority, a server's certificate, and two of clients: one that it signed, one that nobody did.
  private static let certificates = Result {
    let folder = NSTemporaryDirectory() + "murphy-clients-\(getpid())"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try NginxFixture.makeCertificates(in: folder)
    for command in [
      "req -newkey rsa:2048 -passout pass:open-sesame -keyout client.key -out client.csr -subj /CN=client",
      "x509 -req -in client.csr -CA ca.pem -CAkey ca.key -CAcreateserial -out client.pem -days 2",
      "req -x509 -newkey rsa:2048 -nodes -keyout other.key -out other.pem -days 2 -subj /CN=stranger",
    ] { try run(command, in: folder).waitUntilExit() }
    try "HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\n{}".write(
      toFile: folder + "/law", atomically: true, encoding: .utf8)
    return folder
  }

  private static func run(_ command: String, in folder: String) throws -> Process {
    let openssl = Process()
    openssl.executableURL = URL(filePath: try Tool.openssl.path)
    openssl.arguments = command.split(separator: " ").map(String.init)
    openssl.currentDirectoryURL = URL(filePath: folder)
    openssl.standardInput = FileHandle.nullDevice
    openssl.standardOutput = FileHandle.nullDevice
    openssl.standardError = FileHandle.nullDevice
    try openssl.run()
    return openssl
  }

  /// Asks a server that wants a certificate of the test authority.
  private func reply(_ certificate: ClientCertificate?, _ route: Route, version: String) async throws -> Reply {
    let folder = try Self.certificates.get()
    let port = try FreePort.find()
    let server = try Self.run(
      "s_server -accept \(port) -cert server.pem -key server.key -CAfile ca.pem -Verify 1 -verify_return_error -HTTP "
        + "-quiet \(version)", in: folder)
    defer {
      kill(server.processIdentifier, SIGKILL)
      server.waitUntilExit()
    }
    for _ in 0..<600 where !FreePort.isTaken(port) { try await Task.sleep(for: .milliseconds(50)) }
    var options = TransportOptions()
    options.authorities = folder + "/ca.pem"
    options.certificate = certificate
    options.version = .http1
    return try await withTransport(to: "https://localhost:\(port)", by: route, options: options) {
      try await $0.connect().reply("GET", "/law")
    }
  }

  @Test(arguments: Route.plain, ["-tls1_2", "-tls1_3"])
  func `the client shows its certificate, and says what is wrong with it`(route: Route, version: String) async throws {
    let folder = try Self.certificates.get()
    let own = ClientCertificate(file: folder + "/client.pem", key: folder + "/client.key", passphrase: "open-sesame")
    let answered = try await reply(own, route, version: version)
    #expect(answered.status == 200 && answered.body == "{}", "\(answered.ending)")
    let stranger = ClientCertificate(file: folder + "/other.pem", key: folder + "/other.key")
    for certificate in [nil, stranger] {
      let refused = try await reply(certificate, route, version: version).failure
      #expect(refused?.kind == .transportEncryption, "\(String(describing: refused))")
      let expected =
        certificate == nil && version == "-tls1_2"
        ? "the target aborted the TLS handshake: it may require a client certificate: "
        : "the target rejects the client certificate, or requires one: "
      #expect(refused?.sentence.hasPrefix(expected) == true, "\(String(describing: refused))")
      #expect(refused?.sentence.hasSuffix("--key FILE, or `settings: { tls: { cert: FILE, key: FILE } }`") == true)
    }
  }

  @Test(arguments: Route.plain) func `a certificate that cannot be used is told apart`(route: Route) async throws {
    let folder = try Self.certificates.get()
    let (file, key) = (folder + "/client.pem", folder + "/client.key")
    for certificate in [
      ClientCertificate(file: file, key: key, passphrase: "wrong"),
      ClientCertificate(file: file, key: folder + "/other.key"), ClientCertificate(file: folder + "/law", key: key),
    ] {
      let failure = try await reply(certificate, route, version: "-tls1_3").failure
      #expect(failure?.kind == .transportEncryption)
      #expect(
        failure?.sentence.hasPrefix("the client certificate or its key cannot be used: ") == true,
        "\(String(describing: failure))")
    }
  }
}
