import Foundation
import Murphy
import MurphySchema
import Testing
import WildServer

/// `murphy check --bundle` fetches what references name by a URL.
@Suite struct ContractBundleTests {
  @Test func `documents of a server are fetched once and put into the document`() async throws {
    let server = try WildServer { request, connection in
      switch request.target {
      case "/schemas/law.json": connection.answer(body: "{\"properties\":{\"id\":{\"$ref\":\"id.json\"}}}")
      case "/schemas/id.json": connection.answer(body: "{\"type\":\"integer\"}")
      default: connection.answer(404)
      }
    }
    defer { server.stop() }
    let folder = FileManager.default.temporaryDirectory.appending(path: "murphy-bundle-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "openapi.yaml").path
    func write(_ name: String) throws {
      let text = """
        openapi: 3.1.0
        info: { title: T, version: "1" }
        paths:
          /a: { get: { operationId: a, responses: { "200": { description: x, content: { application/json: { schema: {
            $ref: "\(server.url)/schemas/\(name)" } } } } } } }
        """
      try text.write(toFile: file, atomically: true, encoding: .utf8)
    }
    try write("law.json")
    let (report, text) = try await FileCheck.bundle(file)
    #expect(server.requests.map(\.target) == ["/schemas/law.json", "/schemas/id.json"])
    #expect(report.diagnostics.filter { $0.severity == .error } == [])
    let value = try JSONValue.parse(Array(text.utf8))
    let pointer = try #require(JSONPointer("/components/schemas/law/properties/id/$ref"))
    #expect(pointer.resolve(in: value) == "#/components/schemas/id")
    try write("none.json")
    await #expect(throws: GateError.self) { try await FileCheck.bundle(file) }
  }
}
