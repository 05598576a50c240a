import MurphyContract
import MurphyModel
import Testing

/// A `$ref` that leads nowhere leaves its own part unchecked, and no other.
@Suite struct BrokenReferenceTests {
  private static let document = """
      /response:
        get: { operationId: response, responses: { "200": { description: ok }, "404": { $ref: "#/components/responses/No" } } }
      /header:
        get:
          operationId: header
          responses:
            "200":
              description: ok
              headers: { X-A: { $ref: "#/components/headers/No" }, X-B: { required: true, schema: { type: integer } } }
      /schema:
        get:
          operationId: schema
          responses:
            "200":
              description: ok
              content:
                application/json: { schema: { $ref: "#/components/schemas/No" } }
                text/plain: { schema: { $ref: "#/components/schemas/No" } }
      /property:
        get:
          operationId: property
          responses:
            "200":
              description: ok
              content:
                application/json:
                  schema: { properties: { a: { $ref: "#/components/schemas/No" }, b: { type: integer } } }
      /items/{id}/{part}:
        parameters: [{ $ref: "#/components/parameters/No" }]
        get: { operationId: parameter, responses: { "200": { description: ok } } }
      /body:
        post:
          operationId: body
          requestBody: { $ref: "#/components/requestBodies/No" }
          responses: { "200": { description: ok } }
      /example:
        get:
          operationId: example
          parameters: [{ name: q, in: query, schema: {}, examples: { a: { $ref: "#/components/examples/No" } } }]
          responses: { "200": { description: ok, links: { a: { $ref: "#/components/links/No" } } } }
    """

  private let contract: Contract
  private let judge: ResponseJudge

  init() throws {
    contract = try Contracts.load(Self.document)
    judge = ResponseJudge(contract: contract)
  }

  private func judged(_ id: String, _ answer: Answer) throws -> String {
    judge.judge(answer, try #require(contract.index(of: id))).text
  }

  @Test func `every operation can be called`() {
    #expect(contract.operations.allSatisfy { $0.mistakes.isEmpty })
    #expect(
      contract.operations.map(\.id) == [
        "response", "header", "schema", "property", "parameter", "body", "example",
      ])
  }

  @Test func `the part is unchecked, with its reason and position`() throws {
    let missing = "cannot be resolved: there is no"
    #expect(
      try judged("response", .json("{}", status: 404))
        == "unchecked: the response 404: \"#/components/responses/No\" \(missing) \"components\" (/test/openapi.yaml:5:91)"
    )
    let schema = "\"#/components/schemas/No\" \(missing) \"components\" (/test/openapi.yaml:"
    #expect(try judged("schema", .json("{}")).hasPrefix("unchecked: " + schema))
    let text = Answer(headers: [("Content-Type", "text/plain")], body: "x")
    #expect(try judged("schema", text).hasPrefix("unchecked: " + schema))
    #expect(try judged("property", .json("{\"a\":1}")).hasPrefix("unchecked: " + schema))
    let header = Answer(headers: [("X-B", "1")])
    #expect(try judged("header", header).hasPrefix("unchecked: the header X-A: \"#/components/headers/No\" \(missing)"))
  }

  @Test func `the other parts are checked`() throws {
    #expect(try judged("response", Answer(headers: [])) == "conformant")
    #expect(try judged("property", .json("{\"b\":1}")) == "conformant")
    #expect(try judged("property", .json("{\"a\":1,\"b\":\"x\"}")).hasPrefix("contract.body"))
    #expect(try judged("header", Answer(headers: [])).hasPrefix("contract.header: the header X-B is missing"))
  }

  @Test func `the path has a value for each of its names`() throws {
    let index = try #require(contract.index(of: "parameter"))
    #expect(contract.operations[index].parameters.map(\.name) == ["id", "part"])
    let request = try contract.request(operation: index, path: ["id": 1, "part": "a b"])
    #expect(request.pathAndQuery == "/items/1/a%20b")
  }

  @Test func `each is one warning that says what murphy does`() {
    let warnings = contract.warnings.map(\.message)
    for (name, consequence) in [
      ("responses", "; responses that need this part count as unchecked"),
      ("headers", "; responses that need this part count as unchecked"),
      ("parameters", "; murphy uses the operation without this part"),
      ("requestBodies", "; murphy uses the operation without this part"),
    ] {
      #expect(
        warnings.count { $0.hasPrefix("\"#/components/\(name)/No\"") && $0.hasSuffix(consequence) } == 1, "\(name)")
    }
  }

  @Test func `the lint reports each as an error, once`() {
    let document = Contracts.document(Self.document)
    let path = "/test/openapi.yaml"
    let found = Contract.check(path, reader: FileReader { _ in Array(document.utf8) })
    let broken = found.filter { $0.message.contains("cannot be resolved") }
    #expect(broken.allSatisfy { $0.severity == .error })
    #expect(broken.count == 9)
    #expect(Set(broken.map(\.mark)).count == 9)
  }
}
