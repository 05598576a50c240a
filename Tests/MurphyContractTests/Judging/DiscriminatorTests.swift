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

  @Test func `its value chooses the branch`() {
    // Both branches take this in: without the discriminator `oneOf` would refuse it.
    #expect(judge.judge(.json(#"{"kind":"kitty"}"#)).text == "conformant")
    #expect(judge.judge(.json(#"{"kind":"Dog","lives":"one"}"#)).text == "conformant")
  }

  @Test func `the chosen branch is the one that must hold`() {
    #expect(judge.judge(.json(#"{"kind":"kitty","lives":"one"}"#)).violations.count == 1)
    #expect(judge.judge(.json(#"{"kind":"Dog","lives":1}"#)).violations.count == 1)
  }

  @Test(arguments: [
    (#"{"kind":"kitty"}"#, 0), (#"{"kind":"kitty","lives":"one"}"#, 1), (#"{"lives":"one"}"#, 0),
    (#"{"lives":1}"#, 1),
    (#"{"kind":"Bird","lives":"one"}"#, 0), (#"{"kind":"Bird","lives":1}"#, 1), (#"{"kind":"Dog","lives":1}"#, 1),
  ]) func `what means no other schema is for the default one`(_ body: String, _ violations: Int) throws {
    let judge = ResponseJudge(
      contract: try Contracts.load(
        """
          /pet:
            get:
              operationId: pet
              responses:
                "200":
                  content:
                    application/json:
                      schema:
                        oneOf: [{ $ref: "#/components/schemas/Cat" }, { $ref: "#/components/schemas/Dog" }]
                        discriminator:
                          propertyName: kind
                          mapping: { kitty: "#/components/schemas/Cat" }
                          defaultMapping: Dog
        """, version: "3.2.0",
        rest: """
          components:
            schemas:
              Cat: { type: object, properties: { kind: { type: string }, lives: { type: integer } } }
              Dog: { type: object, properties: { kind: { type: string }, lives: { type: string } } }
          """))
    #expect(judge.judge(.json(body)).violations.count == violations)
  }

  @Test(arguments: [#"{"kind":"Bird"}"#, #"{"kind":"Cat"}"#, "{}", #"{"kind":1}"#]) func `values that mean no schema`(
    _ body: String
  ) { #expect(judge.judge(.json(body)).violations.count == 1) }
}
