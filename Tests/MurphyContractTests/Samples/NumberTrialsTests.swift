import MurphyContract
import MurphyJSON
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

  @Test func nothingIsJustAboveABoundThatDoublesCannotTellFromItsNeighbour() throws {
    let trials = try trials("maximum: 9223372036854775808")
    #expect(!trials.contains { $0.about.hasPrefix("just above") })
    #expect(!trials.contains { $0.intent == .broken && "\($0)".contains("e+18") })
  }

  @Test func largeNumbersTryTheBoundThatForbidsThem() throws {
    let bounded = try trials("minimum: 0, maximum: 100").filter {
      $0.about.contains("64 bits") || $0.about.contains("double")
    }
    #expect(Set(bounded.map(\.constraint)) == ["minimum", "maximum"])
    #expect(
      try trials("format: int32").filter { $0.about.contains("64 bits") }.allSatisfy { $0.constraint == "format" })
    #expect(
      try trials("exclusiveMaximum: 7").contains { $0.about == "exclusiveMaximum 7 itself" && $0.intent == .broken })
  }
}
