import MurphyContract
import MurphyModel
import MurphySchema
import Testing

/// One document of several: names, collisions, circles, and the same verdicts.
@Suite struct BundleTests {
  private static let files = [
    "/api/openapi.yaml": """
    openapi: 3.0.3
    info: { title: Laws, version: "1" }
    paths:
      /laws:
        get:
          operationId: listLaws
          parameters: [{ $ref: "parts/parameters.yaml#/limit" }]
          responses:
            "200":
              description: all
              content:
                application/json: { schema: { type: array, items: { $ref: "parts/law.yaml" } } }
            "404": { $ref: "parts/responses.yaml#/Missing" }
      /laws/{id}: { $ref: "parts/paths.yaml#/law" }
    components:
      schemas:
        Author: { $ref: "parts/author.yaml#/Author" }
        law: { type: string }
    """,
    "/api/parts/parameters.yaml":
      "limit: { name: limit, in: query, schema: { $ref: '../openapi.yaml#/components/schemas/law' } }",
    "/api/parts/law.yaml": """
    type: object
    required: [title]
    properties:
      title: { type: string }
      author: { $ref: "author.yaml#/Author" }
      next: { $ref: "law.yaml" }
      example: { $ref: "author.yaml#/Author/properties/name" }
    example: { $ref: "not a reference" }
    """,
    "/api/parts/author.yaml": """
    Author:
      type: object
      properties: { name: { type: string }, laws: { type: array, items: { $ref: "law.yaml" } } }
    """,
    "/api/parts/responses.yaml": """
    Missing:
      description: none
      headers: { X-Reason: { required: true, schema: { type: string } } }
    """,
    "/api/parts/paths.yaml": """
    law:
      get:
        operationId: getLaw
        parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
        responses:
          "200": { description: one, content: { application/json: { schema: { $ref: "law.yaml#" } } } }
          "404": { $ref: "responses.yaml#/Missing" }
    """,
  ]

  private func bundle(_ files: [String: String] = files) throws -> Contract.Bundle {
    try Contract.bundle("/api/openapi.yaml", reader: .memory(files))
  }

  private func value(_ bundle: Contract.Bundle) throws -> JSONValue { try JSONValue.parse(Array(bundle.text.utf8)) }

  private func at(_ pointer: String, _ value: JSONValue) throws -> JSONValue? {
    try #require(JSONPointer(pointer)).resolve(in: value)
  }

  @Test func `parts become components and keep their names`() throws {
    let value = try value(bundle())
    let schemas = try #require(try at("/components/schemas", value)?.object)
    #expect(schemas.keys.sorted() == ["Author", "law", "law2", "name"])
    #expect(try at("/components/schemas/Author/type", value) == "object")
    #expect(try at("/components/schemas/law", value) == ["type": "string"])
    #expect(try at("/components/schemas/law2/properties/next/$ref", value) == "#/components/schemas/law2")
    #expect(try at("/components/schemas/law2/properties/author/$ref", value) == "#/components/schemas/Author")
    #expect(try at("/components/schemas/law2/properties/example/$ref", value) == "#/components/schemas/name")
    #expect(try at("/components/schemas/law2/example/$ref", value) == "not a reference")
    #expect(try at("/components/parameters/limit/schema/$ref", value) == "#/components/schemas/law")
    #expect(try at("/components/responses", value)?.object?.keys == ["Missing"])
  }

