import Foundation
import Murphy
import Testing
import WildServer

/// Command lines without an OpenAPI document: murphy finds one, or lists where it looked.
@Suite struct DocumentSearchTests {
  private static let document = """
    {"openapi": "3.1.0", "info": {"title": "T", "version": "1"}, "paths": {"/ping": {"get": {"operationId": "ping",
    "responses": {"200": {"description": "a", "content": {"application/json": {"schema": {"type": "object"}}}}}}}}}
    """

  /// A server whose document is at `path`; every other path has a page.
  private static func server(_ path: String) throws -> WildServer {
    try WildServer { request, connection in
      switch request.target {
      case path: connection.answer(body: document)
      case "/ping": connection.answer(body: "{}")
      default: connection.answer(body: "<!doctype html><title>openapi: 3.1.0</title>")
      }
    }
  }

  private static func put(_ file: String, in folder: String) throws {
    let url = URL(filePath: folder + "/" + file)
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try document.write(to: url, atomically: true, encoding: .utf8)
  }

  @Test(arguments: ["openapi.yaml", "openapi.yml", "swagger.json", "docs/openapi.json", "api/openapi.yaml"])
  func `init and check use a document of a usual folder`(file: String) async throws {
    try await withTemporaryFolder { folder in
      try Self.put(file, in: folder)
      for arguments in [["init"], ["check"]] {
        let said = try await Program().run(arguments, in: folder)
        #expect(said.status == 0 && said.errors.contains("using the OpenAPI document \(file)\n"), "\(said)")
      }
      let scenario = try String(contentsOfFile: folder + "/scenario.yaml", encoding: .utf8)
      #expect(scenario.contains("contract: \(file)"), "\(scenario)")
    }
  }

  @Test func `the other documents are named`() async throws {
    try await withTemporaryFolder { folder in
      for file in ["swagger.json", "docs/openapi.yaml"] { try Self.put(file, in: folder) }
      let said = try await Program().run(["check"], in: folder)
      #expect(
        said.errors.contains("using the OpenAPI document docs/openapi.yaml; other documents, not used: swagger.json"),
        "\(said)")
    }
  }

  @Test(arguments: ["init", "explore", "check"])
  func `without any document the searched places are listed`(verb: String) async throws {
    let server = try Self.server("/elsewhere.json")
    defer { server.stop() }
    try await withTemporaryFolder { folder in
      let target = verb == "check" ? [] : ["--target", server.url + "/v1"]
      let said = try await Program().run([verb] + target, in: folder)
      #expect(said.status == 2, "\(said)")
      for part in ["openapi.yaml, openapi.yml, ", "this folder, api/, docs/, ", "murphy \(verb) FILE"] {
        #expect(said.errors.contains(part), "\(part)\n\(said)")
      }
      let urls = ["/v1/openapi.json", "/v1/v3/api-docs", "/openapi.json", "/swagger.json"].map { server.url + $0 }
      for url in target.isEmpty ? [] : urls { #expect(said.errors.contains(url), "\(url)\n\(said)") }
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
    }
  }

  @Test(arguments: ["/openapi.json", "/v3/api-docs", "/api/openapi.yaml", "/schema/openapi.json"])
  func `the document of the target is saved and used`(path: String) async throws {
    let server = try Self.server(path)
    defer { server.stop() }
    try await withTemporaryFolder { folder in
      let said = try await Program().run(
        ["explore", "--target", server.url + "/api", "--max-seconds", "1", "--quiet"], in: folder)
      #expect(
        said.errors.contains("saved the OpenAPI document \(server.url)\(path) as openapi.json\n"), "\(said)")
      #expect(try String(contentsOfFile: folder + "/openapi.json", encoding: .utf8) == Self.document)
      #expect(server.requests.contains { $0.target == "/api/ping" })
    }
  }

  @Test func `a target that is down is status three`() async throws {
    try await withTemporaryFolder { folder in
      for verb in ["init", "explore"] {
        let said = try await Program().run([verb, "--target", "http://127.0.0.1:1"], in: folder)
        #expect(said.status == 3 && said.errors.contains("the target refused the connection"), "\(said)")
      }
    }
  }
}
