import MurphyContract
import Testing

@Suite struct RequestLintTests {
  @Test func aBodyIsHeldAgainstTheRequestsSchema() throws {
    let contract = try Contracts.load(
      """
        /a:
          post:
            operationId: a
            requestBody:
              content:
                application/json:
                  schema:
                    type: object
                    required: [id, name]
                    properties: { id: { type: integer, readOnly: true }, name: { type: string } }
            responses: { "200": { description: fine } }
      """)
    #expect(contract.requestBodyMistakes(operation: 0, ["name": "x"]) == [])
    let wrong = contract.requestBodyMistakes(operation: 0, ["name": 1])
    #expect(wrong.map(\.instancePointer) == ["/name"])
    #expect(wrong.first?.source?.line == 13)
  }
}
