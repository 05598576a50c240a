import MurphyContract
import MurphyModel
import Testing

/// Fields that no schema documents are noted whatever else the schema says, also where it requires all that it knows.
@Suite struct ExtraFieldTests {
  private static let item = "{ type: object, required: [id], properties: { id: { type: integer } } }"

  /// The schema, a body, and the fields of the body that the schema does not document.
  static let cases: [(schema: String, body: String, extra: [String])] = [
    (item, #"{"id":1,"x":2}"#, ["/x"]),
    (item, #"{"id":1}"#, []),
    ("{ $ref: '#/components/schemas/Item' }", #"{"id":1,"x":2}"#, ["/x"]),
    ("{ type: object, properties: { id: { type: integer } } }", #"{"id":1,"x":2}"#, ["/x"]),
    ("{ type: array, items: \(item) }", #"[{"id":1},{"id":2,"x":3}]"#, ["/*/x"]),
    (
      "{ type: object, required: [data], properties: { data: { type: array, items: \(item) } } }",
      #"{"data":[{"id":1,"x":2}],"y":3}"#, ["/data/*/x", "/y"]
    ),
    (
      "{ type: object, required: [a], properties: { a: { type: object, required: [b], properties: { b: \(item) } } } }",
      #"{"a":{"b":{"id":1,"x":2}}}"#, ["/a/b/x"]
    ),
    (
      "{ allOf: [\(item), { type: object, required: [name], properties: { name: {} } }] }", #"{"id":1,"name":2,"x":3}"#,
      ["/x"]
    ),
    (
      "{ type: array, items: { allOf: [{ $ref: '#/components/schemas/Item' }, { required: [n], properties: { n: {} } }] } }",
      #"[{"id":1,"n":2,"x":3}]"#, ["/*/x"]
    ),
    (
      "{ type: object, required: [id], properties: { id: { type: integer } }, additionalProperties: true }",
      #"{"id":1,"x":2}"#, []
    ),
    (
      "{ type: object, required: [id], properties: { id: { type: integer } }, patternProperties: { '^x': {} } }",
      #"{"id":1,"x":2,"y":3}"#, ["/y"]
    ),
    ("{ type: object }", #"{"x":2}"#, []),
    // A body that breaks its schema: no branch is known to be meant, so that nothing is said of its fields.
    ("{ oneOf: [\(item), { type: object, required: [n], properties: { n: {} } }] }", #"{"id":"one","x":2}"#, []),
  ]

  private func extra(_ schema: String, _ body: String, judges: Int) throws -> [Finding] {
    let contract = try Contracts.load(
      """
        /a:
          get:
            operationId: a
            responses:
              "200": { description: a, content: { application/json: { schema: \(schema) } } }
              "404": { description: b, content: { application/json: { schema: \(schema) } } }
      """, rest: "components: { schemas: { Item: \(Self.item) } }")
    var notes = TrafficObservations()
    for status in [200, 404].prefix(judges) {
      let judge = ResponseJudge(contract: contract)
      _ = judge.judge(.json(body, status: status))
      notes.merge(judge.traffic())
    }
    return notes.findings(contract).filter { $0.kind == .contractExtraField }
  }

  @Test(arguments: cases) func `they are noted at every depth`(
    schema: String, body: String, extra names: [String]
  ) throws {
    let found = try extra(schema, body, judges: 1)
    #expect(found.flatMap { $0.details.dropLast().map { String($0.prefix { $0 != ":" }) } } == names)
    #expect(found.allSatisfy { $0.operation == "a" && $0.message.contains("of 200 application/json") })
  }

  @Test func `the notes of several loops are added by response`() throws {
    let found = try extra(Self.item, #"{"id":1,"x":2}"#, judges: 2)
    #expect(found.map { $0.message.contains("of 200") } == [true, false])
    #expect(found.allSatisfy { $0.details.first == "/x: in 1 of 1 inspected responses" })
  }
}
