import MurphyContract
import MurphySchema
import Testing

/// What is tried of a number's schema.
@Suite struct NumberTrialsTests {
  private func trials(_ schema: String, base: Int = 1) throws -> [ValueTrial] {
    let contract = try Contract.parse(
      """
      openapi: 3.1.0
      info: { title: t, version: "1" }
      paths:
        /items:
          get:
            operationId: list
            parameters: [{ name: n, in: query, schema: { type: integer, \(schema) } }]
            responses: { "200": { description: ok } }
      """, file: "/openapi.yaml")
    let parameter = try #require(contract.operations.first?.parameters.first?.schema)
    return SchemaTrials(contract).trials(of: parameter, base: JSONValue(base))
  }

  @Test func `nothing is just above a bound that doubles cannot tell from its neighbour`() throws {
    let trials = try trials("maximum: 9223372036854775808")
    #expect(!trials.contains { $0.about.hasPrefix("just above") })
    #expect(!trials.contains { $0.intent == .broken && "\($0)".contains("e+18") })
  }

  @Test func `large numbers try the bound that forbids them`() throws {
    let bounded = try trials("minimum: 0, maximum: 100").filter {
      $0.about.contains("64-bit") || $0.about.contains("double")
    }
    #expect(Set(bounded.map(\.constraint)) == ["minimum", "maximum"])
    #expect(
      try trials("format: int32").filter { $0.about.contains("64-bit") }.allSatisfy { $0.constraint == "format" })
    #expect(
      try trials("exclusiveMaximum: 7").contains { $0.about == "exclusiveMaximum 7 itself" && $0.intent == .broken })
  }

  /// Numbers of a contract may be anything: nothing is added to them beyond their type, and nothing is made as long as they say.
  @Test(arguments: [
    "9223372036854775807", "-9223372036854775808", "9223372036854775808", "1e308", "-1e308", "1e400", "-1", "0.5", "0",
  ]) func `no number of a schema ends the process`(number: String) throws {
    let keywords = [
      "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "default", "minLength", "maxLength",
      "minItems", "maxItems", "example",
    ]
    for keyword in keywords {
      for type in ["integer", "number", "string", "array, items: { type: integer, default: \(number) }"] {
        let text = """
          openapi: 3.1.0
          info: { title: t, version: "1" }
          paths:
            /items:
              get:
                operationId: list
                parameters:
                  - { name: limit, in: query, schema: { type: \(type), \(keyword): \(number) } }
                  - { name: offset, in: query, schema: { type: integer, \(keyword): \(number) } }
                responses: { "200": { description: ok, content: { application/json: { schema: {
                  type: object, properties: { total: { type: integer }, items: { type: array, items: {
                  type: object, properties: { id: { type: integer } } } } } } } } } }
          """
        guard let contract = try? Contract.parse(text, file: "/openapi.yaml") else { continue }
        _ = ContractRelations(contract)
        guard let schema = contract.operations.first?.parameters.first?.schema else { continue }
        for base in [JSONValue(1), JSONValue(Int.max), JSONValue(Int.min), "x", .array([JSONValue(Int.max)])] {
          for trial in SchemaTrials(contract).trials(of: schema, base: base) {
            #expect("\(trial)".utf8.count < 200_000)
          }
        }
      }
    }
  }
}
