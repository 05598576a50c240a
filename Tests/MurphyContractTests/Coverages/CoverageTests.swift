import MurphyContract
import MurphyModel
import Testing

@Suite struct CoverageTests {
  private static let paths = """
      /laws:
        get:
          operationId: listLaws
          responses:
            "200":
              description: fine
              headers: { X-Page: { schema: { type: integer } } }
              content:
                application/json:
                  schema:
                    type: object
                    required: [id]
                    properties:
                      id: { type: integer }
                      order: { enum: [asc, desc] }
                      pet: { oneOf: [{ $ref: "#/components/schemas/Cat" }, { type: integer }] }
                      next: { $ref: "#/components/schemas/Node" }
            "404": { description: none }
    """
  private static let rest = """
    components:
      schemas:
        Cat: { type: object, properties: { name: { type: string } } }
        Node: { type: object, properties: { value: { type: string }, next: { $ref: "#/components/schemas/Node" } } }
    """

  private func judge() throws -> ResponseJudge {
    ResponseJudge(contract: try Contracts.load(Self.paths, rest: Self.rest))
  }

  @Test func `everything that can be covered is listed unseen`() throws {
    let items = try judge().coverage()
    #expect(
      items.map { "\($0.kind) \($0.name) \($0.count)" } == [
        "operation listLaws 0", "status 200 0", "media-type 200 application/json 0", "header 200 X-Page 0",
        "property 200 /order 0", "enum 200 /order = \"asc\" 0", "enum 200 /order = \"desc\" 0", "property 200 /pet 0",
        "branch 200 /pet oneOf 0 (Cat) 0", "property 200 /pet/name 0", "branch 200 /pet oneOf 1 0",
        "property 200 /next 0", "property 200 /next/value 0", "property 200 /next/next 0", "status 404 0",
      ])
  }

  @Test func `what responses show is counted`() throws {
    let judge = try judge()
    for _ in 0..<3 {
      _ = judge.judge(
        Answer(
          headers: [("Content-Type", "application/json"), ("x-page", "1")],
          body: #"{"id":1,"order":"desc","pet":{"name":"Tom"}}"#))
    }
    let seen = judge.coverage().filter { $0.count > 0 }
    #expect(seen.allSatisfy { $0.count == 3 })
    #expect(
      seen.map(\.name) == [
        "listLaws", "200", "200 application/json", "200 X-Page", "200 /order", "200 /order = \"desc\"", "200 /pet",
        "200 /pet oneOf 0 (Cat)", "200 /pet/name",
      ])
  }

  @Test func `responses that break the contract elsewhere show what they show`() throws {
    let bodies = [
      #"{"id":"seven","order":"desc","next":{"value":"a"}}"#, #"{"id":1,"order":"desc","next":{"value":"a"},"more":1}"#,
    ]
    for (body, options) in zip(bodies, [JudgeOptions(), JudgeOptions(undocumentedFields: true)]) {
      let judge = ResponseJudge(
        contract: try Contracts.load(Self.paths, rest: Self.rest, options: options), options: options)
      for _ in 0..<3 { #expect(judge.judge(.json(body)).violations.count == 1) }
      let seen = judge.coverage().filter { $0.count == 3 }.map(\.name)
      #expect(seen.suffix(4) == ["200 /order", "200 /order = \"desc\"", "200 /next", "200 /next/value"], "\(body)")
    }
  }

  @Test func `a response counts once however often it shows a thing`() throws {
    let judge = ResponseJudge(
      contract: try Contracts.load(
        """
          /laws:
            get:
              operationId: listLaws
              responses:
                "200":
                  description: fine
                  content:
                    application/json:
                      schema: { type: array, items: { type: object, properties: { a: { type: integer } } } }
        """))
    for _ in 0..<2 { _ = judge.judge(.json(#"[{"a":1},{"a":2},{},{"a":4}]"#)) }
    #expect(judge.coverage().first { $0.kind == "property" }?.count == 2)
    let violation = judge.judge(.json(#"[{"a":"x"},{"a":"y"},{"a":3}]"#)).violations
    #expect(violation.map(\.places) == [2])
  }

  @Test func `lists of several judges add up`() throws {
    let contract = try Contracts.load(Self.paths, rest: Self.rest)
    let judges = [ResponseJudge(contract: contract), ResponseJudge(contract: contract)]
    for judge in judges { _ = judge.judge(Answer(status: 404, headers: [])) }
    var items = judges[0].coverage()
    items.merge(judges[1].coverage())
    #expect(items.first { $0.name == "404" }?.count == 2)
    #expect(items.count == judges[0].coverage().count)
  }

  @Test func `the baseline only turns forward`() throws {
    func item(_ name: String, _ count: Int) -> CoverageItem {
      CoverageItem(kind: "status", operation: "a", name: name, count: count)
    }
    let base = CoverageBaseline([item("200", 3), item("404", 1), item("500", 0), item("gone", 1)])
    let read = try CoverageBaseline(text: base.text, file: "baseline.txt")
    #expect(read == base)
    let now = [item("200", 1), item("404", 0), item("500", 2)]
    #expect(base.lost(in: now).map(\.name) == ["404"])
    #expect(base.advanced(by: now).seen == ["status a 200", "status a 404", "status a 500"])
    #expect(throws: Diagnostic.self) { try CoverageBaseline(text: "{}", file: "x") }
  }
}