  @Test func `a path item replaces its reference where the version has no such component`() throws {
    let value = try value(bundle())
    #expect(try at("/paths/~1laws~1{id}/get/operationId", value) == "getLaw")
    #expect(
      try at("/paths/~1laws~1{id}/get/responses/404/$ref", value) == "#/components/responses/Missing")
    var files = Self.files
    files["/api/openapi.yaml"] = files["/api/openapi.yaml"]?.replacing("3.0.3", with: "3.1.0")
    let newer = try self.value(bundle(files))
    #expect(try at("/paths/~1laws~1{id}/$ref", newer) == "#/components/pathItems/law")
    #expect(try at("/components/pathItems/law/get/operationId", newer) == "getLaw")
  }

  @Test func `the bundle gives the same verdicts as the original`() throws {
    let original = try Contract.load("/api/openapi.yaml", reader: .memory(Self.files))
    let text = try bundle().text
    let single = try Contract.load("/one.json", reader: .memory(["/one.json": text]))
    #expect(Contract.check("/one.json", reader: .memory(["/one.json": text])).filter { $0.severity == .error } == [])
    #expect(single.operations.map(\.id) == original.operations.map(\.id))
    let judges = (ResponseJudge(contract: original), ResponseJudge(contract: single))
    let answers = [
      Answer.json("[{\"title\":\"a\"}]"), .json("[{\"title\":1}]"), .json("[{}]"), .json("{\"title\":\"a\"}"),
      .json("{\"title\":\"a\",\"next\":{\"title\":\"b\",\"author\":{\"name\":1}}}"), Answer(status: 404, headers: []),
    ]
    for answer in answers {
      for operation in [0, 1] {
        let verdicts = (judges.0.judge(answer, operation).text, judges.1.judge(answer, operation).text)
        #expect(verdicts.0 == verdicts.1)
      }
    }
  }

  @Test func `messages have the positions of the files`() throws {
    var files = Self.files
    files["/api/parts/law.yaml"] = "type: object\nproperties: { title: { type: strng } }"
    let found = try bundle(files).diagnostics.filter { $0.severity == .error }
    #expect(found.map { "\($0.mark.file):\($0.mark.line)" } == ["/api/parts/law.yaml:2"])
  }

  @Test func `a reference that leads nowhere stays`() throws {
    var files = Self.files
    files["/api/parts/responses.yaml"] = "Other: { description: x }"
    let bundle = try bundle(files)
    #expect(try at("/paths/~1laws/get/responses/404/$ref", value(bundle)) == "parts/responses.yaml#/Missing")
    #expect(bundle.diagnostics.contains { $0.message.contains("there is no \"Missing\"") })
  }

  @Test func `documents of a network are named, then used`() throws {
    let files = [
      "/api/openapi.yaml": """
      openapi: 3.1.0
      info: { title: T, version: "1" }
      paths:
        /a:
          get:
            operationId: a
            responses:
              "200":
                description: x
                content: { application/json: { schema: { $ref: "http://127.0.0.1:1/x/a.json#/A" } } }
      """
    ]
    let first = "http://127.0.0.1:1/x/a.json"
    let second = "http://127.0.0.1:1/b.json"
    var fetched: [String: [UInt8]] = [:]
    func bundle() throws -> Contract.Bundle {
      try Contract.bundle("/api/openapi.yaml", fetched: fetched, reader: .memory(files))
    }
    #expect(try bundle().missing == [first])
    fetched[first] = Array("{\"A\":{\"type\":\"array\",\"items\":{\"$ref\":\"../b.json\"}}}".utf8)
    #expect(try bundle().missing == [second])
    fetched[second] = Array("{\"type\":\"integer\"}".utf8)
    let done = try bundle()
    #expect(done.missing == [])
    #expect(try at("/components/schemas/A/items/$ref", value(done)) == "#/components/schemas/b")
    #expect(try at("/components/schemas/b/type", value(done)) == "integer")
    #expect(done.diagnostics.map(\.text) == [])
  }

  @Test func `a document of a network leads to no file`() throws {
    let url = "http://127.0.0.1:1/a.json"
    let document = """
      openapi: 3.1.0
      info: { title: T, version: "1" }
      paths: {}
      components: { schemas: { A: { $ref: "http://127.0.0.1:1/a.json" } } }
      """
    let reader = FileReader.memory(["/api/openapi.yaml": document, "/etc/secret": "type: string"])
    let fetched = [url: Array("{\"$ref\":\"file:///etc/secret\"}".utf8)]
    let bundle = try Contract.bundle("/api/openapi.yaml", fetched: fetched, reader: reader)
    #expect(try at("/components/schemas/A/$ref", value(bundle)) == "file:///etc/secret")
  }

  @Test func `Swagger 2 with parts in other files is converted with them`() throws {
    let files = [
      "/api/openapi.yaml": """
      swagger: "2.0"
      info: { title: T, version: "1" }
      paths:
        /a:
          get:
            operationId: a
            parameters: [{ $ref: "parts.yaml#/limit" }, { $ref: "#/paths/~1b/get/parameters/0" }]
            responses: { 200: { description: x, schema: { $ref: "parts.yaml#/A" } } }
        /b:
          get:
            operationId: b
            parameters: [{ name: sort, in: query, type: string }]
            responses: { 200: { $ref: "parts.yaml#/answer" } }
      """,
      "/api/parts.yaml": """
      limit: { name: limit, in: query, type: integer }
      A: { type: object, properties: { a: { type: string, x-nullable: true } } }
      answer: { description: x, schema: { type: array, items: { $ref: "#/A" } } }
      """,
    ]
    let contract = try Contract.load("/api/openapi.yaml", reader: .memory(files))
    #expect(Contract.check("/api/openapi.yaml", reader: .memory(files)).map(\.text) == [])
    #expect(contract.operations[0].parameters.map(\.name) == ["limit", "sort"])
    let judge = ResponseJudge(contract: contract)
    #expect(judge.judge(.json("{\"a\":null}")).text == "conformant")
    let violation = try #require(judge.judge(.json("{\"a\":1}")).violations.first)
    #expect(violation.source?.file == "/api/parts.yaml")
    #expect(judge.judge(.json("[{\"a\":null}]"), 1).text == "conformant")
    let value = try value(bundle(files))
    #expect(try at("/definitions/A/properties/a/x-nullable", value) == true)
    #expect(try at("/responses/answer/schema/items/$ref", value) == "#/definitions/A")
  }
}
