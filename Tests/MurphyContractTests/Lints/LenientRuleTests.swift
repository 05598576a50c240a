import MurphyContract
import MurphyModel
import Testing

/// What public documents do and no text forbids, or what concerns nobody's requests: said, and no error.
@Suite struct LenientRuleTests {
  private func check(_ document: String, files: [String: String] = [:]) -> [String] {
    let files = files.merging(["/api/openapi.yaml": document]) { $1 }
    return Contract.check("/api/openapi.yaml", reader: .memory(files)).map { "\($0.severity.rawValue): \($0.message)" }
  }

  private func paths(_ version: String, _ paths: String, rest: String = "") -> String {
    Contracts.document(paths, version: version, rest: rest)
  }

  private static let fine = #"responses: { "200": { description: ok, content: { text/plain: {} } } }"#

  @Test(arguments: ["3.0.4", "3.1.1"]) func `a name twice in a path, before 3.2 forbade it`(
    _ version: String
  ) {
    let document = paths(
      version,
      """
        /a/{id}/b/{id}:
          parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
          get: { operationId: a, \(Self.fine) }
      """)
    #expect(check(document) == ["warning: \"{id}\" appears twice in \"/a/{id}/b/{id}\""])
  }

  @Test func `a fragment in a path: the specification's own test has one`() {
    let document = paths("3.1.0", "  /foo#fragment: { get: { operationId: a, \(Self.fine) } }")
    #expect(check(document) == ["warning: a path cannot have a fragment: \"/foo#fragment\" matches no request"])
  }

