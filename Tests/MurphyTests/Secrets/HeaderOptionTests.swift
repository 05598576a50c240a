import Foundation
import Murphy
import Testing
import WildServer

/// `--header`: every request has it, and no output shows a secret in it.
@Suite(.serialized) struct HeaderOptionTests {
  private static let token = "t0ken-of-the-Option"
  private static let key = "k3y-of-the-Option"
  private static let given = [
    "--header", "Authorization: Bearer \(token)", "--header", "X-Shop=\(key)", "--header", "X-Tenant=blue",
  ]

  /// A server that breaks the contract and the budget, and returns the headers that it received.
  private static func server() throws -> WildServer {
    try WildServer { request, connection in
      connection.pause(milliseconds: 5)
      let heard = request.headers.map { JSONValue.string("\($0.name): \($0.value)") }
      connection.answer(body: JSONValue.array(heard).text)
    }
  }

  private static func withFiles(
    _ url: String, steps: String = "- call: listItems", _ body: (_ folder: String) async throws -> Void
  ) async throws {
    let expect =
      "budgets: { listItems: { p95: 1ms } }, limits: { listItems: { allow: 30, per: 60s, key: address } }"
    let scenario = OutcomeCase.shop(steps: steps, expect: expect)
    try await ShopAPI.withFiles(scenario.replacing(OutcomeCase.url, with: url)) { file in
      let folder = (file as NSString).deletingLastPathComponent
      let scheme = "\ncomponents: { securitySchemes: { shop: { type: apiKey, in: header, name: X-Shop } } }"
      try (ShopAPI.contract + scheme).write(toFile: folder + "/shop.yaml", atomically: true, encoding: .utf8)
      try await body(folder)
    }
  }

  @Test(arguments: [
    ["run", "scenario.yaml", "--report", "r"], ["try", "scenario.yaml"],
    ["run", "scenario.yaml", "--report", "r", "--http-debug"],
    ["limits", "scenario.yaml", "--quick", "--max-requests", "30", "--max-seconds", "5", "--report", "r"],
    ["explore", "shop.yaml", "--max-seconds", "3", "--report", "r", "--verbose"],
  ]) func `each request has the headers, and no output has their secrets`(arguments: [String]) async throws {
    let server = try Self.server()
    defer { server.stop() }
    try await Self.withFiles(server.url) { folder in
      let target = arguments[0] == "explore" ? ["--target", server.url] : []
      let said = try await Program().run(arguments + target + Self.given, in: folder)
      #expect([0, 1, 4, 5].contains(said.status), "\(said)")
      #expect(server.requests.count > 0)
      for request in server.requests {
        #expect(request.header("x-tenant") == "blue", "\(request)")
        // An exploration also sends requests without credentials, and with wrong ones.
        guard arguments[0] != "explore" else { continue }
        #expect(request.header("authorization") == "Bearer \(Self.token)", "\(request)")
        #expect(request.header("x-shop") == Self.key, "\(request)")
      }
      var outputs = ["stdout": said.output, "stderr": said.errors]
      let reports = try reportTexts(in: folder + "/r")
      #expect(reports.isEmpty == !arguments.contains("--report"))
      outputs.merge(reports) { $1 }
      for (name, text) in outputs {
        for form in [Self.token, Self.key].flatMap(SecretLeakTests.forms) {
          #expect(!text.contains(form), "\(name) has \(form)")
        }
      }
    }
  }

  @Test func `the command that repeats a run has the headers, without secrets`() async throws {
    let server = try Self.server()
    defer { server.stop() }
    try await Self.withFiles(server.url) { folder in
      _ = try await Program().run(["run", "scenario.yaml", "--report", "r"] + Self.given, in: folder)
      let findings = try ResultFile.read(folder + "/r/result.json").findings
      let commands = findings.compactMap { $0.evidence?.curl?.text }.filter { $0.hasPrefix("murphy run") }
      #expect(!commands.isEmpty)
      for command in commands {
        #expect(command.contains("--header 'Authorization: Bearer ***' "), "\(command)")
        #expect(command.contains("--header 'X-Tenant: blue'"), "\(command)")
      }
    }
  }

  @Test func `a header of a call replaces it`() async throws {
    let server = try Self.server()
    defer { server.stop() }
    try await Self.withFiles(server.url, steps: "- { call: listItems, headers: { x-tenant: own } }") { folder in
      _ = try await Program().run(["try", "scenario.yaml"] + Self.given, in: folder)
      let tenants = server.requests.map { request in request.headers.filter { $0.name == "x-tenant" }.map(\.value) }
      #expect(!tenants.isEmpty && tenants.allSatisfy { $0 == ["own"] }, "\(tenants)")
    }
  }

  @Test(arguments: ["no separator \(token)", "bad name: \(token)", "X-A: \(token)\nX-B: 1", ": \(token)"])
  func `a wrong header is status two, and its value is not shown`(header: String) async throws {
    let said = try await Program().run(["run", CommandTests.smoke, "--header", header])
    #expect(said.status == 2 && said.errors.contains("--header"), "\(said)")
    #expect(!(said.output + said.errors).contains(Self.token), "\(said)")
  }
}
