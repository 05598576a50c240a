import MurphyContract
import MurphyModel
import Testing

/// A mistake in one operation of a document leaves all others usable.
@Suite struct UncallableOperationTests {
  private func contract() throws -> Contract {
    try Contracts.load(
      """
        /good: { get: { operationId: good, responses: { "200": { description: ok } } } }
        /status: { get: { operationId: status, responses: { "2000": { description: ok } } } }
        /media: { get: { operationId: media, responses: { "200": { content: { json: {} } } } } }
        /key: { get: { operationId: key, security: [{ k: [] }] } }
        /schema:
          get:
            operationId: schema
            responses: { "200": { content: { application/json: { schema: { $ref: "#/components/schemas/None" } } } } }
        /item: { $ref: "#/components/pathItems/None" }
        /shared/{id}:
          parameters: [{ name: id, in: nowhere, schema: {} }]
          get: { operationId: one }
          put: { operationId: two }
      """, rest: "components: { securitySchemes: { k: { type: apiKey } } }")
  }

  @Test func `the others stay usable`() throws {
    let contract = try contract()
    #expect(contract.operations.filter(\.mistakes.isEmpty).map(\.id) == ["good", "schema"])
    #expect(
      contract.mistakes(of: contract.operations.indices).map(\.message) == [
        "\"2000\" is not a status; a status is 100 to 599, 1XX to 5XX or default",
        "\"json\" is not a media type; application/json is an example of one",
        "the API key \"k\" needs \"name\" and \"in\": header, query or cookie",
        "the parameter \"id\" must have \"in\": path, query, header or cookie; found \"nowhere\"",
      ])
  }

  @Test func `each mistake is one warning that names what it stops`() throws {
    let warnings = try contract().warnings.map(\.message)
    #expect(
      warnings.contains(
        "the parameter \"id\" must have \"in\": path, query, header or cookie; found \"nowhere\"; one and 1 more cannot be called until this is fixed"
      ))
    #expect(
      warnings.contains(
        "\"#/components/pathItems/None\" cannot be resolved: there is no \"pathItems\"; murphy ignores the operations of the path \"/item\""
      ))
    #expect(warnings.contains { $0.hasSuffix("responses that need this part count as unchecked") })
  }
}
