import MurphyContract
import MurphySchema
import Testing

/// Tests of a body that come from its schema.
@Suite struct SchemaTrialsTests {
  private func values(of base: JSONValue) throws -> [(about: String, value: JSONValue?)] {
    let contract = try Contract.parse(
      """
      openapi: 3.1.0
      info: { title: t, version: "1" }
      paths:
        /items/search:
          post:
            operationId: search
            requestBody:
              content:
                application/json:
                  schema:
                    type: object
                    properties:
                      filter:
                        type: object
                        required: [text]
                        properties:
                          text: { type: string, examples: [one, +two -three] }
            responses: { "200": { description: ok } }
      """, file: "/openapi.yaml")
    let schema = try #require(contract.operations.first?.requestBody?.content.first?.schema)
    return SchemaTrials(contract).trials(of: schema, base: base).map { ($0.about, $0.applied(to: base)) }
  }

  @Test func `each example is tried`() throws {
    let value = try values(of: ["filter": ["text": "one"]]).first { $0.about == "another example of the document" }?
      .value
    #expect(value == ["filter": ["text": "+two -three"]])
  }
}
