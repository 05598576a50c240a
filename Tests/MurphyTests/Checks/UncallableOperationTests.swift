import Foundation
import Murphy
import Testing

/// A mistake in a corner of the contract stops the scenarios that go there, and no other.
@Suite struct UncallableOperationTests {
  private static let contract = """
    openapi: 3.0.3
    info: { title: Laws, version: "1" }
    servers: [{ url: "https://{undeclared}/" }]
    paths:
      /laws: { get: { operationId: listLaws, responses: { "200": { description: fine } } } }
      /laws/{id}:
        delete:
          operationId: dropLaw
          parameters: [{ name: id, in: nowhere, schema: {} }]
          responses: { "204": { description: gone } }
    components: { schemas: { Law: { type: objekt, metadata: 1 } } }
    """

  private func check(_ step: String) throws -> [String] {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Self.contract.write(to: folder.appendingPathComponent("laws.yaml"), atomically: true, encoding: .utf8)
    let text = """
      name: test
      contract: laws.yaml
      target: http://127.0.0.1:1
      load: [{ hold: 1/s, for: 1s }]
      sessions: { one: { steps: [{ \(step) }] } }
      """
    let file = folder.appendingPathComponent("test.yaml").path
    try text.write(toFile: file, atomically: true, encoding: .utf8)
    return try FileCheck.check(file).diagnostics.map { "\($0.severity.rawValue) line \($0.mark.line): \($0.message)" }
  }

  @Test func `a scenario that does not call it runs`() throws {
    #expect(try check("call: listLaws") == [])
  }

  @Test func `a scenario that calls it is rejected`() throws {
    let found = try check("call: dropLaw, path: { id: 1 }")
    #expect(found.contains { $0.hasPrefix("error") })
    #expect(found.contains { $0.contains("line 9: the parameter \"id\" must have \"in\"") })
  }
}
