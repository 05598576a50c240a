import MurphySchema
import Testing

@Suite struct SchemaTests {
  @Test func `a schema is used in three lines`() throws {
    let schema = try Schema(json: #"{"type":"object","required":["id"],"properties":{"id":{"type":"integer"}}}"#)
    #expect(schema.validate(["id": 1]).isEmpty)
    #expect(schema.validate(["id": "x"]).count == 1)
  }
}
