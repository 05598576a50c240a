import Foundation
import Murphy
import TestSupport
import Testing
import WildServer

/// Recordings hold placeholders in the place of secrets, equal ones for equal ones.
@Suite(.requires(.curl)) struct RecordedSecretTests {
  private static let contract = """
    openapi: 3.0.3
    info: { title: Accounts, version: "1" }
    paths:
      /login: { post: { operationId: logIn, requestBody: { content: { application/json: { schema: { type: object } } } }, responses: { "200": { description: In } } } }
      /me: { get: { operationId: me, responses: { "200": { description: Me }, "401": { description: Who } } } }
      /orders/{id}: { get: { operationId: getOrder, parameters: [{ name: id, in: path, required: true, schema: { type: string } }], responses: { "200": { description: One }, "404": { description: None } } } }
    """

  /// Each login has another token; orders are seen by the newest one alone.
  private static let respond: WildServer.Responder = { request, connection in
    let count = request.connection
    switch request.target.prefix(while: { $0 != "?" }) {
    case "/login":
      connection.answer(
        headers: ["Set-Cookie": "sid=hush-cookie-of-\(count)-0123456789; HttpOnly", "X-CSRF-Token": "hush-csrf"],
        body: #"{"access_token": "hush-token-\#(count)", "code": "OK", "order": {"id": "order-0000\#(count)"}}"#)
    case "/me":
      connection.answer(request.header("authorization") == "Bearer hush-token-\(count)" ? 200 : 401)
    case "/orders/order-0000\(count)": connection.answer()
    default: connection.answer(404)
    }
  }

  private static let session = """
    curl -sS -H 'Content-Type: application/json' -d '{"user": "ann", "password": "hush-password", "pin": 1234}' $URL/login?sig=hush-sig \
      --next -sS -H 'Authorization: Bearer hush-token-1' -H 'Cookie: sid=hush-cookie-of-1-0123456789; lang=en' -H 'X-Again: hush-token-1' $URL/me \
      --next -sS -d 'password=hush%2Dpassword&x=hush-token-1' $URL/form \
      --next -sS -H 'Content-Type: text/plain' -d 'see hush-password, "otp": "hush otp 7"' $URL/text \
      --next -sS -H 'Authorization: Basic aHVzaDpodXNo' "$URL/orders/order-00001?token=hush-token-1#x"
    """

  private static func run(_ url: String) async throws {
    let said = try await Shell.run("URL=\(url); " + session).said
    #expect(said.status == 0, "\(said.errors)")
  }

  @Test func `no secret stands in the archive`() async throws {
    let archive = try await RecordedTarget.recording(Self.respond) { try await Self.run($0.proxy.url) }
    let text = archive.text
    #expect(archive.entries.count == 5)
    #expect(!text.contains("hush") && !text.contains("1234") && !text.contains("aHVzaDpodXNo"), "\(text)")
    // What is no secret stays.
    for word in ["ann", "order-00001", "\"OK\"", "Basic murphy-secret-"].map({ $0.replacing("\"", with: "\\\"") }) {
      #expect(text.contains(word), "\(word)\n\(text)")
    }
    func header(_ entry: Int, _ part: String, _ name: String) -> String {
      let fields = archive.entries[entry][part]?["headers"]?.array ?? []
      return fields.first { $0["name"]?.string == name }?["value"]?.string ?? ""
    }
    let answer = try JSONValue.parse(Array((archive.entries[0]["response"]?["content"]?["text"]?.string ?? "").utf8))
    let token = try #require(answer["access_token"]?.string)
    #expect(header(1, "request", "Authorization") == "Bearer \(token)" && header(1, "request", "X-Again") == token)
    let cookie = header(0, "response", "Set-Cookie").prefix { $0 != ";" }
    #expect(header(1, "request", "Cookie").hasPrefix(cookie + "; lang=murphy-secret-"))
    let login = try JSONValue.parse(Array((archive.entries[0]["request"]?["postData"]?["text"]?.string ?? "").utf8))
    let password = try #require(login["password"]?.string)
    #expect(archive.entries[2]["request"]?["postData"]?["text"] == .string("password=\(password)&x=\(token)"))
    #expect(archive.entries[3]["request"]?["postData"]?["text"]?.string?.hasPrefix("see \(password), ") == true)
    #expect(archive.entries[4]["request"]?["url"]?.string?.hasSuffix("/orders/order-00001?token=\(token)") == true)
  }

  @Test func `a token that a response gave is taken from the next one`() async throws {
    try await withTemporaryFolder { folder in
      try Self.contract.write(toFile: folder + "/api.yaml", atomically: true, encoding: .utf8)
      let server = try WildServer(Self.respond)
      defer { server.stop() }
      let program = try WatchedProgram([
        "record", "--target", server.url, "--openapi", folder + "/api.yaml", "-o", folder + "/out.yaml",
      ])
      defer { program.end() }
      try await Self.run(try await program.proxyURL())
      program.send(SIGTERM)
      let outcome = try await program.outcome()
      let text = try String(contentsOfFile: folder + "/out.yaml", encoding: .utf8)
      #expect(outcome.status == 0, "\(outcome.errors)\(text)")
      #expect(!(text + outcome.output + outcome.errors).contains("hush"), "\(text)\(outcome.errors)")
      for line in [
        #"body: {"user":"ann","password":"${env(MURPHY_PASSWORD)}","pin":"${env(MURPHY_PIN)}"}"#,
        #"Authorization: "Bearer ${accessToken}""#, #"path: { id: "${id}" }"#, #"X-Again: "${accessToken}""#,
      ] { #expect(text.contains(line), "\(line)\n\(text)") }
      // The new user is on another connection, so it gets another token and another order.
      let secrets = Set(text.matches(of: /env\((MURPHY_[A-Z_]+)\)/).map { String($0.1) })
      let said = try await Program().run(
        ["try", folder + "/out.yaml"], environment: Dictionary(uniqueKeysWithValues: secrets.map { ($0, "none") }))
      let sent = server.requests.dropFirst(5)
      let count = sent.first?.connection ?? 0
      #expect(
        sent.dropFirst().first?.header("authorization") == "Bearer hush-token-\(count)", "\(said.output)\(said.errors)")
      #expect(sent.last?.target.hasPrefix("/orders/order-0000\(count)") == true && count > 1, "\(said.output)")
    }
  }
}

extension WatchedProgram {
  /// Where `murphy record` listens, once it does.
  func proxyURL() async throws -> String {
    #expect(try await waits(for: "stop with Ctrl-C."))
    return try #require(said.firstMatch(of: /recording on (http:\/\/127\.0\.0\.1:[0-9]+)/).map { String($0.1) })
  }
}