  @Test func `links are not followed, so their mistakes stop nobody`() {
    let document = paths(
      "3.2.0",
      """
        /a:
          get:
            operationId: a
            responses:
              "200":
                description: ok
                links:
                  one: { operationId: b, parameters: { id: $response.bdy#/id, name: $request.query.name } }
                  two: { operationRef: "#/paths/~1b/get", requestBody: "{$request.header.}" }
      """)
    #expect(
      check(document) == [
        "warning: no operation has the operationId \"b\"",
        "warning: \"$response.bdy#/id\" is not a runtime expression such as $response.body#/id",
        "warning: \"#/paths/~1b/get\" cannot be resolved: there is no \"/b\". Did you mean \"/a\"?",
        "warning: \"$request.header.\" is not a runtime expression such as $response.body#/id",
      ])
  }

  @Test func `fields that the media type has no use for`() {
    let document = paths(
      "3.2.0",
      """
        /a:
          post:
            operationId: a
            requestBody: { content: { application/json: { schema: { type: object }, encoding: { a: {} } } } }
            responses: { "200": { content: { application/json: { schema: { type: string }, itemSchema: { type: object } } } } }
      """)
    #expect(
      check(document) == [
        "warning: \"encoding\" has no effect for application/json",
        "warning: \"itemSchema\" is for sequences such as application/jsonl, not for application/json",
      ])
  }

  @Test func `file.yaml#/ for the whole file`() {
    let document = paths("3.0.3", "  /a: { $ref: \"a.yaml#/\" }")
    let item = "get: { operationId: a, \(Self.fine) }"
    #expect(
      check(document, files: ["/api/a.yaml": item]) == [
        "warning: \"#/\" refers to a property with an empty name; use \"#\" for the whole file"
      ])
  }

  @Test func `an anchor in a file that holds a response`() {
    let document = paths("3.1.1", "  /a: { get: { operationId: a, responses: { \"200\": { $ref: a.yaml } } } }")
    let response = """
      description: ok
      content:
        application/json:
          schema: { type: object, properties: { a: { $anchor: count, type: integer }, b: { $ref: "#count" } } }
      """
    #expect(check(document, files: ["/api/a.yaml": response]) == [])
  }

  @Test func `an anchor in place of the schema of a response`() throws {
    let document = paths(
      "3.1.1",
      "  /a: { get: { operationId: a, responses: { \"200\": { description: ok, content: { application/json: { schema: "
        + "{ $ref: \"#count\" } } } } } } }",
      rest: "components: { schemas: { Count: { $anchor: count, type: integer } } }")
    #expect(check(document).filter { $0.hasPrefix("error") } == [])
    let contract = try Contract.parse(document, file: "/api/openapi.yaml")
    #expect(contract.warnings == [])
    let judge = ResponseJudge(contract: contract)
    #expect(judge.judge(.json("1")).text == "conformant")
    #expect(judge.judge(.json("true")).violations.count == 1)
  }

  @Test func `a discriminator without branches, as the specification's own test has one`() {
    let document = paths(
      "3.2.0",
      "  /a: { get: { operationId: a, responses: { \"200\": { content: { application/json: { schema: { type: object, "
        + "properties: { type: { type: string } }, discriminator: { propertyName: type } } } } } } } }")
    #expect(
      check(document) == ["warning: \"type\" may be missing here, so the discriminator needs \"defaultMapping\""])
  }

  @Test(arguments: [("get", "their GET cannot be distinguished"), ("put", "put their operations under one path")])
  func `two spellings of one path: wrong, and what follows from it is said as it is`(
    _ method: String, _ consequence: String
  ) {
    let id = "parameters: [{ name: id, in: path, required: true, schema: {} }]"
    let document = paths(
      "3.0.3",
      """
        /a/{id}: { \(id), get: { operationId: a, \(Self.fine) } }
        /a/{name}: { \(id.replacing("name: id", with: "name: name")), \(method): { operationId: b, \(Self.fine) } }
      """)
    #expect(
      check(document) == [
        "error: OpenAPI does not allow \"/a/{name}\" in addition to \"/a/{id}\" (line 4), because both match the same "
          + "requests: \(consequence)"
      ])
  }

  @Test func `many operations without an operationId are one warning`() {
    let document = paths(
      "3.0.3",
      """
        /a: { get: { \(Self.fine) } }
        /b: { get: { \(Self.fine) }, put: { \(Self.fine) } }
      """)
    #expect(
      check(document) == [
        "warning: 3 operations have no operationId: scenarios call them by method and path, such as \"GET /a\""
      ])
  }

  @Test func `header parameters that OpenAPI ignores are named`() {
    let document = paths(
      "3.0.3",
      """
        /a:
          get:
            operationId: a
            parameters:
              - { name: accept, in: header, schema: {} }
              - { name: Authorization, in: header, schema: {} }
              - { name: X-Other, in: header, schema: {} }
            \(Self.fine)
      """)
    #expect(
      check(document) == [
        "warning: OpenAPI ignores the header parameter \"accept\", because \"content\" of the responses describes this header",
        "warning: OpenAPI ignores the header parameter \"Authorization\", because \"security\" describes this header",
      ])
  }

  @Test func `a scheme that a requirement names by its URI is used`() {
    let document = paths(
      "3.2.0",
      "  /a: { get: { operationId: a, security: [{ \"#/components/securitySchemes/k\": [] }], \(Self.fine) } }",
      rest: "components: { securitySchemes: { k: { type: apiKey, in: header, name: K } } }")
    #expect(check(document) == [])
  }

  /// The parameter that murphy did not fetch may be the one of the path.
  @Test func `a parameter of another host may be the missing one`() {
    let remote = "parameters: [{ $ref: \"https://example.com/p.yaml#/id\" }]"
    let document = paths("3.0.3", "  /a/{id}: { get: { operationId: a, \(remote), \(Self.fine) } }")
    #expect(!check(document).contains { $0.contains("needs a path parameter") }, "\(check(document))")
  }

  @Test func `additional operations have parameters and names like all others`() {
    let document = paths(
      "3.2.0", "  /a/{id}: { additionalOperations: { COPY: { \(Self.fine) } } }")
    #expect(
      check(document) == ["error: \"{id}\" of \"/a/{id}\" needs a path parameter"])
  }

  @Test(arguments: [
    ("{ oneOf: [{ $ref: \"#/components/schemas/A\" }], discriminator: { propertyName: kind } }", true),
    ("{ oneOf: [{ $ref: \"#/components/schemas/B\" }], discriminator: { propertyName: kind } }", false),
    (
      "{ oneOf: [{ $ref: \"#/components/schemas/A\" }], required: [kind], discriminator: { propertyName: kind } }",
      false
    ),
    (
      "{ oneOf: [{ $ref: \"#/components/schemas/A\" }], discriminator: { propertyName: kind, defaultMapping: A } }",
      false
    ),
  ]) func `a property that may be missing needs a default in 3.2`(_ schema: String, _ isWrong: Bool) {
    let document = paths(
      "3.2.0",
      "  /a: { get: { operationId: a, responses: { \"200\": { content: { application/json: { schema: \(schema) } } } } } }",
      rest: """
        components:
          schemas:
            A: { type: object, properties: { kind: { type: string } } }
            B: { allOf: [{ $ref: "#/components/schemas/A" }, { required: [kind] }] }
        """)
    let found = check(document).filter { $0.hasPrefix("error") }
    #expect(
      found == (isWrong ? ["error: \"kind\" may be missing here, so the discriminator needs \"defaultMapping\""] : []))
  }
}
