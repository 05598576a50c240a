import MurphyContract
import Testing

@Suite struct MutantsTests {
  private func vacuous(_ schema: String, _ body: String) throws -> [ContractViolation] {
    let contract = try Contracts.load(
      """
        /a:
          get:
            operationId: a
            responses: { "200": { description: a, content: { application/json: { schema: \(schema) } } } }
      """)
    let judge = ResponseJudge(contract: contract)
    #expect(judge.judge(.json(body)).text == "conformant")
    return judge.vacuousSchemas
  }

  @Test(
    "schemas that can fail",
    arguments: [
      "{ type: object, required: [a], properties: { a: { type: string, enum: [x, y] }, b: { type: [string, 'null'] } } }",
      "{ type: object, properties: { a: {}, b: {} } }",
      "{ oneOf: [{ type: object, required: [a], properties: { a: { const: x } } }, { type: array }] }",
    ])
  func sound(_ schema: String) throws {
    #expect(try vacuous(schema, #"{"a":"x","b":null}"#).map(\.details) == [])
  }

  @Test(
    "schemas that cannot",
    arguments: ["{}", "true", "{ properties: { c: { type: string } } }", "{ anyOf: [{ type: object }, {}] }"])
  func hollow(_ schema: String) throws {
    let found = try vacuous(schema, #"{"a":"x","b":{"c":"y"}}"#)
    #expect(found.map(\.kind) == ["contract.vacuous"])
    #expect(found.first?.message.contains("cannot fail") == true)
  }

  @Test func aLooseBranchThatLetsARequiredFieldGoIsNamed() throws {
    let found = try vacuous(
      "{ type: object, anyOf: [{ required: [a], properties: { a: { type: string } } }, { properties: { z: {} } }] }",
      #"{"a":"x"}"#)
    #expect(found.first?.details.contains("/a left out, though required") == true)
    #expect(found.first?.details.contains("/a: object instead of string") == true)
  }
}
