import MurphyContract
import MurphyModel
import MurphySchema
import Testing

@Suite struct ContractCheckTests {
  private func check(_ text: String, files: [String: String] = [:]) -> [String] {
    let files = files.merging(["/api/openapi.yaml": text]) { $1 }
    return Contract.check("/api/openapi.yaml", reader: .memory(files)).map {
      "\($0.mark.line):\($0.mark.column) \($0.severity.rawValue): \($0.message)"
    }
  }

  @Test func `the reference contract is clean`() {
    #expect(Contract.check(Repository.referenceContract).map(\.text) == [])
  }

  @Test func `each file is read once`() {
    final class Read: @unchecked Sendable { var paths: [String] = [] }
    let read = Read()
    let part = "Law: { type: string }"
    let document = """
      openapi: 3.1.0
      info: { title: Test, version: "1" }
      paths:
        /a:
          get:
            operationId: a
            responses:
              "200": { description: x, content: { application/json: { schema: { $ref: "part.yaml#/Law" } } } }
      """
    let reader = FileReader { path in
      read.paths.append(path)
      return Array((path == "/api/part.yaml" ? part : document).utf8)
    }
    let (contract, found) = Contract.examine("/api/openapi.yaml", reader: reader)
    #expect(contract?.operations.map(\.id) == ["a"])
    #expect(found.map(\.text) == [])
    #expect(read.paths == ["/api/openapi.yaml", "/api/part.yaml"])
  }

