import Foundation
import Murphy
import Testing
import WildServer

/// `--login` and `--token-command`: every request carries the token, and no output shows a secret.
@Suite(.serialized) struct LoginOptionTests {
  private static let token = "t0ken-of-the-Login"
  private static let password = "pa55word-of-the-Login"
  private static let login = #"POST /login {"user": "ada", "password": "\#(password)"}"#

  /// A server with a login; a request without its token gets 401.
  private static func server(
    _ body: String, status: Int = 200, headers: [String: String] = [:]
  ) throws -> WildServer {
    try WildServer { request, connection in
      if request.target == "/login" {
        connection.answer(status, headers: headers, body: body)
      } else if request.headers.contains(where: { $0.value.contains(token) }) {
        connection.answer(body: ShopAPI.body)
      } else {
        connection.answer(
          401, headers: ["WWW-Authenticate": "Bearer"], body: #"{"detail": "Authentication was not provided"}"#)
      }
    }
  }

  private static func said(
    _ server: WildServer, _ options: [String], verb: String = "try", environment: [String: String] = [:]
  ) async throws -> Program.Outcome {
    try await ShopAPI.withFiles(OutcomeCase.shop().replacing(OutcomeCase.url, with: server.url)) { file in
      try await Program().run([verb, file] + options, environment: environment)
    }
  }

  @Test(arguments: [
    #"{"token": "\#(token)"}"#, #"{"data": {"user": "ada", "access_token": "\#(token)"}}"#, #""\#(token)""#,
  ]) func `each request has the token of the login`(body: String) async throws {
    let server = try Self.server(body)
    defer { server.stop() }
    let said = try await Self.said(server, ["--login", Self.login])
    #expect(said.status == 0, "\(said)")
    #expect(server.requests.first?.method == "POST")
    #expect(server.requests.first?.header("content-type") == "application/json")
    #expect(server.requests.count == 2)
    #expect(server.requests.last?.header("authorization") == "Bearer \(Self.token)")
    for secret in [Self.token, Self.password] { #expect(!(said.output + said.errors).contains(secret), "\(said)") }
  }

  @Test func `a login without a token sends its cookies`() async throws {
    let server = try Self.server("{}", headers: ["Set-Cookie": "session=\(Self.token); Path=/; HttpOnly"])
    defer { server.stop() }
    let said = try await Self.said(server, ["--login", Self.login])
    #expect(said.status == 0, "\(said)")
    #expect(server.requests.last?.header("cookie") == "session=\(Self.token)")
  }

  @Test func `the place and the header of the token are options`() async throws {
    let server = try Self.server(#"{"token": "another", "key": ["\#(Self.token)"]}"#)
    defer { server.stop() }
    let said = try await Self.said(
      server, ["--login", Self.login, "--login-token", "$.key[0]", "--token-header", "X-Auth"])
    #expect(said.status == 0, "\(said)")
    #expect(server.requests.last?.header("x-auth") == Self.token)
  }

  @Test func `a command and a variable give the token`() async throws {
    let server = try Self.server("{}")
    defer { server.stop() }
    let environment = ["SHOP_TOKEN": Self.token]
    for options in [["--token-command", "echo $SHOP_TOKEN"], ["--header", "Authorization=Bearer ${env(SHOP_TOKEN)}"]] {
      let said = try await Self.said(server, options, environment: environment)
      #expect(said.status == 0, "\(said)")
      #expect(!(said.output + said.errors).contains(Self.token), "\(said)")
    }
    #expect(server.requests.map { $0.header("authorization") } == [String](repeating: "Bearer \(Self.token)", count: 2))
  }

  @Test func `a rejected login sends no other request`() async throws {
    let server = try Self.server(#"{"error": "invalid_credentials"}"#, status: 401)
    defer { server.stop() }
    let said = try await Self.said(server, ["--login", Self.login], verb: "run")
    #expect(said.status == 3 && said.errors.contains("status 401 (\"invalid_credentials\")"), "\(said)")
    #expect(server.requests.count == 1)
    #expect(!(said.output + said.errors).contains(Self.password), "\(said)")
  }

  @Test func `a run without credentials names what the responses say`() async throws {
    let server = try Self.server("{}")
    defer { server.stop() }
    let said = try await Self.said(server, [], verb: "run")
    #expect(said.status == 3, "\(said)")
    #expect(said.errors.contains("The request had no credentials (\"Authentication was not provided\")."), "\(said)")
    #expect(said.errors.contains("--header 'Authorization=Bearer ...'"), "\(said)")
  }

  @Test(arguments: [
    ["--login", "login"], ["--login-token", "$.a"], ["--token-header", "X-A"],
    ["--login", login, "--token-command", "echo a"], ["--header", "X-A=${env(MURPHY_NO_SUCH_VARIABLE)}"],
    ["--token-command", "exit 7"],
  ]) func `wrong options are status two`(options: [String]) async throws {
    let server = try Self.server("{}")
    defer { server.stop() }
    let said = try await Self.said(server, options)
    #expect(said.status == 2 && said.errors.contains(options[0]), "\(said)")
    #expect(server.requests.isEmpty)
  }
}
