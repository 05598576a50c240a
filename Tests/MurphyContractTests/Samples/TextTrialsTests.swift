import MurphyContract
import MurphySchema
import Testing

/// Strings that are tried for a string's schema.
@Suite struct TextTrialsTests {
  private func trials(_ schema: String) throws -> [ValueTrial] {
    let contract = try Contract.parse(
      """
      openapi: 3.1.0
      info: { title: t, version: "1" }
      paths:
        /items:
          get:
            operationId: list
            parameters: [{ name: q, in: query, schema: { type: string, \(schema) } }]
            responses: { "200": { description: ok } }
      """, file: "/openapi.yaml")
    let parameter = try #require(contract.operations.first?.parameters.first?.schema)
    return SchemaTrials(contract).trials(of: parameter, base: "murphy")
  }

  private func texts(_ trials: [ValueTrial], _ constraint: String, _ intent: ValueTrial.Intent) -> [String] {
    trials.filter { $0.constraint == constraint && $0.intent == intent }.compactMap { trial in
      if case .set(let value) = trial.change { value.string } else { nil }
    }
  }

  @Test func `maxLength counts code points`() throws {
    let all = try trials("maxLength: 9")
    #expect(texts(all, "maxLength", .kept).allSatisfy { $0.unicodeScalars.count == 9 })
    #expect(texts(all, "maxLength", .kept).contains { $0.utf16.count == 18 })
    let broken = texts(all, "maxLength", .broken)
    #expect(broken.allSatisfy { $0.unicodeScalars.count > 9 })
    #expect(broken.contains { $0.utf16.count == 20 } && broken.contains { $0.count < 9 })
  }

  @Test func `minLength counts code points`() throws {
    let broken = texts(try trials("minLength: 3"), "minLength", .broken)
    #expect(broken.allSatisfy { $0.unicodeScalars.count == 2 })
    #expect(broken.contains { $0.utf16.count == 4 })
  }

  @Test(arguments: ["maxLength: 9, pattern: '^[a-z]*$'", "minLength: 3, format: email"])
  func `a restricted string gets no emojis`(_ schema: String) throws {
    let lengths = ["minLength", "maxLength"].flatMap { name in
      [.kept, .broken].flatMap { (try? texts(trials(schema), name, $0)) ?? [] }
    }
    #expect(!lengths.isEmpty && lengths.allSatisfy { $0.utf16.count == $0.unicodeScalars.count })
  }
}
