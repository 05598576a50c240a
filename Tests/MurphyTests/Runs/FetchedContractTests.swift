import Foundation
import Murphy
import MurphyModel
import Testing
import WildServer

/// A contract that the target gives: `contract: /openapi.json`.
@Suite struct FetchedContractTests {
  private static let document = """
    {"openapi": "3.1.0", "info": {"title": "T", "version": "1"}, "paths": {"/ping": {"get": {"operationId": "ping",
    "responses": {"200": {"description": "a", "content": {"application/json": {"schema": {"type": "object",
    "required": ["ok"]}}}}}}}}}
    """

  private static func scenario(_ contract: String, call: String = "ping") throws -> String {
    let folder = FileManager.default.temporaryDirectory.appending(path: "murphy-fetch-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appending(path: "scenario.yaml")
    let text = """
      name: fetched
      contract: \(contract)
      sessions: { only: { steps: [{ call: \(call) }] } }
      load: [{ hold: 4/s, for: 1s }]
      """
    try Data(text.utf8).write(to: file)
    try Data(
      "overlay: 1.0.0\ninfo: { title: a, version: b }\nactions: [{ target: \"$.paths['/ping'].get\", update: { operationId: pong } }]"
        .utf8
    )
    .write(to: folder.appending(path: "overlay.yaml"))
    return file.path
  }

  private static func server() throws -> WildServer {
    try WildServer { request, connection in
      switch request.target {
      case "/openapi.json": connection.answer(body: document)
      case "/ping": connection.answer(body: "{}")
      default: connection.answer(404)
      }
    }
  }

  private static func options(_ target: String) throws -> RunOptions {
    var options = RunOptions()
    options.target = try Target(target)
    options.loops = 1
    return options
  }

  @Test func `it is fetched once and responses are judged against it`() async throws {
    let server = try Self.server()
    defer { server.stop() }
    let options = try Self.options(server.url)
    let gate = try await Gate.load(try Self.scenario("/openapi.json"), options: options)
    #expect(server.requests.map(\.target) == ["/openapi.json"])
    #expect(gate.contract.operations.map(\.id) == ["ping"])
    let record = try await gate.run(options)
    #expect(record.ledger.violating == 4)
    let finding = try #require(record.findings.first { $0.kind == .contractBody })
    #expect(finding.evidence?.source?.file == server.url + "/openapi.json")
  }

  @Test func `overlays of the disk are laid over it`() async throws {
    let server = try Self.server()
    defer { server.stop() }
    let file = try Self.scenario("[/openapi.json, overlay.yaml]", call: "pong")
    let gate = try await Gate.load(file, options: try Self.options(server.url))
    #expect(gate.contract.operations.map(\.id) == ["pong"])
  }

  @Test(arguments: [
    ("/none.json", "the target returned status 404. Is the path right?")
  ]) func `what the target does not give is said`(path: String, reason: String) async throws {
    let server = try Self.server()
    defer { server.stop() }
    let options = try Self.options(server.url)
    let file = try Self.scenario(path)
    let error = await #expect(throws: GateError.self) { try await Gate.load(file, options: options) }
    #expect(error?.description == "cannot download the contract \(server.url)\(path): \(reason)")
  }

  @Test func `an embedded target is started for it`() async throws {
    let file = try Self.scenario("/openapi.json")
    let options = try Self.options("embedded:murphys-laws")
    let error = await #expect(throws: GateError.self) { try await Gate.load(file, options: options) }
    #expect(
      error?.description == "cannot download the contract http://murphys-laws.embedded/openapi.json: the target "
        + "returned status 404. Is the path right?")
  }

  @Test func `a target that is not there is unreachable`() async throws {
    let server = try Self.server()
    let url = server.url
    server.stop()
    let file = try Self.scenario("/openapi.json")
    let options = try Self.options(url)
    let error = await #expect(throws: GateError.self) { try await Gate.load(file, options: options) }
    #expect(error?.exitStatus == .unreachable)
  }

  @Test func `check says what it cannot check and with a target checks it`() async throws {
    let server = try Self.server()
    defer { server.stop() }
    let file = try Self.scenario("/openapi.json", call: "pnig")
    let alone = try FileCheck.check(file)
    #expect(server.requests.isEmpty)
    #expect(alone.diagnostics.map(\.severity) == [.warning])
    #expect(
      alone.diagnostics[0].text.contains("scenario.yaml:2:11: warning: the contract /openapi.json is on the target"))
    let whole = try await FileCheck.check(file, target: try Target(server.url))
    #expect(whole.diagnostics.count == 1)
    #expect(whole.diagnostics[0].message.hasPrefix("unknown operation \"pnig\". Did you mean \"ping\"?"))
  }

  @Test func `check shows what an overlay does not change`() throws {
    let file = try Self.scenario("[openapi.json, overlay.yaml]")
    let folder = URL(filePath: file).deletingLastPathComponent()
    try Data(Self.document.replacing("/ping", with: "/pang").utf8).write(to: folder.appending(path: "openapi.json"))
    let report = try FileCheck.check(file)
    #expect(report.diagnostics.map(\.severity) == [.warning])
    #expect(report.diagnostics[0].message == "$.paths['/ping'].get selects nothing, so this action changes nothing")
  }
}
