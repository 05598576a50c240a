import MurphyContract
import MurphyModel
import Testing

@Suite struct MultipleFilesTests {
  private let files = [
    "/api/openapi.json": """
    { "openapi": "3.0.3", "info": { "title": "T", "version": "1" },
      "paths": { "/laws/{id}": { "$ref": "paths/laws.yaml#/one" } } }
    """,
    "/api/paths/laws.yaml": """
    one:
      parameters: [{ $ref: "../parts.yaml#/parameters/Id" }]
      get:
        operationId: getLaw
        responses:
          "200":
            description: a law
            headers: { ETag: { $ref: "../parts.yaml#/headers/Tag" } }
            content: { application/json: { schema: { $ref: "../parts.yaml#/schemas/Law" } } }
    """,
    "/api/parts.yaml": """
    parameters: { Id: { name: id, in: path, required: true, schema: { type: integer } } }
    headers: { Tag: { required: true, schema: { type: string, pattern: '^"' } } }
    schemas:
      Law:
        type: object
        required: [id]
        properties:
          id: { type: integer }
          title: { type: string, nullable: true }
          parent: { $ref: "#/schemas/Law" }
    """,
  ]

  @Test func `a contract of several files judges and points into each of them`() throws {
    let contract = try Contract.load("/api/openapi.json", options: JudgeOptions(), reader: .memory(files))
    #expect(contract.operations.map(\.id) == ["getLaw"])
    #expect(contract.summaries[0].parameters.map(\.name) == ["id"])
    let judge = ResponseJudge(contract: contract)
    func answer(_ body: String, tag: String = "\"1\"") -> Judgement {
      judge.judge(Answer(headers: [("Content-Type", "application/json"), ("ETag", tag)], body: body))
    }
    #expect(answer(#"{"id":1,"title":null,"parent":{"id":2}}"#).text == "conformant")
    let violation = try #require(answer(#"{"id":1,"parent":{"id":"2"}}"#).violations.first)
    #expect(violation.schemaPointer == "/api/parts.yaml#/schemas/Law/properties/id/type")
    #expect(violation.source == SourceMark(file: "/api/parts.yaml", line: 8, column: 13))
    #expect(
      answer(#"{"id":1}"#, tag: "1").violations.first?.source
        == SourceMark(file: "/api/parts.yaml", line: 2, column: 59))
  }

  @Test func `the document is clean across its files`() {
    #expect(Contract.check("/api/openapi.json", reader: .memory(files)).map(\.text) == [])
  }

  @Test func `a schema that leads nowhere leaves its responses unchecked`() throws {
    let contract = try Contracts.load(
      "  /a: { get: { operationId: a, responses: { '200': { description: a, content: { application/json: { schema: { type: object, properties: { a: { $ref: '#/none' }, b: { pattern: '(' } } } } } } } } }"
    )
    #expect(contract.warnings.count == 2)
    #expect(contract.warnings.allSatisfy { $0.severity == .warning && $0.mark.line == 4 })
    let judge = ResponseJudge(contract: contract)
    #expect(judge.judge(.json(#"{"a":1}"#)).text.hasPrefix("unchecked: "))
    #expect(judge.judge(.json(#"{"b":"x"}"#)).text.hasPrefix("unchecked: "))
    #expect(judge.judge(.json("[]")).violations.count == 1)
  }
}