  @Test func `every mistake is reported at once in the order of lines`() {
    let found = check(
      """
      openapi: 3.1.0
      info: { title: Test }
      path: {}
      paths:
        /a/{id}:
          get:
            operationid: a
            parameters:
              - { name: ident, in: path, required: true, schema: { type: strng } }
              - { name: q, in: query, schema: {}, content: {} }
            responses:
              "20": { description: x }
              "200": { $ref: "#/components/responses/Okay" }
        laws:
          get: {}
        /b:
          get:
            operationId: b
            security: [{ bearr: [] }]
            responses: { "200": { content: { json: {} } } }
          put: { operationId: b, responses: { default: { description: x, headers: { A: {} } } } }
      components:
        responses: { Ok: { description: fine } }
        securitySchemes: { bearer: { type: http } }
      """)
    #expect(
      found == [
        "2:1 error: \"info\" must have \"version\", because it is an Info Object",
        "3:1 error: an OpenAPI Object cannot have \"path\". Did you mean \"paths\"?",
        "6:5 error: \"{id}\" of \"/a/{id}\" needs a path parameter",
        "7:7 error: an Operation Object cannot have \"operationid\". Did you mean \"operationId\"?",
        "9:11 error: the path parameter \"ident\" is not in \"/a/{id}\"",
        "9:68 error: \"type\" must be one of array, boolean, integer, number, object, string, null; found \"strng\". Did you mean \"string\"?",
        "10:45 error: \"schema\" and \"content\" cannot be used together",
        "12:9 error: \"20\" is not a status; a status is 100 to 599, 1XX to 5XX or default",
        "13:24 error: \"#/components/responses/Okay\" cannot be resolved: there is no \"Okay\"",
        "14:3 error: the path \"laws\" must begin with a slash",
        "19:20 error: there is no security scheme \"bearr\". Did you mean \"bearer\"?",
        "20:20 error: \"200\" must have \"description\", because it is a Response Object",
        "20:40 error: \"json\" is not a media type; application/json is an example of one",
        "21:25 error: the operationId \"b\" is already used at line 18",
        "21:79 error: \"A\" needs \"schema\" or \"content\"",
        "23:16 warning: the component \"responses/Ok\" is not used",
        "24:22 error: a security scheme of type http needs \"scheme\"",
      ])
  }

  @Test func `warnings name what cannot be meant`() {
    let found = check(
      """
      openapi: 3.1.0
      info: { title: Test, version: "1" }
      paths:
        /a/{x}/c: { get: { operationId: a, parameters: [{ $ref: "#/components/parameters/X" }], responses: { "200": { $ref: "#/components/responses/Any" } } } }
        /a/b/{x}: { get: { operationId: b, parameters: [{ $ref: "#/components/parameters/X" }], responses: { "200": { $ref: "#/components/responses/Any" } } } }
      components:
        parameters:
          X: { name: x, in: path, required: true, schema: { type: integer, minimum: 5, default: 3 }, example: seven }
        responses:
          Any:
            description: any
            content:
              application/json:
                schema: { properties: { a: { $ref: "#/components/schemas/Loop" } } }
              application/problem+json:
                schema: { type: object, maxlength: 3, require: [a], properties: { b: { type: string, nullable: true } } }
                examples: { one: { value: [] } }
        schemas:
          Loop: { properties: { next: { $ref: "#/components/schemas/Loop" } } }
          Idle: { $ref: "#/components/schemas/Other" }
          Other: { type: string, minLength: 3, maxLength: 2 }
      """)
    #expect(
      found == [
        "5:3 warning: some requests match both \"/a/b/{x}\" and \"/a/{x}/c\"; OpenAPI does not define which of them applies",
        "8:82 warning: the default does not conform to its schema: found 3; expected at least 5",
        "8:96 warning: the example does not conform to its schema: found \"seven\"; expected an integer",
        "14:11 warning: this schema accepts every JSON value",
        "16:35 warning: the keyword \"maxlength\" is unknown and has no effect. Did you mean \"maxLength\"?",
        "16:49 warning: the keyword \"require\" is unknown and has no effect. Did you mean \"required\"?",
        "16:96 warning: \"nullable\" belongs to OpenAPI 3.0 and has no effect here; write type: [\"string\", \"null\"]",
        "17:30 warning: the example \"one\" does not conform to its schema: found []; expected an object",
        "20:5 warning: the component \"schemas/Idle\" is not used",
        "21:5 warning: the component \"schemas/Other\" is not used",
        "21:42 warning: no value is valid: \"maxLength\" 2 is less than \"minLength\" 3",
      ])
  }

  @Test func `version 30 has its own rules`() {
    let found = check(
      """
      openapi: 3.0.3
      info: { title: Test, version: "1", summary: x }
      webhooks: {}
      paths:
        /a:
          get:
            operationId: a
            responses:
              "200":
                description: x
                content:
                  application/json:
                    schema:
                      type: object
                      properties:
                        a: { type: [string, "null"] }
                        b: { type: integer, exclusiveMinimum: 3 }
                        c: { const: 1 }
                        d: { type: array }
                        e: { $ref: "#/components/schemas/E", maxLength: 3 }
      components: { schemas: { E: { type: string, nullable: true } } }
      """)
    #expect(
      found == [
        "2:36 error: \"summary\" belongs to OpenAPI 3.1, but \"openapi\" of this document is another version",
        "3:1 error: \"webhooks\" belongs to OpenAPI 3.1, but \"openapi\" of this document is another version",
        "16:30 error: \"type\" must be one of array, boolean, integer, number, object, string; found a list",
        "17:57 error: \"exclusiveMinimum\" must be true or false; found 3",
        "18:24 error: a Schema Object of OpenAPI 3.0 cannot have \"const\"; OpenAPI 3.1 added this keyword",
        "19:19 error: a schema of type array needs \"items\"",
        "20:56 warning: \"maxLength\" next to a $ref has no effect in OpenAPI 3.0; wrap the $ref in allOf",
      ])
  }

  @Test func `other files are checked as what they are used as`() {
    let found = check(
      """
      openapi: 3.1.0
      info: { title: Test, version: "1" }
      paths:
        /a: { $ref: "paths.yaml#/a" }
      """,
      files: ["/api/paths.yaml": "a:\n  get: { operationId: a, responses: { '200': { descripton: x } } }\n"])
    #expect(
      found == [
        "2:39 error: \"200\" must have \"description\", because it is a Response Object",
        "2:48 error: a Response Object cannot have \"descripton\". Did you mean \"description\"?",
      ])
  }

  @Test func `a mistake in a line of thousands of characters has a pointer`() throws {
    let text = """
      {"openapi": "3.1.0", "info": {"title": "Test", "version": "1", "description": "\(String(repeating: "x", count: 300))"},
      "paths": {"/a": {"get": {"operationId": "a", "responses": {"20": {"description": "x"}}}},
      "/b": {"get": {"operationId": "b", "responses": {"200": {"descripton": "x"}}}}}}
      """
    let lines = Contract.check("/api/openapi.json", reader: .memory(["/api/openapi.json": text]))
    #expect(lines.allSatisfy { $0.mark.pointer == nil && $0.sourceLine != nil }, "\(lines.map(\.text))")
    let minified = ["/api/openapi.json": text.replacingScalars("\n", with: "")]
    let found = Contract.check("/api/openapi.json", reader: .memory(minified))
    #expect(found.map(\.message) == lines.map(\.message))
    #expect(
      found.map { $0.mark.pointer } == [
        "/paths/~1a/get/responses/20", "/paths/~1b/get/responses/200", "/paths/~1b/get/responses/200/descripton",
      ], "\(found.map(\.text))")
    #expect(found.first?.text == "/api/openapi.json: /paths/~1a/get/responses/20: error: \(lines[0].message)")
  }

  @Test func `version 32 is read without a failure`() throws {
    let text = """
      openapi: 3.2.0
      $self: https://example.org/api
      info: { title: Test, version: "1" }
      tags: [{ name: a, summary: A, kind: nav, parent: b }, { name: b }]
      paths:
        /a:
          query:
            operationId: search
            parameters: [{ name: q, in: querystring, content: { application/x-www-form-urlencoded: { schema: { type: object } } } }]
            requestBody: { content: { application/json: { schema: { type: object } } } }
            responses:
              "200": { summary: fine, content: { application/jsonl: { itemSchema: { type: object } } } }
          additionalOperations: { COPY: { operationId: copy, responses: { "201": {} } } }
      components: { mediaTypes: { M: { schema: { type: string } } } }
      """
    #expect(check(text).filter { !$0.contains("is not used") } == [])
    let contract = try Contract.parse(text, file: "/t.yaml")
    #expect(contract.operations.map(\.method) == ["QUERY", "COPY"])
  }
}
