import MurphySchema
import Testing

@Suite struct SchemaTests {
  @Test func aSchemaIsUsedInThreeLines() throws {
    let schema = try Schema(json: #"{"type":"object","required":["id"],"properties":{"id":{"type":"integer"}}}"#)
    #expect(schema.validate(["id": 1]).isEmpty)
    #expect(schema.validate(["id": "x"]).count == 1)
  }
}
