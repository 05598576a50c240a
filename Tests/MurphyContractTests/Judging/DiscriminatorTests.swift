import MurphyContract
import Testing

@Suite struct DiscriminatorTests {
  private let judge: ResponseJudge

  init() throws {
    judge = ResponseJudge(
      contract: try Contracts.load(
        """
          /pet:
            get:
              operationId: pet
              responses:
                "200":
                  description: a pet
                  content:
                    application/json:
                      schema:
                        oneOf: [{ $ref: "#/components/schemas/Cat" }, { $ref: "#/components/schemas/Dog" }]
                        discriminator: { propertyName: kind, mapping: { kitty: "#/components/schemas/Cat" } }
        """,
        rest: """
          components:
            schemas:
              Cat: { type: object, properties: { kind: { type: string }, lives: { type: integer } } }
              Dog: { type: object, properties: { kind: { type: string }, lives: { type: string } } }
          """))
  }

  @Test func itsValueChoosesTheBranch() {
    // Both branches take this in: without the discriminator `oneOf` would refuse it.
    #expect(judge.judge(.json(#"{"kind":"kitty"}"#)).text == "conformant")
    #expect(judge.judge(.json(#"{"kind":"Dog","lives":"one"}"#)).text == "conformant")
  }

  @Test func theChosenBranchIsTheOneThatMustHold() {
    #expect(judge.judge(.json(#"{"kind":"kitty","lives":"one"}"#)).violations.count == 1)
    #expect(judge.judge(.json(#"{"kind":"Dog","lives":1}"#)).violations.count == 1)
  }

  @Test("values that mean no schema", arguments: [#"{"kind":"Bird"}"#, #"{"kind":"Cat"}"#, "{}", #"{"kind":1}"#])
  func unknown(_ body: String) { #expect(judge.judge(.json(body)).violations.count == 1) }
}
