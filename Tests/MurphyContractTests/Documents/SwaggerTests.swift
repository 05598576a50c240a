import MurphyContract
import MurphyModel
import MurphySchema
import Testing

/// Swagger 2.0 is read as its OpenAPI 3.0 form, with the positions of the original document.
@Suite struct SwaggerTests {
  private func check(_ text: String, file: String = "/api/swagger.yaml") -> [String] {
    Contract.check(file, reader: .memory([file: text])).map {
      "\($0.mark.text): \($0.severity.rawValue): \($0.message)"
    }
  }

  private func load(_ text: String, file: String = "/api/swagger.yaml") throws -> Contract {
    try Contract.load(file, options: JudgeOptions(), reader: .memory([file: text]))
  }

  /// Every part of a contract that is independent of positions, a line each.
  private func lines(_ contract: Contract) -> [String] {
    func text(_ site: SchemaSite?) -> String {
      (site?.located.value.text ?? "none").replacing("#/components/schemas/", with: "#/definitions/")
    }
    var lines = contract.servers.map { "server \($0.template)" }
    for (name, scheme) in contract.securitySchemes.sorted(by: { $0.key < $1.key }) {
      lines.append("scheme \(name) \(scheme.kind) \(String(describing: scheme.clientCredentials))")
    }
    for operation in contract.operations {
      lines.append(
        "\(operation.id) \(operation.method) \(operation.path) \(operation.isDeprecated) "
          + "\(operation.security.map(\.schemes)) \(operation.mistakes.map(\.message))")
      for parameter in operation.parameters {
        lines.append(
          "  \(parameter.location) \(parameter.name) \(parameter.isRequired) \(parameter.style) \(parameter.explode) "
            + text(parameter.schema))
      }
      if let body = operation.requestBody {
        lines.append("  body \(body.isRequired) \(body.mediaTypes)")
        for media in body.content { lines.append("    \(media.range) \(text(media.schema))") }
      }
      for response in operation.responses {
        lines.append("  \(response.status.text)")
        for media in response.content { lines.append("    \(media.range) \(text(media.schema))") }
        for header in response.headers {
          lines.append("    \(header.name) \(header.isRequired) \(header.shape) \(text(header.schema))")
        }
      }
    }
    return lines
  }

  @Test func `the same API as Swagger 2 and as OpenAPI 3 is the same contract`() throws {
    let (old, new) = (lines(try load(SwaggerPair.swagger)), lines(try load(SwaggerPair.openAPI)))
    #expect(new.count > 40)
    for (one, other) in zip(old, new) { #expect(one == other) }
    #expect(old.count == new.count)
  }

  @Test func `a Swagger document without mistakes has no findings`() throws {
    #expect(check(SwaggerPair.swagger).filter { !$0.contains("is not used") } == [])
    #expect(try load(SwaggerPair.swagger).warnings.map(\.message) == [])
    #expect(try load(SwaggerPair.swagger).version == "2.0")
  }

  @Test func `responses are judged and violations name the place in the original`() throws {
    let contract = try load(SwaggerPair.swagger)
    let judge = ResponseJudge(contract: contract)
    #expect(judge.judge(.json(#"[{"kind":"Pet","name":null}]"#)).text == "conformant")
    let violations = judge.judge(.json(#"[{"kind":"Pet","name":7}]"#)).violations
    #expect(violations.map(\.schemaPointer) == ["#/definitions/Pet/properties/name/type/0"])
    let other = judge.judge(.json("{}")).violations
    #expect(other.map(\.schemaPointer) == ["#/paths/~1pets/get/responses/200/schema/type"])
  }

  @Test func `messages have the positions of the original`() {
    let found = check(
      """
      swagger: "2.0"
      info: { title: T, version: "1" }
      paths:
        /a:
          post:
            operationId: a
            produces: [json]
            parameters:
              - { name: q, in: query, type: strng }
              - { name: r, in: query, type: array, items: { type: string }, collectionFormat: tsv }
              - { name: s, in: query, type: array, items: { type: string }, collectionFormat: cvs }
              - { name: b, in: body, schema: { $ref: "#/definitions/Nine" } }
            responses: { 200: { description: x, schema: { type: object, propertys: {} } } }
      definitions: { None: { type: object, x-nullable: 7 } }
      """)
    #expect(
      found == [
        "/api/swagger.yaml:7:18: error: \"json\" is not a media type; application/json is an example of one",
        "/api/swagger.yaml:9:39: error: \"type\" must be one of array, boolean, integer, number, object, string; "
          + "found \"strng\". Did you mean \"string\"?",
        "/api/swagger.yaml:10:89: warning: OpenAPI 3 has no collectionFormat tsv, so the items are separated by commas",
        "/api/swagger.yaml:11:89: error: \"collectionFormat\" must be one of csv, ssv, tsv, pipes, multi; found \"cvs\". "
          + "Did you mean \"csv\"?",
        "/api/swagger.yaml:12:48: error: \"#/definitions/Nine\" cannot be resolved: there is no \"Nine\". Did you mean \"None\"?",
        "/api/swagger.yaml:13:67: error: a Schema Object of Swagger 2.0 cannot have \"propertys\". Did you mean \"properties\"?",
        "/api/swagger.yaml:14:16: warning: the component \"definitions/None\" is not used",
        "/api/swagger.yaml:14:50: error: \"nullable\" must be true or false; found 7",
      ])
  }

  @Test func `a document of one line is named by pointers of the original`() {
    let filler = String(repeating: "x", count: 400)
    let found = check(
      """
      {"swagger":"2.0","info":{"title":"T","version":"1","description":"\(filler)"},"paths":{"/a":{"post":{"operationId":"a",\
      "parameters":[{"name":"b","in":"body","schema":{"type":"strng"}}],"responses":{"200":{"description":"x"}}}}}}
      """, file: "/api/swagger.json")
    #expect(
      found == [
        "/api/swagger.json: /paths/~1a/post/parameters/0/schema/type: error: \"type\" must be one of array, boolean, "
          + "integer, number, object, string; found \"strng\". Did you mean \"string\"?"
      ])
  }

  @Test func `a schema with several types keeps its items`() throws {
    let text = """
      swagger: "2.0"
      info: { title: T, version: "1" }
      paths: { /a: { get: { operationId: a, responses: { 200: { description: x, schema: { $ref: "#/definitions/C" } } } } } }
      definitions: { C: { type: [array, string], items: { type: string } } }
      """
    #expect(check(text) == [])
    let judge = ResponseJudge(contract: try load(text))
    #expect(judge.judge(.json(#"["ls"]"#)).text == "conformant")
    #expect(judge.judge(.json(#""ls""#)).text == "conformant")
    #expect(judge.judge(.json("[7]")).violations.isEmpty == false)
    #expect(judge.judge(.json("7")).violations.isEmpty == false)
  }

  @Test func `an overlay changes the original document`() throws {
    let overlay = """
      overlay: 1.0.0
      info: { title: Changes, version: "1" }
      actions:
        - target: $.paths['/pets'].get.parameters[?@.name == 'a']
          update: { collectionFormat: multi }
      """
    let files = ["/c/swagger.yaml": SwaggerPair.swagger, "/c/overlay.yaml": overlay]
    let contract = try Contract.load(["/c/swagger.yaml", "/c/overlay.yaml"], reader: .memory(files))
    #expect(contract.operations[0].parameters.first { $0.name == "a" }?.explode == true)
  }
}
