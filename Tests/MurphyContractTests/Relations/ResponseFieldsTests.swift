import MurphyContract
import Testing

/// The values of responses that may name items.
@Suite struct ResponseFieldsTests {
  /// A contract with one operation, whose response has the schema.
  private static func contract(_ schema: String) throws -> Contract {
    try Contract.parse(
      """
      openapi: 3.1.0
      info: { title: Fields, version: "1" }
      paths:
        /all: { post: { operationId: all, responses: { "200": { description: All, content: { application/json: {
          schema: \(schema) } } } } } }
      """, file: "api.yaml")
  }

  @Test func `strings and integers name items, and other values do not`() throws {
    let fields = try Self.contract(
      """
      { type: object, properties: { tenant: { type: string }, number: { type: integer }, share: { type: number },
        open: { type: boolean }, names: { type: array, items: { type: string } },
        parts: { type: array, items: { type: object } }, any: {} } }
      """
    ).responseFields(0)
    #expect(fields.single == ["tenant", "number"] && fields.many == ["names"])
    #expect(!fields.isList && !fields.isCount)
  }

  @Test func `a response of names is a list, and one integer is a count`() throws {
    let names = try Self.contract("{ type: array, items: { type: string } }").responseFields(0)
    #expect(names.isList && !names.isCount && names.single.isEmpty)
    let count = try Self.contract("{ type: integer }").responseFields(0)
    #expect(count.isCount && !count.isList)
    #expect(try !Self.contract("{ type: string }").responseFields(0).isCount)
  }

  @Test func `a map of objects is a list without fixed members`() throws {
    let item = "{ type: object, properties: { id: { type: integer }, url: { type: string }, sub: { type: object } } }"
    let map = try #require(try Self.contract("{ type: object, additionalProperties: \(item) }").list(0))
    #expect(map.fields == ["id", "url"] && map.items.isEmpty && map.id?.name == "id" && map.id?.isInteger == true)
    let object = "{ type: object, properties: { next: { type: string } }, additionalProperties: \(item) }"
    #expect(try Self.contract(object).list(0) == nil)
    #expect(try Self.contract("{ type: object, additionalProperties: { type: string } }").list(0) == nil)
    #expect(try Self.contract("{ type: object, additionalProperties: true }").list(0) == nil)
  }

  @Test func `a list of objects is found for any method, alone and in an envelope`() throws {
    let items = "{ type: array, items: { type: object, properties: { id: { type: string } } } }"
    #expect(try Self.contract(items).list(0)?.items == [])
    let envelope = "{ type: object, properties: { total: { type: integer }, results: \(items) } }"
    #expect(try Self.contract(envelope).list(0)?.items == ["results"])
  }
}
