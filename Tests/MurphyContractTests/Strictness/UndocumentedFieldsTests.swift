import MurphyContract
import MurphySchema
import Testing

@Suite struct UndocumentedFieldsTests {
  private func judge(_ schema: String, components: String = "{}", allowed: [String] = []) throws -> ResponseJudge {
    var options = JudgeOptions(undocumentedFields: true)
    options.allowedFields = allowed
    let contract = try Contracts.load(
      """
        /a:
          get:
            operationId: a
            responses: { "200": { description: a, content: { application/json: { schema: \(schema) } } } }
      """, rest: "components: { schemas: \(components) }")
    return ResponseJudge(contract: contract, options: options)
  }

  private func undocumented(_ judge: ResponseJudge, _ body: String) -> [String] {
    judge.judge(.json(body)).violations.filter { $0.kind == .contractUndocumentedField }.compactMap(
      \.instancePointer)
  }

  @Test func `fields that no schema names are found at every depth`() throws {
    let judge = try judge(
      "{ type: object, properties: { data: { type: array, items: { type: object, properties: { id: {} } } } } }")
    #expect(judge.judge(.json(#"{"data":[{"id":1}]}"#)).text == "conformant")
    #expect(undocumented(judge, #"{"data":[{"id":1},{"id":2,"x":1}],"y":2}"#) == ["/data/1/x", "/y"])
  }

  @Test func `all of documents what any part of it documents`() throws {
    let judge = try judge(
      "{ allOf: [{ $ref: '#/components/schemas/Base' }, { type: object, properties: { b: { type: object, properties: { y: {} } } } }] }",
      components: "{ Base: { type: object, properties: { a: {}, b: { type: object, properties: { x: {} } } } } }")
    // The inner object is described by two parts, each knowing one field.
    #expect(judge.judge(.json(#"{"a":1,"b":{"x":1,"y":2}}"#)).text == "conformant")
    #expect(undocumented(judge, #"{"a":1,"b":{"x":1,"z":2},"c":1}"#) == ["/b/z", "/c"])
  }

  @Test func `only the branches that hold document`() throws {
    let judge = try judge(
      "{ oneOf: [{ type: object, required: [a], properties: { a: {} } }, { type: object, required: [b], properties: { b: {}, c: {} } }] }"
    )
    #expect(judge.judge(.json(#"{"b":1,"c":1}"#)).text == "conformant")
    #expect(undocumented(judge, #"{"a":1,"c":1}"#) == ["/c"])
  }

  @Test func `an open map documents everything in it`() throws {
    let judge = try judge(
      "{ type: object, properties: { map: { type: object, additionalProperties: true }, p: { properties: { a: {} }, patternProperties: { '^x-': {} } }, free: { type: object } } }"
    )
    #expect(judge.judge(.json(#"{"map":{"q":{"r":1}},"p":{"x-1":1},"free":{"z":1}}"#)).text == "conformant")
    #expect(undocumented(judge, #"{"p":{"y":1}}"#) == ["/p/y"])
  }

  @Test func `references are followed in open API 30 too`() throws {
    let contract = try Contracts.load(
      """
        /a:
          get:
            operationId: a
            responses:
              "200": { description: a, content: { application/json: { schema: { $ref: "#/components/schemas/List" } } } }
      """, version: "3.0.3",
      rest: """
        components:
          schemas:
            List: { type: object, properties: { data: { type: array, items: { $ref: "#/components/schemas/Item" } } } }
            Item: { type: object, properties: { id: { type: integer } } }
        """, options: JudgeOptions())
    let judge = ResponseJudge(contract: contract, options: JudgeOptions(undocumentedFields: true))
    #expect(judge.judge(.json(#"{"data":[{"id":1}]}"#)).text == "conformant")
    #expect(undocumented(judge, #"{"data":[{"id":1,"x":1}],"y":1}"#) == ["/data/0/x", "/y"])
    #expect(undocumented(judge, #"{"data":[{"id":1,"x":1}]}"#) == ["/data/0/x"])
  }

  @Test func `heirs of a discriminated schema may bring their own fields`() throws {
    let judge = try judge(
      "{ $ref: '#/components/schemas/Pet' }",
      components:
        "{ Pet: { type: object, required: [kind], properties: { kind: { type: string } }, discriminator: { propertyName: kind } }, Cat: { allOf: [{ $ref: '#/components/schemas/Pet' }, { properties: { lives: {} } }] } }"
    )
    #expect(judge.judge(.json(#"{"kind":"Cat","lives":9}"#)).text == "conformant")
  }

  @Test func `the allow list is by pointer pattern`() throws {
    let judge = try judge(
      "{ type: object, properties: { data: { type: array, items: { type: object, properties: { id: {} } } } } }",
      allowed: ["/data/*/debug", "/meta"])
    #expect(judge.judge(.json(#"{"data":[{"id":1,"debug":2}],"meta":{"a":1}}"#)).text == "conformant")
    #expect(undocumented(judge, #"{"data":[{"debug":1,"bug":1}]}"#) == ["/data/0/bug"])
  }

  @Test func `without the option they are welcome`() throws {
    let contract = try Contracts.load(
      "  /a: { get: { operationId: a, responses: { '200': { description: a, content: { application/json: { schema: "
        + "{ type: object, properties: { a: {} } } } } } } } }")
    #expect(ResponseJudge(contract: contract).judge(.json(#"{"a":1,"b":1}"#)).text == "conformant")
  }

  @Test func `pointer patterns match whole pointers`() throws {
    let pointer = try #require(JSONPointer("/a/0/b"))
    for (pattern, expected) in [
      ("/a/*/b", true), ("/a/0/b", true), ("/a/**", true), ("/**", true), ("/a/*", false), ("/a/*/b/**", false),
      ("/a/*/c", false),
    ] {
      #expect(PointerPattern(pattern).matches(pointer) == expected, "\(pattern)")
    }
  }
}
