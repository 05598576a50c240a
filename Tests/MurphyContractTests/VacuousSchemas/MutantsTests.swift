import MurphyContract
import Testing

@Suite struct MutantsTests {
  private func vacuous(_ schema: String, _ body: String, judged: String = "conformant") throws -> [ContractViolation] {
    let contract = try Contracts.load(
      """
        /a:
          get:
            operationId: a
            responses: { "200": { description: a, content: { application/json: { schema: \(schema) } } } }
      """)
    let judge = ResponseJudge(contract: contract)
    #expect(judge.judge(.json(body)).text.hasPrefix(judged))
    return judge.vacuousSchemas.map(\.violation)
  }

  @Test(arguments: [
    "{ type: object, required: [a], properties: { a: { type: string, enum: [x, y] }, b: { type: [string, 'null'] } } }",
    "{ type: object, properties: { a: {}, b: {} } }",
    "{ oneOf: [{ type: object, required: [a], properties: { a: { const: x } } }, { type: array }] }",
    "{ type: object, anyOf: [{ required: [a] }, { required: [b] }] }",
    "{ type: object, properties: { a: { anyOf: [{ type: string }, { type: object }] } } }",
    "{ type: object, properties: { a: { anyOf: [{ type: string, enum: [x] }, { type: string }] } } }",
  ]) func `schemas that can fail`(_ schema: String) throws {
    #expect(try vacuous(schema, #"{"a":"x","b":null}"#).map(\.details) == [])
  }

  @Test(arguments: [
    ("{}", "conformant"), ("true", "conformant"), ("{ anyOf: [{ type: object }, {}] }", "conformant"),
    ("{ properties: { c: { type: string } } }", "unchecked: the schema of the body requires no property"),
  ]) func `schemas that cannot`(_ schema: String, _ judged: String) throws {
    let found = try vacuous(schema, #"{"a":"x","b":{"c":"y"}}"#, judged: judged)
    #expect(found.map(\.kind) == [.contractVacuous])
    #expect(found.first?.message.contains("cannot fail") == true)
  }

  @Test func `a loose branch that lets a required field go is named`() throws {
    let found = try vacuous(
      "{ type: object, anyOf: [{ required: [a], properties: { a: { type: string } } }, { properties: { z: {} } }] }",
      #"{"a":"x"}"#)
    #expect(found.first?.details.contains("/a omitted, although it is required") == true)
    #expect(found.first?.details.contains("/a: object instead of string") == true)
  }

  @Test func `each operation with such a schema is named`() throws {
    let contract = try Contracts.load(
      ["a", "b"].map {
        """
          /\($0): { get: { operationId: \($0), responses: { "200": { description: a, content: {
            application/json: { schema: {} } } } } } }
        """
      }.joined(separator: "\n"))
    let judge = ResponseJudge(contract: contract)
    for operation in contract.operations.indices { _ = judge.judge(.json(#"{"a":"x"}"#), operation) }
    #expect(judge.vacuousSchemas.map(\.operation) == [0, 1])
  }

  @Test func `the reference contract has none`() throws {
    let contract = try Contract.load(Repository.referenceContract)
    let judge = ResponseJudge(contract: contract)
    func law(_ id: Int, _ attribution: String) -> String {
      #"{"id":\#(id),"text":"If anything can go wrong, it will.","title":null,"category_id":1,"upvotes":42,"downvotes":3,"#
        + #""created_at":"2024-01-15T10:30:00Z","attributions":[\#(attribution)]}"#
    }
    let url = #"{"name":"Ed","contact_type":"url","contact_value":"https://example.org/"}"#
    let mail = #"{"name":"Ed","contact_type":"email","contact_value":"ed@example.org"}"#
    let headers = [
      ("Content-Type", "application/json"), ("X-Request-ID", "8d1e5c1e-4a26-4a7c-9c53-7a3ad1b86a0b"),
      ("Access-Control-Allow-Origin", "*"),
    ]
    for (operation, body) in [
      ("getLaw", law(1, url)), ("getLaw", law(2, mail)),
      ("listLaws", #"{"data":[\#(law(1, mail))],"total":1,"limit":25,"offset":0}"#),
    ] {
      let index = try #require(contract.index(of: operation))
      #expect(judge.judge(Answer(headers: headers, body: body), index).text == "conformant")
    }
    #expect(judge.vacuousSchemas.map(\.violation.details) == [])
  }
}
