import MurphyContract
import MurphySchema
import Testing

/// Values that a schema allows too, for an API that rejects the first one.
@Suite struct SchemaVariantTests {
  private func variant(_ variant: SchemaTrials.Variant, of base: String) throws -> JSONValue {
    let contract = try Contract.parse(
      """
      openapi: 3.1.0
      info: { title: t, version: "1" }
      paths:
        /items:
          post:
            operationId: add
            requestBody:
              content:
                application/json:
                  schema:
                    type: object
                    required: [kind, tags]
                    properties:
                      kind: { enum: [a, b] }
                      tags: { type: array, items: { type: integer } }
                      none: { type: array, maxItems: 0, items: { type: integer } }
                      note: { type: string }
            responses: { "201": { description: ok } }
      """, file: "/openapi.yaml")
    let schema = try #require(contract.operations.first?.requestBody?.content.first?.schema)
    return SchemaTrials(contract).variant(variant, of: schema, base: try JSONValue.parse(base))
  }

  @Test func `each array gets an item unless maxItems is 0`() throws {
    let filled = try variant(.filled, of: #"{"kind":"a","tags":[],"none":[],"note":"x"}"#)
    #expect(filled == ["kind": "a", "tags": [1], "none": [], "note": "x"])
  }

  @Test func `each enum gets another value`() throws {
    #expect(try variant(.other, of: #"{"kind":"a","tags":[7]}"#) == ["kind": "b", "tags": [7]])
  }

  @Test func `only the required properties stay`() throws {
    #expect(try variant(.least, of: #"{"kind":"a","tags":[7],"note":"x"}"#) == ["kind": "a", "tags": [7]])
  }
}
